// The players of a match or a tournament, and how they stand.

import { breakable, h, replace } from "./dom.js";
import { standings } from "./match.js";
import { count, decimal, limits, scaled } from "./text.js";

export class ContestView {
  constructor() {
    this.ratings = h("section", { hidden: true });
    this.players = h("section", { hidden: true });
  }

  update({ contest }) {
    this.players.hidden = !contest;
    this.ratings.hidden = !(contest?.players.length > 2);
    if (!contest) return;
    if (!this.ratings.hidden) {
      replace(this.ratings, h("h2", {}, "Ratings"), standings(contest),
        contest.pools.length ? [h("p", { class: "soft" }, "No chain of points joins these groups, so each is rated on a scale of its own:"), h("ul", {}, contest.pools.map((pool) => h("li", {}, pool)))] : null);
    }
    replace(this.players, h("h2", {}, "Players"), players(contest));
  }
}

function players(contest) {
  const titles = [["player"], ["limits"], ["search"], ["nodes a move", "n"], ["mean depth", "n"], ["forfeits", "n"]];
  const cell = (text) => h("td", { class: "n" }, text);
  const row = (player) => h("tr", {},
    h("td", {}, breakable(player.name), player.engine ? [h("br"), h("code", {}, player.engine.command)] : null),
    h("td", {}, limits(player.limits)), h("td", {}, player.algorithm ?? "its own"),
    cell(player.moves && player.nodes ? scaled(player.nodes / player.moves) : "\u2013"),
    cell(player.mean_depth === null ? "\u2013" : decimal(player.mean_depth, 1)), cell(count(player.forfeits)));
  return h("div", { class: "scroll", tabindex: "0" }, h("table", {},
    h("thead", {}, h("tr", {}, titles.map(([text, kind]) => h("th", { scope: "col", class: kind }, text)))),
    h("tbody", {}, contest.players.map(row))));
}
