//! Everything that decides a match or a tournament, as the manifest of its run keeps it.

use crate::arena::seed::derive;
use crate::arena::{Adjudication, BookConfig, MatchConfig, check_max_plies};
use crate::error::{Error, Result};
use crate::protocol::{ExternalEngine, Protocol};
use crate::search::{Algorithm, Limits, Options};
use crate::stats::Sprt;
use crate::tune::BatchRecord;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The most pairs of a match: far more than a machine plays in years.
const MOST_PAIRS: u64 = 1_000_000_000_000;
/// The most players of a tournament.
const MOST_PLAYERS: usize = 1000;
/// The most pairs on a line of the journal: with the least nodes they take some milliseconds.
const MOST_BATCH_PAIRS: u64 = 64;
/// From this many nodes a move on, a pair takes seconds and has a line to itself. Smaller pairs
/// share a line.
const NODES_OF_A_SLOW_PAIR: u64 = 16_000;
/// Nodes searched in a millisecond, and the factor by which a ply of depth multiplies nodes: rough
/// numbers, which only decide how many pairs share a line.
const NODES_PER_MILLISECOND: u64 = 1000;
const NODES_PER_PLY: u64 = 3;

/// Whether two players meet, or more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum TournamentKind {
    /// Two players meet, with an optional test.
    Match,
    /// Every player meets every other one.
    Tournament,
}

impl fmt::Display for TournamentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Match => "match",
            Self::Tournament => "tournament",
        })
    }
}

/// A player of a match or a tournament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Contestant {
    /// Its name in results.
    pub name: String,
    /// The limits of its moves.
    pub limits: Limits,
    /// A weight set or an external engine.
    pub plays: ContestantKind,
}

/// A player of a match or a tournament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum ContestantKind {
    /// The engine of this program.
    Set {
        /// The search algorithm that it plays with.
        algorithm: Algorithm,
        /// The fingerprint of its weights and constants.
        fingerprint: String,
        /// Whether these are in a file of the run. Otherwise the name is a shipped set's.
        kept: bool,
    },
    /// An engine outside this program.
    Engine(ExternalEngine),
}

impl Contestant {
    /// The engine, if it is an external one.
    pub fn engine(&self) -> Option<&ExternalEngine> {
        match &self.plays {
            ContestantKind::Set { .. } => None,
            ContestantKind::Engine(engine) => Some(engine),
        }
    }

    /// As [`engine`](Self::engine), to change its options.
    pub fn engine_mut(&mut self) -> Option<&mut ExternalEngine> {
        match &mut self.plays {
            ContestantKind::Set { .. } => None,
            ContestantKind::Engine(engine) => Some(engine),
        }
    }

    /// How it searches, if it is the engine of this program.
    pub fn algorithm(&self) -> Option<Algorithm> {
        match &self.plays {
            ContestantKind::Set { algorithm, .. } => Some(*algorithm),
            ContestantKind::Engine(_) => None,
        }
    }

    /// Its search algorithm or its protocol, in a word.
    pub fn search(&self) -> String {
        match &self.plays {
            ContestantKind::Set { algorithm, .. } => algorithm.to_string(),
            ContestantKind::Engine(engine) => {
                engine.protocol.map_or("engine", Protocol::name).to_owned()
            }
        }
    }

    /// The digest of its weights and constants, if it is the engine of this program.
    pub fn fingerprint(&self) -> Option<&str> {
        match &self.plays {
            ContestantKind::Set { fingerprint, .. } => Some(fingerprint),
            ContestantKind::Engine(_) => None,
        }
    }

    /// The part of the name after its last slash, for where there is little room.
    pub fn short_name(&self) -> &str {
        match &self.plays {
            ContestantKind::Set { .. } => self.name.rsplit('/').next().unwrap_or(&self.name),
            ContestantKind::Engine(_) => &self.name,
        }
    }
}

/// The whole configuration of a match or a tournament. With limits of nodes or depth the games are
/// a function of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TournamentSettings {
    /// The game by name, such as `breakthrough`.
    pub game: String,
    /// The board, for example `8x8`.
    pub board: String,
    /// The players, at least two.
    pub players: Vec<Contestant>,
    /// The most pairs of each match.
    pub pairs: u64,
    /// The test that ends a match of two players.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    /// Pairs on a line of the journal.
    pub batch_pairs: u64,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The openings of a match of two players. A tournament's matches differ in the seed.
    pub book: BookConfig,
    /// The transposition table of each engine, in bytes.
    pub table_bytes: usize,
    /// When games are ended early.
    pub adjudication: Adjudication,
    /// The engine that knows the rules, where this program does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub referee: Option<ExternalEngine>,
    /// The most plies of a game after its opening, where they are not the usual ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_plies: Option<u32>,
}

impl TournamentSettings {
    /// Pairs that share a line of the journal when these players meet: as many as take about a
    /// second, so that a kill loses little and the disk does not slow the games down. With an
    /// external engine, which may hang, each pair has a line to itself.
    pub fn batch_pairs_for(players: &[Contestant]) -> u64 {
        if players.iter().any(|player| player.engine().is_some()) {
            return 1;
        }
        let nodes = players.iter().map(|player| nodes_of(&player.limits)).max();
        let nodes = nodes.unwrap_or(1).max(1);
        (NODES_OF_A_SLOW_PAIR / nodes).clamp(1, MOST_BATCH_PAIRS)
    }

