// The page of a run: its Elo, its test, its charts, its games.

import { Chart, padded, zoomButtons } from "./charts.js";
import { breakable, command, h, notify, replace, setText } from "./dom.js";
import { Games } from "./games.js";
import { forest, leader, llrBar, numbers, pairBars, standings } from "./match.js";
import { api, listen, post } from "./server.js";
import { STATES, ago, axis, count, decimal, elo, limits, minute, percent, shortName, signed, size, span } from "./text.js";

// Workers that have a line of their own.
const MOST_WORKERS = 50;

export async function show(place, { run }) {
  const view = new RunPage(place, run);
  listen(`runs=${encodeURIComponent(run)}`, {
    run: (document) => view.update(document),
  });
}

class RunPage {
  constructor(place, run) {
    Object.assign(this, { place, run, knobs: new Map() });
  }

  update(document) {
    this.document = document;
    if (!this.head) this.build();
    this.updateHead(document);
    this.updateWorkers(document.workers);
    if (!document.series) return;
    this.updateStrength(document);
    this.updateRounds(document);
    this.updateKnobs(document);
    this.updateMatch(document);
    this.updateOutlook(document);
    if (this.gamesKnown !== document.games_kept) {
      this.gamesKnown = document.games_kept;
      this.games.refresh();
    }
  }

  build() {
    const act = (text, kind, path, done) => h("button", { type: "button", class: kind, onclick: async (event) => {
      event.target.disabled = true;
      try {
        await post(`${api(this.run)}/${path}`);
        notify(done);
      } catch (error) {
        notify(error.message, "wrong");
      }
      event.target.disabled = false;
    } }, text);
    this.stop = act("Stop", "warn", "stop", "Asked to stop: it finishes the pairs in hand first.");
    this.resume = act("Resume", "strong", "resume", "Resuming \u2026");
    this.title = h("h1");
    this.state = h("span");
    this.head = h("section", { class: "head" });
    this.strength = h("section", { class: "charted" });
    const play = (set) => h("a", { href: `/play?set=${encodeURIComponent(`runs/${set}`)}`, hidden: true });
    this.play = play(this.run);
    this.playCandidate = play(`${this.run}:candidate`);
    setText(this.playCandidate, "Play against the candidate");
    this.rounds = h("section", { class: "charted", hidden: true });
    this.many = h("section", { class: "charted", hidden: true });
    this.workers = h("section", { hidden: true });
    this.validation = h("section", { class: "charted" });
    this.outlook = h("section");
    this.games = new Games(this.run);
    replace(this.place,
      h("p", { class: "soft crumbs" }, h("a", { href: "/" }, "Runs"), " / ", breakable(this.run)),
      h("div", { class: "title" }, this.title, h("div", { class: "tools" }, this.play, this.playCandidate, this.stop, this.resume)),
      this.head, this.workers,
      this.strength, this.rounds, this.many, this.validation, this.outlook, this.games.element);
    setInterval(() => this.times(), 5000);
  }

  updateHead(document) {
    const [word, kind] = STATES[document.state] ?? [document.state, "idle"];
    setText(this.title, title(document));
    globalThis.document.title = `${title(document)} \u00b7 Sparring`;
    this.head.className = `head ${kind}`;
    this.stop.hidden = document.state !== "running";
    this.resume.hidden = document.state !== "stopped";
    // Matches and tournaments make no set.
    this.play.hidden = !document.summary;
    setText(this.play, playWords(document));
    this.playCandidate.hidden = !document.summary?.changed || document.accepted !== false;
    const parts = [h("p", { class: "states" }, h("span", { class: `state ${kind}` }, word), " ", this.now = h("span", { class: "soft" }))];
    if (document.reason) parts.push(h("p", { class: "reason" }, document.reason));
    const { series } = document;
    const value = document.match && document.match.games ? elo(document.match) : elo(document);
    const first = document.contest?.players.length > 2 ? leader(document.contest) : null;
    if (first) {
      const verb = document.state === "done" ? "won" : "is ahead";
      parts.push(h("p", { class: "big" }, breakable(first.name), " ", h("small", {}, first.rating ? `${verb}, ${first.rating} Elo (95\u00a0% interval) over the mean of all players` : `${verb}; the Elo is not defined by these games`)));
    } else if (value) {
      parts.push(h("p", { class: "big" }, value, " Elo ", h("small", {}, `(95\u00a0% interval) against ${document.against ?? "the start"}`)));
    } else if (series) {
      parts.push(h("p", { class: "big" }, "No Elo yet ", h("small", {}, document.games ? "not defined by these games" : "no batch is finished")));
    }
    if (series) {
      this.games.element.hidden = false;
      parts.push(this.progress(document), this.facts(document));
    } else {
      [this.strength, this.many, this.rounds, this.validation, this.outlook, this.games.element].forEach((section) => { section.hidden = true; });
    }
    replace(this.head, parts);
    this.times();
  }

