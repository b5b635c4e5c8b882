// The events of the table. EventSource comes back by itself; a moment is complete, so nothing is missed.
import { tell } from "./dom.js";

export function follow(render) {
  const source = new EventSource("/events");
  let waiting = null;
  let lost = false;
  source.onmessage = (message) => {
    const first = waiting === null;
    waiting = message.data;
    lost = false;
    if (first) requestAnimationFrame(() => {
      const moment = JSON.parse(waiting);
      waiting = null;
      render(moment);
      document.body.dataset.version = moment.version;
      document.dispatchEvent(new CustomEvent("moment", { detail: moment }));
    });
  };
  source.onerror = () => {
    if (!lost) tell("offline", true);
    lost = true;
  };
  addEventListener("pagehide", () => source.close());
}
