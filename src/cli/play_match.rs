//! Plays one match between two participants: once for `match`, for every two players in
//! `tournament`.

use super::args::{HashArg, LimitArgs, OpeningArgs, SeedArg, ThreadArgs};
use super::console::Console;
use super::games::GameWriter;
use super::interrupt::Interrupt;
use super::participant::Participant;
use super::players::LoadedPlayer;
use super::progress::{ForfeitLog, ProgressLine};
use crate::arena::queue::Threads;
use crate::arena::{
    Book, BookConfig, Forfeit, GameRecord, Match, MatchConfig, MatchEnd, MatchSettings, PairDone,
    PairRunner, SideTotals,
};
use crate::error::{Error, Result};
use crate::eval::Game;
use crate::game::{Board, Outcome, Side};
use crate::player::DefaultWeights;
use crate::protocol::ExternalEngine;
use crate::report::units::share;
use crate::search::{SearchConstants, Stop};
use crate::stats::Summary;
use clap::Args;
use std::collections::HashSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The most pairs of a match: far more than a machine plays in years.
const MAX_PAIRS: u64 = 1_000_000_000_000;

/// The arguments of a command that plays matches.
#[derive(Args, Clone, Debug)]
pub struct ArenaArgs {
    #[command(flatten)]
    pub(super) limits: LimitArgs,
    #[command(flatten)]
    pub(super) hash: HashArg,
    #[command(flatten)]
    pub(super) openings: OpeningArgs,
    #[command(flatten)]
    pub(super) seed: SeedArg,
    #[command(flatten)]
    pub(super) threads: ThreadArgs,
    #[command(flatten)]
    pub(super) engines: ExternalEngine,
    /// Save the games to this file, one JSON record a line; compressed when its name ends with .zst
    #[arg(long, value_name = "FILE")]
    pub(super) save: Option<PathBuf>,
    /// Overwrite that file if it exists
    #[arg(long, requires = "save")]
    pub(super) force: bool,
}

/// The context that the matches of a command share.
pub struct MatchContext<'a> {
    /// The board of all games.
    pub board: Board,
    /// The threads that play pairs.
    pub threads: &'a Threads,
    /// Ends the match after the pairs that have begun.
    pub interrupt: &'a Interrupt,
    /// The file that games are saved to.
    pub save: Option<GameWriter>,
}

impl<'a> MatchContext<'a> {
    /// Opens the file for the games, if there is to be one.
    ///
    /// # Errors
    /// When it exists already or cannot be created.
    pub fn new(
        args: &ArenaArgs,
        board: Board,
        threads: &'a Threads,
        interrupt: &'a Interrupt,
    ) -> Result<Self> {
        let save =
            args.save.as_deref().map(|path| GameWriter::create(path, args.force)).transpose()?;
        Ok(Self { board, threads, interrupt, save })
    }

    /// Ends the file of games.
    ///
    /// # Errors
    /// When the rest cannot be written.
    pub fn close(self) -> Result<()> {
        self.save.map_or(Ok(()), GameWriter::finish)
    }
}

/// A match to play.
pub struct MatchSetup<'a, G: Game> {
    /// The two players.
    pub players: [&'a Participant<G>; 2],
    /// How their games are played; the constants of the search are the players' own.
    pub settings: MatchSettings,
    /// How many pairs are played.
    pub config: MatchConfig,
    /// The openings.
    pub book: BookConfig,
}

/// The result of a match, finished or not.
#[derive(Clone, Debug)]
pub struct PlayedMatch {
    /// The result from the first player.
    pub summary: Summary,
    /// Totals of the games, beside the points.
    pub tally: MatchTally,
    /// How long it took.
    pub time: Duration,
    /// Why it ended.
    pub end: MatchEnd,
}

