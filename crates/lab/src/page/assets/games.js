// The list of a run's games, page by page.

import { h, replace, setText } from "./dom.js";
import { api, get, page } from "./server.js";
import { count, shortName } from "./text.js";

const PER_PAGE = 20;

export class Games {
  constructor(run) {
    this.run = run;
    this.from = null;
    this.total = 0;
    this.body = h("tbody");
    this.range = h("span", { class: "soft" });
    const button = (text, step) => h("button", { type: "button", onclick: () => this.turn(step) }, text);
    this.newer = button("Newer", 1);
    this.older = button("Older", -1);
    this.number = h("input", { type: "number", min: 1, inputmode: "numeric", "aria-label": "Number of a game", placeholder: "number" });
    const find = h("form", { class: "both", onsubmit: (event) => {
      event.preventDefault();
      if (this.number.value) location.assign(`${page(this.run)}/games/${this.number.value}`);
    } }, this.number, h("button", { type: "submit" }, "Show"));
    this.table = h("div", { class: "scroll", tabindex: "0" }, h("table", { class: "games" },
      h("thead", {}, h("tr", {}, ["game", "of", "first", "second", "result", "ended by", "plies"].map((title) => h("th", { scope: "col", class: title === "plies" ? "n" : null }, title)))),
      this.body));
    this.empty = h("p", {}, "No game is on record yet.");
    this.element = h("section", {}, h("h2", {}, "Games"), this.empty, this.table,
      this.bar = h("div", { class: "tools pager" }, this.newer, this.older, this.range, find));
    this.table.hidden = true;
    this.bar.hidden = true;
  }

  // The latest games, unless others are being looked at.
  async refresh() {
    if (this.from === null) await this.load(null);
  }

  async turn(step) {
    const shown = this.from ?? this.last;
    const from = Math.max(1, shown + step * PER_PAGE);
    await this.load(from > this.total - PER_PAGE ? null : from);
  }

  async load(from) {
    const found = await get(`${api(this.run)}/games?count=${PER_PAGE}${from === null ? "" : `&from=${from}`}`).catch((error) => ({ error }));
    if (found.error) {
      setText(this.empty, found.error.message);
      this.empty.hidden = false;
      return;
    }
    this.total = found.total;
    this.from = from;
    this.last = found.games[0]?.number ?? 1;
    this.empty.hidden = found.total > 0;
    this.table.hidden = found.total === 0;
    this.bar.hidden = found.total === 0;
    replace(this.body, [...found.games].reverse().map((game) => this.row(game)));
    const end = found.games.at(-1)?.number ?? 0;
    setText(this.range, `${count(this.last)} to ${count(end)} of ${count(found.total)}`);
    this.newer.disabled = from === null;
    this.older.disabled = this.last <= 1;
  }

  row(game) {
    const link = h("a", { href: `${page(this.run)}/games/${game.number}` }, count(game.number));
    const winner = { "1-0": 0, "0-1": 1 }[game.result];
    const player = (side) => h("td", { class: winner === side ? "won" : null, title: game.players[side] }, shortName(game.players[side]));
    return h("tr", {}, h("td", {}, link), h("td", { class: "soft" }, game.stage), player(0), player(1),
      h("td", {}, game.result.replace("1/2-1/2", "\u00bd\u2013\u00bd").replace("-", "\u2013")), h("td", { class: "soft" }, game.ending), h("td", { class: "n" }, count(game.plies_played)));
  }
}
