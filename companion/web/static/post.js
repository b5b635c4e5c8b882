// Changes go to the server by these two, with the token that belongs to this page.
import { tell } from "./dom.js";

const token = document.querySelector('meta[name="csrf"]')?.content ?? "";

export async function send(path, body, type) {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "content-type": type, "x-csrf-token": token },
    body,
  });
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) {
    if (data.pair) location.assign("/pair");
    if (data.reload) location.reload();
    throw Object.assign(new Error(data.error ?? "failed"), { data });
  }
  return data;
}

export const post = (path, data) => send(path, JSON.stringify(data), "application/json");

export async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    tell(error.message, true);
    return null;
  }
}
