// A position in words, for those who listen.
import { SIDES } from "./geometry.js";
import { text } from "./texts.js";

export function described(board, { dice: values } = {}) {
  const parts = SIDES.map((side) => {
    const sign = side === "white" ? 1 : -1;
    const stacks = board.points.map((n, i) => [i + 1, n * sign]).filter(([, n]) => n > 0);
    const words = stacks.reverse().map(([point, n]) => `${n} ${text("to")} ${point}`);
    if (board.bar[side]) words.push(`${board.bar[side]} ${text("bar")}`);
    if (board.off[side]) words.push(`${board.off[side]} ${text("off")}`);
    return `${text(side)}: ${words.join(", ")}`;
  });
  return `${text("board")}. ${parts.join(". ")}.${values ? ` ${text("dice")}: ${values.join(", ")}.` : ""}`;
}
