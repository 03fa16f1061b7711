//! Arguments that several commands share, and the checked values made from them.

use crate::any::{AnyOpening, AnyPosition};
use crate::arena::queue::processors;
use crate::arena::{BookConfig, BookFile};
use crate::cli::drawn_board::undrawn;
use crate::cli::{Console, Pasted, infer};
use crate::error::{Error, Result};
use crate::game::counters::fen_after;
use crate::game::fen::lacks_side;
use crate::game::{Board, FenCounters, Repetitions, STARTPOS};
use crate::games::GameId;
use crate::search::{Algorithm, Limits, Options};
use crate::stats::{Model, Sprt, list_parts};
use crate::uci::MAX_HASH;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::convert::Infallible;
use std::ffi::OsStr;
use std::path::PathBuf;

pub use crate::count::parse_count;
pub use crate::uci::{MAX_THREADS, check_memory};

/// Parses the name of a game, and lists the names in help and completions.
pub fn game_parser() -> impl TypedValueParser<Value = GameId> {
    PossibleValuesParser::new(GameId::all().iter().map(|id| id.name()))
        .try_map(|name| name.parse::<GameId>())
}

/// Parses the name of a game as [`game_parser`], but lists only games that have an engine. Other
/// games are not refused here: the command says what they lack.
#[derive(Clone)]
pub struct EngineGameParser;

impl TypedValueParser for EngineGameParser {
    type Value = GameId;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> std::result::Result<GameId, clap::Error> {
        if let Some(game) = value.to_str().and_then(GameId::find) {
            return Ok(game);
        }
        let listed = GameId::all().iter().filter(|id| id.has_engine()).map(|id| id.name());
        let parser = PossibleValuesParser::new(listed).try_map(|name| name.parse::<GameId>());
        parser.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let listed = GameId::all().iter().filter(|id| id.has_engine());
        Some(Box::new(listed.map(|id| PossibleValue::new(id.name()))))
    }
}

/// Which game, on which board.
#[derive(Args, Clone, Debug)]
pub struct GameArgs {
    /// The game [default: the game of the weights or the position, else the first of these]
    #[arg(long, value_parser = game_parser())]
    pub game: Option<GameId>,
    /// The board, columns x rows, for example 6x6 [default: the board of the weights, else the
    /// game's usual one]
    #[arg(long, value_name = "COLSxROWS")]
    pub board: Option<Board>,
}

impl GameArgs {
    /// The game: as given, or the game of the named weight sets.
    pub fn id(&self, sets: &[&str]) -> GameId {
        self.game.unwrap_or_else(|| infer::game(sets))
    }

    /// The board: as given, or the board of the named weight sets, or the usual one.
    ///
    /// # Errors
    /// When the game is not played on that board.
    pub fn checked_board(&self, game: GameId, sets: &[&str]) -> Result<Board> {
        let board = self.board_or_that_of(game, sets);
        game.start(board).map(|_| board)
    }

    fn board_or_that_of(&self, game: GameId, sets: &[&str]) -> Board {
        self.board.or_else(|| infer::board(sets, game)).unwrap_or(game.default_board)
    }
}

/// A position: the start of a game, or a FEN; and moves played from there.
#[derive(Args, Clone, Debug)]
pub struct PositionArgs {
    #[command(flatten)]
    game: GameArgs,
    /// The position, in the notation of the game or of a program that plays it; `startpos` is the
    /// start [default: the starting position]
    // Positions of Ataxx may begin with a blocked square, `-`.
    #[arg(long, allow_hyphen_values = true, value_parser = |text: &str| Ok::<_, Infallible>(undrawn(text)))]
    fen: Option<String>,
    /// Moves to play from there, with spaces between; or a game as `spar export --games pgn-like`
    /// writes it
    #[arg(long, value_name = "\"MOVE MOVE ...\"")]
    moves: Option<String>,
}

