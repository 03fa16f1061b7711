//! A match or a tournament, new or resumed, as a run to be driven: its progress and its result.

use super::args::{HashArg, OpeningArgs, SeedArg, ThreadArgs};
use super::cluster_args::ClusterArgs;
use super::console::Console;
use super::drive::{Driven, drive, interrupt};
use super::ended::Ended;
use super::games::{GameFormat, GameWriter};
use super::interrupt::Interrupt;
use super::limit_args::{AdjudicationArgs, GameLimitArgs};
use super::match_events::MatchEvents;
use super::named::runs_folder;
use super::on_done::{self, note_tournament};
use super::participant::{Participant, ready_players};
use super::progress::{Detail, ForfeitLog, ProgressLine};
use super::referee_args::JudgedGame;
use super::report::{page_line, recorded, write_page};
use super::resumed_engines::{ResumedEngineArgs, ResumedEngines};
use super::tournament_json::tournament_json;
use super::tournament_text::tournament_text;
use crate::arena::queue::Threads;
use crate::arena::{Forfeit, GameRecord};
use crate::error::{Error, Result};
use crate::game::{Board, Side};
use crate::games::GameId;
use crate::protocol::ExternalEngine;
use crate::report::export::ExportSource;
use crate::report::names::short_names;
use crate::report::{TournamentReport, units};
use crate::run::{RunDir, TournamentWork, Work};
use crate::search::Limits;
use crate::session::{
    BatchRecord, Ledger, MemoryLedger, PairDone, Session, Stage, UnfinishedBatch,
};
use crate::stats::{Sprt, Summary};
use crate::tournament::{
    Contestant, ReadyPlayer, Tournament, TournamentKind, TournamentObserver, TournamentPair,
    TournamentSettings,
};
use crate::tune::logistic::FitResult;
use crate::weights::WeightSet;
use clap::Args;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

/// The arguments of a command that plays matches.
#[derive(Args, Clone, Debug)]
pub struct ArenaArgs {
    #[command(flatten)]
    pub(super) limits: GameLimitArgs,
    #[command(flatten)]
    adjudication: AdjudicationArgs,
    #[command(flatten)]
    hash: HashArg,
    #[command(flatten)]
    openings: OpeningArgs,
    #[command(flatten)]
    seed: SeedArg,
    #[command(flatten)]
    pub(super) threads: ThreadArgs,
    #[command(flatten)]
    cluster: ClusterArgs,
    #[command(flatten)]
    pub(super) engines: ExternalEngine,
    /// The directory of the run [default: a new one in the folder of runs]
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    run: Option<PathBuf>,
    /// Keep nothing on disk: then there is no resume and no report
    #[arg(long, conflicts_with = "run", help_heading = "Output")]
    no_run: bool,
    /// Save the games to this file as well, one JSON record a line; compressed when its name ends
    /// with .zst
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    save: Option<PathBuf>,
    /// Write the games to this file as PGN as well, in the order in which they are counted;
    /// compressed when its name ends with .zst
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pgn: Option<PathBuf>,
    /// Overwrite the files of --save and --pgn if they exist
    #[arg(long, help_heading = "Output")]
    force: bool,
}

impl ArenaArgs {
    /// What decides a match or a tournament of these players: with at most this many pairs of each
    /// match, which a test may end.
    ///
    /// # Errors
    /// When there is not enough memory for the tables.
    pub(super) fn settings(
        &self,
        judged: JudgedGame,
        players: Vec<Contestant>,
        pairs: u64,
        sprt: Option<Sprt>,
    ) -> Result<TournamentSettings> {
        let JudgedGame { game, board, referee } = judged;
        let limits: Vec<Limits> = players.iter().map(|player| player.limits).collect();
        let seed = self.seed.seed;
        Ok(TournamentSettings {
            game: game.name.into(),
            board: board.to_string(),
            batch_pairs: TournamentSettings::batch_pairs_for(&players),
            players,
            pairs,
            sprt,
            seed,
            book: self.openings.book(game, board, seed)?,
            // Each thread has two players.
            table_bytes: self.hash.bytes(&limits, 2 * self.threads.count())?,
            adjudication: self.adjudication.of(game),
            referee,
            max_plies: self.adjudication.max_plies,
        })
    }

