// The board as SVG, seen by White: it follows a position, and checkers glide to where they were put.
import { draw } from "./dom.js";
import { faceOf } from "./dice.js";
import { BAR, CELL, DEEP, HALF, HEIGHT, LEFT, RADIUS, RIGHT, RIM, SIDES, TRAY, WIDTH, column, places } from "./geometry.js";
import { text } from "./texts.js";
import { described } from "./words.js";

const DIE = 78;

export class Board {
  constructor(parent) {
    this.picture = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": text("board") });
    this.picture.append(defs(), ...wood());
    this.numbers = draw("g", { class: "numbers" });
    this.marks = draw("g", { class: "marks" });
    this.checkers = draw("g");
    this.labels = draw("g", { class: "labels" });
    this.loose = draw("g");
    this.picture.append(this.numbers, this.marks, this.checkers, this.labels, this.loose);
    parent.replaceChildren(this.picture);
    this.pieces = { white: [], black: [] };
    this.shown = "";
    this.#number(false);
  }

  // board: {points, bar, off}; extra: {dice, player, cube, marked, mirrored, sameWay}; what is shown already is left alone
  show(board, extra = {}) {
    if (!board) return;
    const key = JSON.stringify([board, extra]);
    if (key === this.shown) return;
    this.shown = key;
    const mirrored = Boolean(extra.mirrored);
    if (mirrored !== this.mirrored) this.#number(mirrored);
    const { checkers, labels } = places(board, extra);
    for (const side of SIDES) this.#move(side, checkers[side]);
    this.labels.replaceChildren(...labels.map(label));
    this.marks.replaceChildren(...(extra.marked ?? []).map((point) => mark(point, mirrored)));
    this.loose.replaceChildren(...dice(extra, mirrored), ...cube(extra.cube));
    this.picture.setAttribute("aria-label", described(board, extra));
  }

  // Checkers that stay are left alone; those that left a place go to one that was filled.
  #move(side, wanted) {
    const pieces = this.pieces[side];
    const open = new Map(wanted.map((at) => [at.join(), at]));
    const free = [];
    for (const piece of pieces) {
      if (open.has(piece.at)) open.delete(piece.at);
      else free.push(piece);
    }
    for (const [key, at] of open) {
      const piece = free.pop() ?? this.#piece(side, pieces);
      piece.at = key;
      piece.element.style.transform = `translate(${at[0]}px, ${at[1]}px)`;
    }
    for (const piece of free) {
      piece.element.remove();
      pieces.splice(pieces.indexOf(piece), 1);
    }
  }

  #piece(side, pieces) {
    const rim = side === "white" ? "#7a5a38" : "#170c07";
    const ring = side === "white" ? "#cdb68e" : "#7d5a44";
    const element = draw("g", { class: "checker" },
      draw("circle", { r: RADIUS, fill: `url(#checker-${side})`, stroke: rim, "stroke-width": 1.6 }),
      draw("circle", { r: RADIUS * 0.66, fill: "none", stroke: ring, "stroke-width": 1.6, opacity: 0.75 }));
    this.checkers.append(element);
    const piece = { element, at: "" };
    pieces.push(piece);
    return piece;
  }

  #number(mirrored) {
    this.mirrored = mirrored;
    const numbers = [];
    for (let point = 1; point <= 24; point++) {
      const { x, top } = column(point, mirrored);
      numbers.push(draw("text", { x, y: top ? 24 : HEIGHT - 11 }, String(point)));
    }
    this.numbers.replaceChildren(...numbers);
  }
}

function label({ at: [x, y], count, side }) {
  return draw("text", { x, y: y + 8, fill: side === "white" ? "#3a2517" : "#f8ecd6" }, String(count));
}

