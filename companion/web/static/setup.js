// Set-up: aim, choose, start.
import { $, make, tell } from "./dom.js";
import { attempt, post, send } from "./post.js";
import { Corners } from "./corners.js";

const corners = new Corners(check);
let fromCamera = true;

function report(data, found = data.corners) {
  corners.show(data.size, found ?? corners.at);
  $("hints").replaceChildren(...data.hints.map((hint) =>
    make("li", {}, make("span", { class: `lamp ${hint.state}`, "aria-hidden": "true" }), make("span", {}, hint.text))));
  $("hints").dataset.verdict = data.verdict;
}

async function newPicture() {
  const loaded = new Promise((done, fail) => {
    $("aim-image").onload = done;
    $("aim-image").onerror = fail;
  });
  $("aim-image").src = `/picture.jpg?at=${Date.now()}`;
  await loaded;
  fromCamera = true;
  corners.show([$("aim-image").naturalWidth, $("aim-image").naturalHeight], corners.at);
}

const find = () => attempt(async () => {
  const data = fromCamera ? await post("/setup/look", {}) : await sendPhoto($("photo").files[0]);
  report(data);
  tell(data.corners ? "found" : "not-found", !data.corners);
});

let checking = 0;
function check() {
  clearTimeout(checking);
  if (!fromCamera) return;
  checking = setTimeout(() => attempt(async () => report(await post("/setup/look", { corners: corners.at }), corners.at)), 250);
}

const sendPhoto = (file) => send("/setup/photo", file, file.type);

$("find").onclick = find;
$("again").onclick = () => attempt(newPicture);
$("photo").onchange = (event) => attempt(async () => {
  const file = event.target.files[0];
  if (!file) return;
  const data = await sendPhoto(file);
  $("aim-image").src = URL.createObjectURL(file);
  await $("aim-image").decode();
  fromCamera = false;
  corners.at = null;
  report(data);
  tell("photo-read");
});

async function loadOptions() {
  const query = new URLSearchParams({ game: $("game").value, profile: $("profile").value });
  const answer = await fetch(`/setup/options?${query}`);
  if (!answer.ok) return;
  const data = await answer.json();
  $("game").value = data.game;
  $("length").value = data.length;
  $("options").replaceChildren(...data.options.map(option));
}

function option({ name, title, text, choices, flag, value }) {
  let field;
  if (flag) {
    field = make("input", { type: "checkbox" });
    field.checked = value;
  } else if (choices.length) {
    field = make("select", {}, ...choices.map(([choice, words]) => make("option", { value: choice }, words)));
    field.value = value;
  } else {
    field = make("input", { type: typeof value === "number" ? "number" : "text", value });
  }
  field.dataset.option = name;
  field.dataset.was = String(flag ? field.checked : field.value);
  return make("label", {}, make("span", {}, title), field, make("span", { class: "why" }, text));
}

// Only what differs from the game and the profile is sent.
function chosenOptions() {
  const chosen = {};
  for (const field of document.querySelectorAll("[data-option]")) {
    const value = field.type === "checkbox" ? field.checked : field.value;
    chosen[field.dataset.option] = field.type === "number" ? Number(value) : value;
  }
  return { ...chosen, length: Number($("length").value) };
}

$("game").onchange = () => { $("profile").value = ""; attempt(loadOptions); };
$("profile").onchange = () => attempt(loadOptions);

$("setup").addEventListener("submit", async (event) => {
  event.preventDefault();
  $("refused").textContent = "";
  try {
    await post("/setup/begin", {
      game: $("game").value, profile: $("profile").value || null, options: chosenOptions(), mode: $("mode").value, policy: $("policy").value,
      white: $("white").value, home: $("home").value || null,
      names: { white: $("name-white").value, black: $("name-black").value },
      corners: corners.at, size: corners.size,
    });
    location.assign("/");
  } catch (error) {
    $("refused").textContent = error.message;
  }
});

attempt(loadOptions);
newPicture().catch(() => {});
