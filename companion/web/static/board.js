// The board as SVG, seen by White: it follows a position, and checkers glide to where they were put.
import { draw } from "./dom.js";
import { faceOf } from "./dice.js";
import { text } from "./texts.js";

const CELL = 60, RIM = 34, BAR = 56, TRAY = 54, HEIGHT = 704;
const HALF = 6 * CELL;
const WIDTH = 2 * (RIM + TRAY + HALF) + BAR;
const LEFT = RIM + TRAY;
const RADIUS = CELL / 2 - 2.5;
const DEEP = 5.1 * CELL;
const SIDES = ["white", "black"];
let made = 0;

export class Board {
  // small: without numbers, dice and movement, for thumbnails
  constructor(parent, { small = false } = {}) {
    this.small = small;
    this.id = `b${made++}`;
    this.picture = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": text("board") });
    this.picture.append(this.#defs(), ...this.#wood());
    this.marks = draw("g");
    this.checkers = draw("g");
    this.labels = draw("g", { "font-size": 21, "font-weight": 700, "text-anchor": "middle", "font-family": "inherit" });
    this.loose = draw("g");
    this.picture.append(this.marks, this.checkers, this.labels, this.loose);
    parent.replaceChildren(this.picture);
    this.pieces = { white: [], black: [] };
    this.mirrored = null;
  }

  // board: {points, bar, off}; extra: {dice, player, cube, mirrored, sameWay}
  show(board, extra = {}) {
    if (!board) return;
    const { mirrored = false, sameWay = false } = extra;
    if (mirrored !== this.mirrored) this.#numbers(mirrored);
    this.mirrored = mirrored;
    const places = { white: [], black: [] };
    const labels = [];
    board.points.forEach((count, index) => this.#pile(places, labels, count, index + 1));
    for (const side of SIDES) this.#aside(places, labels, side, board, sameWay);
    for (const side of SIDES) this.#move(side, places[side]);
    this.labels.replaceChildren(...labels);
    this.loose.replaceChildren(...(this.small ? [] : [...this.#dice(extra), ...this.#cube(extra.cube)]));
    this.picture.setAttribute("aria-label", described(board, extra));
  }

  #pile(places, labels, count, point) {
    const many = Math.abs(count);
    if (!many) return;
    const side = count > 0 ? "white" : "black";
    const { x, top } = this.#column(point);
    const gap = Math.min(2 * RADIUS + 1, (DEEP - 2 * RADIUS) / Math.max(1, many - 1));
    for (let i = 0; i < many; i++) {
      const away = RIM + RADIUS + 2 + i * gap;
      places[side].push([x, top ? away : HEIGHT - away]);
    }
    if (many > 5) labels.push(this.#label(...places[side].at(-1), many, side));
  }

  #aside(places, labels, side, board, sameWay) {
    const bar = board.bar[side], off = board.off[side];
    const low = side === "black"; // Black's checkers wait on White's half, which is below
    for (let i = 0; i < bar; i++) {
      const away = 1.1 * RADIUS + i * Math.min(2 * RADIUS, 150 / Math.max(1, bar));
      places[side].push([WIDTH / 2, HEIGHT / 2 + (low ? away : -away)]);
    }
    if (bar > 3) labels.push(this.#label(...places[side].at(-1), bar, side));
    const down = side === "white";
    const right = (side === "white" || !sameWay) !== this.mirrored;
    const x = right ? WIDTH - RIM - TRAY / 2 : RIM + TRAY / 2;
    for (let i = 0; i < off; i++) {
      const away = RIM + RADIUS + 2 + i * 15;
      places[side].push([x, down ? HEIGHT - away : away]);
    }
    if (off) labels.push(this.#label(...places[side].at(-1), off, side));
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
    const element = draw("g", { class: this.small ? "" : "checker" },
      draw("circle", { r: RADIUS, fill: `url(#${this.id}${side})`, stroke: rim, "stroke-width": 1.6 }),
      draw("circle", { r: RADIUS * 0.66, fill: "none", stroke: ring, "stroke-width": 1.6, opacity: 0.75 }));
    this.checkers.append(element);
    const piece = { element, at: "" };
    pieces.push(piece);
    return piece;
  }

  #label(x, y, count, side) {
    return draw("text", { x, y: y + 7.5, fill: side === "white" ? "#3a2517" : "#f8ecd6" }, String(count));
  }

  #column(point) {
    const top = point > 12;
    let column = top ? point - 13 : 12 - point;
    if (this.mirrored) column = 11 - column;
    return { x: LEFT + column * CELL + CELL / 2 + (column > 5 ? BAR : 0), top };
  }

  #dice({ dice, player }) {
    if (!dice) return [];
    const right = (player !== "black") !== this.mirrored;
    const centre = right ? LEFT + HALF + BAR + HALF / 2 : LEFT + HALF / 2;
    return dice.map((value, i) =>
      draw("g", { transform: `translate(${centre - 62 + i * 68} ${HEIGHT / 2 - 28}) scale(1.4)` }, ...faceOf(value)));
  }

  #cube(cube) {
    if (!cube || (cube.value === 1 && !cube.owner)) return [];
    const y = cube.owner === "white" ? HEIGHT - RIM - 46 : cube.owner === "black" ? RIM + 46 : HEIGHT / 2;
    return [draw("g", { transform: `translate(${WIDTH / 2} ${y})` },
      draw("rect", { x: -23, y: -23, width: 46, height: 46, rx: 7, fill: "#fdf4e0", stroke: "#5b3a1f", "stroke-width": 2 }),
      draw("text", { y: 9, "text-anchor": "middle", "font-size": 25, "font-weight": 700, fill: "#5b2a12" }, String(cube.value)))];
  }

  #numbers(mirrored) {
    this.mirrored = mirrored;
    if (this.small) return;
    const numbers = [];
    for (let point = 1; point <= 24; point++) {
      const { x, top } = this.#column(point);
      numbers.push(draw("text", { x, y: top ? 23 : HEIGHT - 12, "font-size": 15, "text-anchor": "middle", fill: "#f0dcb8" }, String(point)));
    }
    this.marks.replaceChildren(...numbers);
  }

  #wood() {
    const parts = [
      draw("rect", { width: WIDTH, height: HEIGHT, rx: 20, fill: `url(#${this.id}frame)` }),
      draw("rect", { x: 3, y: 3, width: WIDTH - 6, height: HEIGHT - 6, rx: 17, fill: "none", stroke: "#a87b4c", "stroke-width": 1.5, opacity: 0.6 }),
    ];
    for (const x of [LEFT, LEFT + HALF + BAR]) {
      parts.push(draw("rect", { x: x - 2, y: RIM - 2, width: HALF + 4, height: HEIGHT - 2 * RIM + 4, rx: 4, fill: `url(#${this.id}field)`, stroke: "#3d2613", "stroke-width": 2 }));
      for (let column = 0; column < 6; column++) parts.push(...this.#triangles(x + column * CELL, column));
    }
    for (const x of [RIM + 4, WIDTH - RIM - TRAY + 8]) {
      parts.push(draw("rect", { x, y: RIM, width: TRAY - 12, height: HEIGHT - 2 * RIM, rx: 6, fill: "#2f1d10", opacity: 0.5 }));
    }
    return parts;
  }

  #triangles(x, column) {
    const tones = ["#8d5a31", "#f2e3c3"];
    const long = DEEP - 30;
    return [
      draw("path", { d: `M${x + 2} ${RIM} h${CELL - 4} l${-(CELL / 2 - 2)} ${long}z`, fill: tones[column % 2], opacity: 0.92 }),
      draw("path", { d: `M${x + 2} ${HEIGHT - RIM} h${CELL - 4} l${-(CELL / 2 - 2)} ${-long}z`, fill: tones[(column + 1) % 2], opacity: 0.92 }),
    ];
  }