// A point that a verdict speaks of: framed, and its number on a red ground.
function mark(point, mirrored) {
  const { x, top } = column(point, mirrored);
  const tall = DEEP + 8;
  return draw("g", {},
    draw("rect", { x: x - CELL / 2 + 2, y: top ? RIM : HEIGHT - RIM - tall, width: CELL - 4, height: tall, rx: 8, class: "marked" }),
    draw("rect", { x: x - 17, y: top ? 5 : HEIGHT - 29, width: 34, height: 24, rx: 7, class: "marked-number" }),
    draw("text", { x, y: top ? 24 : HEIGHT - 11 }, String(point)));
}

function dice({ dice: values, player }, mirrored) {
  if (!values) return [];
  const centre = ((player !== "black") !== mirrored ? RIGHT : LEFT) + HALF / 2;
  return values.map((value, i) =>
    draw("g", { transform: `translate(${centre - DIE - 9 + i * (DIE + 18)} ${(HEIGHT - DIE) / 2}) scale(${DIE / 40})` }, ...faceOf(value)));
}

function cube(state) {
  if (!state || (state.value === 1 && !state.owner)) return [];
  const y = state.owner === "white" ? HEIGHT - RIM - 46 : state.owner === "black" ? RIM + 46 : HEIGHT / 2;
  return [draw("g", { transform: `translate(${WIDTH / 2} ${y})` },
    draw("rect", { x: -25, y: -25, width: 50, height: 50, rx: 8, fill: "#fdf4e0", stroke: "#5b3a1f", "stroke-width": 2 }),
    draw("text", { y: 10, "text-anchor": "middle", "font-size": 28, "font-weight": 700, fill: "#5b2a12" }, String(state.value)))];
}

function wood() {
  const parts = [
    draw("rect", { width: WIDTH, height: HEIGHT, rx: 20, fill: "url(#wood-frame)" }),
    draw("rect", { x: 3, y: 3, width: WIDTH - 6, height: HEIGHT - 6, rx: 17, fill: "none", stroke: "#a87b4c", "stroke-width": 1.5, opacity: 0.6 }),
  ];
  for (const x of [LEFT, RIGHT]) {
    parts.push(draw("rect", { x: x - 2, y: RIM - 2, width: HALF + 4, height: HEIGHT - 2 * RIM + 4, rx: 4, fill: "url(#wood-field)", stroke: "#3d2613", "stroke-width": 2 }));
    for (let i = 0; i < 6; i++) parts.push(...triangles(x + i * CELL, i));
  }
  for (const x of [RIM + 4, WIDTH - RIM - TRAY + 8]) {
    parts.push(draw("rect", { x, y: RIM, width: TRAY - 12, height: HEIGHT - 2 * RIM, rx: 6, fill: "#2f1d10", opacity: 0.5 }));
  }
  return parts;
}

function triangles(x, i) {
  const tones = ["#8d5a31", "#f2e3c3"], long = DEEP - 30;
  return [
    draw("path", { d: `M${x + 2} ${RIM} h${CELL - 4} l${-(CELL / 2 - 2)} ${long}z`, fill: tones[i % 2], opacity: 0.92 }),
    draw("path", { d: `M${x + 2} ${HEIGHT - RIM} h${CELL - 4} l${-(CELL / 2 - 2)} ${-long}z`, fill: tones[(i + 1) % 2], opacity: 0.92 }),
  ];
}

function defs() {
  const stop = (offset, colour) => draw("stop", { offset, "stop-color": colour });
  const round = (id, ...stops) => draw("radialGradient", { id, cx: "36%", cy: "30%", r: "78%" }, ...stops);
  const plain = (id, ...stops) => draw("linearGradient", { id, x1: 0, y1: 0, x2: 0, y2: 1 }, ...stops);
  return draw("defs", {},
    round("checker-white", stop(0, "#fffdf6"), stop(0.6, "#f4e7cb"), stop(1, "#d9c297")),
    round("checker-black", stop(0, "#765440"), stop(0.55, "#432a1d"), stop(1, "#24140c")),
    plain("wood-frame", stop(0, "#7d5430"), stop(0.5, "#69421f"), stop(1, "#573516")),
    plain("wood-field", stop(0, "#dcb988"), stop(0.5, "#d2aa75"), stop(1, "#dab583")));
}
