// The further options of a form, folded away.

import { h } from "./dom.js";

export class FurtherOptions {
  // `options`: what the server takes for the form's command.
  constructor(options) {
    this.rows = options.map((option) => {
      const input = inputOf(option);
      const row = h("label", {}, h("span", {}, option.title), input, option.hint && h("small", {}, option.hint));
      return { option, input, row };
    });
    this.element = h("details", {}, h("summary", {}, "More options"), h("div", { class: "fields" }, this.rows.map(({ row }) => row)));
  }

  // Shows the options of a tune's method but for the `unknown` ones; those of a match have none.
  show(method, unknown) {
    for (const { option: { name, methods }, row } of this.rows) row.hidden = unknown.includes(name) || (methods.length > 0 && !methods.includes(method));
  }

  // What is filled in, by name.
  values() {
    const values = {};
    for (const { option: { name, value: { type } }, input, row } of this.rows) {
      if (row.hidden) continue;
      const text = input.value.trim();
      if (type === "switch") {
        if (input.checked) values[name] = true;
      } else if (type === "names") {
        const names = text.split(",").map((word) => word.trim()).filter(Boolean);
        if (names.length) values[name] = names.join(",");
      } else if (text) values[name] = Number(text);
    }
    return values;
  }
}

function inputOf({ name, value: { type, min, max } }) {
  if (type === "switch") return h("input", { type: "checkbox", name });
  if (type === "names") return h("input", { type: "text", name, autocomplete: "off", spellcheck: "false" });
  const range = type === "share" ? { min: 0, max: 1, step: "any" } : { min, max, step: 1 };
  return h("input", { type: "number", name, ...range, inputmode: type === "share" ? "decimal" : "numeric" });
}
