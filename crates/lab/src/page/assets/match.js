// A match in pictures: its test, its pairs, its numbers.

import { padded } from "./charts.js";
import { breakable, h } from "./dom.js";
import { count, decimal, elo, limits, percent, shortName, signed } from "./text.js";

// The log-likelihood ratio between its bounds.
export function llrBar({ llr, verdict, games }, sprt, [low, high], decision, isOver) {
  if (llr === null || llr === undefined) return null;
  const at = (value) => `${(100 * (Math.min(high, Math.max(low, value)) - low)) / (high - low)}%`;
  const zero = at(0);
  const kind = verdict === "H1" ? "good" : verdict === "H0" ? "bad" : "busy";
  const unit = sprt.model === "normalized" ? "nElo" : "Elo";
  const from = llr < 0 ? at(llr) : zero;
  const width = `${Math.abs(parseFloat(at(llr)) - parseFloat(zero))}%`;
  const said = decision?.at_cap ? capped(decision) : verdict === "H1" ? `H1: better than ${signed(sprt.elo0)} ${unit}` : verdict === "H0" ? `H0: not as good as ${signed(sprt.elo1)} ${unit}` : isOver ? `no verdict after all ${count(games / 2)} pairs: neither ${signed(sprt.elo0)} nor ${signed(sprt.elo1)} ${unit} is ruled out` : `no verdict yet between ${signed(sprt.elo0)} and ${signed(sprt.elo1)} ${unit}`;
  return h("div", { class: "llr", role: "img", "aria-label": `LLR ${decimal(llr, 2)} between ${decimal(low, 2)} and ${decimal(high, 2)}: ${said}` },
    h("div", { class: "ends" }, h("span", {}, `H0 ${decimal(low, 2)}`), h("b", {}, `LLR ${decimal(llr, 2)}`), h("span", {}, `${signed(high, 2)} H1`)),
    h("div", { class: "track" }, h("i", { class: `fill ${kind}`, style: { left: from, width } }), h("i", { class: "zero", style: { left: zero } }), h("i", { class: `at ${kind}`, style: { left: at(llr) } })),
    h("p", { class: "soft" }, said));
}

// How a match was decided whose test did not end before its last pair.
function capped({ accepted, pairs, z, needed }) {
  const judged = `${accepted ? "accepted" : "not accepted"} at the cap, with ${count(pairs)} counted pairs`;
  return z === null || needed === null ? judged : `${judged}: z ${decimal(z, 2)}, needed ${decimal(needed, 2)}`;
}

// The pairs by what they scored.
export function pairBars(pairs) {
  const cells = [["won both", pairs.ww, "w"], ["won one, drew one", pairs.wd, "w"], ["even", pairs.mid, ""], ["lost one, drew one", pairs.ld, "l"], ["lost both", pairs.ll, "l"]];
  const most = Math.max(1, ...cells.map(([, number]) => number));
  return h("table", { class: "bars" }, h("caption", { class: "unseen" }, "Pairs by their result"),
    h("tbody", {}, cells.map(([name, number, kind]) => h("tr", {}, h("td", {}, name),
      h("td", {}, h("span", { class: `bar ${kind}`, style: { width: `${(100 * number) / most}%` } })), h("td", { class: "n" }, count(number))))));
}

// The numbers of a match.
export function numbers(match, [encounter] = [], decision = null) {
  const known = (value) => value !== null && value !== undefined;
  const fact = (name, what) => h("div", {}, h("dt", {}, name), h("dd", {}, what));
  return h("dl", {},
    fact("pairs", count(match.games / 2)),
    known(decision?.elo_unbiased) ? fact("unbiased Elo", signed(decision.elo_unbiased)) : null,
    known(match.score) ? fact("score", percent(match.score, 1)) : null,
    known(match.nelo) ? fact("normalised Elo", elo({ elo: match.nelo, elo_error: match.nelo_error })) : null,
    known(match.los) ? fact("likelihood of superiority", match.los > 0.9995 ? "above 99.9\u00a0%" : percent(match.los, 1)) : null,
    known(encounter?.draws) ? fact("drawn games", count(encounter.draws)) : null,
    encounter ? fact("different openings", count(encounter.distinct_pairs)) : null,
    encounter?.repeats ? fact("repeated pairs", `${count(encounter.repeats)}, equal move by move to earlier ones and not counted`) : null,
    known(encounter?.openings_kept) ? fact("openings kept", percent(encounter.openings_kept, 1)) : null);
}

