// The texts of this page in the visitor's language, put into the page by the server.
const texts = JSON.parse(document.body.dataset.texts || "{}");

export const text = (key) => texts[key] ?? key;
