// The page of buttons.
import { follow } from "./stream.js";
import { showPanel } from "./panel.js";
import { armButtons, markButtons } from "./buttons.js";

armButtons();
follow((moment) => {
  showPanel(moment);
  markButtons(moment.view);
});
