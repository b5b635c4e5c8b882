// Correct a turn: the first tap opens it, the second says what it was.
import { $, make, tell } from "./dom.js";
import { Board } from "./board.js";
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
  const choose = (choice) => attempt(async () => {
    await post("/fix", { match, turn: number, dice: choice.dice, play: choice.play });
    dialog.close();
    tell("saved");
    done(number);
  });
  describe(data.turn);
  new Board($("correct-before"), { small: true }).show(data.before ?? data.turn.board, extra);
  new Board($("correct-after"), { small: true }).show(data.turn.board, extra);
  $("correct-crop").hidden = !data.picture;
  if (data.picture) $("correct-picture").src = `${path}/dice.jpg`;
  $("alternatives").replaceChildren(...data.alternatives.map((choice) => offered(choice, extra, choose)));
  $("other-roll").open = false;
  offerOthers(path, data.turn.dice, choose);
  dialog.showModal();
}

function describe(turn) {
  const words = [turn.play || text("no-move"), ...turn.reasons];
  $("correct-now").replaceChildren(
    make("span", { class: `disc ${turn.player}`, role: "img", "aria-label": text(turn.player) }),
    ` ${text("turn")} ${turn.number}: `, roll(turn.dice), ` ${words.join(", ")}`);
  $("correct-now").className = "turn-now";
}

function offered(choice, extra, choose) {
  const mini = make("span", { class: "mini" });
  new Board(mini, { small: true }).show(choice.board, extra);
  const button = make("button", { type: "button" }, roll(choice.dice), make("span", {}, choice.play || text("no-move")), mini);
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
