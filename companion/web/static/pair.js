// Pairing and PIN.
import { $, tell } from "./dom.js";
import { attempt, post } from "./post.js";
import { text } from "./texts.js";

$("ask")?.addEventListener("click", () => attempt(async () => {
  await post("/pair/ask", {});
  tell("shown");
  $("digits").focus();
}));

$("secret")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { to, key } = event.target.dataset;
  try {
    await post(to, { [key]: $("digits").value });
    location.assign("/");
  } catch {
    $("refused").textContent = text("failed");
    $("digits").select();
  }
});

$("leave")?.addEventListener("click", () => attempt(async () => {
  await post("/leave", {});
  location.assign("/");
}));
