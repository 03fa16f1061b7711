// The runs that wait for others to end, in the list of runs.

import { h, notify, replace, setText } from "./dom.js";
import { page, post } from "./server.js";
import { count, plural, shortName } from "./text.js";

export class Waiting {
  constructor() {
    this.title = h("h2");
    this.list = h("ol", { class: "queue" });
    this.element = h("section", { hidden: true }, this.title, this.list);
  }

  update(waiting) {
    const text = JSON.stringify(waiting);
    if (text === this.known) return;
    this.known = text;
    this.element.hidden = waiting.length === 0;
    setText(this.title, `${plural(waiting.length, "run")} in the queue`);
    replace(this.list, waiting.map(({ id, request }, index) => this.row(id, words(request), index)));
  }

  row(id, text, index) {
    const act = (label, change, kind, disabled = false) => h("button", {
      type: "button", class: kind, disabled, "aria-label": `${label}: ${text}`, onclick: () => this.change(id, change),
    }, label);
    return h("li", {}, h("span", {}, text), h("span", { class: "tools" },
      act("Start now", "start", null), act("Up", "up", null, index === 0), act("Remove", "remove", "warn")));
  }

  async change(id, change) {
    try {
      const { run, waiting } = await post(`/api/queue/${id}/${change}`);
      if (run) location.assign(page(run));
      else this.update(waiting);
    } catch (error) {
      notify(error.message, "wrong");
    }
  }
}

// `match of a and b on 8x8, 200 pairs, 1,000 nodes a move, seed 3`.
function words(request) {
  const { kind, game, board, nodes, seed, options = {}, like, keeps = [] } = request;
  const name = (text) => shortName(text.replace(/^run:/, ""));
  const of = kind === "match"
    ? [`match of ${name(request.a)} and ${name(request.b)} on ${board}`, `${count(request.pairs)} pairs`, request.sprt && `SPRT ${request.sprt.join(" to ")}`]
    : [`${request.method} tune of ${game} ${board} from ${name(request.start)}`, request.games ? `${count(request.games)} games` : plural(request.minutes, "minute")];
  const further = Object.entries(options).map(([option, value]) => (value === true ? option : `${option} ${value}`));
  const kept = keeps.length > 0 && `${keeps.join(" and ")} as in ${shortName(like)}`;
  return [...of, nodes && `${count(nodes)} nodes a move`, `seed ${seed}`, ...further, kept].filter(Boolean).join(", ");
}
