// The overlay for a stream: nothing to press, a transparent ground.
import { $ } from "./dom.js";
import { Board } from "./board.js";
import { follow } from "./stream.js";
import { extraOf, showPanel } from "./panel.js";

const board = new Board($("board"));

follow((moment) => {
  board.show(moment.view.board, { ...extraOf(moment), dice: null });
  showPanel(moment);
});