  times() {
    const { document } = this;
    if (!this.now || !document) return;
    const parts = [];
    if (document.state === "running") {
      if (document.games_per_second) parts.push(`${decimal(document.games_per_second, document.games_per_second < 10 ? 1 : 0)} games/s`);
      if (document.seconds_left !== null && document.seconds_left !== undefined) parts.push(`about ${span(document.seconds_left)} left`);
      if (document.latest) parts.push(`last batch ${ago(document.latest)}`);
    } else if (document.latest) {
      const ended = ["accepted", "rejected", "done"].includes(document.state);
      parts.push(`${ended ? "ended" : "last batch"} ${ago(document.latest)}`);
    }
    setText(this.now, parts.join(", "));
  }

  progress({ state, games, planned_games: planned }) {
    if (!planned || state === "accepted" || state === "rejected" || state === "done") return null;
    const share = Math.min(1, games / planned);
    return h("div", {}, h("progress", { max: 1, value: share, "aria-label": "share of the games" }),
      h("p", { class: "soft" }, `${count(games)} of ${count(planned)} games (${percent(share)})`));
  }

  facts(document) {
    const { summary, contest, series } = document;
    const fact = (name, what) => (what === null || what === undefined || what === "" ? null : h("div", {}, h("dt", {}, name), h("dd", {}, what)));
    const players = contest?.players.map(({ name, limits: of }, index) => fact(contest.players.length === 2 ? `player ${"AB"[index]}` : `player ${index + 1}`, `${name}, ${limits(of)}`));
    return h("dl", {},
      fact("game", `${document.game} ${document.board}`),
      summary ? [
        fact("method", document.method),
        fact("start", summary.start),
        fact(summary.target === "search" ? "constants" : "weights", document.knobs ? String(document.knobs) : null),
        fact("limits of a move", limits(summary.limits)),
        fact("opponents", summary.opponents),
      ] : contest.players.length > 2 ? fact("limits of a move", limits(contest.players[0].limits)) : players,
      fact("games", count(document.games)),
      fact("seed", String(summary?.seed ?? contest?.seed ?? "")),
      fact("time of work", span(series.seconds_worked)),
      fact("begun", minute(document.begun)),
      fact("size", size(document.bytes)));
  }