impl PositionArgs {
    /// The game: as given, or the game of the named weight set, or of the position. Notes on stderr
    /// what the position leaves open.
    ///
    /// # Errors
    /// When the position may be of several games.
    pub fn game(&self, weights: Option<&str>, console: &Console) -> Result<GameId> {
        let sets: Vec<&str> = weights.into_iter().collect();
        let pasted = self.pasted();
        let named = pasted.tags().game().map_err(|error| error.within("--moves"))?;
        let fen = self.fen_given(&pasted);
        let (game, is_inferred) = match self.game.game.or(named) {
            Some(game) => (game, false),
            None => infer::game_of_position(&sets, fen)?,
        };
        // If the position cannot be read, its error says enough.
        if self.line(game, weights).is_err() {
            return Ok(game);
        }
        if is_inferred {
            console.note(format!("the FEN is read as {game}; name another game with --game"));
        }
        if fen.is_some_and(lacks_side) {
            let [first, _] = game.side_names;
            console.note(format!("the FEN names no side to move, so {first} begins"));
        }
        Ok(game)
    }

    /// Whether it is the starting position of a board.
    pub fn is_start(&self) -> bool {
        self.fen.is_none() && self.moves.is_none()
    }

    /// The position before the moves, the moves, and the position after them; `weights` imply a
    /// board where none is given.
    ///
    /// # Errors
    /// When the board does not exist, the FEN is wrong or for another board, or a move is illegal.
    pub fn line(&self, game: GameId, weights: Option<&str>) -> Result<AnyOpening> {
        let pasted = self.pasted();
        let in_moves = |error: Error| error.within("--moves");
        let start = match self.fen_given(&pasted).filter(|fen| fen.trim() != STARTPOS) {
            None => {
                let sets: Vec<&str> = weights.into_iter().collect();
                let tagged =
                    pasted.tags().board().map_err(in_moves)?.filter(|_| self.game.board.is_none());
                game.start(tagged.unwrap_or_else(|| self.game.board_or_that_of(game, &sets)))?
            }
            Some(fen) => self.on_board(game.from_fen(fen)?)?,
        };
        pasted.moves(game, start).map_err(in_moves)
    }

    /// The counters of the FEN given, which a position does not keep.
    pub fn counters(&self, game: GameId) -> Option<FenCounters> {
        FenCounters::of(&game, self.fen_given(&self.pasted())?)
    }

    /// The FEN of the position after the moves, with the counters of the one given carried along.
    ///
    /// # Errors
    /// As [`line`](Self::line).
    pub fn text(&self, game: GameId, weights: Option<&str>) -> Result<String> {
        let line = self.line(game, weights)?;
        Ok(fen_after(self.counters(game), &line.start, &line.moves))
    }

    fn pasted(&self) -> Pasted<'_> {
        Pasted::new(self.moves.as_deref().unwrap_or_default())
    }

    /// The FEN that is given, or stands in the header of the game that is pasted.
    fn fen_given<'a>(&'a self, pasted: &Pasted<'a>) -> Option<&'a str> {
        self.fen.as_deref().or_else(|| pasted.header("FEN"))
    }

    /// The position after the moves.
    ///
    /// # Errors
    /// As [`line`](Self::line).
    pub fn position(&self, game: GameId, weights: Option<&str>) -> Result<AnyPosition> {
        self.line(game, weights).map(|line| line.position)
    }

    /// The position after the moves, and how often each earlier one has occurred, where the game
    /// counts repetitions.
    ///
    /// # Errors
    /// As [`line`](Self::line).
    pub fn with_history(
        &self,
        game: GameId,
        weights: Option<&str>,
    ) -> Result<(Repetitions, AnyPosition)> {
        let line = self.line(game, weights)?;
        Ok((line.met(), line.position))
    }

    fn on_board(&self, position: AnyPosition) -> Result<AnyPosition> {
        match self.game.board {
            Some(board) if board != position.board() => {
                let reason = format!("the FEN has a board of {}", position.board());
                Err(Error::input(format!("board `{board}`"), reason).remedy("leave out --board"))
            }
            _ => Ok(position),
        }
    }
}

