// The events of the table. A moment is complete, so a page that was away has missed nothing: it listens only while it is
// looked at, and EventSource comes back by itself.
import { tell } from "./dom.js";

export function follow(render) {
  let source = null, waiting = null, lost = false;

  function show() {
    const moment = JSON.parse(waiting);
    waiting = null;
    render(moment);
    document.body.dataset.version = moment.version;
    document.dispatchEvent(new CustomEvent("moment", { detail: moment }));
  }

  function listen() {
    if (source && source.readyState !== EventSource.CLOSED) return;
    source = new EventSource("/events");
    source.onmessage = (message) => {
      if (waiting === null) requestAnimationFrame(show); // what comes before the next frame is drawn with it
      waiting = message.data;
      lost = false;
    };
    source.onerror = () => {
      if (!lost) tell("offline", true);
      lost = true;
      if (source.readyState === EventSource.CLOSED) setTimeout(attend, 3000); // refused: it does not try again by itself
    };
  }

  function leave() {
    source?.close();
    source = null;
  }

  const attend = () => (document.hidden ? leave() : listen());
  document.addEventListener("visibilitychange", attend);
  addEventListener("pagehide", leave);
  addEventListener("pageshow", attend);
  attend();
}