  #defs() {
    const stop = (offset, colour) => draw("stop", { offset, "stop-color": colour });
    const round = (name, ...stops) => draw("radialGradient", { id: this.id + name, cx: "36%", cy: "30%", r: "78%" }, ...stops);
    const plain = (name, ...stops) => draw("linearGradient", { id: this.id + name, x1: 0, y1: 0, x2: 0, y2: 1 }, ...stops);
    return draw("defs", {},
      round("white", stop(0, "#fffdf6"), stop(0.6, "#f4e7cb"), stop(1, "#d9c297")),
      round("black", stop(0, "#765440"), stop(0.55, "#432a1d"), stop(1, "#24140c")),
      plain("frame", stop(0, "#7d5430"), stop(0.5, "#69421f"), stop(1, "#573516")),
      plain("field", stop(0, "#dcb988"), stop(0.5, "#d2aa75"), stop(1, "#dab583")));
  }
}

// The position in words, for those who listen.
function described(board, { dice }) {
  const parts = SIDES.map((side) => {
    const sign = side === "white" ? 1 : -1;
    const stacks = board.points.map((n, i) => [i + 1, n * sign]).filter(([, n]) => n > 0);
    const words = stacks.reverse().map(([point, n]) => `${n} ${text("to")} ${point}`);
    if (board.bar[side]) words.push(`${board.bar[side]} ${text("bar")}`);
    if (board.off[side]) words.push(`${board.off[side]} ${text("off")}`);
    return `${text(side)}: ${words.join(", ")}`;
  });
  return `${text("board")}. ${parts.join(". ")}.${dice ? ` ${text("dice")}: ${dice.join(", ")}.` : ""}`;
}

const LONG = ["long", "nardgammon", "mad", "gulbar", "mad-gulbar", "khachapuri", "fevga", "mad-fevga"];
export const isSameWay = (game) => LONG.includes(game);
