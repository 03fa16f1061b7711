// Opening books in the compact form of `spar book export --to bin`, defined in docs/src/book.md.
// The game page loads this script with its first book.

const MAGIC = "SPARBOOK";
const RECORD = 20;
// The value of an immediate win. Values from `PROVEN` are wins in `WIN` - value plies.
const WIN = 1_000_000_000;
const PROVEN = WIN - 4096;
// The most that a chosen move may be worse than the best move, in pieces.
const VARIETY = 0.05;
// The most that a chosen move may be below the value of its position, in pieces.
const SHORTFALL = 0.5;

export class Book {
  // Throws an error if the file is faulty.
  constructor(name, file) {
    const bytes = new Uint8Array(file);
    const damaged = () => new Error(`${name}: damaged: its checksum or its length is wrong; export it again with \`spar book export --to bin\``);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (new TextDecoder("latin1").decode(bytes.subarray(0, 8)) !== MAGIC) {
      throw new Error(`${name}: an opening book, but not in its compact form; \`spar book export FILE --to bin -o FILE.bin\` makes that`);
    }
    const end = bytes.length - 4;
    if (end < 20 || crc32(bytes.subarray(0, end)) !== view.getUint32(end, true)) throw damaged();
    const [version, cols, rows, length] = bytes.subarray(8, 12);
    if (version !== 1) throw new Error(`${name}: version ${version} of the compact form; this page reads version 1, which \`spar book export FILE --to bin\` writes`);
    const at = 12 + length;
    if (at + 8 > end) throw damaged();
    const count = view.getUint32(at + 4, true);
    Object.assign(this, { name, game: new TextDecoder().decode(bytes.subarray(12, at)), board: `${cols}x${rows}`, unit: view.getInt32(at, true), values: new Map() });
    if (this.unit < 1 || at + 8 + RECORD * count !== end) throw damaged();
    for (let record = at + 8; record < end; record += RECORD) {
      const key = view.getBigUint64(record, true) | (view.getBigUint64(record + 8, true) << 64n);
      this.values.set(key, view.getInt32(record + 16, true));
    }
  }

  // A random move among those about as good as the best one, with its value for the side to move,
  // in the form of a search report. Null without moves, and if all moves are worth much less than
  // the position: a missing move must then be better.
  choose(board, { variety = VARIETY } = {}) {
    const found = this.moves(board);
    if (!found.length || this.values.get(keyOf(board)) - found[0].value > SHORTFALL * this.unit) return null;
    const near = found.filter(({ value }) => found[0].value - value <= variety * this.unit);
    const { move, value } = near[Math.floor(Math.random() * near.length)];
    const plies = Math.abs(value) >= PROVEN ? WIN - Math.abs(value) : null;
    return { move, pieces: value / this.unit, winIn: value > 0 ? plies : null, lossIn: value < 0 ? plies : null };
  }

  // The book's moves for the position of a board, with values for the side to move, best first.
  moves(board) {
    if (board.game !== this.game || board.size !== this.board || !this.values.has(keyOf(board))) return [];
    const found = [];
    const { turn } = board;
    for (const move of board.moves()) {
      board.push(move);
      const after = this.values.get(keyOf(board));
      if (after !== undefined) found.push({ move, value: later(board.turn === turn ? after : -after) });
      board.pop();
    }
    return found.sort((a, b) => b.value - a.value);
  }
}

// The value before a move: a win or loss is one ply farther away.
function later(value) {
  return Math.abs(value) >= PROVEN ? value - Math.sign(value) : value;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

function crc32(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = TABLE[(sum ^ byte) & 255] ^ (sum >>> 8);
  return (sum ^ 0xffffffff) >>> 0;
}

// The canonical key of a position, shared by its mirror images.
export function keyOf(board) {
  const [cols, rows] = board.size.split("x").map(Number);
  const places = board.squares().flatMap((line, index) => [...line].map((sign, col) => ({ sign, col, row: rows - 1 - index })));
  return KEYS[board.game]({ places, cols, rows }, board.fen().split(" "), board.turn === "second" ? 1n : 0n);
}

const SPREAD = 0x9e3779b97f4a7c15f39cc0605cedc835n;
const wrapped = (value) => BigInt.asUintN(128, value);

// The set of squares with one of these signs: one bit each, `width` bits for a row.
function set({ places }, signs, width, turn) {
  let found = 0n;
  for (const place of places) {
    if (!signs.includes(place.sign)) continue;
    const { col, row } = turn(place);
    found |= 1n << BigInt(col + width * row);
  }
  return found;
}

// The first `count` symmetries: exchange top and bottom, left and right, columns and rows.
function turns({ cols, rows }, count) {
  return Array.from({ length: count }, (_, number) => (place) => {
    const [col, row] = [number & 2 ? cols - 1 - place.col : place.col, number & 1 ? rows - 1 - place.row : place.row];
    return number & 4 ? { col: row, row: col } : { col, row };
  });
}

// The symmetry with the least numbers, compared one after the other.
function least(turns, numbersOf) {
  const isLess = (a, b) => {
    const at = a.findIndex((number, index) => number !== b[index]);
    return at >= 0 && a[at] < b[at];
  };
  const all = turns.map((turn) => ({ turn, numbers: numbersOf(turn) }));
  return all.reduce((known, one) => (isLess(one.numbers, known.numbers) ? one : known));
}

const KEYS = {
  // Seen by the side to move. Sets are compared with eight squares in a row.
  breakthrough(position, _, side) {
    const { cols, rows } = position;
    const signs = side ? ["p", "P"] : ["P", "p"];
    const [up, down, mirrored, both] = turns(position, 4);
    const images = side ? [down, both] : [up, mirrored];
    const { turn } = least(images, (turn) => signs.map((sign) => set(position, sign, 8, turn)));
    const [own, other] = signs.map((sign) => set(position, sign, cols, turn));
    return own | (other << BigInt(cols * rows));
  },

  ataxx(position, [, , clock], side) {
    const { cols, rows } = position;
    const size = BigInt(cols * rows);
    const signs = ["x-", "o-"];
    const { turn } = least(turns(position, cols === rows ? 8 : 4), (turn) => signs.map((sign) => set(position, sign, 8, turn)));
    const [first, second] = signs.map((sign) => set(position, sign, cols, turn));
    const rest = (BigInt(clock) << 1n) | side;
    // 8x8 leaves no room for the rest, so it is mixed in.
    if (size === 64n) return first ^ (second << 64n) ^ wrapped(rest * SPREAD);
    return first | (second << size) | (rest << (2n * size));
  },

  breakthru(position, [, , begun, number], side) {
    const { cols } = position;
    const squares = begun === "-" ? null : begun.match(/[a-k]\d+/g).map((name) => ({ col: name.charCodeAt(0) - 97, row: Number(name.slice(1)) - 1 }));
    const { numbers } = least(turns(position, 8), (turn) => {
      const moved = squares ? squares.map(turn).map(({ col, row }) => BigInt(col + cols * row)) : [0n, 0n];
      return [...["F", "g", "s"].map((sign) => set(position, sign, cols, turn)), ...moved];
    });
    const [from, to] = numbers.slice(3);
    const rest = (BigInt(number) << 32n) | (from << 16n) | (to << 8n) | side;
    return [...numbers.slice(0, 3), rest].reduce((key, part) => {
      const mixed = wrapped((key ^ part) * SPREAD);
      const again = wrapped((mixed ^ (mixed >> 59n)) * SPREAD);
      return wrapped((again << 47n) | (again >> 81n));
    }, 0n);
  },
};