/// The number of threads of a command.
#[derive(Args, Clone, Copy, Debug)]
pub struct ThreadArgs {
    /// Threads [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_THREADS))]
    threads: Option<u64>,
}

impl ThreadArgs {
    /// The number of threads, at least 1.
    pub fn count(&self) -> usize {
        self.threads.map_or_else(processors, |threads| threads as usize)
    }
}

/// The number of threads that search one position.
#[derive(Args, Clone, Copy, Debug)]
pub struct SearchThreadsArg {
    /// Threads that search a position together; with more than one the result differs from run to
    /// run
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=MAX_THREADS))]
    threads: u64,
}

impl SearchThreadsArg {
    /// The number of threads, at least 1; 1 with a remark for an algorithm that cannot use more.
    pub fn count(&self, algorithm: Algorithm, console: &Console) -> usize {
        if self.threads > 1 && !algorithm.uses_threads() {
            console
                .note(format!("the {algorithm} search uses one thread, whatever --threads says"));
            return 1;
        }
        self.threads as usize
    }
}

/// The seed of the random numbers.
#[derive(Args, Clone, Copy, Debug)]
pub struct SeedArg {
    /// Seed of the random numbers: the same seed gives the same result
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// The size of the transposition table.
#[derive(Args, Clone, Copy, Debug)]
pub struct HashArg {
    /// Transposition table, or tree, of each engine, in MiB; an external engine's is an option of
    /// its own, such as Hash [default: depends on the limits]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=MAX_HASH))]
    hash: Option<u64>,
}

impl HashArg {
    /// The given size in bytes, or the one that suits the widest of these limits, for each
    /// of this many tables.
    ///
    /// # Errors
    /// As [`given`](Self::given).
    pub fn bytes(&self, limits: &[Limits], tables: usize) -> Result<usize> {
        let suited = || limits.iter().map(Options::table_for).max().unwrap_or(1 << 20);
        Ok(self.given(tables)?.unwrap_or_else(suited))
    }

