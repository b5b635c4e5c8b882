// Where everything lies on the drawn board, in units of its picture; White sits below.
export const CELL = 60, RIM = 34, BAR = 56, TRAY = 54, HEIGHT = 764;
export const HALF = 6 * CELL;
export const WIDTH = 2 * (RIM + TRAY + HALF) + BAR;
export const LEFT = RIM + TRAY;
export const RIGHT = LEFT + HALF + BAR;
export const RADIUS = CELL / 2 - 2.5;
export const DEEP = 5.1 * CELL;
export const SIDES = ["white", "black"];

const LONG = ["long", "nardgammon", "mad", "gulbar", "mad-gulbar", "khachapuri", "fevga", "mad-fevga"];
export const isSameWay = (game) => LONG.includes(game);

// A point by White's number: the middle of its column, and whether it lies in the row above.
export function column(point, mirrored) {
  const top = point > 12;
  let at = top ? point - 13 : 12 - point;
  if (mirrored) at = 11 - at;
  return { x: LEFT + at * CELL + CELL / 2 + (at > 5 ? BAR : 0), top };
}

// A player's own number of a point as White counts it.
export function asWhite(point, player, sameWay) {
  if (player !== "black") return point;
  if (!sameWay) return 25 - point;
  return point > 12 ? point - 12 : point + 12;
}

// The middle of every checker, and the numbers on piles that cannot be counted at a glance.
export function places(board, { mirrored = false, sameWay = false } = {}) {
  const found = { white: [], black: [] }, labels = [];
  const label = (side, count) => labels.push({ at: found[side].at(-1), count, side });
  board.points.forEach((count, index) => {
    if (!count) return;
    const side = count > 0 ? "white" : "black", many = Math.abs(count);
    const { x, top } = column(index + 1, mirrored);
    const gap = Math.min(2 * RADIUS + 1, (DEEP - 2 * RADIUS) / Math.max(1, many - 1));
    for (let i = 0; i < many; i++) {
      const away = RIM + RADIUS + 2 + i * gap;
      found[side].push([x, top ? away : HEIGHT - away]);
    }
    if (many > 5) label(side, many);
  });
  for (const side of SIDES) {
    const bar = board.bar[side], off = board.off[side];
    const low = side === "black"; // Black's checkers wait on White's half, which is below
    for (let i = 0; i < bar; i++) {
      const away = 1.1 * RADIUS + i * Math.min(2 * RADIUS, 150 / Math.max(1, bar));
      found[side].push([WIDTH / 2, HEIGHT / 2 + (low ? away : -away)]);
    }
    if (bar > 3) label(side, bar);
    const right = (side === "white" || !sameWay) !== mirrored;
    const x = right ? WIDTH - RIM - TRAY / 2 : RIM + TRAY / 2;
    for (let i = 0; i < off; i++) {
      const away = RIM + RADIUS + 2 + i * 15;
      found[side].push([x, side === "white" ? HEIGHT - away : away]);
    }
    if (off) label(side, off);
  }
  return { checkers: found, labels };
}