  updateWorkers(playing) {
    this.workers.hidden = !playing;
    if (!playing) return;
    const { workers } = playing;
    const threads = workers.reduce((sum, worker) => sum + worker.threads, 0);
    const titles = ["threads", "nodes/s", "jobs", "jobs/s", "errors"];
    const cell = (value) => h("td", { class: "n" }, value);
    const rows = workers.slice(0, MOST_WORKERS).map((worker) => h("tr", {}, h("td", {}, breakable(worker.name)),
      cell(count(worker.threads)), cell(count(Math.round(worker.speed / 1000) * 1000)), cell(count(worker.done)), cell(decimal(worker.rate, 1)), cell(count(worker.errors))));
    const many = (number, what) => `${count(number)} ${what}${number === 1 ? "" : "s"}`;
    replace(this.workers, h("h2", {}, "Workers"),
      h("p", { class: "soft" }, `${many(workers.length, "worker")} with ${many(threads, "thread")} do ${decimal(playing.rate, 1)} jobs a second for this run; ${many(playing.open, "job")} in hand or waiting, ${count(playing.done)} done since its process began. A job is a pair, or some games of a fit.`),
      Object.entries(playing.quarantined).map(([name, reason]) => h("p", { class: "reason" }, `${name} is not believed any more: ${reason}`)),
      playing.latest_errors.map((error) => h("p", { class: "soft" }, error)),
      workers.length ? h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "worker"), titles.map((text) => h("th", { scope: "col", class: "n" }, text)))), h("tbody", {}, rows))) : null,
      workers.length > MOST_WORKERS ? h("p", { class: "soft" }, `and ${count(workers.length - MOST_WORKERS)} more`) : null);
  }

  updateStrength({ series, summary }) {
    const { strength } = series;
    const known = strength.elo.some((value) => value !== null);
    this.strength.hidden = !summary || summary.method === "logistic";
    if (this.strength.hidden) return;
    if (!this.strengthChart) {
      const against = summary.method === "joined" ? "the fit" : "the start";
      const place = h("div");
      this.few = h("p", { class: "soft" }, "Too few probe pairs for a curve so far.");
      replace(this.strength, h("div", { class: "bar-top" }, h("h2", {}, "Strength over the games"), zoomButtons()),
        h("p", { class: "soft" }, `Elo of the optimizer\u2019s answers against ${against}, by the latest probe pairs of each moment. Drag over a chart to zoom in, double-click to see all.`),
        legend([["line", "estimate"], ["band", "95\u00a0% interval"], ["zero", against]]), this.few, place);
      this.strengthChart = new Chart(place, {
        label: "Elo over the games", height: 280,
        x: { name: "games" }, y: { name: "Elo" },
        lines: [{ role: "start", width: 1, dash: [5, 4] }, { hidden: true, role: "band" }, { hidden: true, role: "band" }, { role: "line" }],
        bands: [[3, 2, "band"]],
        range: clipped,
        tip: (index) => this.strengthTip(index),
      });
    }
    this.few.hidden = known;
    this.strengthChart.place.hidden = !known;
    this.strengthChart.set([strength.games, strength.games.map(() => 0), strength.elo_low, strength.elo_high, strength.elo]);
  }

  strengthTip(index) {
    const { strength } = this.document.series;
    if (strength.elo[index] === null) return `${count(strength.games[index])} games: no Elo`;
    return `${count(strength.games[index])} games, ${span(strength.seconds[index])}\n${signed(strength.elo[index])} Elo (${signed(strength.elo_low[index] ?? NaN)} to ${signed(strength.elo_high[index] ?? NaN)})`;
  }

  updateRounds({ summary }) {
    const rounds = summary?.rounds ?? [];
    this.rounds.hidden = rounds.length === 0;
    if (!rounds.length) return;
    if (!this.roundCharts) {
      const [first, second] = [h("div"), h("div")];
      this.roundRows = h("tbody");
      const titles = ["round", "games", "positions", "loss before", "loss", "pairs", "Elo over the best before", ""];
      replace(this.rounds, h("h2", {}, "Rounds"),
        h("p", { class: "soft" }, "Each round plays games, fits a set to their positions, and plays it against the best before. The matches are steps, not proofs."),
        h("div", { class: "two" },
          h("figure", {}, h("figcaption", {}, h("b", {}, "Elo of each round"), h("span", {}, "over the best before, with its 95\u00a0% interval")), first),
          h("figure", {}, h("figcaption", {}, h("b", {}, "Validation loss"), h("span", {}, "after each fit, in thousandths of a nat")), second)),
        h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, titles.map((text) => h("th", { scope: "col", class: "n" }, text)))), this.roundRows)));
      const point = (name, sync, lines, more) => ({ label: name, height: 190, small: true, x: { name: "round", format: (value) => (Number.isInteger(value) ? String(value) : "") }, y: { name }, lines, sync, ...more });
      this.roundCharts = [
        new Chart(first, point("Elo", "rounds", [{ role: "start", width: 1, dash: [5, 4] }, { hidden: true, role: "band" }, { hidden: true, role: "band" }, { role: "line", points: true, width: 1 }], { whiskers: [4, 2, 3], range: clipped })),
        new Chart(second, point("loss", "rounds", [{ role: "line", points: true }])),
      ];
    }
    const numbers = rounds.map((row) => row.round);
    const of = (key) => rounds.map((row) => row.match[key] ?? null);
    this.roundCharts[0].set([numbers, numbers.map(() => 0), of("elo_low"), of("elo_high"), of("elo")]);
    this.roundCharts[1].set([numbers, rounds.map((row) => (row.loss === null ? null : row.loss * 1000))]);
    const loss = (value) => (value === null ? "\u2013" : decimal(value, 6));
    const judged = { true: ["accepted", "good"], false: ["not accepted", "bad"] };
    replace(this.roundRows, rounds.map((row) => {
      const [word, kind] = judged[row.accepted] ?? ["under way", "busy"];
      return h("tr", {}, h("td", { class: "n" }, row.round), h("td", { class: "n" }, count(row.games)), h("td", { class: "n" }, count(row.positions)),
        h("td", { class: "n" }, loss(row.loss_before)), h("td", { class: "n" }, loss(row.loss)), h("td", { class: "n" }, count(row.match.games / 2)),
        h("td", { class: "n" }, elo(row.match) ?? "\u2013"), h("td", {}, h("span", { class: `state ${kind}` }, word)));
    }));
  }

  updateKnobs({ series, summary }) {
    const { answers } = series;
    const weights = summary?.knobs ?? [];
    this.many.hidden = weights.length === 0 || (answers?.games.length ?? 0) < 1;
    if (this.many.hidden) return;
    if (!this.grid) {
      this.grid = h("div", { class: "many" });
      this.order = h("select", { onchange: () => this.arrange() },
        [["file", "as in the file"], ["moved", "moved furthest"], ["late", "still moving"], ["name", "name"]].map(([value, text]) => h("option", { value }, text)));
      const what = summary.target === "search" ? "Constants of the search" : "Weights";
      replace(this.many, h("div", { class: "bar-top" }, h("h2", {}, `${what} over the games`), h("label", { class: "sort" }, "Order ", this.order)),
        h("p", { class: "soft" }, "What the optimizer would have answered at each moment."),
        legend([["line", "value"], ["band", "95\u00a0% interval"], ["start", "start"], ["bound", "bound, where it is near"]]), this.grid);
      weights.forEach((row, index) => this.addKnob(row, index));
    }
    weights.forEach((row, index) => this.setKnob(row, answers, index));
    this.arrange();
  }

  addKnob(row, index) {
    const place = h("div");
    const words = h("span");
    const figure = h("figure", {}, h("figcaption", {}, h("b", {}, breakable(row.name)), words), place);
    const knob = { index, row, words, figure };
    knob.chart = new Chart(place, {
      label: `${row.name} over the games`, height: 150, small: true,
      x: { name: "games" }, y: { name: "" },
      lines: [{ hidden: true, role: "band" }, { hidden: true, role: "band" }, { role: "start", width: 1, dash: [5, 4] }, { role: "bound", width: 1, dash: [5, 4] }, { role: "bound", width: 1, dash: [5, 4] }, { role: "line" }],
      bands: [[2, 1, "band"]],
      range: () => knobRange(knob),
      caption: (at) => this.knobWords(knob, at),
    });
    this.knobs.set(row.name, knob);
    this.grid.append(figure);
  }

  setKnob(row, answers, index) {
    const knob = this.knobs.get(row.name);
    const { value, error } = answers.knobs[index];
    Object.assign(knob, { row, value, error, games: answers.games });
    const flat = (level) => answers.games.map(() => level);
    const around = (sign) => value.map((now, at) => (error[at] === null ? null : now + sign * error[at]));
    knob.chart.set([answers.games, around(-1), around(1), flat(row.start), flat(row.min), flat(row.max), value]);
    this.knobWords(knob, null);
  }

  knobWords({ words, row, value, error, games }, at) {
    const now = at === null ? null : value[at];
    if (now !== null && now !== undefined) {
      const off = error[at] === null || error[at] === undefined ? "" : ` \u00b1 ${decimal(error[at], 0)}`;
      setText(words, `${decimal(now, 0)}${off} at ${axis(games[at])} games`);
      return;
    }
    const off = row.error === null ? "" : ` \u00b1 ${decimal(row.error, 0)}`;
    const bound = row.at_bound ? ", at its bound" : "";
    setText(words, `${decimal(row.start, 0)} \u2192 ${decimal(row.tuned, 0)}${off}${bound}`);
  }

  arrange() {
    const moved = ({ row }) => -Math.abs(row.tuned - row.start) / row.range;
    const keys = { file: ({ index }) => index, moved, late: ({ row }) => -row.late_steps, name: ({ row }) => row.name };
    const key = keys[this.order.value];
    const sorted = [...this.knobs.values()].sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.index - b.index));
    const now = [...this.grid.children];
    if (sorted.some(({ figure }, index) => figure !== now[index])) this.grid.append(...sorted.map(({ figure }) => figure));
  }

  // The match that decides: a tune's validation, or the match that the run is.
  updateMatch({ series, summary, state, contest, match: ownMatch }) {
    const match = summary ? summary.validation : ownMatch;
    const sprt = summary ? summary.sprt : contest?.sprt;
    const course = series.match;
    const title = summary ? "Validation" : "Match";
    if (contest?.players.length > 2 && contest.ratings) {
      replace(this.validation, h("h2", {}, "Ratings"), standings(contest));
      return;
    }
    this.validation.hidden = Boolean(contest && !match);
    if (!match || match.games === 0 || !course) {
      if (this.matchCharts || this.validation.hidden) return;
      const waits = state === "running" || state === "stopped";
      const why = summary
        ? (waits ? "It follows the tune: the answer plays the start on openings that the tune never saw." : "No match was played, so nothing is proven.")
        : "No batch is finished yet.";
      replace(this.validation, h("h2", {}, title), h("p", {}, why));
      return;
    }
    if (!this.matchCharts) this.buildMatch(title, summary, course);
    const { pairs, elo: values, elo_error: errors, llr, llr_bounds: bounds } = course;
    const around = (sign) => values.map((value, at) => (value === null || errors[at] === null ? null : value + sign * errors[at]));
    this.matchCharts[0].set([pairs, pairs.map(() => 0), around(-1), around(1), values]);
    if (bounds) {
      this.matchCharts[1].set([pairs, pairs.map(() => bounds[0]), pairs.map(() => bounds[1]), llr]);
      replace(this.test, llrBar(match.llr, bounds[0], bounds[1], match.verdict, sprt));
    }
    replace(this.cells, pairBars(match.pairs));
    if (summary) replace(this.forest, forest(summary));
    else replace(this.forest, numbers(match));
  }

  buildMatch(title, summary, course) {
    // What was proven, and what follows from it, goes before how it came about.
    this.head.after(this.validation, this.outlook);
    const [first, second] = [h("div"), h("div")];
    this.test = h("div");
    this.cells = h("div");
    this.forest = h("div");
    const hasTest = Boolean(course.llr_bounds);
    const figure = (name, note, place) => h("figure", {}, h("figcaption", {}, h("b", {}, name), h("span", {}, note)), place);
    replace(this.validation, h("h2", {}, title),
      h("p", { class: "soft" }, summary
        ? "The candidate against the start, one opening with both colours in each pair, on openings that the tune never saw."
        : "The first player against the second, one opening with both colours in each pair."),
      this.test,
      h("div", { class: "two" },
        figure("Elo", "with its 95\u00a0% interval", first),
        hasTest ? figure("LLR", "between the bounds of the test", second) : null),
      h("div", { class: "two" }, this.cells, this.forest));
    const at = (index) => {
      const { pairs, elo: values, elo_error: errors, llr } = this.document.series.match;
      return { pairs: count(pairs[index]), elo: elo({ elo: values[index], elo_error: errors[index] }) ?? "no", llr: decimal(llr[index] ?? 0, 2) };
    };
    const band = { hidden: true, role: "band" };
    this.matchCharts = [new Chart(first, {
      label: "Elo over the pairs", height: 190, small: true, sync: "match", x: { name: "pairs" }, y: { name: "Elo" },
      lines: [{ role: "start", width: 1, dash: [5, 4] }, band, band, { role: "proof" }], bands: [[3, 2, "proof-band"]], range: clipped,
      tip: (index) => `${at(index).pairs} pairs\n${at(index).elo} Elo`,
    })];
    if (!hasTest) return;
    const [low, high] = course.llr_bounds;
    this.matchCharts.push(new Chart(second, {
      label: "LLR over the pairs", height: 190, small: true, sync: "match", x: { name: "pairs" }, y: { name: "LLR" },
      lines: [{ role: "bad", width: 1, dash: [5, 4] }, { role: "good", width: 1, dash: [5, 4] }, { role: "proof" }],
      range: (min, max) => padded(Math.min(min ?? low, low), Math.max(max ?? high, high)),
      tip: (index) => `${at(index).pairs} pairs\nLLR ${at(index).llr}`,
    }));
  }

  updateOutlook({ advice, next, state }) {
    this.outlook.hidden = advice.length + next.length === 0;
    const text = JSON.stringify([advice, next]);
    if (text === this.outlookText) return;
    this.outlookText = text;
    const running = state === "running";
    replace(this.outlook, h("h2", {}, running ? "How sure is this?" : "How sure is this, and what next?"), advice.map((sentence) => h("p", {}, typeset(sentence))),
      running ? null : next.map(command));
  }
}

