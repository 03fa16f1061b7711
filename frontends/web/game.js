// A game in progress, with the position that is shown.

export class Game {
  // `Board` is the package's class. Games without a set among `entries` are left out. If `only`
  // names games, alone or with a board (`ataxx/5x5`), all others are left out too. `onChange` is
  // called after every change.
  constructor(Board, entries, only, onChange) {
    Object.assign(this, { Board, onChange, line: [], movers: [], ply: 0 });
    this.games = Board.games().filter(({ name }) => entries.some((set) => set.game === name)).map((game) => offered(game, only));
    this.board = new Board({ game: this.games[0].name, board: this.games[0].board });
  }

  // Begins a game, from a position if one is given. Throws if the game or the position is invalid.
  begin({ game, board, fen }) {
    const known = this.games.find(({ name }) => name === game);
    if (!known) throw this.unknown(`game \`${game}\``);
    const made = new this.Board(fen ? { game, fen } : { game, board: board ?? known.board });
    this.board.free();
    Object.assign(this, { board: made, line: [], movers: [], ply: 0 });
    this.onChange();
  }

  // The error about something of a game that the page does not have.
  unknown(what) {
    return new Error(`${what}: not on this page, which has ${this.games.map(({ name }) => name).join(", ")}`);
  }

  get rules() {
    return this.games.find(({ name }) => name === this.board.game);
  }

  get size() {
    const [cols, rows] = this.board.size.split("x").map(Number);
    return { cols, rows };
  }

  // 0 for the first side, 1 for the second.
  get turn() {
    return this.board.turn === "first" ? 0 : 1;
  }

  get isAtEnd() {
    return this.ply === this.line.length;
  }

  // The position in the form that an engine in a worker takes.
  get position() {
    const { game, size, startFen } = this.board;
    return { game, board: size, fen: startFen, moves: this.line.slice(0, this.ply) };
  }

  // Plays moves from the position that is shown and drops the moves after it.
  play(...moves) {
    for (const move of moves) {
      const mover = this.board.turn;
      const played = this.board.push(move);
      this.line.splice(this.ply, Infinity, played);
      this.movers.splice(this.ply, Infinity, mover);
      this.ply += 1;
    }
    this.onChange();
  }

  // Shows the position after this many plies.
  goTo(ply) {
    const wanted = Math.min(Math.max(ply, 0), this.line.length);
    if (wanted === this.ply) return;
    while (this.ply > wanted) {
      this.board.pop();
      this.ply -= 1;
    }
    while (this.ply < wanted) {
      this.board.push(this.line[this.ply]);
      this.ply += 1;
    }
    this.onChange();
  }

  // Takes moves back, at least one, until `isWanted` accepts the side to move.
  takeBack(isWanted) {
    if (this.ply === 0) return;
    do {
      this.board.pop();
      this.ply -= 1;
    } while (this.ply > 0 && !isWanted(this.turn));
    this.line.length = this.movers.length = this.ply;
    this.onChange();
  }

  // Whether the side to move has made the first of its turn's two moves, according to the FEN.
  get isMidTurn() {
    return this.board.game === "breakthru" && this.board.fen().split(" ")[2] !== "-";
  }
}

// A game with the boards that the page offers.
function offered(game, only) {
  const named = only.filter((name) => name.startsWith(`${game.name}/`)).map((name) => name.split("/")[1]);
  if (!named.length || only.includes(game.name)) return game;
  return { ...game, boards: named, board: named.includes(game.board) ? game.board : named[0] };
}
