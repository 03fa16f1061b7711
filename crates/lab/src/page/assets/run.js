// The page of a run: its strength first, then the proof, the weights, and the rest.

import { ContestView } from "./contest.js";
import { breakable, command, h, replace, setText, unavailable } from "./dom.js";
import { Games } from "./games.js";
import { Knobs } from "./knobs.js";
import { leader } from "./match.js";
import { Proof } from "./proof.js";
import { Rounds } from "./rounds.js";
import { api, get, listen } from "./server.js";
import { Strength } from "./strength.js";
import { STATES, ago, count, decimal, elo, limits, minute, percent, size, span } from "./text.js";
import { workersOf } from "./workers.js";

export async function show(place, { run, removes }) {
  // A report has none of it.
  const { RunTools } = await import("./tools.js");
  const view = new RunPage(place, run, new RunTools(run, removes !== undefined));
  const isGone = () => get(api(run)).then(() => false, ({ status }) => status === 404);
  const update = async (document) => {
    if (document.state === "damaged" && (await isGone())) unavailable(place, new Error(`The run ${run} was deleted.`));
    else view.update(document);
  };
  listen(`runs=${encodeURIComponent(run)}`, { run: update }, (error) => unavailable(place, error));
}

// Without tools the page is a file, which shows the run as it was.
export class RunPage {
  constructor(place, run, tools = null) {
    Object.assign(this, { place, run, tools, still: !tools });
    this.parts = [new Strength(), new Rounds(), new Proof(), new Knobs(), new ContestView()];
  }

  update(document) {
    this.document = document;
    if (!this.head) this.build();
    this.updateHead(document);
    replace(this.workers, workersOf(document.workers));
    this.workers.hidden = !document.workers;
    this.body.hidden = !document.series;
    if (!document.series) return;
    this.parts.forEach((part) => part.update(document));
    this.updateOutlook(document);
    if (!this.still && this.gamesKnown !== document.games_kept) {
      this.gamesKnown = document.games_kept;
      this.games.refresh();
    }
  }

  build() {
    this.title = h("h1");
    this.state = h("span");
    this.now = h("span", { class: "soft" });
    this.result = h("div");
    this.facts = h("dl");
    this.folded = h("details", { class: "facts" }, h("summary", {}, "Details"), this.facts);
    this.head = h("section", { class: "head" }, h("p", { class: "states" }, this.state, " ", this.now), this.result, this.folded);
    this.workers = h("section", { hidden: true });
    this.outlook = h("section");
    this.games = this.still ? null : new Games(this.run);
    const [strength, rounds, proof, knobs, contest] = this.parts;
    this.body = h("div", {}, strength.element, rounds.element, contest.ratings, proof.element, knobs.element,
      this.outlook, contest.players, rounds.first, this.games?.element ?? null);
    replace(this.place,
      this.still ? null : h("p", { class: "soft crumbs" }, h("a", { href: "/" }, "Runs"), " / ", breakable(this.run)),
      h("div", { class: "title" }, this.title, this.tools?.element ?? null), this.tools?.panel ?? null,
      this.head, this.workers, this.body);
    if (!this.still) setInterval(() => this.times(), 5000);
  }

  updateHead(document) {
    const [word, kind] = STATES[document.state] ?? [document.state, "idle"];
    const title = document.label?.name ?? document.title ?? this.run;
    setText(this.title, title);
    if (!this.still) globalThis.document.title = `${title} \u00b7 Sparring`;
    this.head.className = `head ${kind}`;
    this.state.className = `state ${kind}`;
    setText(this.state, this.still && document.state === "stopped" ? "not finished" : word);
    this.tools?.update(document);
    replace(this.result,
      document.reason ? h("p", { class: "reason" }, document.reason) : null,
      document.series ? [h("p", { class: "big" }, result(document)), outcome(document), progress(document)] : null,
      (document.remarks ?? []).map((remark) => h("p", {}, h("strong", {}, "Note. "), `${remark}.`)));
    this.folded.hidden = !document.series;
    if (document.series) replace(this.facts, facts(document));
    this.times();
  }

  times() {
    const { document } = this;
    if (this.still) return setText(this.now, document.latest ? minute(document.latest) : "");
    const parts = [];
    if (document.state === "running") {
      const { games_per_second: speed, seconds_left: left } = document;
      if (speed) parts.push(`${decimal(speed, speed < 10 ? 1 : 0)} games/s`);
      if (left !== null && left !== undefined) parts.push(`about ${span(left)} left`);
      if (document.latest) parts.push(`last batch ${ago(document.latest)}`);
    } else if (document.latest) {
      const ended = ["accepted", "rejected", "done"].includes(document.state);
      parts.push(`${ended ? "ended" : "last batch"} ${ago(document.latest)}`);
    }
    setText(this.now, parts.join(", "));
  }

