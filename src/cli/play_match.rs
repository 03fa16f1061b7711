//! A match or a tournament, new or resumed, as a run to be driven: its progress and its result.

use super::drive::{Driven, drive, interrupt};
use super::games::GameWriter;
use super::match_display::MatchDisplay;
use super::on_done::{self, note_tournament};
use super::participant::ready_players;
use super::report::{page_line, recorded, write_page};
use super::tournament_json::print_json;
use super::tournament_text::tournament_text;
use crate::arena::{GameRecord, Threads};
use crate::cli::{
    ArenaArgs, Console, Ended, ForfeitLog, Interrupt, Participant, ProgressLine, ResumedEngineArgs,
    ResumedEngines,
};
use crate::error::Result;
use crate::game::Board;
use crate::games::GameId;
use crate::report::{TournamentReport, units};
use crate::run::{RunDir, TournamentWork, Work};
use crate::session::{BatchRecord, Ledger, MemoryLedger, Session, Stage, UnfinishedBatch};
use crate::tournament::{ReadyPlayer, Tournament};
use crate::tune::logistic::FitResult;
use crate::weights::WeightSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Begins a match or a tournament of these players and plays it; `sets` are the files of weights
/// that its run needs.
///
/// # Errors
/// When there are no such openings, or the games cannot be saved.
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
    let threads = args.cluster.threads(&args.threads, (&title, &work.config.game), console)?;
    let of_run = Work::Tournament(work.clone());
    let files = args.files(&work, &of_run.id()?)?;
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

/// Keeps the batches of a match in its run or in memory, and its games in the files of `--save` and
/// `--pgn`.
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
    /// Writes games to the files of `--save` and `--pgn`.
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
    /// Empty if everything is on record.
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

    /// The rest of a run. The players of a finished one are not loaded.
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
        resumed.note_copies();
        let on: (GameId, Board) = (work.config.game.parse()?, work.config.board.parse()?);
        let Some(run) = &mut resumed.keeper.run else { return Ok(resumed) };
        let path = run.path().to_owned();
        let mut started = ResumedEngines::new(run.record(), engines);
        started.referee(work.config.referee.as_ref(), on)?;
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

    /// Notes that the files of `--save` and `--pgn` will lack games, if there are any such files.
    fn note_copies(&self) {
        if let (Some(path), false) = (self.keeper.path(), self.work.copies.is_empty()) {
            self.console.note(format!(
                "a resumed run adds no games to {}; at its end `spar export {}` with --games jsonl or \
                 --games pgn writes them all",
                self.work.copies.join(" and "),
                path.display()
            ));
        }
    }

    fn is_complete(&self) -> Result<bool> {
        Ok(self.keeper.report(self.work)?.result.is_complete)
    }

    /// Writes the page of the run, if there is one. The page only shows saved results, so a failure
    /// to write it is just noted.
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
        let forfeits = ForfeitLog::default();
        let mut display = MatchDisplay { work, players, progress, forfeits, console };
        display.tell_recorded(keeper);
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

    /// Writes the page of the record so far, and prints the numbers.
    fn show(&mut self) -> Result<()> {
        let Self { keeper, work, console, .. } = &*self;
        let report = keeper.report(work)?;
        note_tournament(&report);
        let page = self.write_page();
        if console.json {
            report.remarks().iter().for_each(|remark| console.note(remark));
            return print_json(&report, keeper.path(), page.as_deref(), console);
        }
        console.say(tournament_text(&report, console.width()))?;
        page.map_or(Ok(()), |page| console.say(page_line(&page)))
    }

    fn ended(&self) -> Ended {
        match self.keeper.report(self.work) {
            Ok(report) if report.ended_on_repeats() => Ended::Repeats,
            Ok(report) if report.has_void_match() => Ended::Void,
            _ => Ended::Done,
        }
    }

    fn show_stopped(&mut self) -> Result<()> {
        self.show()?;
        let [pairs, all] =
            [self.keeper.report(self.work)?.result.pairs(), self.work.config.all_pairs()]
                .map(units::count);
        self.console.note(format!("stopped early, after {pairs} of {all} pairs"));
        self.note_copies();
        Ok(())
    }

    fn show_failed(&mut self) -> Result<()> {
        let report = self.keeper.report(self.work)?;
        if report.result.pairs() == 0 {
            return Ok(());
        }
        // With --json, the failure's document is the only one.
        self.console.say(tournament_text(&report, self.console.width()))
    }
}
