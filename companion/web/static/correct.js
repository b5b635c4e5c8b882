// Correct a turn: the first tap opens it, the second says what it was.
import { $, make, tell } from "./dom.js";
import { miniature } from "./mini.js";
import { roll } from "./turns.js";
import { attempt, post } from "./post.js";
import { text } from "./texts.js";

export async function openTurn(match, number, extra, done = () => {}) {
  const dialog = $("correct");
  if (!dialog || match === null || match === undefined) return;
  const path = `/match/${match}/turn/${number}`;
  const answer = await fetch(path);
  if (!answer.ok) return tell("failed", true);
  const data = await answer.json();
  const changes = [];
  const change = (more) => attempt(async () => {
    const clash = await fix(match, [...changes, more]);
    if (clash) {
      changes.push(more);
      return clashed(clash, extra, change);
    }
    dialog.close();
    tell("saved");
    done(number);
  });
  const choose = (choice) => change({ turn: number, roll: choice.dice, play: choice.play });
  describe(data.turn);
  $("correct-before").replaceChildren(miniature(data.before ?? data.turn.board, extra));
  $("correct-after").replaceChildren(miniature(data.turn.board, extra));
  $("correct-crop").hidden = !data.picture;
  if (data.picture) $("correct-picture").src = `${path}/dice.jpg`;
  $("alternatives").replaceChildren(...data.alternatives.map((choice) => offered(choice, extra, choose)));
  $("other-roll").open = $("other-roll").hidden = false;
  $("correct-after").closest("figure").hidden = false;
  offerOthers(path, data.turn.dice, choose);
  dialog.showModal();
}

// Null when all is well, else the first later turn that cannot be any more.
async function fix(match, changes) {
  try {
    await post("/fix", { match, changes });
    return null;
  } catch (error) {
    if (error.data?.clash) return error.data.clash;
    throw error;
  }
}

// What was right after the turn as it was read is not right any more: ask for that turn too.
function clashed(clash, extra, change) {
  $("correct-now").replaceChildren(`${text("then")} ${clash.turn}: ${clash.why}`);
  $("correct-before").replaceChildren(miniature(clash.before, extra));
  $("correct-after").closest("figure").hidden = true;
  $("correct-crop").hidden = true;
  $("other-roll").hidden = true;
  $("alternatives").replaceChildren(...clash.remedies.map((remedy) => {
    const words = remedy.what === "gap" ? text("gap-change") : remedy.what === "delete" ? text("delete") : remedy.stood ? text("was-illegal") : remedy.cube ? text("no-cube") : remedy.play || text("no-move");
    const button = make("button", { type: "button" }, roll(remedy.roll), make("span", {}, words));
    button.addEventListener("click", () => change(remedy));
    return button;
  }));
}

function describe(turn) {
  const words = [turn.play || text("no-move"), ...turn.reasons];
  $("correct-now").replaceChildren(
    make("span", { class: `disc ${turn.player}`, role: "img", "aria-label": text(turn.player) }),
    ` ${text("turn")} ${turn.number}: `, roll(turn.dice), ` ${words.join(", ")}`);
  $("correct-now").className = "turn-now";
}

function offered(choice, extra, choose) {
  const button = make("button", { type: "button" }, roll(choice.dice), make("span", {}, choice.play || text("no-move")),
    make("span", { class: "mini", "aria-hidden": "true" }, miniature(choice.board, extra)));
  button.addEventListener("click", () => choose(choice));
  return button;
}

function offerOthers(path, dice, choose) {
  const [one, two] = [$("die-1"), $("die-2")];
  [one.value, two.value] = dice ?? [1, 1];
  const load = () => attempt(async () => {
    const answer = await fetch(`${path}/plays?dice=${one.value}-${two.value}`);
    const data = await answer.json();
    $("other-plays").replaceChildren(...(data.plays ?? []).map((choice) => {
      const button = make("button", { type: "button" }, choice.play || text("no-move"));
      button.addEventListener("click", () => choose(choice));
      return button;
    }));
  });
  one.onchange = two.onchange = load;
  $("other-roll").ontoggle = () => $("other-roll").open && load();
}