    /// The files that games go to as they are played, beside the run.
    ///
    /// # Errors
    /// When there is to be none that could be overwritten, one exists already, or cannot be created.
    fn files(&self, work: &TournamentWork) -> Result<Vec<GameWriter>> {
        if self.force && self.save.is_none() && self.pgn.is_none() {
            return Err(Error::input("--force", "there is no file to overwrite")
                .remedy("name one with --save or --pgn"));
        }
        let pgn = || {
            let limits = work.config.players[0].limits;
            let are_equal = work.config.players.iter().all(|player| player.limits == limits);
            GameFormat::Pgn(ExportSource {
                event: format!("{}: {}", work.kind, work.config.title()),
                begun: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
                limits: are_equal.then_some(limits),
            })
        };
        let save = self.save.as_deref().map(|path| (path, GameFormat::Jsonl));
        let files = save.into_iter().chain(self.pgn.as_deref().map(|path| (path, pgn())));
        files.map(|(path, format)| GameWriter::create(path, format, self.force)).collect()
    }

    /// The directory for the run of a match or tournament; `None` when nothing is to be kept, or
    /// cannot be, since the place is read-only.
    fn place(&self, work: &Work, console: &Console) -> Result<Option<PathBuf>> {
        if self.no_run || self.run.is_some() {
            return Ok(self.run.clone());
        }
        match RunDir::reserve(runs_folder().path(), work) {
            Err(error) if is_read_only(&error) => {
                console.note(format!("nothing is kept, so there is no resume: {error}"));
                Ok(None)
            }
            reserved => reserved.map(Some),
        }
    }
}

/// Whether an error is that nothing may be written to a place.
fn is_read_only(error: &Error) -> bool {
    use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
    matches!(error.io_kind(), Some(ReadOnlyFilesystem | PermissionDenied))
}

/// Begins a match or a tournament of these players and plays it; `sets` are the files of weights
/// that its run needs.
///
/// # Errors
/// When there are no such openings, or what is played cannot be kept.
pub fn begin(
    work: TournamentWork,
    players: Vec<Participant>,
    sets: &[(String, WeightSet)],
    args: &ArenaArgs,
    console: &Console,
) -> Result<Ended> {
    work.config.check()?;
    work.config.book.check_for(work.config.game.parse()?)?;
    note_time_limit(&work, console);
    let title = format!("{}: {}", work.kind, work.config.title());
    let threads = args.cluster.threads(&args.threads, &title, console)?;
    let files = args.files(&work)?;
    let of_run = Work::Tournament(work.clone());
    let place = args.place(&of_run, console)?;
    let interrupt = match &place {
        Some(path) => interrupt(path),
        None => Interrupt::new("finishing the pairs in progress; Ctrl-C again stops at once"),
    };
    let run = place.map(|path| RunDir::create(&path, of_run, sets)).transpose()?;
    MatchRun::new(run, &work, players, files, console).drive(&threads, &interrupt)
}

/// Notes on stderr that the result cannot be repeated, if so.
fn note_time_limit(work: &TournamentWork, console: &Console) {
    if !work.config.is_deterministic() {
        console.note("with a time limit the result differs from run to run, whatever the seed");
    }
}

/// Where the batches of a match go: to its run, or into memory, and to a file of games.
struct MatchKeeper {
    run: Option<RunDir>,
    memory: MemoryLedger,
    files: Vec<GameWriter>,
    begun: Instant,
}

impl Ledger for MatchKeeper {
    fn recall(&self, stage: Stage, batch: u64) -> Option<&BatchRecord> {
        match &self.run {
            Some(run) => run.recall(stage, batch),
            None => self.memory.recall(stage, batch),
        }
    }

    fn recall_unfinished(&self, stage: Stage, batch: u64) -> Option<&UnfinishedBatch> {
        self.run.as_ref().and_then(|run| run.recall_unfinished(stage, batch))
    }

    /// Without a run there is no next process: what is finished counts as a batch.
    fn keep_unfinished(&mut self, batches: Vec<UnfinishedBatch>) -> Result<()> {
        for UnfinishedBatch { record, games } in &batches {
            match &self.run {
                Some(_) => self.save_games(games)?,
                None => self.keep(record.clone(), games)?,
            }
        }
        self.run.as_mut().map_or(Ok(()), |run| run.keep_unfinished(batches))
    }

