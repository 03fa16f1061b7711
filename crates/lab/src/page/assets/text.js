// Numbers and times as people read them.

const MINUS = "\u2212";

// The games of the page to play on.
export const PLAYED = ["breakthrough", "ataxx", "breakthru"];

export function count(value) {
  return Math.round(value).toLocaleString("en-US").replace("-", MINUS);
}

export function decimal(value, digits = 1) {
  return value.toFixed(digits).replace(/^-(0(\.0*)?)$/, "$1").replace("-", MINUS);
}

export function signed(value, digits = 1) {
  const text = decimal(value, digits);
  return value > 0 && Number(value.toFixed(digits)) !== 0 ? `+${text}` : text;
}

// The values of a knob, as exact as its start and its answer are.
const isWhole = ({ start, tuned }) => Number.isInteger(start) && Number.isInteger(tuned);

export function ofKnob(row, value) {
  return isWhole(row) ? decimal(value, 0) : `${Number(value.toPrecision(4)) + 0}`.replace("-", MINUS);
}

export function changeOfKnob(row) {
  const change = row.tuned - row.start;
  return change > 0 ? `+${ofKnob(row, change)}` : ofKnob(row, change);
}

// Half the width of the interval of a knob: with two digits behind the point, or two that are not 0.
export function errorOfKnob(row, error = row.error) {
  if (error === null || error === undefined) return null;
  if (error > 0 && error < 0.1) return `\u00b1 ${decimal(error, Math.min(100, Math.max(2, 1 - Math.floor(Math.log10(error)))))}`;
  return `\u00b1 ${decimal(error, isWhole(row) ? 0 : 2)}`;
}

// `+12.3 ± 8.1`, or the interval where no error is known, or `+12.3 ± ?`; null where nothing is.
export function elo({ elo: value, elo_error: error, elo_low: low, elo_high: high }, digits = 1) {
  const known = (number) => number !== null && number !== undefined;
  if (known(value) && known(error)) return `${signed(value, digits)} \u00b1 ${decimal(error, digits)}`;
  if (known(low) && known(high)) return `${signed(low, digits)} to ${signed(high, digits)}`;
  if (known(low)) return `above ${signed(low, digits)}`;
  if (known(high)) return `below ${signed(high, digits)}`;
  return known(value) ? `${signed(value, digits)} \u00b1 ?` : null;
}

// A span of time in its two largest units.
export function span(seconds) {
  if (seconds < 100) return `${Math.max(0, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`;
  return `${Math.round(hours / 24)} days`;
}

export function ago(time) {
  const seconds = (Date.now() - Date.parse(time)) / 1000;
  return seconds < 10 ? "just now" : `${span(seconds)} ago`;
}

export function size(bytes) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit && value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

// `2026-01-31 12:00`, in the time zone of the browser.
export function minute(time) {
  const at = new Date(time);
  if (Number.isNaN(at.valueOf())) return time;
  const two = (number) => String(number).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

export function percent(share, digits = 0) {
  return `${decimal(100 * share, digits)}\u00a0%`;
}

// A number on an axis: `1500`, `20k`, `2.5M`.
export function axis(value) {
  const size = Math.abs(value);
  const short = (number, unit) => `${size < 0.1 ? Number(number.toPrecision(2)) : Number(number.toFixed(2))}${unit}`.replace("-", MINUS);
  if (size >= 1e6) return short(value / 1e6, "M");
  if (size >= 1e4) return short(value / 1e3, "k");
  return short(value, "");
}

// Three digits and a unit: `950`, `1.23 k`.
export function scaled(value) {
  const [divisor, unit] = value < 1e3 ? [1, ""] : value < 1e6 ? [1e3, "\u00a0k"] : value < 1e9 ? [1e6, "\u00a0M"] : [1e9, "\u00a0G"];
  return `${Number((value / divisor).toPrecision(3))}${unit}`;
}

export function plural(number, one, many = `${one}s`) {
  return `${count(number)} ${number === 1 ? one : many}`;
}

// What a state is called, and the class of its colour.
export const STATES = {
  starting: ["starting", "busy"],
  running: ["running", "busy"],
  stopped: ["stopped", "idle"],
  accepted: ["accepted", "good"],
  rejected: ["not accepted", "bad"],
  done: ["done", "good"],
  failed: ["failed", "wrong"],
  damaged: ["damaged", "wrong"],
};

// Whether a run in this state may play more games.
export const isOpen = (state) => ["starting", "running", "stopped"].includes(state);

// The limits of a move: `1,000 nodes a move`.
export function limits(value) {
  if (!value || typeof value === "string") return value ?? "";
  const { nodes, depth, movetime, clock } = value;
  const parts = [
    nodes && `${count(nodes)} nodes a move`,
    depth && `depth ${depth}`,
    movetime && `${count(movetime)} ms a move`,
    clock && "a clock",
  ];
  return parts.filter(Boolean).join(", ");
}

// The last part of a path, or the run that a `weights.json` is of.
export function shortName(name) {
  const parts = name.split("/");
  return parts.length > 1 && /^(weights|candidate)\.json$/.test(parts.at(-1)) ? parts.slice(-2).join("/") : parts.at(-1);
}
