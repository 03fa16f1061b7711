// The page of all runs.

import { breakable, h, notify, replace, s, setText } from "./dom.js";
import { Waiting } from "./queue.js";
import { listen, page } from "./server.js";
import { startForms } from "./start.js";
import { STATES, ago, count, elo, percent, plural, shortName, size, span } from "./text.js";

// The columns: a title, what they sort by, and the class of their cells.
const COLUMNS = [
  { title: "Run", key: (line) => line.label?.name ?? line.run, kind: "name" },
  { title: "State", key: (line) => Object.keys(STATES).indexOf(line.state) },
  { title: "Game", key: (line) => `${line.game} ${line.board}` },
  { title: "Elo", key: (line) => line.elo ?? -Infinity, kind: "n", down: true },
  { title: "Course" },
  { title: "Games", key: (line) => line.games, kind: "n", down: true },
  { title: "Time", key: (line) => line.latest ?? line.begun ?? "", down: true },
  { title: "Size", key: (line) => line.bytes, kind: "n spare", down: true },
];

const lines = new Map();
const rows = new Map();
const chosen = new Set();
// The column that the list is sorted by at first.
const TIME = COLUMNS.findIndex(({ title }) => title === "Time");
let order = { column: TIME, down: true };
let view = null;
// As many as a comparison has colours for.
const MOST_COMPARED = 8;

export async function show(place) {
  const query = new URLSearchParams(location.search);
  recall(query);
  view = layout();
  view.filter.value = query.get("q") ?? "";
  replace(place, view.all);
  // The runs that were ticked before the comparison, for whoever comes back from it.
  (history.state?.chosen ?? []).forEach((run) => chosen.add(run));
  // A run's page leads here to begin another one like it.
  if (query.has("new")) {
    history.replaceState(null, "", "/");
    view.copy(query.get("new"), query.get("like"), { times: Number(query.get("times")) || 1 });
  }
  let known = null;
  listen("list=1", {
    list: ({ changed, gone, folder }) => {
      changed.forEach((line) => lines.set(line.run, line));
      gone.forEach((run) => {
        lines.delete(run);
        chosen.delete(run);
        rows.delete(run);
      });
      setText(view.folder, folder);
      changed.forEach(update);
      arrange();
    },
    jobs: ({ failed, waiting }) => {
      view.waiting.update(waiting);
      // Failures from before the page was opened are not announced.
      const news = known ? failed.filter(({ run }) => !known.has(run)) : [];
      news.forEach((job) => notify(`${job.run}: ${job.error}`, "wrong"));
      known = new Set(failed.map(({ run }) => run));
    },
  });
  setInterval(() => lines.forEach(updateTimes), 10_000);
}

function layout() {
  const body = h("tbody");
  const heads = COLUMNS.map((column, index) => head(column, index));
  const table = h("table", { class: "runs" },
    h("caption", { class: "unseen" }, "All runs, with links to each"),
    h("thead", {}, h("tr", {}, h("th", {}, h("span", { class: "unseen" }, "Compare")), heads)),
    body);
  const compare = h("button", { type: "button", disabled: true, onclick: goCompare }, "Compare");
  const forms = startForms();
  const empty = h("div", { class: "empty", hidden: true },
    h("p", { class: "big" }, "No runs yet"),
    h("p", {}, "Start a tune or a match with the buttons above, or with ", h("code", {}, "spar tune"), " in a terminal."));
  const folder = h("code", {});
  const waiting = new Waiting();
  const filter = h("input", { type: "search", placeholder: "Filter", "aria-label": "Show the runs with these words", oninput: () => { arrange(); remember(); } });
  const summary = h("p", { class: "soft summary" });
  const sort = h("label", { class: "sort" }, "Sort by ", h("select", { onchange: (event) => sortBy(Number(event.target.value)) },
    COLUMNS.map((column, index) => column.key && h("option", { value: index, selected: index === order.column }, column.title))));
  return {
    all: [
      h("div", { class: "title" }, h("h1", {}, "Runs"), h("div", { class: "tools" }, forms.buttons, compare)),
      h("p", { class: "soft run" }, "in ", folder),
      forms.panel,
      waiting.element,
      h("section", { class: "wide-table" }, h("div", { class: "bar-top" }, summary, filter, sort), table, empty),
    ],
    body, heads, compare, empty, filter, folder, summary, table, waiting, copy: forms.copy,
  };
}

