//! An engine that knows the rules of a game which this program does not know.
//!
//! It is asked in UCI, with two commands that engines of Stockfish's family have beside it: `d` shows
//! the position as FEN, and `go perft 1` lists the legal moves. Where there are none, the score of
//! `go depth 1` says how the game has ended.

use super::client::Client;
use super::dialect::Info;
use super::external_engine::{ExternalEngine, StartedEngine};
use super::fault::EngineFault;
use crate::any::{Referee, Ruling, board_of_fen, is_same_board};
use crate::arena::{Forfeit, ReportedScore};
use crate::error::{Error, Result, shorten};
use crate::game::{Board, Outcome, Side};
use crate::games::GameId;
use crate::search::Stop;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// The most rulings that are kept: enough for several games.
const MOST_KNOWN: usize = 4096;
/// The longest FEN, in bytes.
const MOST_FEN: usize = 2000;
/// Moves of both sides together without a capture or a move of a pawn, after which a game is a draw.
const FIFTY_MOVES: u32 = 100;

/// An engine as a referee. Each thread that asks has a process of its own.
pub struct EngineReferee {
    engine: ExternalEngine,
    variant: String,
    started: Mutex<Option<StartedEngine>>,
    /// Processes that no thread is using at the moment.
    idle: Mutex<Vec<Client>>,
    /// The sign of the first side in FENs, once it was needed: that of the start.
    first_sign: OnceLock<String>,
    /// Rulings by the command for the position.
    known: Mutex<HashMap<String, Arc<Ruling>>>,
}

/// How a referee has failed.
enum Fault {
    /// It failed as any engine may.
    Engine(EngineFault),
    /// Its answer makes no sense, for this reason.
    Answer(String),
}

impl From<EngineFault> for Fault {
    fn from(fault: EngineFault) -> Self {
        Self::Engine(fault)
    }
}

impl EngineReferee {
    /// Starts an engine as the referee of a variant, and makes the variant known as a game. Returns
    /// the game, its board, and the engine as a manifest has it.
    ///
    /// # Errors
    /// When the engine does not start, does not know the variant, or is no referee; or when the rules
    /// of the game are known here.
    pub fn install(
        engine: ExternalEngine,
        variant: &str,
    ) -> Result<(GameId, Board, ExternalEngine)> {
        GameId::check_refereed(variant)?;
        let referee = Self::new(engine, variant);
        let engine = referee.started()?.engine().clone();
        let start = referee.rule(None, &[])?;
        let refuse = |reason: String| {
            Error::failed(format!("referee `{}`", engine.command), reason)
                .remedy("name an engine that answers `d` with its position as FEN")
        };
        let board = board_of_fen(&start.fen)
            .ok_or_else(|| refuse(format!("begins with `{}`, which is no board", start.fen)))?;
        if start.moves.is_empty() {
            return Err(refuse(format!("knows no move of {variant} at its start")));
        }
        let game = GameId::refereed(variant, board, Arc::new(referee))?;
        Ok((game, board, engine))
    }

    /// Makes the game of a run known; its referee starts when it is first asked.
    ///
    /// # Errors
    /// When the name is no name for a game, or its rules are known here.
    pub fn know(engine: &ExternalEngine, game: &str, board: Board) -> Result<GameId> {
        GameId::refereed(game, board, Arc::new(Self::new(engine.clone(), game)))
    }

    /// Replaces the referee of a game that is known already by an engine, which starts now. Returns
    /// the engine as it was found.
    ///
    /// # Errors
    /// When it does not start, or is not the engine that its run began with.
    pub fn replace(engine: ExternalEngine, game: &str, board: Board) -> Result<ExternalEngine> {
        let referee = Self::new(engine, game);
        let engine = referee.started()?.engine().clone();
        GameId::refereed(game, board, Arc::new(referee))?;
        Ok(engine)
    }

    fn new(engine: ExternalEngine, variant: &str) -> Self {
        let (started, idle, known) = (Mutex::default(), Mutex::default(), Mutex::default());
        let first_sign = OnceLock::new();
        Self { engine, variant: variant.to_owned(), started, idle, first_sign, known }
    }

    fn started(&self) -> Result<StartedEngine> {
        let mut started = self.started.lock();
        if let Some(started) = &*started {
            return Ok(started.clone());
        }
        let engine = self.engine.clone();
        let new = engine.start_variant(&self.variant, false, &Stop::default());
        let new = new.map_err(|error| error.within("referee"))?;
        Ok(started.insert(new).clone())
    }

    /// Starts another process of the engine.
    fn new_client(&self) -> Result<Client> {
        let started = self.started()?;
        let failed = |forfeit: Forfeit| self.error(&forfeit.text());
        let client = started.client(&Stop::default()).map_err(failed)?;
        client.ok_or_else(|| started.fault().unwrap_or_else(|| self.error("it does not start")))
    }

    fn error(&self, reason: &str) -> Error {
        Error::failed(format!("referee `{}`", self.engine.command), reason).remedy(
            "try it by hand: `position startpos`, `d` and `go perft 1` should show the position and list the legal moves",
        )
    }

