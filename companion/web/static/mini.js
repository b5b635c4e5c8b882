// A small board for lists: a handful of shapes, since a list has many of them.
import { draw } from "./dom.js";
import { described } from "./words.js";
import { BAR, CELL, DEEP, HALF, HEIGHT, LEFT, RADIUS, RIGHT, RIM, SIDES, WIDTH, places } from "./geometry.js";

const TRIANGLES = [0, 1].map((tone) => {
  const parts = [];
  for (const x of [LEFT, RIGHT]) {
    for (let i = 0; i < 6; i++) {
      const begin = x + i * CELL + 2, long = DEEP - 30;
      parts.push(i % 2 === tone ? `M${begin} ${RIM}h${CELL - 4}l${2 - CELL / 2} ${long}z` : `M${begin} ${HEIGHT - RIM}h${CELL - 4}l${2 - CELL / 2} ${-long}z`);
    }
  }
  return parts.join("");
});
const FIELDS = [LEFT, RIGHT].map((x) => `M${x} ${RIM}h${HALF}v${HEIGHT - 2 * RIM}h${-HALF}z`).join("");
const FILLS = { white: "#f7ecd4", black: "#33201a" }, EDGES = { white: "#6d4f30", black: "#120a06" };

export function miniature(board, extra = {}) {
  const { checkers } = places(board, extra);
  return draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "miniature", role: "img", "aria-label": described(board) },
    draw("rect", { width: WIDTH, height: HEIGHT, rx: 20, fill: "#69421f" }),
    draw("path", { d: FIELDS, fill: "#d6ae7a" }),
    draw("path", { d: TRIANGLES[0], fill: "#93613a" }),
    draw("path", { d: TRIANGLES[1], fill: "#f0e0be" }),
    draw("rect", { x: LEFT + HALF, y: RIM, width: BAR, height: HEIGHT - 2 * RIM, fill: "#5c3a1b" }),
    ...SIDES.map((side) => draw("path", { d: checkers[side].map(circle).join(""), fill: FILLS[side], stroke: EDGES[side], "stroke-width": 5 })));
}

function circle([x, y]) {
  const r = RADIUS - 2;
  return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
}