    /// The given size in bytes, for each of this many tables.
    ///
    /// # Errors
    /// When there is not enough memory for all of them.
    pub fn given(&self, tables: usize) -> Result<Option<usize>> {
        let Some(mib) = self.hash else { return Ok(None) };
        let bytes = (mib as usize) << 20;
        let place = match tables {
            1 => format!("--hash {mib}"),
            _ => format!("--hash {mib}, {tables} tables"),
        };
        check_memory(bytes.saturating_mul(tables), &place)?;
        Ok(Some(bytes))
    }
}

/// Reads the bounds of a test, `E0,E1`.
fn parse_sprt_bounds(text: &str) -> Result<(f64, f64)> {
    let both = match list_parts(text)[..] {
        [a, b] => a.parse().ok().zip(b.parse().ok()),
        _ => None,
    };
    both.ok_or_else(|| {
        Error::input(format!("SPRT bounds `{text}`"), "not two numbers")
            .remedy("give E0,E1, for example 0,10")
    })
}

/// The hypotheses and error rates of a sequential test.
#[derive(Args, Clone, Copy, Debug)]
pub struct SprtArgs {
    /// Test the hypotheses that the difference is E0 or E1 Elo; a match stops when the evidence
    /// decides
    #[arg(long, value_name = "E0,E1", value_parser = parse_sprt_bounds, allow_hyphen_values = true, help_heading = "Test")]
    sprt: Option<(f64, f64)>,
    /// Probability of accepting E1 when E0 is true
    #[arg(long, default_value_t = Sprt::USUAL_ERROR, help_heading = "Test")]
    alpha: f64,
    /// Probability of accepting E0 when E1 is true
    #[arg(long, default_value_t = Sprt::USUAL_ERROR, help_heading = "Test")]
    beta: f64,
    /// The scale of E0 and E1: normalised Elo (edge in standard deviations) or logistic Elo (mean
    /// score)
    #[arg(long, value_enum, default_value_t, help_heading = "Test")]
    model: Model,
}

impl SprtArgs {
    /// The test, if there is one.
    ///
    /// # Errors
    /// When its bounds or error probabilities are out of range.
    pub fn test(&self) -> Result<Option<Sprt>> {
        let sprt = |(elo0, elo1)| Sprt::new(elo0, elo1, self.alpha, self.beta, self.model);
        self.sprt.map(sprt).transpose()
    }
}

/// The openings of games.
#[derive(Args, Clone, Debug)]
pub struct OpeningArgs {
    /// Random plies of an opening [default: depends on the board]
    #[arg(long, value_name = "N", help_heading = "Openings")]
    plies: Option<u32>,
    /// Share of random openings to keep, the most balanced ones: above 0, at most 1 [default: 0.5;
    /// 1 in games that only external engines play]
    #[arg(long, value_name = "SHARE", help_heading = "Openings")]
    keep: Option<f64>,
    /// In games that only external engines play: keep random openings that the engine scores within
    /// this many centipawns, at a tenth of a move's limits; 0 keeps all [default: 120]
    #[arg(long, value_name = "CP", value_parser = clap::value_parser!(u32).range(..=10_000), help_heading = "Openings")]
    balance: Option<u32>,
    /// Take the openings from this file instead: positions (EPD, FEN, `startpos moves ...`), one a
    /// line, games in PGN, or a book of `book build`; plain or compressed with gzip or zstd
    #[arg(long, value_name = "FILE", conflicts_with_all = ["plies", "keep", "balance"], help_heading = "Openings")]
    book: Option<PathBuf>,
    /// Plies to take from each game of a PGN book, or line of a book of `book build`
    #[arg(long, value_name = "N", requires = "book", default_value_t = BookFile::PLIES, help_heading = "Openings")]
    book_plies: u32,
}

impl OpeningArgs {
    /// The book that these arguments describe.
    ///
    /// # Errors
    /// When its file cannot be read, or no engine can judge the random openings.
    pub fn book(&self, game: GameId, board: Board, seed: u64) -> Result<BookConfig> {
        let usual = BookConfig::new(game, board, seed);
        if let Some(keep) = self.keep.filter(|&keep| keep < 1.0 && !game.has_engine()) {
            let reason =
                format!("this program has no engine for {game}, so none ranks its openings");
            return Err(Error::input(format!("--keep {keep}"), reason)
                .remedy("let the players' engine judge them with --balance, or name a --book"));
        }
        if let Some(balance) = self.balance.filter(|_| game.has_engine()) {
            let reason = format!("our engine judges the openings of {game}");
            return Err(Error::input(format!("--balance {balance}"), reason)
                .remedy("give the share of the openings to keep with --keep"));
        }
        let balance = match self.balance {
            Some(0) => None,
            Some(balance) => Some(balance),
            None => usual.balance,
        };
        let file = self.book.as_deref().map(|path| BookFile::find(path, self.book_plies));
        let file = file.transpose()?;
        Ok(BookConfig {
            plies: self.plies.unwrap_or(usual.plies),
            keep: self.keep.unwrap_or(usual.keep),
            balance: balance.filter(|_| file.is_none()),
            file,
            ..usual
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_read() {
        assert_eq!(parse_sprt_bounds("-5, 2.5").ok(), Some((-5.0, 2.5)));
        assert_eq!(parse_sprt_bounds("[0, 5]").ok(), Some((0.0, 5.0)));
        assert!(
            ["[0,5", "", "5", "a,b", "1,2,3"].iter().all(|text| parse_sprt_bounds(text).is_err())
        );
    }

    #[test]
    fn shallow_searches_get_small_tables() {
        let none = HashArg { hash: None };
        let bytes = |hash: HashArg, limits: &[Limits]| hash.bytes(limits, 1).unwrap();
        assert_eq!(bytes(none, &[Limits::depth(3)]), 1 << 20);
        assert_eq!(bytes(none, &[Limits::depth(3), Limits::depth(20)]), 64 << 20);
        assert_eq!(bytes(HashArg { hash: Some(2) }, &[]), 2 << 20);
    }
}
