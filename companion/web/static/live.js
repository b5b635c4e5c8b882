// The live page.
import { $ } from "./dom.js";
import { Board } from "./board.js";
import { follow } from "./stream.js";
import { extraOf, showPanel } from "./panel.js";
import { TurnList } from "./turns.js";
import { setClock } from "./clock.js";
import { armButtons, markButtons } from "./buttons.js";
import { openTurn } from "./correct.js";

const board = new Board($("board"));
let latest = null;
const turns = new TurnList($("turns"), (turn) => openTurn(latest.match, turn.number, extraOf(latest)), { newestFirst: true });

follow((moment) => {
  latest = moment;
  const extra = extraOf(moment);
  board.show(moment.view.board, extra);
  showPanel(moment);
  setClock(moment);
  turns.show(moment.turns, extra);
  markButtons(moment.view);
});

armButtons();

// The next picture is asked for when the one before has come: a slow table is not asked for more than it can do.
const camera = $("camera-picture");
const look = () => (camera.src = `/picture.jpg?drawn=${Date.now()}`);
let looking = 0;
const again = () => {
  clearTimeout(looking);
  if (!$("camera").hidden) looking = setTimeout(look, 1500);
};
camera.addEventListener("load", again);
camera.addEventListener("error", again);
$("camera-button")?.addEventListener("click", () => {
  const shown = $("camera").hidden;
  $("camera").hidden = !shown;
  $("camera-button").setAttribute("aria-expanded", String(shown));
  if (shown) look();
});
