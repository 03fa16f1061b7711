// Moves as texts, as objects and by the squares that a player points at. Squares are numbered from
// the left, in rows from the top.

const SQUARE = /[a-z]\d+/g;

/** The name of a square by its number, such as `a1`. */
export function squareName(square, { cols, rows }) {
  return `${String.fromCharCode(97 + (square % cols))}${rows - Math.floor(square / cols)}`;
}

/** The number of a square by its name; -1 if the board has no such square. */
export function squareNumber(name, { cols, rows }) {
  const [col, row] = [name.charCodeAt(0) - 97, rows - Number(name.slice(1))];
  return col >= 0 && col < cols && row >= 0 && row < rows ? row * cols + col : -1;
}

/** A move's text; the move may be an object. */
export const textOf = (move) => String(move?.text ?? move);

/** The names of a move's squares. The move is a text, an object, or the names themselves. */
export function squaresOf(move) {
  if (Array.isArray(move)) return move.map(String);
  return textOf(move).match(SQUARE) ?? [];
}

/** A move as an object: the squares in its text, and the sign of the captured piece. */
export function moveOf(text, game, squares) {
  const names = text.match(SQUARE) ?? [];
  const [from, to] = names.length === 2 ? names : [null, names[0] ?? null];
  const at = (name) => squares[squares.length - Number(name.slice(1))]?.[name.charCodeAt(0) - 97] ?? ".";
  // In Ataxx moves never end on a piece: they convert the pieces next to the target.
  const sign = to === null || game === "ataxx" ? "." : at(to);
  return { text, from, to, captured: sign === "." ? null : sign };
}

const areNeighbours = (a, b, cols) =>
  Math.max(Math.abs((a % cols) - (b % cols)), Math.abs(Math.floor(a / cols) - Math.floor(b / cols))) === 1;

/**
 * The legal moves of a position by square numbers. A new piece (Ataxx) has no origin, and may be
 * shown from any adjacent own piece.
 */
export class LegalMoves {
  constructor(moves, size, isOwn) {
    Object.assign(this, { size, isOwn });
    const number = (name) => (name === null ? null : squareNumber(name, size));
    this.known = moves.map((move) => ({ move, from: number(move.from), to: number(move.to) }));
  }

  /** The move without squares, a pass; null if there is none. */
  get pass() {
    return this.known.find(({ to }) => to === null)?.move ?? null;
  }

  /** The moves from a square, by their target squares. */
  from(square) {
    const found = new Map();
    if (square === null) return found;
    for (const { move, from, to } of this.known) {
      if (to === null) continue;
      const isNewBeside = () => this.isOwn(square) && areNeighbours(square, to, this.size.cols);
      if (from === null ? isNewBeside() : from === square) found.set(to, move);
    }
    return found;
  }

  /** The move that puts a new piece on a square; null if there is none. */
  onto(square) {
    return this.known.find(({ from, to }) => from === null && to === square)?.move ?? null;
  }

  /** Whether any move begins on a square. */
  starts(square) {
    return this.from(square).size > 0;
  }
}
