// Elements. Text is always set as text, never as HTML: names come from files that anybody may have
// made.

const SVG = "http://www.w3.org/2000/svg";

// An element with properties and children: h("p", { class: "soft" }, "text", h("b", {}, "more")).
// Functions are listeners, `style` is an object, null and false leave a property or a child out.
export function h(tag, props = {}, ...children) {
  return fill(document.createElement(tag), props, children);
}

// The same for SVG.
export function s(tag, props = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (name === "style") Object.assign(element.style, value);
    else if (name === "value" || name === "checked") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function replace(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
}

// Shows an error in place of a page.
export function unavailable(place, { message }) {
  replace(place, h("h1", {}, "This page cannot be shown"), h("p", {}, message), h("p", {}, h("a", { href: "/" }, "All runs")));
}

// Sets text only where it differs, so that nothing is redrawn or read aloud without need.
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// A command with a button that copies it.
export function command(text) {
  const button = h("button", { type: "button", class: "copy", "aria-label": `Copy: ${text}` }, "Copy");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      const range = document.createRange();
      range.selectNodeContents(button.previousElementSibling);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      button.textContent = "Selected";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
  // A line may end before an option, not within its dashes.
  const words = text.split(/(--[\w-]+)/).map((part, index) => (index % 2 ? h("span", {}, part) : part));
  return h("div", { class: "command" }, h("code", {}, words), button);
}

// A name that may be broken after underscores, slashes and dashes.
export function breakable(name) {
  return name.split(/(?<=[_/-])/).flatMap((part, index) => (index ? [h("wbr"), part] : [part]));
}

// A message at the foot of the window, for what has just happened.
export function notify(text, kind = "info") {
  let place = document.querySelector(".notices");
  if (!place) {
    place = h("div", { class: "notices", role: "status", "aria-live": "polite" });
    document.body.append(place);
  }
  const close = h("button", { type: "button", class: "quiet", "aria-label": "Close", onclick: () => notice.remove() }, "\u00d7");
  const notice = h("div", { class: `notice ${kind}` }, h("span", {}, text), close);
  place.append(notice);
  if (kind === "info") setTimeout(() => notice.remove(), 8000);
}