// Every match of the candidate on one axis.
export function forest(summary) {
  const rows = [
    [`the start, ${limits(summary.limits)}`, summary.validation],
    ...(summary.yardsticks ?? []).map((yardstick) => [`${yardstick.against === "start" ? "the start" : yardstick.against}${yardstick.trained ? " (an opponent of the tune)" : ""}, ${limits(yardstick.limits)}`, yardstick.match]),
  ];
  const known = rows.filter(([, match]) => match.elo !== null || match.elo_low !== null || match.elo_high !== null);
  if (!known.length) return null;
  const ends = ([, match]) => [match.elo_low ?? match.elo ?? match.elo_high, match.elo_high ?? match.elo ?? match.elo_low];
  const [min, max] = padded(Math.min(0, ...known.flatMap(ends)), Math.max(0, ...known.flatMap(ends)));
  const at = (value) => `${(100 * (value - min)) / (max - min)}%`;
  return h("div", { class: "forest" }, known.map((row) => {
    const [low, high] = ends(row);
    const [name, match] = row;
    const kind = low > 0 ? "good" : high < 0 ? "bad" : "idle";
    return h("div", { class: "row" },
      h("p", {}, h("span", {}, breakable(`against ${name}`)), h("b", {}, elo(match) ?? "\u2013")),
      h("div", { class: "track" }, h("i", { class: "zero", style: { left: at(0) } }), h("i", { class: `fill ${kind}`, style: { left: at(low), width: `${(100 * (high - low)) / (max - min)}%` } }),
        match.elo === null ? null : h("i", { class: `at ${kind}`, style: { left: at(match.elo) } })));
  }));
}


// The player of a tournament who is ahead, with the rating; null before the first pair.
export function leader({ players, ratings, ranking: [first] }) {
  return ratings[first].games ? { name: shortName(players[first].name), rating: elo(ratings[first]) } : null;
}

// The players of a tournament by strength, and how each did against each.
export function standings({ players, ratings, encounters, ranking: order }) {
  const rows = order.map((index, place) => {
    const rating = ratings[index];
    return h("tr", {}, h("td", { class: "n" }, place + 1), h("td", {}, breakable(shortName(players[index].name))),
      h("td", { class: "n" }, elo(rating) ?? "\u2013"), h("td", { class: "n" }, rating.score === null ? "\u2013" : percent(rating.score, 1)), h("td", { class: "n" }, count(rating.games)));
  });
  const table = (name, titles, body) => h("div", { class: "scroll", tabindex: "0" }, h("table", {}, h("caption", { class: "unseen" }, name),
    h("thead", {}, h("tr", {}, titles)), h("tbody", {}, body)));
  const number = (text) => h("th", { scope: "col", class: "n" }, text);
  const cross = order.map((row, place) => h("tr", {}, h("td", { class: "n" }, place + 1), order.map((column) => {
    const match = meeting(encounters, row, column);
    const kind = match === null ? "" : match.low > 0 ? "up" : match.high < 0 ? "down" : "";
    return h("td", { class: `n elo ${kind}`, title: match?.words }, row === column ? "" : match?.text ?? "\u2013");
  })));
  return [
    table("Ratings", [number("place"), h("th", { scope: "col" }, "player"), number("Elo"), number("score"), number("games")], rows),
    h("p", { class: "soft" }, "Elo of each player over every other, by their own pairs alone; bold colours where the 95\u00a0% interval leaves no doubt of the sign."),
    table("Elo of each player over every other", [number("place"), order.map((_, place) => number(String(place + 1)))], cross),
  ];
}

// The match of two players, seen from the first; null if they have not met.
function meeting(encounters, a, b) {
  const found = encounters.find(({ players: [x, y] }) => (x === a && y === b) || (x === b && y === a));
  if (!found || a === b) return null;
  const sign = found.players[0] === a ? 1 : -1;
  const { elo: value, elo_low: low, elo_high: high } = found.match;
  const ends = [low === null ? -Infinity : low, high === null ? Infinity : high].map((end) => sign * end).sort((x, y) => x - y);
  const seen = { elo: value === null ? null : sign * value, elo_error: null, elo_low: Number.isFinite(ends[0]) ? ends[0] : null, elo_high: Number.isFinite(ends[1]) ? ends[1] : null };
  return { low: ends[0], high: ends[1], text: value === null ? elo(seen, 0) : signed(seen.elo, 0), words: `${elo({ ...seen, elo: null })} (95 %)` };
}
