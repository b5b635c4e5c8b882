// What several pages show of a moment: names, score, cube, dice, whose turn it is, the verdict.
import { $, set } from "./dom.js";
import { showDice } from "./dice.js";
import { asWhite, isSameWay } from "./geometry.js";
import { text } from "./texts.js";

export function showPanel(moment) {
  const view = moment.view;
  for (const side of ["white", "black"]) {
    set(`name-${side}`, moment.names[side] || text(side));
    set(`score-${side}`, view.score?.[side] ?? 0);
    $(`name-${side}`)?.closest(".player")?.classList.toggle("turn", view.player === side);
  }
  set("game-number", view.number ?? 1);
  set("cube", view.cube?.value ?? 1);
  if (moment.phase_text) set("phase", moment.phase_text);
  if ($("dice")) showDice($("dice"), view.dice);
  showVerdict(moment);
}

function showVerdict(moment) {
  const element = $("verdict");
  if (!element) return;
  const words = moment.message_text || "";
  element.hidden = words === "";
  if (element.textContent !== words) element.textContent = words;
  const plate = element.closest(".now") ?? element;
  const bad = Boolean(moment.view.illegal);
  plate.classList.toggle("bad-play", bad);
  plate.classList.toggle("good", Boolean(moment.view.winner) || moment.view.message?.key === "taken-back");
  plate.classList.toggle("attention", words !== "" && !bad);
}

export function extraOf(moment) {
  const view = moment.view, sameWay = isSameWay(view.game);
  return {
    dice: view.dice, player: view.player, cube: view.cube, mirrored: moment.mirrored, sameWay, marked: markedBy(view, sameWay),
  };
}

// The points that an illegal play is about, in White's numbers; its message names them in the mover's.
function markedBy(view, sameWay) {
  if (!view.illegal || view.message?.key !== "illegal-play") return [];
  const named = (view.message.details[1] ?? "").split(", ").map(Number);
  return named.filter((point) => point >= 1 && point <= 24).map((point) => asWhite(point, view.player, sameWay));
}
