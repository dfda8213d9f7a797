// Elements are made one by one; text is only ever set as text.
const data = JSON.parse(document.getElementById("page-data").textContent);
const byId = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

const svg = (name, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, name), attributes, children);
const html = (name, attributes = {}, ...children) =>
  fill(document.createElement(name), attributes, children);
const nameOf = (text) => [...text].length > 16
  ? html("bdi", { class: "long", title: text }, text)
  : html("bdi", {}, text || "(no name)");
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function written(value) {
  if (value === null || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  const text = size >= 1e6 || (size > 0 && size < 1e-3)
    ? size.toExponential(1)
    : size.toLocaleString("en", { maximumSignificantDigits: 3 });
  return value < 0 ? `−${text}` : text;
}
