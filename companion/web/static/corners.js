// Four corners that are dragged over a picture, with a magnifier, or moved by the arrow keys.
import { $ } from "./dom.js";

const ZOOM = 3, GLASS = 130, EDGE = 6;

export class Corners {
  // changed is called when a corner was put down
  constructor(changed) {
    this.changed = changed;
    this.image = $("aim-image");
    this.frame = $("aim");
    this.buttons = [...document.querySelectorAll(".corner")];
    this.size = null;
    this.at = null;
    this.held = false; // a finger is on one, or a pointer about to take it: then it does not move away
    this.buttons.forEach((button, index) => this.#arm(button, index));
    new ResizeObserver(() => this.draw()).observe(this.frame);
  }

  // size: of the picture in pixels; corners: four pairs, or null to put them where they are easily caught
  show(size, corners) {
    this.size = size;
    const [w, h] = size;
    this.at = corners ?? [[0.2 * w, 0.2 * h], [0.8 * w, 0.2 * h], [0.8 * w, 0.8 * h], [0.2 * w, 0.8 * h]];
    this.draw();
  }

  draw() {
    const ready = Boolean(this.size && this.at);
    for (const button of this.buttons) button.hidden = !ready;
    if (!ready) return;
    const scale = this.frame.clientWidth / this.size[0];
    // one beyond the picture is drawn just within its edge, where it can be caught
    const within = (x, size) => `${Math.max(EDGE, Math.min(x * scale, size * scale - EDGE))}px`;
    this.buttons.forEach((button, i) => {
      button.style.left = within(this.at[i][0], this.size[0]);
      button.style.top = within(this.at[i][1], this.size[1]);
    });
    $("aim-lines").setAttribute("viewBox", `0 0 ${this.size[0]} ${this.size[1]}`);
    $("aim-board").setAttribute("points", this.at.map((p) => p.join()).join(" "));
  }

  #arm(button, index) {
    button.addEventListener("pointerenter", () => { this.held = true; });
    button.addEventListener("pointerleave", () => { this.held = false; });
    button.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      button.setPointerCapture(event.pointerId);
      button.focus({ preventScroll: true });
      const moving = (move) => this.#put(index, move.clientX, move.clientY);
      button.addEventListener("pointermove", moving);
      const up = () => {
        button.removeEventListener("pointermove", moving);
        $("magnifier").hidden = true;
        this.changed();
      };
      button.addEventListener("pointerup", up, { once: true });
      button.addEventListener("pointercancel", up, { once: true });
    });
    button.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!step || !this.at) return;
      event.preventDefault();
      const far = event.shiftKey ? 10 : 1;
      this.at[index] = [this.at[index][0] + far * step[0], this.at[index][1] + far * step[1]];
      this.draw();
      this.changed();
    });
  }

  #put(index, clientX, clientY) {
    const box = this.frame.getBoundingClientRect();
    const scale = this.size[0] / box.width;
    this.at[index] = [Math.round((clientX - box.left) * scale * 10) / 10, Math.round((clientY - box.top) * scale * 10) / 10];
    this.draw();
    this.#magnify(clientX - box.left, clientY - box.top, box);
  }

  #magnify(x, y, box) {
    const glass = $("magnifier");
    glass.hidden = false;
    glass.style.backgroundImage = `url("${this.image.src}")`;
    glass.style.backgroundSize = `${box.width * ZOOM}px ${box.height * ZOOM}px`;
    glass.style.backgroundPosition = `${GLASS / 2 - 3 - x * ZOOM}px ${GLASS / 2 - 3 - y * ZOOM}px`;
    glass.style.left = `${Math.max(0, Math.min(box.width - GLASS, x < box.width / 2 ? x + 50 : x - 50 - GLASS))}px`;
    glass.style.top = `${Math.max(0, Math.min(box.height - GLASS, y - GLASS / 2))}px`;
  }
}