  updateOutlook({ outcome: told, advice = [], next = [], state }) {
    this.outlook.hidden = advice.length + next.length === 0;
    const text = JSON.stringify([told, advice, next, state]);
    if (text === this.outlookText) return;
    this.outlookText = text;
    const running = state === "running";
    const title = !advice.length ? "Next" : running ? "How sure is this?" : "How sure is this, and what next?";
    replace(this.outlook, h("h2", {}, title), told ? h("p", { class: "outcome" }, typeset(told)) : null, advice.map((sentence) => h("p", {}, typeset(sentence))),
      running ? null : next.map(command));
  }
}

// What the run came to, in large letters.
function result(document) {
  const { contest, match, state } = document;
  const first = contest?.players.length > 2 ? leader(contest) : null;
  if (first) {
    const verb = state === "done" ? "won" : "is ahead";
    return [breakable(first.name), " ", h("small", {}, first.rating ? `${verb}, ${first.rating} Elo (95\u00a0% interval) over the mean of all players` : `${verb}; the Elo is not defined by these games`)];
  }
  const value = match?.games ? elo(match) : elo(document);
  if (value) return [value, " Elo ", h("small", {}, `(95\u00a0% interval) against ${document.against ?? "the start"}`)];
  if (state === "rejected") return document.summary?.changed ? "Not validated" : "Nothing changed";
  return ["No Elo yet ", h("small", {}, document.games ? "not defined by these games" : "no batch is finished")];
}

// What that means for the set of a tune.
function outcome({ summary, state }) {
  if (!summary || !["accepted", "rejected"].includes(state)) return null;
  const { start, changed, validation } = summary;
  if (state === "accepted") return h("p", {}, `Better than ${start}, on openings that the tune never saw.`);
  if (!changed) return h("p", {}, `${start} stays.`);
  if (!validation.games) return h("p", {}, `The candidate was not tested, so ${start} stays.`);
  const shown = validation.verdict === "H0" ? "No better than" : "Not shown to be better than";
  return h("p", {}, `${shown} ${start}, which stays.`);
}

// How much of the plan is played: games of the tune of as many, and then pairs of the validation.
function progress({ state, games, tune_games: played, planned_games: planned, summary }) {
  if (!planned || ["accepted", "rejected", "done", "failed"].includes(state)) return null;
  const bar = (share, words) => h("div", {}, h("progress", { max: 1, value: share, "aria-label": "share of the games" }), h("p", { class: "soft" }, words));
  if (summary?.state === "validating") {
    const pairs = summary.validation.games / 2;
    return bar(Math.min(1, pairs / summary.validation_pairs), `tuned; ${count(pairs)} of at most ${count(summary.validation_pairs)} pairs of the validation`);
  }
  const ofRounds = () => summary.rounds.reduce((sum, round) => sum + round.games, 0);
  const done = Math.min(planned, played ?? (summary?.rounds ? ofRounds() : games));
  return bar(done / planned, `${count(done)} of ${count(planned)} games (${percent(done / planned)})`);
}

function facts(document) {
  const { summary, contest, series } = document;
  const fact = (name, what) => (what === null || what === undefined || what === "" ? null : h("div", {}, h("dt", {}, name), h("dd", {}, what)));
  const isPair = contest?.players.length === 2;
  return [
    fact("run", breakable(document.run)),
    fact("note", document.label?.note),
    fact("tags", document.label?.tags?.join(", ")),
    fact("game", `${document.game} ${document.board}`),
    summary ? [
      fact("method", document.method),
      fact("start", summary.start),
      fact("playing with", summary.played_with),
      fact({ search: "constants", options: "options" }[summary.target] ?? "weights", document.knobs ? String(document.knobs) : null),
      fact("limits of a move", limits(summary.limits)),
      fact("opponents", summary.opponents),
      fact("games of the tune", count(summary.tune_games)),
      fact("games of the validation", count(summary.validation.games)),
      fact("program", `spar ${summary.program}`),
    ] : [
      isPair ? contest.players.map(({ name, limits: of }, index) => fact(`player ${"AB"[index]}`, `${name}, ${limits(of)}`)) : fact("limits of a move", limits(contest.players[0].limits)),
      fact("openings", contest.openings),
      fact("most pairs", count(contest.all_pairs)),
    ],
    fact("games in all", count(document.games)),
    fact("seed", String(summary?.seed ?? contest?.seed ?? "")),
    fact("time of work", span(series.seconds_worked)),
    fact("begun", minute(document.begun)),
    document.bytes ? fact("size", size(document.bytes)) : null,
  ];
}

function typeset(text) {
  return text.replaceAll("+-", "\u00b1").replace(/(?<= )-(?=\d)/g, "\u2212").replaceAll("95 %", "95\u00a0%");
}
