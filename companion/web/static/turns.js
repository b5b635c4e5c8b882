// The list of turns, newest first or in order; each opens what is given.
import { make } from "./dom.js";
import { die } from "./dice.js";
import { miniature } from "./mini.js";
import { text } from "./texts.js";

export function turnItem(turn, extra, open) {
  const button = make("button", { type: "button", "data-turn": turn.number },
    make("span", { class: "no" }, String(turn.number)),
    make("span", { class: `disc ${turn.player}`, role: "img", "aria-label": text(turn.player) }),
    roll(turn.dice),
    make("span", { class: turn.play ? "play" : "play none" }, turn.play || text("no-move"), " ", ...chip(turn)),
    make("span", { class: "thumb", "aria-hidden": "true" }, miniature(turn.board, extra)));
  if (turn.reasons.length) button.title = turn.reasons.join(", ");
  if (open) button.addEventListener("click", () => open(turn));
  return make("li", {}, button);
}

export function roll(dice) {
  return make("span", { class: "roll" }, ...(dice ?? []).map(die));
}

function chip(turn) {
  if (turn.fixed) return [make("span", { class: "chip fixed" }, text("corrected"))];
  if (!turn.flag) return [];
  const words = { illegal: "was-illegal", unsure: "check", gap: "gap" }[turn.flag];
  return [make("span", { class: `chip ${turn.flag}` }, text(words))];
}

// Shows turns without touching what is shown already: a turn is known by its number and what it says.
export class TurnList {
  constructor(element, open, { newestFirst = false } = {}) {
    Object.assign(this, { element, open, newestFirst, items: new Map() });
  }

  show(turns, extra) {
    const wanted = new Map();
    for (const turn of this.newestFirst ? [...turns].reverse() : turns) {
      const key = JSON.stringify([turn.number, turn.dice, turn.play, turn.verdict, turn.fixed, turn.board, extra.mirrored]);
      wanted.set(key, this.items.get(key) ?? turnItem(turn, extra, this.open));
    }
    for (const [key, item] of this.items) {
      if (!wanted.has(key)) item.remove();
    }
    this.items = wanted;
    if (!wanted.size) return this.element.replaceChildren(make("li", { class: "empty" }, text("none")));
    this.element.querySelector(".empty")?.remove();
    let next = this.element.firstChild;
    for (const item of wanted.values()) {
      if (item === next) next = next.nextSibling;
      else this.element.insertBefore(item, next);
    }
  }
}