    fn keep(&mut self, record: BatchRecord, games: &[GameRecord]) -> Result<()> {
        match &mut self.run {
            Some(run) => run.keep(record, games)?,
            None => self.memory.keep(record, games)?,
        }
        self.save_games(games)
    }
}

impl MatchKeeper {
    /// Writes games to the files of them.
    fn save_games(&mut self, games: &[GameRecord]) -> Result<()> {
        self.files.iter_mut().try_for_each(|file| file.write(games))
    }

    fn path(&self) -> Option<&Path> {
        self.run.as_ref().map(RunDir::path)
    }

    /// The record as a report.
    fn report<'a>(&'a self, work: &'a TournamentWork) -> Result<TournamentReport<'a>> {
        match &self.run {
            Some(run) => TournamentReport::of_record(work, run.record()),
            None => TournamentReport::new(work, &self.memory.records, self.begun.elapsed()),
        }
    }
}

/// A match or a tournament, new or resumed.
pub struct MatchRun<'a> {
    keeper: MatchKeeper,
    work: &'a TournamentWork,
    /// None where everything is on record.
    players: Vec<Participant>,
    console: &'a Console,
}

impl<'a> MatchRun<'a> {
    fn new(
        run: Option<RunDir>,
        work: &'a TournamentWork,
        players: Vec<Participant>,
        files: Vec<GameWriter>,
        console: &'a Console,
    ) -> Self {
        let (memory, begun) = (MemoryLedger::default(), Instant::now());
        Self { keeper: MatchKeeper { run, memory, files, begun }, work, players, console }
    }

    /// The rest of a run. The players of a finished one are not looked for.
    ///
    /// # Errors
    /// When a player cannot be found or started as the run had it.
    pub fn resumed(
        run: RunDir,
        work: &'a TournamentWork,
        engines: ResumedEngineArgs,
        interrupt: &Interrupt,
        console: &'a Console,
    ) -> Result<Self> {
        let mut resumed = Self::new(Some(run), work, Vec::new(), Vec::new(), console);
        if resumed.is_complete()? {
            return Ok(resumed);
        }
        note_time_limit(work, console);
        let on: (GameId, Board) = (work.config.game.parse()?, work.config.board.parse()?);
        let Some(run) = &mut resumed.keeper.run else { return Ok(resumed) };
        let path = run.path().to_owned();
        let mut started = ResumedEngines::new(run.record(), engines);
        let players = work.config.players.iter().enumerate().map(|(index, player)| {
            Participant::of_run(player, index, &path, &mut started, on, interrupt.stop())
        });
        resumed.players = players.collect::<Result<_>>()?;
        run.note_engines(started.changes)?;
        Ok(resumed)
    }

    /// Plays the match or tournament, or the rest of it. A finished one shows its result again.
    ///
    /// # Errors
    /// As [`drive`].
    pub fn drive(&mut self, threads: &Threads, interrupt: &Interrupt) -> Result<Ended> {
        if let Some(path) = self.keeper.path() {
            on_done::note("RUN", path.display());
        }
        if self.is_complete()? {
            // An earlier process may have been killed just before its end.
            self.keeper.run.iter().for_each(RunDir::drop_unfinished);
            return self.show().map(|()| Ended::Done);
        }
        let console = self.console;
        drive(self, threads, interrupt, console)
    }

    fn is_complete(&self) -> Result<bool> {
        Ok(self.keeper.report(self.work)?.result.is_complete)
    }

    /// Writes the page of the run, if there is one. It only shows what is saved already, so that it
    /// cannot be written is no more than noted.
    fn write_page(&self) -> Option<PathBuf> {
        let run = self.keeper.path()?;
        match recorded(run).and_then(|view| write_page(run, None, &view)) {
            Ok(path) => Some(path),
            Err(error) => {
                self.console.note(format!("no report was written: {error}"));
                None
            }
        }
    }

    /// Plays what is not on record yet.
    fn play_pairs(&mut self, threads: &Threads, interrupt: &Interrupt) -> Result<()> {
        let Self { keeper, work, players, console } = self;
        let settings = &work.config;
        let done = keeper.report(work)?.result.pairs();
        let mut progress =
            ProgressLine::new(console, Some(settings.all_pairs()), "pairs").resumed_at(done);
        progress.update(done, String::new);
        let on: (GameId, Board) = (settings.game.parse()?, settings.board.parse()?);
        let ready: Vec<ReadyPlayer> = ready_players(players, on, threads, interrupt.stop())?;
        let events = MatchEvents { settings, console };
        events.tell_recorded(keeper);
        let forfeits = ForfeitLog::default();
        let mut display = MatchDisplay { work, players, progress, forfeits, events };
        let mut session = Session { threads, interrupt: interrupt.stop(), ledger: keeper };
        let played = Tournament { settings, players: &ready }.play(&mut session, &mut display);
        display.progress.finish();
        played
    }
}

