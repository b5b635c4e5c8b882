// The director's page: what needs a person, newest first.
import { $, make } from "./dom.js";
import { Board } from "./board.js";
import { follow } from "./stream.js";
import { extraOf, showPanel } from "./panel.js";
import { text } from "./texts.js";

const board = new Board($("board"));

follow((moment) => {
  board.show(moment.view.board, extraOf(moment));
  showPanel(moment);
  const items = moment.alerts.map(item);
  $("alerts").replaceChildren(...(items.length ? items : [make("li", { class: "empty" }, text("none"))]));
});

function item(alert) {
  const words = [alert.text, alert.player ? text(alert.player) : "", ...alert.details].filter(Boolean);
  const when = new Date(alert.at * 1000).toLocaleTimeString(document.documentElement.lang);
  return make("li", { class: alert.kind }, make("b", {}, words.shift()), make("time", {}, when), make("span", {}, words.join(" · ")));
}
