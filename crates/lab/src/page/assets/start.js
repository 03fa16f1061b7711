// The forms that start a tune or a match.

import { h, notify, replace } from "./dom.js";
import { api, get, page, post } from "./server.js";
import { FurtherOptions, KeptOptions } from "./options.js";

const METHODS = [
  ["joined", "joined: a fit, then matches"],
  ["spsa", "spsa: matches"],
  ["logistic", "logistic: fits in rounds"],
  ["network", "network: networks trained in rounds"],
];

// The buttons that open the forms, the place where these appear, and `copy`, which opens a form with the
// settings of a run, changed by `changes`.
export function startForms() {
  const panel = h("div", { class: "panel" });
  const kinds = { tune: "New tune", match: "New match" };
  let open = null;
  const show = async (kind, like, changes = {}) => {
    open = kind;
    buttons.forEach((button, index) => button.setAttribute("aria-expanded", String(Object.keys(kinds)[index] === open)));
    if (!open) return replace(panel);
    try {
      const [choices, run, all, own] = await Promise.all([get("/api/choices"), like && get(api(like)), like && get("/api/runs"), like && get(`${api(like)}/options?kind=${kind}`)]);
      replace(panel, form(kind, choices, () => show(null), run && copied(run, choices, all.runs, own, { kind, ...changes })));
      panel.querySelector("select").focus();
    } catch (error) {
      notify(error.message, "wrong");
    }
  };
  const buttons = Object.entries(kinds).map(([kind, text]) => h("button", {
    type: "button", class: "strong", "aria-expanded": "false", onclick: () => show(open === kind ? null : kind),
  }, text));
  return { buttons, panel, copy: (kind, run, changes) => kind in kinds && show(kind, run, changes) };
}

// The settings of a run as the values of the form's fields, in the order in which they depend on each
// other, and its further options. The limits of a match are `times` as long, and a match of a tune is
// one of its candidate against its start.
function copied({ run, game, board, method, summary, contest, planned_games: games }, choices, runs, { options, kept }, { kind, times = 1 }) {
  const { sets = [] } = choices.games.find(({ name }) => name === game) ?? {};
  // A set by the name that a run calls it: one of the program, one of a run, or what a run has made.
  const set = (name) => {
    const [, last] = /([^/]*?)(?::start)?$/.exec(name);
    const made = runs.find(({ id }) => id === name.replaceAll("/", "-"))?.run;
    const own = [last, made && `${made}:candidate`, made].find((wanted) => choices.runs.some(({ run }) => run === wanted));
    return own && !sets.includes(name) ? `run:${own}` : name;
  };
  const { nodes } = summary?.limits ?? contest?.players[0].limits ?? {};
  const longer = (value) => value && Math.round(value * times);
  const common = { game, board, ...(nodes ? { nodes: longer(nodes) } : {}) };
  if (summary && kind === "match") {
    const own = [`${run}:candidate`, run].find((wanted) => choices.runs.some((choice) => choice.run === wanted));
    return { run, options, kept, values: { ...common, a: `run:${own}`, b: `run:${run}:start` } };
  }
  if (summary) {
    // What this program has no name for is in the run itself.
    const named = set(summary.played_with ?? summary.start);
    const start = named.startsWith("run:") || sets.includes(named) ? named : `run:${run}:start`;
    return { run, options, kept, values: { ...common, start, method, amount: games, unit: "games" } };
  }
  const [a, b] = contest?.players ?? [];
  if (!b) throw new Error(`${run}: there are no settings to copy`);
  const test = contest.sprt ? { sprt: true, elo0: contest.sprt.elo0, elo1: contest.sprt.elo1 } : {};
  const own = Object.fromEntries(Object.entries(options).map(([name, value]) => [name, name.startsWith("nodes-") ? longer(value) : value]));
  return { run, options: own, kept, values: { ...common, a: set(a.name), b: set(b.name), pairs: contest.all_pairs, ...test } };
}