// Takes the order that the address names.
function recall(query) {
  const column = COLUMNS.findIndex(({ key, title }) => key && title.toLowerCase() === query.get("sort"));
  if (column >= 0) order = { column, down: !query.has("up") };
}

// Keeps the filter and the order in the address, for whoever comes back or reloads.
function remember() {
  const query = new URLSearchParams();
  const { column, down } = order;
  if (view.filter.value) query.set("q", view.filter.value);
  if (column !== TIME || !down) query.set("sort", COLUMNS[column].title.toLowerCase());
  if (!down) query.set("up", "1");
  history.replaceState(history.state, "", query.size ? `/?${query}` : "/");
}

function head(column, index) {
  if (!column.key) return h("th", { scope: "col", class: "course" }, column.title);
  const button = h("button", { type: "button", onclick: () => sortBy(index) }, column.title);
  return h("th", { scope: "col", class: column.kind ?? null }, button);
}

function sortBy(column) {
  const same = order.column === column;
  order = { column, down: same ? !order.down : Boolean(COLUMNS[column].down) };
  arrange();
  remember();
}

function arrange() {
  const { key } = COLUMNS[order.column];
  const compare = (a, b) => {
    const [x, y] = [key(a), key(b)];
    const sign = x < y ? -1 : x > y ? 1 : a.run < b.run ? -1 : 1;
    return order.down ? -sign : sign;
  };
  const sorted = [...lines.values()].filter(isWanted).sort(compare).map((line) => rows.get(line.run).row);
  const now = [...view.body.children];
  if (sorted.length !== now.length || sorted.some((row, index) => row !== now[index])) view.body.replaceChildren(...sorted);
  view.heads.forEach((th, index) => {
    if (index === order.column) th.setAttribute("aria-sort", order.down ? "descending" : "ascending");
    else th.removeAttribute("aria-sort");
  });
  view.empty.hidden = lines.size > 0;
  view.table.hidden = lines.size === 0;
  summarize();
  choose();
}

// Whether a run has every word of the filter: in its name, state, game, method, start, note or tags.
function isWanted(line) {
  const [word] = STATES[line.state] ?? [line.state];
  const { name, note, tags = [] } = line.label ?? {};
  const text = [line.run, word, line.game, line.board, line.method, line.start, name, note, ...tags].join(" ").toLowerCase();
  return view.filter.value.toLowerCase().split(/\s+/).every((part) => text.includes(part));
}

function summarize() {
  const of = (state) => [...lines.values()].filter((line) => line.state === state).length;
  const parts = Object.entries(STATES)
    .map(([state, [word]]) => [of(state), word])
    .filter(([number]) => number > 0)
    .map(([number, word]) => `${number} ${word}`);
  setText(view.summary, lines.size ? `${plural(lines.size, "run")}: ${parts.join(", ")}` : "");
}

function update(line) {
  const known = rows.get(line.run) ?? make(line);
  rows.set(line.run, known);
  const [word, kind] = STATES[line.state] ?? [line.state, "idle"];
  known.state.className = `state ${kind}`;
  setText(known.state, word);
  known.state.title = line.reason ?? "";
  setText(known.what, what(line));
  const { name = line.run, note, tags = [] } = line.label ?? {};
  replace(known.link, stamped(name));
  known.link.title = [name === line.run ? null : line.run, note].filter(Boolean).join("\n");
  known.tags.hidden = !tags.length;
  setText(known.tags, tags.map((tag) => `#${tag}`).join(" "));
  setText(known.game, [line.game, line.board].filter(Boolean).join(" "));
  const value = elo(line);
  setText(known.elo, value ?? "\u2013");
  known.elo.className = `elo ${sign(line)}`;
  setText(known.against, line.leader ? `${shortName(line.leader)} leads` : value && line.against ? `against ${shortName(line.against)}` : "");
  replace(known.spark, spark(line.state === "damaged" ? [] : line.spark ?? []));
  const planned = line.planned_games;
  const isOpen = line.state === "running" || line.state === "stopped";
  const played = line.tune_games ?? Math.min(line.games, planned);
  setText(known.games, isOpen && line.tune_games !== null && line.tune_games < planned ? `${count(line.tune_games)} of ${count(planned)}` : count(line.games));
  const share = planned ? Math.min(1, played / planned) : null;
  known.bar.hidden = share === null || !isOpen;
  known.bar.value = share ?? 0;
  known.bar.title = share === null ? "" : percent(share);
  setText(known.size, size(line.bytes));
  updateTimes(line);
}

