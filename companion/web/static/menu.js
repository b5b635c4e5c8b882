// What is on every page: the language, and times as they are written there.
import { $ } from "./dom.js";
import { attempt, post } from "./post.js";

$("language")?.addEventListener("change", (event) => attempt(async () => {
  await post("/language", { language: event.target.value });
  location.reload();
}));

const written = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
for (const time of document.querySelectorAll("time[datetime]")) {
  const at = new Date(time.dateTime);
  if (!Number.isNaN(at.getTime())) time.textContent = written.format(at);
}
