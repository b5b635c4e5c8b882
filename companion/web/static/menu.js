// What is on every page: the language.
import { $ } from "./dom.js";
import { attempt, post } from "./post.js";

$("language")?.addEventListener("change", (event) => attempt(async () => {
  await post("/language", { language: event.target.value });
  location.reload();
}));
