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

  // Fills in the options of another run, and unfolds them if there are any.
  take(values) {
    for (const { option: { name, value: { type } }, input } of this.rows) {
      if (!(name in values)) continue;
      if (type === "switch") input.checked = values[name];
      else input.value = values[name];
    }
    this.element.open ||= Object.keys(values).length > 0;
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

// The options of a run that have no field, each with a box that keeps it.
export class KeptOptions {
  constructor(run, options) {
    this.boxes = options.map(({ name, text }) => ({ name, box: h("input", { type: "checkbox", value: name, checked: true }), text }));
    this.element = options.length === 0 ? null : h("fieldset", { class: "kept" },
      h("legend", {}, `Kept as in ${run}`),
      this.boxes.map(({ box, text }) => h("label", {}, box, h("code", {}, text))));
  }

  values() {
    return [...new Set(this.boxes.filter(({ box }) => box.checked).map(({ name }) => name))];
  }
}
