// The look of a board. Pages change it with the custom properties `--board-*`. Light and dark
// follow the `color-scheme` of the element.

/** The colours for light pages and for dark pages. */
const COLOURS = {
  light: ["#ecd9b7", "#8d7757"],
  dark: ["#b98d5e", "#604a33"],
  frame: ["#8a6a45", "#3f3122"],
  mark: ["#f3e26b", "#a99a2c"],
  accent: ["#2563eb", "#6ea0ff"],
  "on-accent": ["#ffffff", "#0b1220"],
  first: ["#fbfbf8", "#f4f1ea"],
  second: ["#23272e", "#15181d"],
  outline: ["#3d3022", "#0b0d10"],
  blocked: ["#eef1f5", "#253040"],
  cross: ["#5d6877", "#9aa6b5"],
  drawn: ["#158f4a", "#4cc585"],
  more: ["#2563eb", "#6ea0ff"],
  less: ["#d9480f", "#ff9a5c"],
  star: ["#d97706", "#f0a03c"],
};

/** Games whose sides are not White and Black; `edge` outlines the pieces of the second side. */
const OF_GAMES = {
  breakthru: { first: "#c98a0a", second: "#e3e8ee", outline: "#2b2118", edge: "#4a5563", star: "#5b1111" },
  ataxx: { first: "#c2352b", second: "#2f62c4", outline: "#1b1410", edge: "#101a33" },
};

const declare = (colours) =>
  Object.entries(colours).map(([name, colour]) => `--_${name}: var(--board-${name}, ${colour});`).join(" ");

const choose = (pick) =>
  declare(Object.fromEntries(Object.entries(COLOURS).map(([name, pair]) => [name, pick(pair)])));

export const STYLE = [
  ":host { display: block; }",
  ":host([hidden]) { display: none; }",
  ".place { position: relative; container-type: inline-size; contain-intrinsic-inline-size: 20rem; }",
  `.place { ${choose(([light]) => light)} --_edge: var(--board-edge, var(--_first)); }`,
  // Browsers without `light-dark` keep the light colours.
  `@supports (color: light-dark(red, red)) { .place { ${choose((pair) => `light-dark(${pair})`)} } }`,
  ...Object.entries(OF_GAMES).map(([game, colours]) => `.place[data-game="${game}"] { ${declare(colours)} }`),
  ".board { display: block; width: 100%; height: auto; user-select: none; -webkit-user-select: none; }",
  ".light { fill: var(--_light); } .dark { fill: var(--_dark); }",
  ".frame { fill: none; stroke: var(--_frame); stroke-width: .5; }",
  ".labels text { font-size: calc(3.2px * (var(--_cols) + 4) / 12); fill: var(--board-label, currentColor); }",
  "@container (max-width: 18rem) { .labels text { font-size: 5px; } }",
  "@container (min-width: 44rem) { .labels text { font-size: calc(2.4px * (var(--_cols) + 4) / 12); } }",
  ".mark { fill: var(--_mark); opacity: .55; } .mark.to { opacity: .9; }",
  ".piece { stroke: var(--_outline); stroke-width: .45; } .first { fill: var(--_first); } .second { fill: var(--_second); }",
  ".piece.second { stroke: var(--_edge); stroke-width: .25; }",
  ".letter { font-size: 4.5px; font-weight: 600; pointer-events: none; }",
  ".letter.first { fill: var(--_second); } .letter.second { fill: var(--_first); }",
  ".star { fill: var(--_star); }",
  ".blocked { fill: var(--_blocked); } .cross { stroke: var(--_cross); stroke-width: .6; fill: none; }",
  ".cells rect { fill: transparent; outline: none; cursor: default; }",
  ".cells .source { cursor: grab; touch-action: none; } .cells .target { cursor: pointer; }",
  ".cells rect:focus-visible { stroke: var(--_accent); stroke-width: .9; }",
  ".hints .dot { fill: var(--_accent); opacity: .75; }",
  ".hints .ring { fill: none; stroke: var(--_accent); stroke-width: .8; opacity: .85; }",
  ".hints .chosen { fill: var(--_accent); opacity: .4; }",
  ".held { opacity: .85; pointer-events: none; }",
  ".line-arrow { fill: var(--_accent); opacity: .2; pointer-events: none; }",
  ".line-arrow.step-0 { opacity: .85; } .line-arrow.step-1 { opacity: .5; } .line-arrow.step-2 { opacity: .32; }",
  ".line-arrow.new { fill: none; stroke: var(--_accent); stroke-width: 1.1; }",
  ".drawn .own { fill: var(--_drawn); opacity: .85; pointer-events: none; }",
  ".drawn .ring { fill: none; stroke: var(--_drawn); stroke-width: .9; }",
  ".heat .more { fill: var(--_more); } .heat .less { fill: var(--_less); }",
  ".numbers text { font-size: max(2.5px, .31px * var(--_cols)); font-weight: 650; fill: #fff; stroke: #14181f; stroke-width: .55; paint-order: stroke; font-variant-numeric: tabular-nums; }",
  ".pass { position: absolute; left: 50%; top: 47%; transform: translate(-50%, -50%); padding: .5em 1.2em; min-height: 24px; border: 0; border-radius: .5em; font: inherit; font-weight: 650; color: var(--_on-accent); background: var(--_accent); box-shadow: 0 2px 10px rgb(0 0 0 / .35); cursor: pointer; }",
  ".pass:focus-visible { outline: 2px solid currentColor; outline-offset: -4px; }",
  ".pass[hidden] { display: none; }",
].join("\n");

let sheet = null;

/** Styles a shadow root. A page's CSP need not allow inline styles for it. */
export function dress(root) {
  if ("adoptedStyleSheets" in root) {
    if (!sheet) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync(STYLE);
    }
    root.adoptedStyleSheets = [sheet];
    return;
  }
  const style = document.createElement("style");
  style.textContent = STYLE;
  root.prepend(style);
}