// A name with the time that begins the usual ones apart, which narrow pages leave out.
function stamped(name) {
  const [, stamp, rest] = /^(\d{8}T\d{6}Z-)(.+)$/.exec(name) ?? [null, "", name];
  return [stamp && h("span", { class: "stamp" }, stamp, h("wbr")), breakable(rest)];
}

// What was done, from what: `spsa from breakthrough/hand, 10 weights`.
function what(line) {
  if (line.state === "damaged") return line.reason ?? "cannot be read";
  const knobs = line.knobs ? `, ${plural(line.knobs, { search: "constant", options: "option" }[line.target] ?? "weight")}` : "";
  const players = () => line.start.split(" - ").map(shortName).join(" - ");
  const from = line.start && (line.method === "match" || line.method === "tournament" ? players() : `from ${line.start}${knobs}`);
  return [line.method, from].filter(Boolean).join(" ");
}

function sign(line) {
  if (line.elo === null || line.elo_error === null || line.elo === undefined) return "";
  if (line.elo - line.elo_error > 0) return "up";
  return line.elo + line.elo_error < 0 ? "down" : "";
}

function updateTimes(line) {
  const known = rows.get(line.run);
  if (!known) return;
  const left = line.state === "running" && line.seconds_left !== null && line.seconds_left !== undefined;
  setText(known.time, left ? `${span(line.seconds_left)} left` : line.latest || line.begun ? ago(line.latest ?? line.begun) : "\u2013");
  setText(known.speed, line.state === "running" && line.games_per_second ? `${count(line.games_per_second)} games/s` : "");
}

function make(line) {
  const box = h("input", {
    type: "checkbox", "aria-label": `Compare ${line.run}`, checked: chosen.has(line.run),
    onchange: (event) => {
      if (event.target.checked) chosen.add(line.run);
      else chosen.delete(line.run);
      choose();
    },
  });
  const known = {
    state: h("span"), what: h("span", { class: "soft" }), game: h("span"), elo: h("span"), against: h("span", { class: "soft" }),
    spark: h("span", { class: "spark" }), games: h("span"), bar: h("progress", { max: 1, "aria-label": "share of the games" }),
    time: h("span"), speed: h("span", { class: "soft" }), size: h("span"),
  };
  const cell = (kind, ...children) => h("td", { class: kind }, children);
  known.row = h("tr", {},
    cell("box", h("label", {}, box)),
    cell("name", known.link = h("a", { href: page(line.run) }), known.tags = h("span", { class: "soft" }), known.what),
    cell("status", known.state),
    cell("game", known.game),
    cell("n elo-cell", known.elo, known.against),
    cell("course", known.spark),
    cell("n games-cell", known.games, known.bar),
    cell("time", known.time, known.speed),
    cell("n spare", known.size));
  return known;
}

function choose() {
  const number = ticked().length;
  const isTooMany = number > MOST_COMPARED;
  view.compare.disabled = number < 2 || isTooMany;
  setText(view.compare, number < 2 ? "Compare" : isTooMany ? `Compare (at most ${MOST_COMPARED})` : `Compare ${number}`);
  view.compare.title = number < 2 ? "Tick two runs or more" : "";
}

// The ticked runs that are still there.
function ticked() {
  return [...chosen].filter((run) => lines.has(run));
}

function goCompare() {
  const runs = ticked();
  history.replaceState({ chosen: runs }, "");
  const query = runs.map((run) => `run=${encodeURIComponent(run)}`).join("&");
  location.assign(`/compare?${query}`);
}

// The course of the Elo in a few pixels, with a line at zero.
const SPARK = { width: 110, height: 28, room: 3 };

function spark(values) {
  if (values.length < 2) return null;
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const { width, height, room } = SPARK;
  const x = (index) => room + ((width - 2 * room) * index) / (values.length - 1);
  const y = (value) => height - room - ((height - 2 * room) * (value - low)) / Math.max(high - low, 1);
  const points = values.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
  const last = values.length - 1;
  return s("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": `Elo over the games, now ${Math.round(values[last])}` },
    s("line", { x1: 0, x2: width, y1: y(0), y2: y(0), class: "zero" }),
    s("polyline", { points, class: "course" }),
    s("circle", { cx: x(last), cy: y(values[last]), r: 2.5, class: "now" }));
}

