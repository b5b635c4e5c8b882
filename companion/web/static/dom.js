// Small helpers: find, make, tell. Nothing here ever makes HTML out of text.
import { text } from "./texts.js";

const SVG = "http://www.w3.org/2000/svg";

export const $ = (id) => document.getElementById(id);

export function set(id, value) {
  const element = $(id);
  if (element && element.textContent !== String(value)) element.textContent = value;
}

export function make(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

export function draw(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

let fading;
export function tell(key, wrong = false) {
  const toast = $("toast");
  if (!toast) return;
  toast.textContent = text(key);
  toast.className = wrong ? "shown wrong" : "shown";
  clearTimeout(fading);
  fading = setTimeout(() => (toast.className = ""), wrong ? 6000 : 2500);
}
