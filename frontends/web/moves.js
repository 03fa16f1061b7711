// Moves as texts and as squares. Squares are numbered from the left in rows from the top, as boards
// are drawn.

const SQUARE = /([a-z])(\d+)/g;

// The name of a square: `a1`.
export function squareName(square, { cols, rows }) {
  return `${String.fromCharCode(97 + (square % cols))}${rows - Math.floor(square / cols)}`;
}

// The squares that a move names, the last one where it ends.
export function squaresOf(move, { cols, rows }) {
  return [...move.matchAll(SQUARE)].map(([, col, row]) => (rows - Number(row)) * cols + col.charCodeAt(0) - 97);
}

const beside = (a, b, cols) => Math.max(Math.abs((a % cols) - (b % cols)), Math.abs(Math.floor(a / cols) - Math.floor(b / cols))) === 1;

// The legal moves of a position, by the squares that a player points at. A move that names one square
// puts a new piece there (Ataxx), and may be shown from any own piece beside it.
export class LegalMoves {
  constructor(moves, size, isOwn) {
    Object.assign(this, { moves, size, isOwn });
    this.known = moves.map((move) => ({ move, squares: squaresOf(move, size) }));
  }

  // The move that needs no square, if there is one: a pass.
  get pass() {
    return this.known.find(({ squares }) => squares.length === 0)?.move ?? null;
  }

  // Where moves from a square lead: the move by the square that it ends on.
  from(square) {
    const found = new Map();
    if (square === null) return found;
    for (const { move, squares } of this.known) {
      const [first, second] = squares;
      if (squares.length === 2 && first === square) found.set(second, move);
      if (squares.length === 1 && this.isOwn(square) && beside(square, first, this.size.cols)) found.set(first, move);
    }
    return found;
  }

  // The move that is shown by its end alone.
  onto(square) {
    return this.known.find(({ squares }) => squares.length === 1 && squares[0] === square)?.move ?? null;
  }

  // Whether a piece can move.
  starts(square) {
    return this.from(square).size > 0;
  }
}