    fn error_of(&self, fault: Fault, client: &mut Client) -> Error {
        let reason = match fault {
            Fault::Answer(reason) => reason,
            Fault::Engine(fault) => fault.to_string(),
        };
        let last_words = client.last_words();
        self.error(&Forfeit { reason, last_words, ..Forfeit::default() }.text())
    }

    fn ask(&self, start: Option<&str>, moves: &[&str]) -> Result<Ruling> {
        let idle = self.idle.lock().pop();
        if let Some(mut client) = idle {
            match ruling(&mut client, &self.first_sign, start, moves) {
                Ok(ruling) => {
                    self.idle.lock().push(client);
                    return Ok(ruling);
                }
                // It may have ended since it was asked last: a new one is asked.
                Err(Fault::Engine(EngineFault::Closed(..))) => {}
                Err(fault) => return Err(self.error_of(fault, &mut client)),
            }
        }
        let mut client = self.new_client()?;
        let ruling = ruling(&mut client, &self.first_sign, start, moves)
            .map_err(|fault| self.error_of(fault, &mut client))?;
        self.idle.lock().push(client);
        Ok(ruling)
    }
}

impl Referee for EngineReferee {
    fn name(&self) -> &str {
        &self.engine.command
    }

    fn rule(&self, start: Option<&str>, moves: &[&str]) -> Result<Arc<Ruling>> {
        let place = position(start, moves);
        if let Some(known) = self.known.lock().get(&place) {
            return Ok(known.clone());
        }
        let ruling = Arc::new(self.ask(start, moves)?);
        self.check_turn(start, moves, &ruling)?;
        let mut known = self.known.lock();
        if known.len() >= MOST_KNOWN {
            known.clear();
        }
        known.insert(place, ruling.clone());
        Ok(ruling)
    }
}

impl EngineReferee {
    /// Checks the side to move after moves: each of them ends a turn.
    ///
    /// # Errors
    /// When it is not the side whose turn it is.
    fn check_turn(&self, start: Option<&str>, moves: &[&str], ruling: &Ruling) -> Result<()> {
        let Some((last, before)) = moves.split_last() else { return Ok(()) };
        let before = self.known.lock().get(&position(start, before)).cloned();
        if before.is_some_and(|before| before.fen == ruling.fen) {
            // The game says that the move was not played.
            return Ok(());
        }
        let first = match start {
            Some(fen) => Ruling::side_by_sign(fen),
            None => Some(self.rule(None, &[])?.side),
        };
        let is_turned = moves.len() % 2 == 1;
        match first.is_none_or(|first| (first == ruling.side) != is_turned) {
            true => Ok(()),
            false => Err(self.error(&format!("shows the wrong side to move after `{last}`"))),
        }
    }
}

/// The command for the position after moves.
fn position(start: Option<&str>, moves: &[&str]) -> String {
    let start = start.map_or_else(|| "startpos".to_owned(), |fen| format!("fen {fen}"));
    match moves {
        [] => format!("position {start}"),
        moves => format!("position {start} moves {}", moves.join(" ")),
    }
}

/// Asks for all that the rules say of a position.
fn ruling(
    client: &mut Client,
    first_sign: &OnceLock<String>,
    start: Option<&str>,
    moves: &[&str],
) -> std::result::Result<Ruling, Fault> {
    let fen = shown_fen(client, &position(start, moves))?;
    let side = match Ruling::side_by_sign(&fen) {
        Some(side) => side,
        None => side_by_start(client, first_sign, &fen, &position(start, moves))?,
    };
    if let (Some(start), []) = (start, moves)
        && !is_same_board(start, &fen)
    {
        // The game refuses such a start, of which nothing more is to be known.
        return Ok(Ruling { fen, side, moves: Vec::new(), outcome: None });
    }
    let counted = client.answer(&["go perft 1"], "nodes searched")?;
    let mut legal = legal_moves(&counted)?;
    let outcome = match legal.is_empty() {
        true => Some(outcome(client, start, moves, side)?),
        false => is_drawn_by_the_clock(&fen).then_some(Outcome::Draw),
    };
    if outcome.is_some() {
        legal.clear();
    }
    Ok(Ruling { fen, side, moves: legal, outcome })
}

/// The FEN of the position that a command sets.
fn shown_fen(client: &mut Client, position: &str) -> std::result::Result<String, Fault> {
    let shown = client.answer(&[position, "d", "isready"], "readyok")?;
    let fen = shown.iter().find_map(|line| {
        let (key, fen) = line.split_once(':')?;
        key.eq_ignore_ascii_case("fen").then(|| fen.trim().to_owned())
    });
    let fen = fen.ok_or_else(|| Fault::Answer("shows no FEN at the command `d`".into()))?;
    if fen.len() > MOST_FEN {
        return Err(Fault::Answer(format!("shows a FEN of {} bytes", fen.len())));
    }
    Ok(fen)
}

