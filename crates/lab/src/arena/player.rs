//! The players of a game: the engine of this program, or an external engine.

use super::adjudication::ReportedScore;
use super::sent_engine::{SentEngine, WantedEngine};
use crate::any::{AnyEngine, AnyMove, AnyOpening, AnyPosition};
use crate::error::Error;
use crate::eval::Score;
use crate::game::Repetitions;
use crate::search::{Clock, Limits, Stop};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How far this program's engine may overrun its clock: other threads may be busy.
const MARGIN: Duration = Duration::from_millis(100);

/// A request for a move: the position, the game so far, and the limits of the search.
#[derive(Debug)]
pub struct Turn<'a> {
    /// The opening of the game.
    pub opening: &'a AnyOpening,
    /// The moves after the opening.
    pub moves: &'a [AnyMove],
    /// The position after them, which is not over.
    pub position: &'a AnyPosition,
    /// How often each position of the game has been met, where that counts.
    pub met: &'a Repetitions,
    /// The limits of this move, with the mover's clock as it stands.
    pub limits: &'a Limits,
    /// The clocks of the first and the second side, where they have some.
    pub clocks: [Option<Clock>; 2],
    /// Ends the search at once when it is set. The move is then ignored.
    pub stop: &'a Stop,
    /// Set when the user wants to end. The game is still finished, unless an engine hangs.
    pub interrupt: &'a Stop,
}

/// A player's move and the search behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveChoice {
    /// A legal move; `None` when the search was stopped before it had one, or there is none.
    pub best: Option<AnyMove>,
    /// Whether the player resigns instead of moving.
    pub resigns: bool,
    /// Whether the player declares instead that it has won, by a rule of its own.
    pub declares_win: bool,
    /// Whether a trusted player says that it has no legal move.
    pub has_none: bool,
    /// The score from the side to move, where it can be trusted; a proven one may end the game.
    pub score: Option<Score>,
    /// The last depth finished, in plies; 0 when unknown.
    pub depth: u32,
    /// Nodes visited; 0 when unknown.
    pub nodes: u64,
    /// The score that the player reports, for the record and for rules of adjudication.
    pub reported: Option<ReportedScore>,
    /// The time that the move took.
    pub time: Duration,
}

impl MoveChoice {
    /// A move without the search behind it; `None` if the search was stopped.
    pub fn of_move(best: Option<AnyMove>) -> Self {
        Self {
            best,
            resigns: false,
            declares_win: false,
            has_none: false,
            score: None,
            depth: 0,
            nodes: 0,
            reported: None,
            time: Duration::ZERO,
        }
    }
}

/// The faults that end a game. All of them lose it, except the referee's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum ForfeitKind {
    /// Unknown, in records of earlier versions.
    #[default]
    Unknown,
    /// The process ended or closed its output, or could not be started.
    Crash,
    /// No answer, though no clock was running.
    Stall,
    /// No move in the time of the move or of the clock.
    Late,
    /// A move that is not legal, or none.
    Illegal,
    /// The referee of the game failed: neither player has lost.
    Referee,
}

impl ForfeitKind {
    /// The name in text and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Crash => "crash",
            Self::Stall => "stall",
            Self::Late => "late",
            Self::Illegal => "illegal",
            Self::Referee => "referee",
        }
    }

    // A field is skipped by a function of its reference.
    #[expect(clippy::trivially_copy_pass_by_ref)]
    fn is_unknown(&self) -> bool {
        *self == Self::Unknown
    }
}

/// The most lines of an engine that a message shows; records have more.
const SHOWN_WORDS: usize = 8;

/// A failure that ended a game: it lost a player the game (a crash, an illegal move, no move in time),
/// or was the referee's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Forfeit {
    /// How the game was lost.
    #[serde(default, skip_serializing_if = "ForfeitKind::is_unknown")]
    pub kind: ForfeitKind,
    /// The text of the error.
    pub reason: String,
    /// The last lines that the player wrote, at most twenty of each output.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub last_words: Vec<String>,
}

