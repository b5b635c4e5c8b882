// Set-up: aim, choose, start.
import { $, make, tell } from "./dom.js";
import { attempt, post, send } from "./post.js";
import { Corners } from "./corners.js";

const EVERY_MS = 1500;
const corners = new Corners(moved);
let fromCamera = true; // or from a photograph
let chosen = false; // found or dragged here: only such corners are sent

function report(data) {
  $("hints").replaceChildren(...data.hints.map((hint) =>
    make("li", {}, make("span", { class: `lamp ${hint.state}`, "aria-hidden": "true" }), make("span", {}, hint.text))));
  $("hints").dataset.verdict = data.verdict;
  const ready = $("ready");
  ready.className = `ready ${data.verdict}`;
  const words = ready.getAttribute(`data-${data.verdict}`);
  if (ready.textContent !== words) ready.textContent = words;
}

function showImage(blob) {
  const before = $("aim-image").src;
  $("aim-image").src = URL.createObjectURL(blob);
  if (before) URL.revokeObjectURL(before);
  return $("aim-image").decode();
}

async function newPicture() {
  const answer = await fetch("/picture.jpg");
  if (!answer.ok) return;
  await showImage(await answer.blob());
  fromCamera = true;
  if (corners.at) corners.show(pictured(), corners.at);
}

const pictured = () => [$("aim-image").naturalWidth, $("aim-image").naturalHeight];

// What the table sees, and how well: again and again while somebody looks, one question at a time.
async function look() {
  if (document.hidden || !fromCamera || corners.held) return;
  await newPicture();
  const data = await post("/setup/look", chosen ? { corners: corners.at } : {});
  if (!fromCamera || corners.held) return;
  // the corners come with the first answer: they would jump away under the finger if they came before it
  if (!chosen) corners.show(pictured(), data.corners ?? corners.at);
  report(data);
}

async function watch() {
  try {
    await look();
  } catch {
    $("ready").className = "ready no-go";
    $("ready").textContent = $("ready").dataset.away;
  }
  setTimeout(watch, EVERY_MS);
}

async function moved() {
  chosen = true;
  if (fromCamera) await attempt(async () => report(await post("/setup/look", { corners: corners.at })));
}

async function find() {
  const data = fromCamera ? await post("/setup/look", { find: true }) : await sendPhoto($("photo").files[0]);
  chosen = chosen || Boolean(data.corners);
  corners.show(data.size, data.corners ?? corners.at);
  report(data);
  tell(data.corners ? "found" : "not-found", !data.corners);
}

const sendPhoto = (file) => send("/setup/photo", file, file.type);

$("find").onclick = () => attempt(find);
$("again").onclick = () => attempt(newPicture);
$("photo").onchange = (event) => attempt(async () => {
  const file = event.target.files[0];
  if (!file) return;
  const data = await sendPhoto(file);
  fromCamera = false;
  chosen = Boolean(data.corners);
  await showImage(file);
  corners.show(data.size, data.corners);
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
      corners: chosen ? corners.at : null, size: chosen ? corners.size : null,
    });
    location.assign("/");
  } catch (error) {
    $("refused").textContent = error.message;
  }
});

attempt(loadOptions);
watch();