impl Driven for MatchRun<'_> {
    fn run(&mut self) -> Option<&mut RunDir> {
        self.keeper.run.as_mut()
    }

    fn play(&mut self, threads: &Threads, interrupt: &Interrupt) -> FitResult<()> {
        let played = self.play_pairs(threads, interrupt);
        if let (Ok(()), Some(run)) = (&played, &self.keeper.run) {
            run.drop_unfinished();
        }
        let files = std::mem::take(&mut self.keeper.files);
        let saved = files.into_iter().try_for_each(GameWriter::finish);
        Ok(played.and(saved)?)
    }

    /// Writes the page of what is on record, and prints the numbers.
    fn show(&mut self) -> Result<()> {
        let Self { keeper, work, console, .. } = &*self;
        let report = keeper.report(work)?;
        note_tournament(&report);
        let page = self.write_page();
        if console.json {
            report.remarks().iter().for_each(|remark| console.note(remark));
            return console.document(&tournament_json(&report, keeper.path(), page.as_deref()));
        }
        console.say(tournament_text(&report, console.width()))?;
        page.map_or(Ok(()), |page| console.say(page_line(&page)))
    }

    fn ended(&self) -> Ended {
        match self.keeper.report(self.work) {
            Ok(report) if report.ended_on_repeats() => Ended::Repeats,
            _ => Ended::Done,
        }
    }

    fn show_stopped(&mut self) -> Result<()> {
        self.show()?;
        let [pairs, all] =
            [self.keeper.report(self.work)?.result.pairs(), self.work.config.all_pairs()]
                .map(units::count);
        self.console.note(format!("stopped early, after {pairs} of {all} pairs"));
        Ok(())
    }

    fn show_failed(&mut self) -> Result<()> {
        let report = self.keeper.report(self.work)?;
        if report.result.pairs() == 0 {
            return Ok(());
        }
        // With --json the one document is that of the failure.
        self.console.say(tournament_text(&report, self.console.width()))
    }
}

/// Shows what is played.
struct MatchDisplay<'a> {
    work: &'a TournamentWork,
    players: &'a [Participant],
    progress: ProgressLine,
    forfeits: ForfeitLog,
    events: MatchEvents<'a>,
}

impl TournamentObserver for MatchDisplay<'_> {
    fn on_pair(&mut self, pair: &TournamentPair) {
        let both = pair.players.map(|index| &self.players[index]);
        for (index, (loser, forfeit)) in forfeits(pair.done).enumerate() {
            let game = pair.done.number * 2 + index as u64 + 1;
            let what = format!("game {game}, forfeited by {}", both[loser].name);
            self.forfeits.add(&what, forfeit, &self.progress);
        }
        if let Some(fault) = pair.done.record.referee_fault() {
            let what = format!("pair {}, void by the referee", pair.done.number + 1);
            self.forfeits.add(&what, fault, &self.progress);
        }
        let TournamentWork { kind, config } = self.work;
        let before = pair.number.saturating_mul(config.pairs);
        self.progress.update(before + pair.done.number + 1, || {
            let which = match kind {
                TournamentKind::Match => String::new(),
                TournamentKind::Tournament => {
                    short_names(&both.map(|player| &player.name)).join(" - ")
                }
            };
            Detail::of_match(which, Summary::of(&pair.counts, config.sprt.as_ref()))
        });
    }

    fn on_kept(&mut self, record: &BatchRecord) {
        self.events.tell(record);
    }
}

/// The forfeited games of a pair: who lost them (0 for the first player), and why.
fn forfeits<'a>(pair: &'a PairDone) -> impl Iterator<Item = (usize, &'a Forfeit)> {
    pair.record.games.iter().enumerate().filter_map(|(index, game)| {
        let side = game.forfeited_by()?;
        let loser = if index == 0 { side } else { side.other() };
        Some((usize::from(loser == Side::Second), game.forfeit.as_ref()?))
    })
}
