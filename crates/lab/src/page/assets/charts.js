// Charts with uPlot: colours from the style sheet, zoom and cursor shared by all charts of a page.

import { h, setText } from "./dom.js";
import { axis as axisNumber } from "./text.js";

/* global uPlot */

const ZOOM = "zoom";
const charts = new Set();

// The colour of a role in the style sheet, as it is now.
export function colour(role) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${role}`).trim();
}

// The colours that tell runs apart, in a comparison.
export const RUN_ROLES = ["run-1", "run-2", "run-3", "run-4", "run-5", "run-6", "run-7", "run-8"];

/* A chart in a place that is laid out already.

   `spec` has: `label` for those who do not see it; `x` and `y`, { name, format }; `lines`, each
   { name, role, width, dash, points, hidden, format }; `file`, the name under which it is saved; `bands`, pairs of numbers of lines between
   which the colour of `role` is filled; `range(data, min, max)`, the extent of y; `height`;
   `caption(index)`, told of the row under the cursor, or null; `whiskers`, for lines that are points
   with errors: numbers of the point, the low and the high line. */
export class Chart {
  constructor(place, spec) {
    Object.assign(this, { place, spec, data: null, plot: null });
    this.width = 0;
    this.observer = new ResizeObserver(([entry]) => this.resize(Math.floor(entry.contentRect.width)));
    this.observer.observe(place);
    place.setAttribute("role", "img");
    place.setAttribute("aria-label", spec.label);
    place.classList.add("chart");
    place.style.minHeight = `${spec.height}px`;
    charts.add(this);
    // A chart that is not seen is not drawn.
    this.seen = false;
    this.watcher = new IntersectionObserver(([entry]) => {
      this.seen = entry.isIntersecting;
      if (this.seen) this.draw();
    }, { rootMargin: "200px" });
    this.watcher.observe(place);
  }

  // Columns: x, then one for each line.
  set(data) {
    this.data = data;
    this.stale = true;
    if (this.seen) this.draw();
  }

  resize(width) {
    if (!width || width === this.width) return;
    this.width = width;
    if (this.plot) this.plot.setSize({ width, height: this.spec.height });
    else if (this.seen) this.draw();
  }

  draw() {
    if (!this.data || !this.width) return;
    if (!this.plot) {
      this.plot = new uPlot(this.options(), this.data, this.place);
      this.stale = false;
      return;
    }
    if (!this.stale) return;
    this.stale = false;
    const { min, max } = this.plot.scales.x;
    this.plot.setData(this.data, !this.zoomed);
    if (this.zoomed) this.plot.setScale("x", { min, max });
  }

  // Draws again with the colours as they are now.
  recolour() {
    if (!this.plot) return;
    this.plot.destroy();
    this.plot = null;
    this.draw();
  }

  // Saves the columns as CSV.
  saveTable() {
    const { x, lines, file } = this.spec;
    const titles = [x.name, ...lines.map(({ name }) => name)];
    const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const rows = (this.data?.[0] ?? []).map((_, row) => this.data.map((column) => column[row] ?? ""));
    const text = [titles.map(quoted), ...rows].map((row) => `${row.join(",")}\n`).join("");
    save(new Blob([text], { type: "text/csv" }), `${file}.csv`);
  }

  // Saves what is drawn as PNG, on the colour of the page.
  saveImage() {
    if (!this.plot) return;
    const drawn = this.plot.ctx.canvas;
    const canvas = Object.assign(document.createElement("canvas"), { width: drawn.width, height: drawn.height });
    const ink = canvas.getContext("2d");
    ink.fillStyle = colour("card");
    ink.fillRect(0, 0, canvas.width, canvas.height);
    ink.drawImage(drawn, 0, 0);
    canvas.toBlob((blob) => save(blob, `${this.spec.file}.png`));
  }

  destroy() {
    this.observer.disconnect();
    this.watcher.disconnect();
    this.plot?.destroy();
    charts.delete(this);
  }

  options() {
    const { spec } = this;
    const [soft, rule] = [colour("soft"), colour("rule")];
    const font = "12px system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";
    const axis = (side) => ({
      stroke: soft,
      grid: { stroke: rule, width: 1, show: side === "y" },
      ticks: { stroke: rule, width: 1, size: 4 },
      border: { show: side === "x", stroke: rule, width: 1 },
      font,
      labelFont: font,
      labelSize: 18,
      label: spec[side].name,
      values: (_, ticks) => ticks.map((tick) => (spec[side].format ?? axisNumber)(tick)),
      gap: 4,
      ...(side === "x" ? { size: 24, space: 70 } : { size: spec.small ? 44 : 52, space: spec.small ? 28 : 36 }),
    });
    return {
      width: this.width,
      height: spec.height,
      legend: { show: false },
      padding: [8, 22, 0, 0],
      scales: {
        x: { time: false },
        y: { range: (_, min, max) => (spec.range ?? padded)(min, max, this.data) },
      },
      axes: [axis("x"), axis("y")],
      series: [{}, ...spec.lines.map((line) => this.line(line))],
      bands: (spec.bands ?? []).map(([high, low, role]) => ({ series: [high, low], fill: colour(role) })),
      cursor: {
        sync: { key: spec.sync ?? ZOOM },
        drag: { x: true, y: false },
        y: false,
        points: { size: 7 },
      },
      hooks: {
        setCursor: [(plot) => this.point(plot)],
        setSelect: [(plot) => { this.zoomed = plot.select.width > 0; }],
        setScale: [(plot, key) => { if (key === "x") this.zoomed = isZoomed(plot); }],
        draw: spec.whiskers ? [(plot) => whiskers(plot, spec)] : [],
      },
    };
  }

  line({ role, width = 2, dash, points, hidden, fill }) {
    return {
      stroke: hidden ? "transparent" : colour(role),
      width: hidden ? 0 : width,
      dash,
      fill: fill ? colour(fill) : undefined,
      spanGaps: this.spec.spanGaps ?? false,
      // A line of one value would not be seen.
      points: points || !hidden ? { show: points ? true : isAlone, size: 7, fill: colour(role) } : { show: false },
      paths: points === "only" ? () => null : undefined,
    };
  }

  point(plot) {
    const index = plot.cursor.left >= 0 ? plot.cursor.idx : null;
    this.spec.caption?.(index ?? null);
    if (this.spec.tip) this.tip(plot, index ?? null);
  }

  tip(plot, index) {
    if (!this.bubble) {
      this.bubble = h("div", { class: "tip", hidden: true });
    }
    if (this.bubble.parentNode !== plot.over) plot.over.append(this.bubble);
    // Only the chart under the pointer shows its bubble; the others follow with their captions.
    const text = index === null || !plot.over.matches(":hover") ? null : this.spec.tip(index);
    this.bubble.hidden = text === null;
    if (text === null) return;
    setText(this.bubble, text);
    const right = plot.cursor.left > plot.over.clientWidth / 2;
    Object.assign(this.bubble.style, {
      left: right ? "" : `${plot.cursor.left + 12}px`,
      right: right ? `${plot.over.clientWidth - plot.cursor.left + 12}px` : "",
      top: "8px",
    });
  }
}

// Whether a line has one value only.
function isAlone(plot, line) {
  return plot.data[line].filter((value) => value !== null && value !== undefined).length === 1;
}

function isZoomed(plot) {
  const x = plot.data[0];
  const { min, max } = plot.scales.x;
  return x.length > 1 && (min > x[0] || max < x[x.length - 1]);
}

// A range with some room on both sides.
export function padded(min, max) {
  if (min === null || max === null || !Number.isFinite(min)) return [0, 1];
  const room = Math.max((max - min) * 0.08, 0.5);
  return [min - room, max + room];
}

// The range of an Elo chart: bands may be far wider than the line, and are cut off then.
export function clipped(min, max, data) {
  const line = data.at(-1).filter((value) => value !== null && value !== undefined);
  if (!line.length) return [-10, 10];
  const [low, high] = [Math.min(0, ...line), Math.max(0, ...line)];
  const room = Math.max(60, (high - low) * 0.4);
  return padded(Math.max(min ?? low, low - room), Math.min(max ?? high, high + room));
}

export function legend(entries) {
  return h("div", { class: "legend", "aria-hidden": "true" }, entries.map(([kind, text]) => h("span", {}, h("i", { class: kind }), text)));
}

function whiskers(plot, { whiskers: [middle, low, high], lines }) {
  const { ctx } = plot;
  const x = plot.data[0];
  ctx.save();
  ctx.strokeStyle = colour(lines[middle - 1].role);
  ctx.lineWidth = 2 * devicePixelRatio;
  ctx.beginPath();
  for (let row = 0; row < x.length; row += 1) {
    const [from, to] = [plot.data[low][row], plot.data[high][row]];
    if (from === null || to === null || from === undefined) continue;
    const at = plot.valToPos(x[row], "x", true);
    const inside = (value) => Math.min(Math.max(plot.valToPos(value, "y", true), plot.bbox.top), plot.bbox.top + plot.bbox.height);
    ctx.moveTo(at, inside(from));
    ctx.lineTo(at, inside(to));
  }
  ctx.stroke();
  ctx.restore();
}

// Shows the last part of the x axis in every chart, or all of it.
export function showLast(share) {
  for (const chart of charts) {
    const x = chart.plot?.data[0];
    if (!x || x.length < 2) continue;
    const [first, last] = [x[0], x[x.length - 1]];
    chart.plot.setScale("x", { min: last - (last - first) * share, max: last });
  }
}

// Buttons that zoom without a mouse, and that save the chart, if one is named.
export function zoomButtons(chart) {
  const button = (text, onclick) => h("button", { type: "button", onclick }, text);
  const zoom = (text, share) => button(text, () => showLast(share));
  return h("div", { class: "tools" },
    h("div", { class: "zoom", role: "group", "aria-label": "Part of the games shown" },
      zoom("All", 1), zoom("Last half", 0.5), zoom("Last tenth", 0.1)),
    chart && h("div", { class: "zoom", role: "group", "aria-label": "Save the chart" },
      button("CSV", () => chart.saveTable()), button("PNG", () => chart.saveImage())));
}

function save(blob, name) {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => charts.forEach((chart) => chart.recolour()));