impl Forfeit {
    /// No move within this time and margin.
    pub fn late(limit: Duration, margin: Duration) -> Self {
        let [limit, margin] = [limit, margin].map(|time| time.as_millis());
        let reason = format!("no move within {limit} ms and a margin of {margin} ms");
        Self { kind: ForfeitKind::Late, reason, last_words: Vec::new() }
    }

    /// A failure of the referee, or an end of the game that it cannot judge.
    pub fn of_referee(reason: impl ToString) -> Self {
        let reason = reason.to_string();
        Self { kind: ForfeitKind::Referee, reason, last_words: Vec::new() }
    }

    /// An unclear end of a game whose rules nobody knows: `own` is the score of the side without a
    /// move, and `last` the other side's score before its last move.
    pub fn of_trust(own: Option<ReportedScore>, last: Option<ReportedScore>) -> Self {
        let text = |score: Option<ReportedScore>| {
            score.map_or("no score".to_owned(), |score| score.to_string())
        };
        Self::of_referee(format!(
            "the engine has no move, and its scores do not say how the game has ended: {} here, {} for the move before",
            text(own),
            text(last)
        ))
    }

    /// The last lines that a message has room for.
    pub fn shown_words(&self) -> &[String] {
        &self.last_words[self.last_words.len().saturating_sub(SHOWN_WORDS)..]
    }

    /// The error, with the last lines.
    pub fn text(&self) -> String {
        match self.shown_words() {
            [] => self.reason.clone(),
            lines => format!("{}; its last words: {}", self.reason, lines.join(" | ")),
        }
    }
}

/// A player of games, one after the other.
pub trait GamePlayer: Send {
    /// Sets the options for the next games, by name. A player without options ignores them.
    fn configure(&mut self, _options: &BTreeMap<String, String>) {}

    /// Gets ready for a game, and forgets earlier ones. Returns false if it gave up because
    /// `interrupt` is set.
    ///
    /// # Errors
    /// When that fails: the player loses this game, and is asked again before the next one.
    fn new_game(&mut self, interrupt: &Stop) -> Result<bool, Forfeit>;

    /// Chooses a move.
    ///
    /// # Errors
    /// When the player has no legal move to offer: it loses this game.
    fn choose(&mut self, turn: &Turn) -> Result<MoveChoice, Forfeit>;
}

impl GamePlayer for AnyEngine {
    fn new_game(&mut self, _: &Stop) -> Result<bool, Forfeit> {
        self.clear();
        Ok(true)
    }

    fn choose(&mut self, turn: &Turn) -> Result<MoveChoice, Forfeit> {
        let begun = Instant::now();
        let report = self.search(turn.met, turn.position, turn.limits, turn.stop, None);
        let time = begun.elapsed();
        let clock = turn.limits.clock.filter(|_| !turn.stop.is_set());
        if let Some(clock) = clock.filter(|clock| time > clock.left.saturating_add(MARGIN)) {
            return Err(Forfeit::late(clock.left, MARGIN));
        }
        Ok(MoveChoice {
            resigns: false,
            declares_win: false,
            has_none: false,
            best: report.best.filter(|_| !turn.stop.is_set()),
            score: Some(report.score),
            depth: report.depth,
            nodes: report.counters.nodes,
            reported: Some(ReportedScore::of_score(report.score, self.unit())),
            time,
        })
    }
}

/// Makes players of one external engine: each thread that plays has a player of its own.
pub trait PlayerFactory: Send + Sync {
    /// Another player, which may put off starting its process until its first game.
    fn new_player(&self) -> Box<dyn GamePlayer>;

    /// The reason why the engine's players stopped, if they gave up a game without being asked to.
    fn fault(&self) -> Option<Error> {
        None
    }

    /// The engine as a job names it, and all engines of its run; `None` where no worker may play in
    /// its place.
    fn sent(&self) -> Option<(&SentEngine, &Arc<[WantedEngine]>)> {
        None
    }
}
