// An old match: step through it, correct a turn, share it.
import { $, set } from "./dom.js";
import { Board } from "./board.js";
import { isSameWay } from "./geometry.js";
import { TurnList } from "./turns.js";
import { openTurn } from "./correct.js";
import { text } from "./texts.js";

const match = Number($("match").dataset.match);
const board = new Board($("board"));
const list = new TurnList($("turns"), (turn) => go(turn.number));
let turns = [], here = 0, extra = {};

async function load(number = 0) {
  const data = await (await fetch(`/match/${match}/turns`)).json();
  turns = data.turns;
  extra = { mirrored: data.mirrored, sameWay: isSameWay(data.game) };
  for (const side of ["white", "black"]) set(`score-${side}`, data.score[side] ?? 0);
  list.show(turns, extra);
  go(number);
}

// Where is a count of turns: 0 is before the first.
function go(number) {
  here = Math.max(0, Math.min(turns.length, number));
  const turn = turns[here - 1];
  const position = turn?.board ?? turns[0]?.before;
  board.show(position, { ...extra, dice: turn?.dice, player: turn?.player });
  set("where", `${here} / ${turns.length}`);
  set("told", turn ? [`${text(turn.player)}: ${turn.play || text("no-move")}`, ...turn.reasons].join(", ") : "");
  $("change").disabled = !turn;
  for (const item of $("turns").children) {
    const mine = Number(item.firstChild.dataset?.turn) === here;
    item.classList.toggle("here", mine);
    if (mine) reveal(item);
  }
}

// Scrolls the list alone: the page stays where the reader has it.
function reveal(item) {
  const list = $("turns"), [from, to] = [item.offsetTop - list.offsetTop, item.offsetTop - list.offsetTop + item.offsetHeight];
  if (from < list.scrollTop) list.scrollTop = from;
  else if (to > list.scrollTop + list.clientHeight) list.scrollTop = to - list.clientHeight;
}

$("first").onclick = () => go(0);
$("back").onclick = () => go(here - 1);
$("next").onclick = () => go(here + 1);
$("last").onclick = () => go(turns.length);
$("change").onclick = () => openTurn(match, here, extra, load);
addEventListener("keydown", (event) => {
  if (event.target.closest("input, select, dialog")) return;
  if (event.key === "ArrowLeft") go(here - 1);
  if (event.key === "ArrowRight") go(here + 1);
});

if (navigator.share) {
  $("share").hidden = false;
  $("share").onclick = () => navigator.share({ title: document.title, url: location.href }).catch(() => {});
}

load();
