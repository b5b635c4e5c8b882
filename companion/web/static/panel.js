// What several pages show of a moment: names, score, cube, dice, whose turn it is, the verdict.
import { $, set } from "./dom.js";
import { showDice } from "./dice.js";
import { isSameWay } from "./board.js";
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
  element.classList.toggle("bad-play", Boolean(moment.view.illegal));
  element.classList.toggle("good", Boolean(moment.view.winner) || moment.view.message?.key === "taken-back");
}

export function extraOf(moment) {
  const view = moment.view;
  return { dice: view.dice, player: view.player, cube: view.cube, mirrored: moment.mirrored, sameWay: isSameWay(view.game) };
}
