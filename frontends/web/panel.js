// A panel beside the board, opened by a button, with a set that the user chooses.

import { h } from "../dom.js";
import { setSelect } from "./setup.js";

export class Panel {
  // `name` is its style, `action` the button's text, `does` the set's role in it.
  constructor(game, sets, { name, title, action, does }) {
    Object.assign(this, { game, sets, isOn: false, name: null });
    this.toggle = h("button", { type: "button", "aria-pressed": "false", onclick: () => this.turn(!this.isOn) }, action);
    this.select = h("select", { "aria-label": `Set that ${does}`, onchange: () => this.take(this.select.value) });
    this.body = h("div", { hidden: true });
    this.element = h("section", { class: name }, h("div", { class: "title" }, h("h2", {}, title), h("div", { class: "tools" }, this.select, this.toggle)), this.body);
  }

  // After a change of game or board, which the engine does not support.
  reset() {
    this.take(this.sets.strongest(this.game.board.game, this.game.board.size));
  }

  offer() {
    setSelect(this.select, this.sets.of(this.game.board.game, this.game.board.size), this.name);
  }

  // Uses the set of this name from now on.
  take(name) {
    this.name = name;
    this.leave();
    this.offer();
    this.go();
  }

  turn(isOn) {
    this.isOn = isOn;
    this.toggle.setAttribute("aria-pressed", isOn);
    this.toggle.classList.toggle("strong", isOn);
    this.body.hidden = !isOn;
    this.turned();
    this.go();
  }

  // Subclasses implement `leave` (drop the engine of the previous set), `turned` (on or off) and
  // `go` (handle the position that is shown).
}