// Puts values into the fields of a form, and gives the titles of the fields that cannot have theirs.
function take(element, values) {
  const missing = [];
  for (const [name, value] of Object.entries(values)) {
    const field = element.elements[name];
    if (field.type !== "checkbox" && String(value).endsWith(":start")) field.append(h("option", { value }, `start of ${value.slice(4, -6)}`));
    if (field.type === "checkbox") field.checked = value;
    else if (field.type === "number" ? value !== undefined : [...field.options].some((option) => option.value === value)) field.value = value;
    else missing.push(field.closest("label").firstChild.textContent.toLowerCase());
    field.dispatchEvent(new Event("change"));
  }
  return missing;
}

function form(kind, choices, close, like) {
  const select = (name, options) => h("select", { name }, options.map(([value, text]) => h("option", { value }, text)));
  const number = (name, value, min, max, step = 1) => h("input", { name, type: "number", value, min, max, step, required: true, inputmode: step === 1 ? "numeric" : "decimal" });
  const field = (text, input, hint) => h("label", {}, h("span", {}, text), input, hint && h("small", {}, hint));
  const game = select("game", choices.games.map(({ name }) => [name, name]));
  const board = select("board", []);
  const sets = { a: select("a", []), b: select("b", []), start: select("start", []) };
  const isTune = kind === "tune";
  const method = select("method", METHODS);
  const fields = isTune
    ? [
      field("Start from", sets.start),
      field("Method", method),
      field("For", h("span", { class: "both" }, number("amount", 30, 1, 100_000), select("unit", [["minutes", "minutes"], ["games", "games"]]))),
    ]
    : [
      field("Player A", sets.a),
      field("Player B", sets.b),
      field("Pairs, at most", number("pairs", 200, 1, 1_000_000), "two games each"),
      field("Test", h("span", { class: "both" }, h("input", { type: "checkbox", name: "sprt", "aria-label": "Stop when the evidence decides" }),
        number("elo0", 0, -1000, 1000, "any"), number("elo1", 10, -1000, 1000, "any")), "SPRT: stop when the evidence decides between these Elo"),
    ];
  const fill = () => {
    const chosen = choices.games.find(({ name }) => name === game.value);
    replace(board, chosen.boards.map((name) => h("option", { value: name, selected: name === chosen.board }, name)));
    const network = method.querySelector("[value=network]");
    network.hidden = network.disabled = !chosen.networks;
    if (network.disabled && network.selected) method.value = METHODS[0][0];
    fillSets();
  };
  const fillSets = () => {
    const { sets: shipped, hand } = choices.games.find(({ name }) => name === game.value);
    const runs = choices.runs.filter((run) => run.game === game.value && run.board === board.value);
    const options = () => [
      h("optgroup", { label: "Shipped sets" }, shipped.map((name) => h("option", { value: name }, name.split("/").pop()))),
      runs.length ? h("optgroup", { label: "Sets of runs" }, runs.map(({ run, title }) => h("option", { value: `run:${run}` }, title))) : null,
    ];
    Object.values(sets).forEach((list) => replace(list, options()));
    sets.start.value = hand;
    const latest = runs.find(({ run }) => run === `${runs[0].run}:candidate`) ?? runs[0];
    sets.a.value = latest ? `run:${latest.run}` : hand;
    sets.b.value = shipped.find((name) => name.endsWith("/piece")) ?? shipped[0];
  };
  board.addEventListener("change", fillSets);
  fill();
  const threads = number("threads", choices.threads, 1, choices.threads);
  const go = h("button", { type: "submit", class: "strong" }, isTune ? "Start the tune" : "Start the match");
  const wait = h("button", { type: "submit", value: "wait" }, "Add to the queue");
  const further = new FurtherOptions(choices.options.filter((option) => option.kind === kind));
  const kept = like?.kept && new KeptOptions(like.run, like.kept);
  const element = h("form", {
    class: "start",
    onsubmit: async (event) => {
      event.preventDefault();
      const waits = event.submitter === wait;
      go.disabled = wait.disabled = true;
      try {
        const copy = kept ? { like: like.run, keeps: kept.values() } : {};
        const wanted = { ...request(kind, new FormData(element)), options: further.values(), ...copy };
        const { run } = await post(waits ? "/api/queue" : "/api/start", wanted);
        if (!waits) return location.assign(page(run));
        notify(`The ${kind} waits in the queue.`);
        close();
      } catch (error) {
        if (!blame(element, error)) notify(error.message, "wrong");
      }
      go.disabled = wait.disabled = false;
    },
    oninput: ({ target }) => clear(target),
  },
  h("h2", {}, isTune ? "New tune" : "New match"),
  h("div", { class: "fields" },
    field("Game", game), field("Board", board), fields,
    field("Nodes a move", number("nodes", 1000, 1, 1_000_000_000)),
    field("Seed", number("seed", 1 + Math.floor(Math.random() * 1_000_000), 0, Number.MAX_SAFE_INTEGER)),
    field("Threads", threads, `of ${choices.threads}`)),
  further.element, kept?.element,
  h("p", { class: "soft" }, isTune
    ? "The tune ends with a match of its answer against the start, on fresh openings, and continues if this page or the server is closed."
    : "The match continues if this page or the server is closed.", " A run in the queue starts when no other run of the folder is running."),
  h("div", { class: "tools" }, go, wait, h("button", { type: "button", onclick: close }, "Cancel")));
  // A tune plays against the count of pieces only where the game has this set.
  const unknown = () => (choices.games.find(({ name }) => name === game.value).sets.includes(`${game.value}/piece`) ? [] : ["opponent-share"]);
  const showFurther = () => further.show(isTune ? method.value : undefined, unknown());
  method.addEventListener("change", showFurther);
  game.addEventListener("change", () => {
    fill();
    showFurther();
  });
  showFurther();
  if (like) {
    const missing = take(element, like.values);
    further.take(like.options ?? {});
    // A move that has another limit needs none of nodes.
    element.elements.nodes.required = like.values.nodes !== undefined;
    if (!element.elements.nodes.required) element.elements.nodes.value = "";
    const lacks = missing.length ? ` This form cannot show its ${missing.join(", ")}.` : "";
    element.querySelector("h2").after(h("p", { class: "soft" }, `Copied from ${like.run}, with another seed.${lacks}`));
  }
  return h("section", {}, element);
}

