// What can be done with a run: play against its set, stop, resume, begin another like it, label and delete it.

import { h, notify, replace, setText } from "./dom.js";
import { api, post } from "./server.js";
import { PLAYED, size } from "./text.js";

export class RunTools {
  // `removes`: the server removes runs.
  constructor(run, removes) {
    Object.assign(this, { run, open: false });
    const play = (set) => h("a", { href: `/play?set=${encodeURIComponent(`runs/${set}`)}`, hidden: true });
    this.stop = this.act("Stop", "warn", "stop", "Stopping: it finishes the pairs in progress first.");
    this.resume = this.act("Resume", "strong", "resume", "Resuming \u2026");
    this.play = play(run);
    this.playCandidate = play(`${run}:candidate`);
    setText(this.playCandidate, "Play against the candidate");
    this.copy = h("a", { hidden: true });
    this.elsewhere = h("span", { class: "soft", hidden: true });
    this.longer = h("a", { hidden: true, title: "A match with four times the nodes a move" }, "Test at longer limits");
    this.label = h("button", { type: "button", "aria-expanded": "false", hidden: true, onclick: () => this.edit(!this.open) }, "Label");
    this.remove = h("button", { type: "button", class: "warn", hidden: true, onclick: () => this.confirm() }, "Delete");
    this.removes = removes;
    this.panel = h("div", { class: "panel" });
    this.element = h("div", { class: "tools" }, this.play, this.playCandidate, this.copy, this.elsewhere, this.longer, this.stop, this.resume, this.label, this.remove);
  }

  // A button that asks the server for something.
  act(text, kind, path, done) {
    return h("button", { type: "button", class: kind, hidden: true, onclick: async ({ target }) => {
      target.disabled = true;
      if (await this.ask(path)) notify(done);
      target.disabled = false;
    } }, text);
  }

  // What the server answers; null where it refuses, and says why.
  async ask(path, body) {
    try {
      return await post(`${api(this.run)}/${path}`, body);
    } catch (error) {
      notify(error.message, "wrong");
      return null;
    }
  }

  update(document) {
    const { state, summary, contest } = this.document = document;
    this.stop.hidden = state !== "running";
    this.resume.hidden = state !== "stopped";
    this.label.hidden = state === "starting";
    this.remove.hidden = !this.removes || ["running", "starting"].includes(state);
    // Matches, tournaments and tunes of an engine make no set, and the forms have no engines.
    const isOfSets = summary && summary.target !== "options";
    this.play.hidden = !isOfSets || !PLAYED.includes(document.game);
    setText(this.play, playWords(document));
    this.playCandidate.hidden = this.play.hidden || !summary.changed || document.accepted !== false;
    const isOfTwoSets = contest?.players.length === 2 && contest.players.every(({ engine }) => !engine);
    this.copy.hidden = !isOfSets && !isOfTwoSets;
    const kind = summary ? "tune" : "match";
    setText(this.copy, `Copy to a new ${kind}`);
    this.copy.href = `/?new=${kind}&like=${encodeURIComponent(this.run)}`;
    this.elsewhere.hidden = !this.copy.hidden || !(summary || contest);
    setText(this.elsewhere, summary ? `Copy it in a terminal: spar tune --from ${this.run}:start` : `This page starts matches of two sets; play another ${document.method} in a terminal`);
    // Gains at short limits may vanish at longer ones.
    const { nodes } = (summary ?? contest?.players[0])?.limits ?? {};
    this.longer.hidden = this.copy.hidden || !nodes || (summary ? !summary.changed || !["accepted", "rejected"].includes(state) : state !== "done");
    this.longer.href = `/?new=match&like=${encodeURIComponent(this.run)}&times=4`;
  }

  // Opens the form of the label, or closes it.
  edit(open) {
    this.open = open;
    this.label.setAttribute("aria-expanded", String(open));
    if (!open) return replace(this.panel);
    const { name = "", note = "", tags = [] } = this.document.label ?? {};
    const field = (text, key, value, hint) => h("label", {}, h("span", {}, text), h("input", { name: key, type: "text", value, maxlength: 1000, autocomplete: "off" }), hint && h("small", {}, hint));
    const form = h("form", { onsubmit: (event) => { event.preventDefault(); this.save(new FormData(form)); } },
      h("h2", {}, "Label"),
      h("div", { class: "fields" }, field("Name", "name", name, "instead of its directory's name"), field("Note", "note", note), field("Tags", "tags", tags.join(" "), "words, with spaces between")),
      h("div", { class: "tools" }, h("button", { type: "submit", class: "strong" }, "Save"), h("button", { type: "button", onclick: () => this.edit(false) }, "Cancel")));
    replace(this.panel, h("section", {}, form));
    form.elements.name.focus();
  }

  async save(data) {
    const tags = data.get("tags").split(/\s+/).filter(Boolean);
    const label = await this.ask("label", { name: data.get("name"), note: data.get("note"), tags });
    if (!label) return;
    this.document.label = label;
    this.edit(false);
    this.label.focus();
  }

  // Asks before anything is deleted.
  confirm() {
    const { bytes } = this.document;
    const close = () => dialog.close();
    const dialog = h("dialog", { "aria-labelledby": "delete-title", onclose: () => dialog.remove() },
      h("h2", { id: "delete-title" }, "Delete this run?"),
      h("p", {}, `This deletes its games, its sets and its report${bytes ? `, ${size(bytes)}` : ""}, for good.`),
      h("div", { class: "tools" },
        h("button", { type: "button", class: "warn", onclick: () => { close(); this.delete(); } }, "Delete the run"),
        h("button", { type: "button", autofocus: true, onclick: close }, "Keep it")));
    document.body.append(dialog);
    dialog.showModal();
  }

  async delete() {
    const removed = await this.ask("remove");
    if (removed?.gone) location.assign("/");
    else if (removed) notify("The run is deleted. Its directory stays, since it holds other files too.");
  }
}

// What the link to the page to play on says of the run's set.
function playWords({ accepted, state }) {
  if (accepted) return "Play against this set";
  const why = accepted === false ? "was not accepted" : state === "failed" ? "failed" : "is not finished";
  return `Play against the start set (the tune ${why})`;
}
