// The clock of the turn: it runs here, and is set by every moment.
import { set } from "./dom.js";

let since = 0, running = false, ahead = Infinity, next = 0;

export function setClock(moment) {
  since = moment.turn_since;
  running = Boolean(moment.view.player) && !moment.view.winner;
  ahead = Math.min(ahead, Date.now() / 1000 - moment.made); // how far this clock is ahead of the table's
  tick();
}

// Once a second, when the second changes.
function tick() {
  clearTimeout(next);
  const passed = running ? Math.max(0, Date.now() / 1000 - ahead - since) : 0;
  const seconds = Math.floor(passed);
  set("clock", `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`);
  if (running && !document.hidden) next = setTimeout(tick, 1010 - 1000 * (passed % 1));
}

document.addEventListener("visibilitychange", tick);
