// Elements from values. Text is always set as text, so that no name can become markup.

const SVG = "http://www.w3.org/2000/svg";

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== ""));
  return element;
}

function html(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

function shape(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

// A name that may be broken behind the marks between its words, rather than within one.
function breakable(name) {
  return name.split(/(?<=[_./-])(?=.)/).flatMap((part, i) => (i ? [html("wbr"), part] : [part]));
}

// A field for a number. Not of type "number": there a browser of another language drops a comma without a word, and 3,5 becomes 35.
function numberField(attributes) {
  return html("input", { type: "text", class: "number", inputmode: "decimal", autocomplete: "off", ...attributes });
}

function byId(id) {
  return document.getElementById(id);
}

// Whether a button does anything. It keeps the focus: one that is disabled would lose it, and keys would begin at the top again.
function able(id, is) {
  byId(id).setAttribute("aria-disabled", String(!is));
}

function onPress(id, act) {
  byId(id).addEventListener("click", () => { if (byId(id).getAttribute("aria-disabled") !== "true") act(); });
}

function clamp(value, low, high) {
  return Math.min(Math.max(value, low), high);
}
