//! A match or a tournament, for the view of its run.

use super::command::repeat;
use crate::arena::EarlyEnds;
use crate::protocol::{ExternalEngine, Protocol};
use crate::report::TournamentReport;
use crate::search::{Algorithm, Limits};
use crate::shell::quote_path;
use crate::stats::{Rating, Sprt, Summary};
use crate::tournament::{Contestant, MatchResult};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// A match or a tournament: the players, and the result of each match.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Contest {
    /// The players, in the order in which they were named.
    pub players: Vec<ContestPlayer>,
    /// Their ratings, in the same order.
    pub ratings: Vec<Rating>,
    /// The places of the players, the strongest first.
    pub ranking: Vec<usize>,
    /// The groups of players that no chain of points joins, by name, where there are several.
    pub pools: Vec<String>,
    /// The matches that were begun.
    pub encounters: Vec<Encounter>,
    /// The most pairs of each match.
    pub pairs: u64,
    /// The most pairs of all matches.
    pub all_pairs: u64,
    /// Whether nothing is left to play: every match has all its pairs, or has ended early.
    pub complete: bool,
    /// Where the openings come from: `8 random plies`, or the name of a file.
    pub openings: String,
    /// The test that ends a match.
    pub sprt: Option<Sprt>,
    /// The seed of all random numbers.
    pub seed: u64,
}

/// A player of a match or a tournament.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ContestPlayer {
    /// The player's name in results.
    pub name: String,
    /// A digest of the weights and constants; null for an engine.
    pub fingerprint: Option<String>,
    /// The limits of a move.
    pub limits: Limits,
    /// The search algorithm; null for an engine.
    pub algorithm: Option<Algorithm>,
    /// The engine, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<EngineView>,
    /// Moves in all games.
    pub moves: u64,
    /// Nodes in all games.
    pub nodes: u64,
    /// The mean depth of a move.
    pub mean_depth: Option<f64>,
    /// Games that it forfeited.
    pub forfeits: u64,
}

/// An engine that plays.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EngineView {
    /// The command that starts it.
    pub command: String,
    /// The folder in which it runs.
    pub folder: Option<String>,
    /// The protocol that it speaks.
    pub protocol: Option<&'static str>,
    /// The engine's name for itself.
    pub name: Option<String>,
    /// The options sent to the engine, by name.
    pub options: BTreeMap<String, String>,
}

/// A match of two of the players.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Encounter {
    /// The places of its players.
    pub players: [usize; 2],
    /// The statistics as the first of the players sees them.
    #[serde(rename = "match")]
    pub match_: Summary,
    /// Pairs with an opening of their own.
    pub distinct_pairs: u64,
    /// Pairs equal move by move to earlier ones, which did not count.
    #[serde(skip_serializing_if = "crate::session::ledger::is_zero")]
    pub repeats: u64,
    /// Void pairs, which did not count: the referee failed, or could not judge.
    #[serde(skip_serializing_if = "crate::session::ledger::is_zero")]
    pub void: u64,
    /// Pairs in which a player forfeited a game.
    pub forfeited_pairs: u64,
    /// Games that ended early.
    #[serde(skip_serializing_if = "EarlyEnds::is_empty")]
    pub early: EarlyEnds,
    /// Drawn games; null where the game has no draws.
    pub draws: Option<u64>,
    /// The share of the random openings that was used.
    pub openings_kept: Option<f64>,
}

impl TournamentReport<'_> {
    /// The match or the tournament, for the view of its run.
    pub fn contest(&self) -> Contest {
        let encounter = |played: &MatchResult| Encounter {
            players: played.players,
            match_: played.summary,
            distinct_pairs: played.tally.distinct_pairs,
            repeats: played.repeats,
            void: played.void,
            forfeited_pairs: played.forfeited_pairs,
            early: played.early,
            draws: self.has_draws.then_some(played.tally.draws),
            openings_kept: played.kept(),
        };
        Contest {
            players: self.players(),
            ratings: self.result.ratings.players().to_vec(),
            ranking: self.ranking(),
            pools: self.pools(),
            encounters: self.result.matches.iter().map(encounter).collect(),
            pairs: self.settings.pairs,
            all_pairs: self.settings.all_pairs(),
            complete: self.result.is_complete,
            openings: self.settings.book.words(),
            sprt: self.settings.sprt,
            seed: self.settings.seed,
        }
    }

    /// The players, with their totals over all matches.
    pub fn players(&self) -> Vec<ContestPlayer> {
        let players = &self.settings.players;
        let forfeits = self.result.forfeits(players.len());
        let row = |(place, player): (usize, &Contestant)| {
            let mut totals = crate::arena::SideTotals::default();
            for played in &self.result.matches {
                let sides = played.players.iter().zip(played.tally.totals);
                sides.filter(|(at, _)| **at == place).for_each(|(_, own)| totals.add(own));
            }
            ContestPlayer {
                name: player.name.clone(),
                fingerprint: player.fingerprint().map(Into::into),
                limits: player.limits,
                algorithm: player.algorithm(),
                engine: player.engine().map(EngineView::of),
                moves: totals.moves,
                nodes: totals.nodes,
                mean_depth: totals.mean_depth(),
                forfeits: forfeits[place],
            }
        };
        players.iter().enumerate().map(row).collect()
    }

    /// The commands that continue the run at `path`, show its games and play it again.
    pub fn next(&self, path: &Path) -> Vec<String> {
        let run = quote_path(path);
        let resume = (!self.result.is_complete).then(|| format!("spar resume {run}"));
        let again = [format!("spar show {run}"), repeat(self.kind, self.settings, path)];
        resume.into_iter().chain(again).collect()
    }
}

impl EngineView {
    fn of(engine: &ExternalEngine) -> Self {
        Self {
            command: engine.command.clone(),
            folder: engine.folder.clone(),
            protocol: engine.protocol.map(Protocol::name),
            name: engine.name.clone(),
            options: engine.options.iter().cloned().collect(),
        }
    }
}