    /// The matches, in the order in which they are played: the places of their players.
    pub fn matches(&self) -> impl Iterator<Item = [usize; 2]> + use<> {
        let players = self.players.len();
        (0..players).flat_map(move |a| (a + 1..players).map(move |b| [a, b]))
    }

    /// The most pairs of all matches together.
    pub fn all_pairs(&self) -> u64 {
        let players = self.players.len() as u64;
        (players * players.saturating_sub(1) / 2).saturating_mul(self.pairs)
    }

    /// Who plays, in a few words.
    pub fn title(&self) -> String {
        match &self.players[..] {
            [a, b] => format!("{} - {}", a.name, b.name),
            players => format!("{} players", players.len()),
        }
    }

    /// The number of the first batch of match `number`, both from 0.
    pub fn first_batch(&self, number: u64) -> u64 {
        number.saturating_mul(self.pairs.div_ceil(self.batch_pairs.max(1)))
    }

    /// The number of the match, from 0, that a batch belongs to.
    pub fn match_of(&self, batch: u64) -> u64 {
        batch / self.first_batch(1).max(1)
    }

    /// Whether nothing is left to play once this batch is on record.
    pub fn is_last(&self, batch: &BatchRecord) -> bool {
        let players = self.players.len() as u64;
        let matches = players * players.saturating_sub(1) / 2;
        batch.summary.end.is_some() && batch.batch >= self.first_batch(matches.saturating_sub(1))
    }

    /// The openings of the match of two players. The errors of ratings assume independent matches,
    /// so each match of a tournament has openings of its own.
    pub fn book_of(&self, [a, b]: [usize; 2]) -> BookConfig {
        let seed = match self.players.len() {
            2 => self.seed,
            _ => derive(self.seed, &[a as u64, b as u64]),
        };
        BookConfig { seed, ..self.book.clone() }
    }

    /// When each match ends, and which of its pairs count. Equal pairs count once where they are
    /// likely: with the openings of a file, and with external engines. Other matches count all
    /// pairs, as they always have.
    pub fn match_config(&self) -> MatchConfig {
        let ends_on_repeats = self.players.iter().any(|player| player.engine().is_some());
        let counts_once = self.book.file.is_some() || ends_on_repeats;
        MatchConfig { counts_once, ends_on_repeats, ..MatchConfig::new(self.pairs, self.sprt) }
    }

    /// The limits of a move, where all players have the same.
    pub fn common_limits(&self) -> Option<Limits> {
        let first = self.players.first()?.limits;
        self.players.iter().all(|player| player.limits == first).then_some(first)
    }

    /// Whether the games depend on these settings alone, external engines aside.
    pub fn is_deterministic(&self) -> bool {
        self.players.iter().all(|player| player.limits.is_deterministic())
    }

    /// Checks what can be checked without playing.
    ///
    /// # Errors
    /// When a number is out of range, or parts of the configuration contradict each other.
    pub fn check(&self) -> Result<()> {
        check_pairs(self.pairs)?;
        check_max_plies(self.max_plies)?;
        let refuse = |key: &str, reason: String| {
            Err(Error::input(format!("key `config.{key}`"), reason)
                .remedy("restore the manifest as the run wrote it"))
        };
        let players = self.players.len();
        if !(2..=MOST_PLAYERS).contains(&players) {
            return Err(Error::input(format!("{players} players"), "out of range")
                .remedy(format!("give 2 to {MOST_PLAYERS}")));
        }
        if self.sprt.is_some() && players != 2 {
            return refuse("sprt", "only a match of two players has a test".into());
        }
        if !(1..=MOST_BATCH_PAIRS).contains(&self.batch_pairs) {
            return refuse("batch_pairs", format!("{} is out of range", self.batch_pairs));
        }
        if self.table_bytes as u64 >> 20 > Options::MAX_TABLE_MIB {
            return refuse("table_bytes", format!("{} is out of range", self.table_bytes));
        }
        if self.book.board != self.board {
            let reason = format!("`{}`, but the run is on `{}`", self.book.board, self.board);
            return refuse("book.board", reason);
        }
        self.book.check()?;
        self.players.iter().try_for_each(|player| player.limits.check())
    }
}

/// Checks a number of pairs.
///
/// # Errors
/// When there are none, or too many.
pub fn check_pairs(pairs: u64) -> Result<()> {
    let refuse = |reason, remedy: String| {
        Err(Error::input(format!("--pairs {pairs}"), reason).remedy(remedy))
    };
    match pairs {
        0 => refuse("there is nothing to play", "give at least 1".into()),
        1..=MOST_PAIRS => Ok(()),
        _ => refuse("out of range", format!("give at most {MOST_PAIRS}")),
    }
}

/// The nodes of a move under these limits, roughly.
fn nodes_of(limits: &Limits) -> u64 {
    let by_depth = limits.depth.map(|depth| NODES_PER_PLY.saturating_pow(depth));
    let by_time = limits.movetime.map(|time| {
        u64::try_from(time.as_millis()).unwrap_or(u64::MAX).saturating_mul(NODES_PER_MILLISECOND)
    });
    [limits.nodes, by_depth, by_time].into_iter().flatten().min().unwrap_or(u64::MAX)
}
