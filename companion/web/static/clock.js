// The clock of the turn: it runs here, and is set by every moment.
import { set } from "./dom.js";

let since = 0, running = false, ahead = 0;

export function setClock(moment) {
  since = moment.turn_since;
  running = Boolean(moment.view.player) && !moment.view.winner;
  ahead = Math.min(ahead || Infinity, Date.now() / 1000 - moment.made); // how far this clock is ahead of the table's
  tick();
}

function tick() {
  const passed = running ? Math.max(0, Math.floor(Date.now() / 1000 - ahead - since)) : 0;
  set("clock", `${Math.floor(passed / 60)}:${String(passed % 60).padStart(2, "0")}`);
}

setInterval(tick, 500);