impl<G: Game> MatchSetup<'_, G> {
    /// Plays the match; `on_pair` sees each pair once it is counted.
    ///
    /// # Errors
    /// When there are no such openings, or games cannot be saved.
    pub fn play(
        &self,
        context: &mut MatchContext,
        on_pair: &mut dyn FnMut(&PairDone<G>),
    ) -> Result<PlayedMatch> {
        let start = Instant::now();
        let judge = judge(self.book.board.parse()?, self.players)?;
        let evaluators = self
            .players
            .map(|player| player.player().map_or(&judge, |loaded| &loaded.evaluator).clone());
        let mut book = Book::<G>::new(self.book.clone(), judge)?;
        let stop = Stop::default();
        let constants = self.players.map(|player| {
            player.player().map(|loaded| loaded.player.constants.clone()).unwrap_or_default()
        });
        let is_usual = constants.iter().all(|constants| *constants == SearchConstants::default());
        let settings = MatchSettings { constants: constants.clone(), ..self.settings.clone() };
        let runner = PairRunner::new(settings, stop.clone())
            .with_interrupt(context.interrupt.stop().clone())
            .with_factories(self.players.map(Participant::factory));
        let names = self.players.map(|player| player.name.as_str());
        let mut game_match = Match::new(self.config, runner, evaluators);
        let mut tally = MatchTally::default();
        let MatchContext { board, threads, interrupt, save } = context;
        let end = game_match.run(&mut book, threads, interrupt.stop(), &mut |pair| {
            tally.add(pair);
            on_pair(pair);
            let records = || {
                let pair = GameRecord::of_pair(
                    pair.number,
                    *board,
                    names,
                    pair.opening,
                    pair.result,
                    None,
                );
                match is_usual {
                    true => pair,
                    false => GameRecord::with_constants(pair, constants.each_ref()),
                }
            };
            save.as_mut().map_or(Ok(()), |file| file.write(&records()))
        });
        // Pairs still in progress after a verdict would keep threads and engines busy.
        stop.set();
        let end = end?;
        let summary = match game_match.tracker() {
            Some(tracker) => tracker.summary(),
            None => Summary::of(&game_match.counts(), None),
        };
        Ok(PlayedMatch { summary, tally, time: start.elapsed(), end })
    }

    /// Reports the games of a pair that were forfeited.
    pub fn report_forfeits(
        &self,
        pair: &PairDone<G>,
        forfeit_log: &mut ForfeitLog,
        progress: &ProgressLine,
    ) {
        for (index, (loser, forfeit)) in forfeits(pair).enumerate() {
            let game = pair.number * 2 + index as u64 + 1;
            let name = &self.players[loser].name;
            forfeit_log.add(&format!("game {game}, forfeited by {name}"), forfeit, progress);
        }
    }
}

/// The evaluator that judges openings: that of the board's default set, so that the openings do not
/// depend on the players.
fn judge<G: Game>(board: Board, players: [&Participant<G>; 2]) -> Result<G::Evaluator> {
    let default = LoadedPlayer::<G>::find(None, DefaultWeights::Strongest(board));
    default.map(|default| default.evaluator).or_else(|error| {
        let loaded = players.into_iter().find_map(Participant::player);
        loaded.map(|loaded| loaded.evaluator.clone()).ok_or(error)
    })
}

/// The forfeited games of a pair: who lost them (0 for the first player), and why.
fn forfeits<'a, G: Game>(pair: &'a PairDone<G>) -> impl Iterator<Item = (usize, &'a Forfeit)> {
    pair.result.games.iter().enumerate().filter_map(|(index, game)| {
        let side = game.forfeited_by()?;
        let loser = if index == 0 { side } else { side.other() };
        Some((usize::from(loser == Side::Second), game.forfeit.as_ref()?))
    })
}

/// Totals of a match's games, beside the points.
#[derive(Clone, Debug, Default)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MatchTally {
    /// Moves, nodes and depths of the first and the second player.
    pub totals: [SideTotals; 2],
    /// Games forfeited by the first and the second player.
    pub forfeits: [u64; 2],
    /// Drawn games.
    pub draws: u64,
    /// Random openings drawn until now.
    pub drawn: u64,
    pairs: u64,
    openings: HashSet<u64>,
}

impl MatchTally {
    fn add<G: Game>(&mut self, pair: &PairDone<G>) {
        for (mine, new) in self.totals.iter_mut().zip(pair.result.totals()) {
            mine.add(new);
        }
        for (mine, new) in self.forfeits.iter_mut().zip(pair.result.forfeits()) {
            *mine += new;
        }
        let drawn = pair.result.games.iter().filter(|game| game.outcome == Outcome::Draw).count();
        self.draws += drawn as u64;
        self.drawn = pair.candidate + 1;
        self.pairs += 1;
        self.openings.insert(pair.opening.position.key());
    }

    /// Pairs with an opening of their own. A pair whose opening was played before carries no
    /// information.
    pub fn distinct_pairs(&self) -> u64 {
        self.openings.len() as u64
    }

    /// The share of random openings that were used.
    pub fn kept(&self) -> Option<f64> {
        share(self.pairs, self.drawn)
    }

    /// The nodes of both players.
    pub fn nodes(&self) -> u64 {
        self.totals.iter().map(|totals| totals.nodes).sum()
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
        1..=MAX_PAIRS => Ok(()),
        _ => refuse("out of range", format!("give at most {MAX_PAIRS}")),
    }
}

/// Notes on stderr that the result cannot be repeated, if so.
pub fn note_time_limit(settings: &MatchSettings, console: &Console) {
    if !settings.limits.iter().all(|limits| limits.is_deterministic()) {
        console.note("with a time limit the result differs from run to run, whatever the seed");
    }
}
