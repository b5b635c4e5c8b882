// The clock of the turn, and the game clock where one is in use: they run here, and are set by every moment.
import { $, set } from "./dom.js";

let since = 0, running = false, ahead = Infinity, next = 0, game = null, shown = 0, made = 0;

export function setClock(moment) {
  since = moment.turn_since;
  running = Boolean(moment.view.player) && !moment.view.winner;
  [game, shown, made] = [moment.view.clock, moment.view.t, moment.made];
  ahead = Math.min(ahead, Date.now() / 1000 - moment.made); // how far this clock is ahead of the table's
  tick();
}

// Once a second, when the second changes.
function tick() {
  clearTimeout(next);
  const passed = running ? Math.max(0, Date.now() / 1000 - ahead - since) : 0;
  set("clock", minutes(Math.floor(passed)));
  showGameClock(shown + Math.max(0, Date.now() / 1000 - ahead - made));
  if (running && !document.hidden) next = setTimeout(tick, 1010 - 1000 * (passed % 1));
}

// What is left of both banks at the time of the table; the delay of the turn goes first and costs nothing.
function showGameClock(now) {
  for (const side of ["white", "black"]) {
    const element = $(`time-${side}`);
    if (!element) continue;
    element.hidden = !game;
    if (!game) continue;
    const paid = game.player === side ? Math.max(0, now - game.t - game.delay_s) : 0;
    const left = Math.max(0, game.left[side] - paid);
    set(element.id, minutes(Math.ceil(left)));
    element.classList.toggle("up", left <= 0);
  }
}

function minutes(seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

document.addEventListener("visibilitychange", tick);
