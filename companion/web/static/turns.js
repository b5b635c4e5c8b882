// The list of turns, newest first or in order; each opens what is given.
import { make } from "./dom.js";
import { die } from "./dice.js";
import { Board } from "./board.js";
import { text } from "./texts.js";

export function turnItem(turn, extra, open) {
  const thumb = make("span", { class: "thumb", "aria-hidden": "true" });
  new Board(thumb, { small: true }).show(turn.board, extra);
  const button = make("button", { type: "button", "data-turn": turn.number },
    make("span", { class: "no" }, String(turn.number)),
    make("span", { class: `disc ${turn.player}`, role: "img", "aria-label": text(turn.player) }),
    roll(turn.dice),
    make("span", { class: "play" }, turn.play || text("no-move")),
    chip(turn),
    thumb);
  if (turn.reasons.length) button.title = turn.reasons.join(", ");
  if (open) button.addEventListener("click", () => open(turn));
  return make("li", {}, button);
}

export function roll(dice) {
  return make("span", { class: "roll" }, ...(dice ?? []).map(die));
}

function chip(turn) {
  if (turn.fixed) return make("span", { class: "chip fixed" }, text("corrected"));
  if (!turn.flag) return make("span");
  const words = { illegal: "was-illegal", unsure: "check", gap: "gap" }[turn.flag];
  return make("span", { class: `chip ${turn.flag}` }, text(words));
}

// Shows turns without drawing again what is drawn: a turn is known by its number and what it says.
export class TurnList {
  constructor(element, open, { newestFirst = false } = {}) {
    Object.assign(this, { element, open, newestFirst, items: new Map() });
  }

  show(turns, extra) {
    const items = new Map();
    for (const turn of turns) {
      const key = JSON.stringify([turn.number, turn.dice, turn.play, turn.verdict, turn.fixed, turn.board.points]);
      items.set(key, this.items.get(key) ?? turnItem(turn, extra, this.open));
    }
    const same = items.size === this.items.size && [...items.keys()].every((key) => this.items.has(key));
    this.items = items;
    if (same && this.element.children.length === items.size) return;
    const list = [...items.values()];
    this.element.replaceChildren(...(this.newestFirst ? list.reverse() : list));
  }
}
