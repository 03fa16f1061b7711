//! One encounter of two players, as `match` plays it once and `tournament` for every two players.

use super::args::{HashArg, LimitArgs, OpeningArgs, SeedArg, ThreadArgs};
use super::console::Console;
use super::games::GameWriter;
use super::interrupt::Interrupt;
use super::players::Player;
use super::units::share;
use crate::arena::queue::Threads;
use crate::arena::{
    Book, BookConfig, Conditions, Contest, ContestConfig, ContestEnd, GameRecord, PairDone, SideTotals,
    Workshop,
};
use crate::error::Result;
use crate::eval::Evaluated;
use crate::game::{Board, Outcome};
use crate::search::Stop;
use crate::stats::{PairCounts, Summary};
use clap::Args;
use std::collections::HashSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// What a command that plays pairs takes.
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
    /// Save the games to this file, one JSON record a line; compressed when its name ends with .zst
    #[arg(long, value_name = "FILE")]
    pub(super) save: Option<PathBuf>,
    /// Overwrite that file if it exists
    #[arg(long, requires = "save")]
    pub(super) force: bool,
}

/// Where and with what an encounter is played.
pub struct Hall<'a> {
    /// The board.
    pub board: Board,
    /// The threads that play.
    pub threads: &'a Threads,
    /// Ends the encounter after the pairs in hand.
    pub interrupt: &'a Interrupt,
    /// Where the games are saved.
    pub save: Option<GameWriter>,
}

impl<'a> Hall<'a> {
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
        let save = args.save.as_deref().map(|path| GameWriter::create(path, args.force)).transpose()?;
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

/// An encounter to play.
pub struct Encounter<'a, P: Evaluated> {
    /// The two players.
    pub players: [&'a Player<P>; 2],
    /// How they play.
    pub conditions: Conditions,
    /// How long they play.
    pub contest: ContestConfig,
    /// Their openings.
    pub book: BookConfig,
}

/// An encounter that was played.
#[derive(Clone, Debug)]
pub struct Played {
    /// Its numbers, from the first player.
    pub summary: Summary,
    /// What else was counted.
    pub tally: Tally,
    /// How long it took.
    pub time: Duration,
    /// Why it ended.
    pub end: ContestEnd,
}

impl<P: Evaluated> Encounter<'_, P> {
    /// Plays the encounter; `watch` is told the counts after each pair.
    ///
    /// # Errors
    /// When there are no such openings, or games cannot be saved.
    pub fn play(&self, hall: &mut Hall, watch: &mut dyn FnMut(PairCounts)) -> Result<Played> {
        let begun = Instant::now();
        let mut book = Book::<P>::new(self.book.clone(), judge(self.players[0])?)?;
        let workshop = Workshop::new(self.conditions.clone(), Stop::default());
        let evaluators = self.players.map(|player| player.evaluator.clone());
        let names = self.players.map(|player| player.name.as_str());
        let mut contest = Contest::new(self.contest, workshop, evaluators);
        let mut tally = Tally::default();
        let (board, save) = (hall.board, &mut hall.save);
        let end = contest.run(&mut book, hall.threads, hall.interrupt.stop(), &mut |pair| {
            tally.add(pair);
            watch(pair.counts);
            let records = || GameRecord::of_pair(pair.number, board, names, pair.opening, pair.result, None);
            save.as_mut().map_or(Ok(()), |file| file.write(&records()))
        })?;
        let summary = match contest.tracker() {
            Some(tracker) => tracker.summary(),
            None => Summary::of(&contest.counts(), None),
        };
        Ok(Played { summary, tally, time: begun.elapsed(), end })
    }
}

/// What judges openings: the game's default set, so that the openings do not depend on the players.
fn judge<P: Evaluated>(player: &Player<P>) -> Result<P::Evaluator> {
    match super::players::default_name(P::GAME) {
        Ok(name) => Player::<P>::find(name).map(|default| default.evaluator),
        Err(_) => Ok(player.evaluator.clone()),
    }
}

/// What an encounter's pairs add up to, beside their points.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// The moves of the first and the second player.
    pub totals: [SideTotals; 2],
    /// Drawn games.
    pub draws: u64,
    /// Random openings drawn until now.
    pub drawn: u64,
    pairs: u64,
    openings: HashSet<u64>,
}

impl Tally {
    fn add<P: Evaluated>(&mut self, pair: &PairDone<P>) {
        for (mine, new) in self.totals.iter_mut().zip(pair.result.totals()) {
            mine.add(new);
        }
        let drawn = pair.result.games.iter().filter(|game| game.outcome == Outcome::Draw).count();
        self.draws += drawn as u64;
        self.drawn = pair.candidate + 1;
        self.pairs += 1;
        self.openings.insert(pair.opening.position.key());
    }

    /// Pairs with an opening of their own. A pair whose opening was played before carries no information.
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

/// Remarks on stderr what the reader of the numbers should know.
pub fn remarks(conditions: &Conditions, console: &Console) {
    if !conditions.limits.iter().all(|limits| limits.is_deterministic()) {
        console.note("with a time limit the result differs from run to run, whatever the seed");
    }
}
