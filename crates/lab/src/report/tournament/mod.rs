//! The result of a match or a tournament, and a table of it for other programs.

mod command;
mod contest;
mod csv;

pub use contest::{Contest, ContestPlayer, Encounter, EngineView};

use crate::arena::MatchEnd;
use crate::error::Result;
use crate::games::GameId;
use crate::report::units;
use crate::report::words::{early_remarks, forfeit_warning, own_referee, repeats_remark};
use crate::run::{Record, RecordedChange, TournamentWork};
use crate::tournament::{MatchResult, TournamentKind, TournamentResult, TournamentSettings};
use crate::tune::{BatchRecord, Stage};
use std::time::Duration;

/// The results of a match or a tournament so far, for display.
pub struct TournamentReport<'a> {
    /// Whether it is a match or a tournament.
    pub kind: TournamentKind,
    /// The settings that decide its games.
    pub settings: &'a TournamentSettings,
    /// The scores of all matches.
    pub result: TournamentResult,
    /// The external engines that were replaced.
    pub engine_changes: &'a [RecordedChange],
    /// The time spent on it, over all resumes.
    pub worked: Duration,
    /// Whether games can end in draws.
    pub has_draws: bool,
}

/// The number of different pairs of a match, in words.
pub fn repeats_text(played: &MatchResult) -> String {
    format!(
        "{} different of {}: a pair equal move by move to an earlier one counts once",
        units::count(played.distinct()),
        units::count(played.played())
    )
}

/// A remark on a match in which pairs with the same opening count, if more than one in 20 has an
/// opening that an earlier pair had.
fn few_openings(played: &MatchResult, which: &str) -> Option<String> {
    let (distinct, pairs) = (played.distinct(), played.played());
    let are_few = !played.counts_once && distinct < pairs - pairs / 20;
    are_few.then(|| {
        format!(
            "{which} has {} for {}: pairs from the same opening say little new, so the true errors are larger; give more random --plies",
            units::counted(distinct, "different opening"),
            units::counted(pairs, "pair")
        )
    })
}

impl<'a> TournamentReport<'a> {
    /// The report of these batches, in order.
    ///
    /// # Errors
    /// When they do not fit the settings.
    pub fn new<'b>(
        work: &'a TournamentWork,
        batches: impl IntoIterator<Item = &'b BatchRecord>,
        worked: Duration,
    ) -> Result<Self> {
        let settings = &work.config;
        let game: GameId = settings.game.parse()?;
        Ok(Self {
            kind: work.kind,
            settings,
            result: TournamentResult::new(settings, batches)?,
            engine_changes: &[],
            worked,
            has_draws: game.has_draws,
        })
    }

    /// The report of a run that is this match or tournament.
    ///
    /// # Errors
    /// When the record does not fit the settings.
    pub fn of_record(work: &'a TournamentWork, record: &'a Record) -> Result<Self> {
        let worked = record.worked().unwrap_or_default();
        let report = Self::new(work, record.batches(Stage::Match), worked)?;
        Ok(Self { engine_changes: record.engine_changes(), ..report })
    }

    /// The warning that too many pairs rest on forfeits, if so.
    pub fn warning(&self) -> Option<String> {
        forfeit_warning(self.result.forfeited_pairs(), self.result.pairs(), "pairs")
    }

    /// Whether a match ended because its pairs had become repeats.
    pub fn ended_on_repeats(&self) -> bool {
        self.result.matches.iter().any(|played| played.end == Some(MatchEnd::Repeats))
    }

    /// A remark on the pairs that were played and do not count; `None` if there are none.
    fn uncounted(&self, of_match: fn(&MatchResult) -> u64, why: &str) -> Option<String> {
        let pairs: u64 = self.result.matches.iter().map(of_match).sum();
        let all = units::counted(self.result.pairs(), "pair");
        (pairs > 0).then(|| format!("not counted: {} of {all} ({why})", units::count(pairs)))
    }

    /// Whether all pairs of a match are void.
    pub fn has_void_match(&self) -> bool {
        let is_void = |played: &MatchResult| played.void > 0 && played.summary.pairs.pairs() == 0;
        self.result.matches.iter().any(is_void)
    }

    /// Caveats of the result: engines were replaced, pairs rest on forfeits, are void, or had become
    /// repeats.
    pub fn remarks(&self) -> Vec<String> {
        let changes = self.engine_changes.iter().map(RecordedChange::text);
        let which = match self.kind {
            TournamentKind::Match => "the match",
            TournamentKind::Tournament => "a match",
        };
        let repeats = self.ended_on_repeats().then(|| repeats_remark(which));
        let early = self.result.matches.iter().map(|played| played.early).sum();
        let games = self.result.matches.iter().map(|played| played.summary.games).sum();
        let players = self.settings.players.iter().filter_map(|player| player.engine());
        let changes = changes.chain(own_referee(self.settings.referee.as_ref(), players));
        let few = self.result.matches.iter().find_map(|played| few_openings(played, which));
        let void_match = self
            .has_void_match()
            .then(|| format!("all pairs of {which} are void: it has no result"));
        let void = self
            .uncounted(|played| played.void, "the referee failed, or could not judge a game's end")
            .filter(|_| self.kind == TournamentKind::Tournament || !self.has_void_match());
        // A match says so beside its pairs.
        let equal = match self.kind {
            TournamentKind::Match => None,
            TournamentKind::Tournament => {
                self.uncounted(|played| played.repeats, "equal to earlier ones move by move")
            }
        };
        changes
            .chain(self.warning())
            .chain(void)
            .chain(void_match)
            .chain(equal)
            .chain(few)
            .chain(repeats)
            .chain(early_remarks(&early, games))
            .collect()
    }

    /// The one match, if two players meet.
    pub fn only_match(&self) -> Option<&MatchResult> {
        self.result.matches.first().filter(|_| self.kind == TournamentKind::Match)
    }

    /// The title of the report.
    pub fn title(&self) -> String {
        let TournamentSettings { game, board, seed, players, .. } = self.settings;
        let who = match &players[..] {
            [a, b] => format!("{} against {}", a.name, b.name),
            players => format!("{} players", players.len()),
        };
        format!("{who}, {game} on {board}, seed {seed}")
    }

    /// The places of the players, pool by pool, the strongest first; players without a rating by
    /// their score.
    pub fn ranking(&self) -> Vec<usize> {
        self.result.ratings.ranking()
    }

    /// The groups of players that no chain of points joins, by name, where there are several.
    pub fn pools(&self) -> Vec<String> {
        let rated = self.result.ratings.players();
        let pools = rated.iter().filter_map(|rating| rating.pool).max().map_or(0, |last| last + 1);
        let members = |pool: usize| {
            let of_pool = self.settings.players.iter().zip(rated);
            let named = of_pool.filter(|(_, rating)| rating.pool == Some(pool));
            named.map(|(player, _)| player.name.as_str()).collect::<Vec<_>>().join(", ")
        };
        if pools < 2 { Vec::new() } else { (0..pools).map(members).collect() }
    }
}