// The fields that the server calls by another name.
const FIELDS = { games: "amount", minutes: "amount", sprt: "elo0" };

// Says beside a field what the server refuses of it; false where it is no field's fault.
function blame(element, { field: name, reason, remedy }) {
  const field = name && element.elements[FIELDS[name] ?? name];
  if (!field) return false;
  clear(field);
  const fault = h("small", { class: "fault", id: `fault-${name}`, role: "alert" }, remedy ? `${reason}: ${remedy}` : reason);
  field.closest("label").append(fault);
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-describedby", fault.id);
  const folded = field.closest("details");
  if (folded) folded.open = true;
  field.focus();
  return true;
}

// A field that is changed is not known to be wrong.
function clear(field) {
  field.closest("label")?.querySelector(".fault")?.remove();
  field.removeAttribute("aria-invalid");
  field.removeAttribute("aria-describedby");
}

function request(kind, data) {
  const number = (name) => Number(data.get(name));
  const common = { kind, game: data.get("game"), board: data.get("board"), nodes: data.get("nodes") ? number("nodes") : null, seed: number("seed"), threads: number("threads") };
  if (kind === "match") {
    const sprt = data.get("sprt") ? [number("elo0"), number("elo1")] : null;
    return { ...common, a: data.get("a"), b: data.get("b"), pairs: number("pairs"), sprt };
  }
  const amount = { [data.get("unit")]: number("amount") };
  return { ...common, start: data.get("start"), method: data.get("method"), ...amount };
}
