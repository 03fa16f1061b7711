//! The result of a match or a tournament, by its batches.

use super::settings::TournamentSettings;
use crate::arena::{EarlyEnds, Match, MatchEnd, MatchTally};
use crate::error::Result;
use crate::stats::{PairCounts, PairingResult, Ratings, Summary, rate};
use crate::tune::BatchRecord;

/// The result of a match of two players, finished or not.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchResult {
    /// The places of the two players.
    pub players: [usize; 2],
    /// The statistics as the first player sees them, with the frozen verdict.
    pub summary: Summary,
    /// Totals of the games, beside the points.
    pub tally: MatchTally,
    /// Games that ended early.
    pub early: EarlyEnds,
    /// Pairs in which a player forfeited a game.
    pub forfeited_pairs: u64,
    /// Pairs that were equal move by move to earlier ones, and did not count.
    pub repeats: u64,
    /// Void pairs, in which the referee failed.
    pub void: u64,
    /// Whether equal pairs count once.
    pub counts_once: bool,
    /// Why it ended; `None` before its end.
    pub end: Option<MatchEnd>,
}

impl MatchResult {
    /// The pairs played, including those that did not count.
    pub fn played(&self) -> u64 {
        self.summary.pairs.pairs().saturating_add(self.repeats).saturating_add(self.void)
    }

    /// The number of different pairs: by their moves if equal pairs count once, otherwise by their
    /// openings.
    pub fn distinct(&self) -> u64 {
        if self.counts_once { self.summary.pairs.pairs() } else { self.tally.distinct_pairs }
    }

    /// The share of random openings that was used; `None` before the first pair.
    pub fn kept(&self) -> Option<f64> {
        let (pairs, drawn) = (self.played(), self.tally.drawn);
        (drawn > 0).then(|| pairs as f64 / drawn as f64)
    }
}

/// The result of a match or a tournament, finished or not.
#[derive(Clone, Debug)]
pub struct TournamentResult {
    /// The matches that were begun, and always the first one.
    pub matches: Vec<MatchResult>,
    /// The ratings of all players.
    pub ratings: Ratings,
    /// Whether everything was played.
    pub is_complete: bool,
}

impl TournamentResult {
    /// The results of these batches, in order.
    ///
    /// # Errors
    /// When the batches cannot be of such a tournament.
    pub fn new<'b>(
        settings: &TournamentSettings,
        batches: impl IntoIterator<Item = &'b BatchRecord>,
    ) -> Result<Self> {
        let mut batches = batches.into_iter().peekable();
        let (mut matches, mut is_complete) = (Vec::new(), false);
        for (number, players) in (1..).zip(settings.matches()) {
            let until = settings.first_batch(number);
            let own = std::iter::from_fn(|| batches.next_if(|batch| batch.batch < until));
            let played = match_result(settings, players, own)?;
            is_complete = played.end.is_some();
            let is_begun = played.played() > 0;
            if is_begun || matches.is_empty() {
                matches.push(played);
            }
            if !is_begun {
                break;
            }
        }
        let pairing = |played: &MatchResult| {
            let [a, b] = played.players;
            PairingResult { a, b, counts: played.summary.pairs }
        };
        let pairings = matches.iter().map(pairing).filter(|pairing| pairing.counts.pairs() > 0);
        let pairings: Vec<PairingResult> = pairings.collect();
        let ratings = rate(settings.players.len(), &pairings)?;
        Ok(Self { matches, ratings, is_complete })
    }

    /// The pairs of all matches.
    pub fn pairs(&self) -> u64 {
        self.matches.iter().map(MatchResult::played).sum()
    }

    /// The pairs of all matches in which a player forfeited a game.
    pub fn forfeited_pairs(&self) -> u64 {
        self.matches.iter().map(|played| played.forfeited_pairs).sum()
    }

    /// The games that each player has forfeited, in the order of the players.
    pub fn forfeits(&self, players: usize) -> Vec<u64> {
        let mut counts: Vec<u64> = vec![0; players];
        for played in &self.matches {
            for (place, new) in played.players.into_iter().zip(played.tally.forfeits) {
                counts[place] = counts[place].saturating_add(new);
            }
        }
        counts
    }

    /// The pairs of players `a` and `b` as `a` sees them, if they have met.
    pub fn counts_of(&self, a: usize, b: usize) -> Option<PairCounts> {
        self.matches.iter().find_map(|played| match played.players {
            players if players == [a, b] => Some(played.summary.pairs),
            players if players == [b, a] => Some(played.summary.pairs.mirrored()),
            _ => None,
        })
    }
}

fn match_result<'b>(
    settings: &TournamentSettings,
    players: [usize; 2],
    batches: impl Iterator<Item = &'b BatchRecord>,
) -> Result<MatchResult> {
    let games = |forfeits: [u64; 2]| forfeits[0].saturating_add(forfeits[1]);
    let config = settings.match_config();
    let mut score = Match::new(config);
    let (mut tally, mut end, mut forfeited_pairs) = (MatchTally::default(), None, 0);
    let mut early = EarlyEnds::default();
    for batch in batches {
        let before = tally.forfeits;
        batch.checked_points()?;
        batch.digested_points().for_each(|(points, digest)| score.note(points, digest));
        tally = batch.summary.tally.unwrap_or(tally);
        // Where external engines play, each batch is one pair.
        let pairs = batch.points.len() as u64;
        forfeited_pairs += games(tally.forfeits).saturating_sub(games(before)).min(pairs);
        early.add(batch.early);
        end = batch.summary.end;
    }
    let summary = score.summary();
    let void = score.void();
    let repeats = score.repeats();
    let counts_once = config.counts_once;
    Ok(MatchResult {
        players,
        summary,
        tally,
        early,
        forfeited_pairs,
        repeats,
        void,
        counts_once,
        end,
    })
}