// What the link to the page to play on says of the run's set.
function playWords({ accepted, state }) {
  if (accepted) return "Play against this set";
  const why = accepted === false ? "was not accepted" : state === "failed" ? "failed" : "is not finished";
  return `Play against the start set (the tune ${why})`;
}

function title({ run, summary, contest, board }) {
  if (contest) {
    const names = contest.players.map(({ name }) => shortName(name));
    return names.length === 2 ? `${names[0]} against ${names[1]} on ${board}` : `${names.length} players on ${board}`;
  }
  if (!summary) return run;
  const what = summary.target === "search" ? "The search" : summary.start;
  return `${what} tuned by ${summary.method} on ${summary.board}`;
}

function typeset(text) {
  return text.replaceAll("+-", "\u00b1").replaceAll(" -", " \u2212").replaceAll("95 %", "95\u00a0%");
}

export function legend(entries) {
  return h("div", { class: "legend", "aria-hidden": "true" }, entries.map(([kind, text]) => h("span", {}, h("i", { class: kind }), text)));
}

// The range of an Elo chart: bands may be far wider than the line, and are cut off then.
export function clipped(min, max, data) {
  const line = data.at(-1).filter((value) => value !== null && value !== undefined);
  if (!line.length) return [-10, 10];
  const [low, high] = [Math.min(0, ...line), Math.max(0, ...line)];
  const room = Math.max(60, (high - low) * 0.4);
  return padded(Math.max(min ?? low, low - room), Math.min(max ?? high, high + room));
}

// The share of the values, at either end, that may lie beyond the chart: the first answers of a tune
// leap far.
const OUTLIERS = 0.04;

// The start, most of the values, and the latest one with its error; bounds only where they are near.
function knobRange({ row, value, error }) {
  const sorted = [...value].sort((a, b) => a - b);
  const most = Math.floor(sorted.length * OUTLIERS);
  const [now, off] = [value.at(-1), Math.min(error.at(-1) ?? 0, row.range)];
  const ends = [row.start, sorted[most], sorted.at(-1 - most), now - off, now + off];
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const room = Math.max((high - low) * 0.1, row.step / 3, 0.5);
  return [low - room, high + room];
}
