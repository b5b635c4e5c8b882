// The buttons of the table. What gives a game away asks once more.
import { $, tell } from "./dom.js";
import { attempt, post } from "./post.js";

export function armButtons() {
  for (const button of document.querySelectorAll(".press")) {
    button.addEventListener("click", () => attempt(async () => {
      const { input, side, ask } = button.dataset;
      if (ask && !(await sure(ask))) return;
      await post("/press", { input, side: side ?? null });
      tell("pressed");
    }));
  }
}

function sure(question) {
  const dialog = $("sure");
  $("sure-text").textContent = question;
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((answer) => {
    dialog.addEventListener("close", () => answer(dialog.returnValue === "yes"), { once: true });
  });
}

// What can be pressed now stands out; all of it stays reachable, since the table decides.
export function markButtons(view) {
  const offered = view.phase === "CUBE_OFFERED";
  const mover = offered && view.message.key.startsWith("cube-") ? view.message.details[0] : view.player;
  for (const button of document.querySelectorAll(".press")) {
    const { input, side } = button.dataset;
    const asked = (offered && ["take", "drop"].includes(input)) || (view.illegal && input === "accept");
    button.classList.toggle("asked", asked && side !== mover);
  }
  for (const side of document.querySelectorAll(".side")) {
    side.classList.toggle("waits", Boolean(view.player) && !side.classList.contains(`side-${view.player}`));
  }
}
