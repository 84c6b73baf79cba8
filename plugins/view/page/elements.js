// Elements are made of text nodes only: no text of an answer is ever parsed as HTML.

/** @typedef {Record<string, any>} Json An object of an answer; its fields are described in docs/tools.md. */
/** @typedef {Node | string | number | null | undefined | false | Child[]} Child */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Create an element.
 * @param {string} name The tag; `svg:` begins those of SVG.
 * @param {Record<string, string | number | boolean | null | undefined>} attributes Null, undefined and false are left out.
 * @param {...Child} children
 * @returns {HTMLElement}
 */
function create(name, attributes = {}, ...children) {
  const made = name.startsWith("svg:") ? document.createElementNS(SVG, name.slice(4)) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : String(value));
  }
  append(made, children);
  return /** @type {HTMLElement} */ (made);
}

/**
 * @param {Element} parent
 * @param {Child[]} children
 */
function append(parent, children) {
  for (const child of children) {
    if (Array.isArray(child)) append(parent, child);
    else if (child instanceof Node) parent.append(child);
    else if (child !== null && child !== undefined && child !== false) parent.append(String(child));
  }
}

/**
 * Create a piece of somebody's text; isolated, so that its direction does not change the text around it.
 * @param {unknown} value
 * @param {string} kind A class.
 */
function quote(value, kind = "") {
  return create("span", { class: `text ${kind}`.trim() }, value === null || value === undefined ? "" : String(value));
}

/**
 * Create a link, or the text alone if the address does not lead to a page.
 * @param {unknown} address
 * @param {Child} text
 */
function createLink(address, text) {
  let url;
  try {
    url = new URL(String(address));
  } catch {
    return create("span", { class: "text" }, text);
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") return create("span", { class: "text" }, text);
  return create("a", { href: url.href, target: "_blank", rel: "noopener noreferrer", class: "text" }, text);
}

/**
 * Format a number with its noun: `1 file`, `2 files`.
 * @param {number} number
 * @param {string} noun
 * @param {string} plural
 */
function formatCount(number, noun, plural = `${noun}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? noun : plural}`;
}

/** @param {unknown} value @returns {Json[]} */
function listOf(value) {
  return Array.isArray(value) ? value : [];
}

/** @param {unknown} time */
function formatTime(time) {
  return typeof time === "string" ? time.slice(0, 16).replace("T", " ") + " UTC" : "";
}

/** @param {string} text @param {number} most */
function shorten(text, most) {
  const letters = Array.from(text);
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : text;
}
