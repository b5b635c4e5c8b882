// A die as SVG.
import { draw } from "./dom.js";

const PIPS = {
  1: [[1, 1]],
  2: [[0, 0], [2, 2]],
  3: [[0, 0], [1, 1], [2, 2]],
  4: [[0, 0], [2, 0], [0, 2], [2, 2]],
  5: [[0, 0], [2, 0], [1, 1], [0, 2], [2, 2]],
  6: [[0, 0], [2, 0], [0, 1], [2, 1], [0, 2], [2, 2]],
};

export function die(value) {
  const picture = draw("svg", { viewBox: "0 0 40 40", role: "img", "aria-label": String(value) });
  picture.append(...faceOf(value));
  return picture;
}

export function faceOf(value) {
  const parts = [
    draw("rect", { x: 1.5, y: 1.5, width: 37, height: 37, rx: 8, fill: "#fffaf0", stroke: "#8a6a48", "stroke-width": 1.5 }),
  ];
  for (const [x, y] of PIPS[value] ?? []) {
    parts.push(draw("circle", { cx: 10.5 + 9.5 * x, cy: 10.5 + 9.5 * y, r: 3.7, fill: "#33221a" }));
  }
  return parts;
}

export function showDice(element, dice) {
  const key = (dice ?? []).join("-");
  if (element.dataset.key === key) return;
  element.dataset.key = key;
  element.replaceChildren(...(dice ?? []).map(die));
}