/// The side to move in a FEN that has other signs than `w` and `b`: the first one has the sign of
/// the start. Afterwards the engine is at the position again.
fn side_by_start(
    client: &mut Client,
    first_sign: &OnceLock<String>,
    fen: &str,
    position: &str,
) -> std::result::Result<Side, Fault> {
    let sign_of = |fen: &str| fen.split_whitespace().nth(1).map(str::to_owned);
    let no_side = || Fault::Answer(format!("shows no side to move in `{}`", shorten(fen)));
    let sign = sign_of(fen).ok_or_else(no_side)?;
    if first_sign.get().is_none() {
        let start = shown_fen(client, "position startpos")?;
        let _ = first_sign.set(sign_of(&start).ok_or_else(no_side)?);
        shown_fen(client, position)?;
    }
    let is_first = first_sign.get() == Some(&sign);
    Ok(if is_first { Side::First } else { Side::Second })
}

/// The legal moves in the output of `go perft 1`: one a line (`e2e4: 1`), and their number on the
/// last line.
fn legal_moves(lines: &[String]) -> std::result::Result<Vec<String>, Fault> {
    let listed = lines.iter().filter_map(|line| {
        let (mv, count) = line.rsplit_once(':')?;
        let is_move = !mv.is_empty() && !mv.contains(char::is_whitespace);
        (is_move && count.trim() == "1").then(|| mv.to_owned())
    });
    let mut moves: Vec<String> = listed.collect();
    moves.sort_unstable();
    moves.dedup();
    let total = lines.last().and_then(|line| line.rsplit_once(':'));
    let total = total.and_then(|(_, total)| total.trim().parse::<usize>().ok());
    match total == Some(moves.len()) {
        true => Ok(moves),
        false => {
            let total = total.map_or("no number".to_owned(), |total| total.to_string());
            let reason = format!("`go perft 1` lists {} moves and counts {total}", moves.len());
            Err(Fault::Answer(reason))
        }
    }
}

/// The outcome of a game in which a side has no move. A score of mate says that one side has won,
/// but not which: engines show the same where a side wins by losing all its pieces. The score of
/// the last move decides.
fn outcome(
    client: &mut Client,
    start: Option<&str>,
    moves: &[&str],
    side: Side,
) -> std::result::Result<Outcome, Fault> {
    let by_score = |score: i32| match score {
        0 => Outcome::Draw,
        1.. => Outcome::Win(side),
        _ => Outcome::Win(side.other()),
    };
    match score(client, &position(start, moves), "go depth 1")? {
        ReportedScore::Centipawns(score) => return Ok(by_score(score)),
        ReportedScore::Mate(1..) => return Ok(Outcome::Win(side)),
        ReportedScore::Mate(_) => {}
    }
    let Some((last, before)) = moves.split_last() else { return Ok(Outcome::Win(side.other())) };
    let go = format!("go depth 2 searchmoves {last}");
    match score(client, &position(start, before), &go)? {
        ReportedScore::Mate(..=0) => Ok(Outcome::Win(side)),
        _ => Ok(Outcome::Win(side.other())),
    }
}

/// The score of a short search.
fn score(
    client: &mut Client,
    position: &str,
    go: &str,
) -> std::result::Result<ReportedScore, Fault> {
    let lines = client.answer(&[position, go], "bestmove")?;
    let mut info = Info::default();
    lines.iter().filter_map(|line| line.strip_prefix("info ")).for_each(|line| info.read(line));
    info.score.ok_or_else(|| {
        Fault::Answer("does not say how a game without moves has ended: no score".into())
    })
}

/// Whether a FEN has a full counter of moves without a capture. Games with pieces in hand have no
/// such rule.
fn is_drawn_by_the_clock(fen: &str) -> bool {
    let counter = fen.rsplit(' ').nth(1).and_then(|counter| counter.parse::<u32>().ok());
    !fen.contains('[') && counter.is_some_and(|counter| counter >= FIFTY_MOVES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legal_moves_are_listed_and_counted() {
        let read = |lines: &[&str]| {
            legal_moves(&lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>()).ok()
        };
        let shown = ["info string x: 1", "e2e4: 1", "P@a1: 1", "a1b1,b1a1: 1", "Nodes searched: 3"];
        assert_eq!(read(&shown).unwrap(), ["P@a1", "a1b1,b1a1", "e2e4"]);
        assert_eq!(read(&["Nodes searched: 0"]).unwrap(), [""; 0]);
        assert!(read(&["e2e4: 1", "Nodes searched: 2"]).is_none());
        assert!(read(&["e2e4: 1", "Nodes searched"]).is_none());
    }

    #[test]
    fn the_clock_counts_where_nothing_is_in_hand() {
        assert!(is_drawn_by_the_clock("8/8/8/8/8/8/8/Kk6 w - - 100 90"));
        assert!(!is_drawn_by_the_clock("8/8/8/8/8/8/8/Kk6 w - - 99 90"));
        assert!(!is_drawn_by_the_clock("8/8/8/8/8/8/8/Kk6[] w - - 100 90"));
    }
}
