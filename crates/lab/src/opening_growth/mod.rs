//! Grows an opening tree by searches on threads, with a journal beside its file.
//!
//! A tree depends only on its settings and on the answers of its searches, in the order in which it
//! asks for them. So the journal holds only answers, and a build that was killed replays them. It
//! repeats the quick searches that choose the replies of a repertoire.

mod journal;
mod plausible;

use crate::any::{AnyEvaluator, AnyPosition};
use crate::arena::{Queue, Task, Threads};
use crate::error::{Error, Result};
use crate::files::{self, Links};
use crate::game::{Board, Repetitions};
use crate::games::GameId;
use crate::opening_tree::{LeafAnswer, OpeningTree, TreeSettings};
use crate::player::Player;
use crate::search::{Limits, Options, SearchConstants, Stop};
use journal::{GrowthJournal, RecordedAnswer};
use std::collections::VecDeque;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The bytes of the transposition table for each node of a search.
const TABLE_BYTES: u64 = 16;

/// The most positions that a build may ask for, so that one more batch fits into the largest tree.
pub const MOST_POSITIONS: u64 = 16_000_000;

/// When a build ends before every line is decided.
#[derive(Clone, Debug, Default)]
pub struct GrowthLimits {
    /// It ends after the batch of leaves with which the tree reaches this many positions.
    pub positions: Option<u64>,
    /// It ends after the batch of leaves under way at this time.
    pub end: Option<Instant>,
}

/// The state of a build.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GrowthProgress {
    /// Positions in the tree.
    pub positions: u64,
    /// Searches, earlier processes included.
    pub searches: u64,
    /// Nodes visited by this process.
    pub nodes: u64,
}

/// A tree that is growing.
pub struct Growth {
    game: GameId,
    board: Board,
    settings: TreeSettings,
    searcher: Searcher,
    /// Chooses the replies that are searched.
    quick: Searcher,
    queue: Queue<Option<Searched>>,
    journal: GrowthJournal,
    /// Answers on record that have not been asked for.
    recorded: VecDeque<RecordedAnswer>,
    progress: GrowthProgress,
    tree: Option<OpeningTree>,
}

/// How every position is searched.
#[derive(Clone)]
struct Searcher {
    evaluator: AnyEvaluator,
    options: Options,
    limits: Limits,
    stop: Stop,
}

/// An answer, its recorded form, and the nodes that it took.
struct Searched {
    answer: LeafAnswer,
    recorded: RecordedAnswer,
    nodes: u64,
}

struct GrowthTask {
    searcher: Searcher,
    position: AnyPosition,
}

impl Task for GrowthTask {
    type Outcome = Option<Searched>;

    fn run(&self) -> Option<Searched> {
        let Searcher { evaluator, options, limits, stop } = &self.searcher;
        if stop.is_set() {
            return None;
        }
        let mut engine = evaluator.engine(options.clone());
        let report = engine.search(&Repetitions::default(), &self.position, limits, stop, None);
        let answer = LeafAnswer { score: report.score, best: report.best };
        let recorded = RecordedAnswer::new(&self.position, &answer);
        // A search that was cut short may have another answer than a whole one.
        (!stop.is_set()).then_some(Searched { answer, recorded, nodes: report.counters.nodes })
    }

    fn given_up(&self) -> Option<Searched> {
        None
    }
}

/// The path of the journal of a book.
pub fn journal_path(book: &Path) -> PathBuf {
    let mut name = book.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

impl Growth {
    /// Opens a build of a tree for a file. It continues from the answers in the file and in the
    /// journal beside it.
    ///
    /// # Errors
    /// When the file or the journal was begun with other settings, is something else, or cannot be
    /// read or written.
    pub fn open(
        path: &Path,
        (game, board): (GameId, Board),
        settings: TreeSettings,
        (player, evaluator): (&Player, &AnyEvaluator),
        threads: &Threads,
        stop: &Stop,
    ) -> Result<Self> {
        settings.check()?;
        game.start(board)?;
        let nodes = settings.nodes;
        let searcher = |nodes: u64| Searcher {
            evaluator: evaluator.clone(),
            options: options(table_bytes(nodes), &player.constants),
            limits: Limits::nodes(nodes),
            stop: stop.clone(),
        };
        let (quick, searcher) = (searcher(plausible::quick_nodes(nodes)), searcher(nodes));
        let (journal, recorded) = GrowthJournal::open(path, game, board, &settings)?;
        Ok(Self {
            game,
            board,
            settings,
            searcher,
            quick,
            queue: Queue::new(threads),
            journal,
            recorded: recorded.into(),
            progress: GrowthProgress::default(),
            tree: None,
        })
    }

    /// Grows until a limit is reached, every line is decided, or the stop is set; `on_progress` is
    /// called after each search. `None` if it was stopped: the journal then has the finished
    /// searches.
    ///
    /// # Errors
    /// When the journal cannot be written, and the errors of `on_progress`.
    pub fn run(
        mut self,
        limits: &GrowthLimits,
        on_progress: &mut dyn FnMut(GrowthProgress) -> Result<()>,
    ) -> Result<Option<(OpeningTree, GrowthProgress)>> {
        let start = self.game.start(self.board)?;
        let Some(answers) = self.answers(vec![start], on_progress)? else { return Ok(None) };
        let answer = answers[0];
        self.tree = Some(OpeningTree::new(self.game, self.board, self.settings.clone(), answer)?);
        loop {
            let Some(tree) = &self.tree else { return Ok(None) };
            self.progress.positions = tree.nodes().len() as u64;
            on_progress(self.progress)?;
            let is_enough = limits.positions.is_some_and(|most| self.progress.positions >= most);
            let is_late = limits.end.is_some_and(|end| Instant::now() >= end);
            let mut leaves = tree.next_leaves();
            // Answers on record cost no time, and the tree never shrinks.
            if leaves.is_empty() || ((is_enough || is_late) && self.recorded.is_empty()) {
                break;
            }
            if plausible::choose(tree, &mut leaves, &mut self.queue, &self.quick).is_none() {
                return Ok(None);
            }
            let unsearched = tree.unsearched(&leaves);
            let Some(answers) = self.answers(unsearched, on_progress)? else { return Ok(None) };
            self.tree.as_mut().map_or(Ok(()), |tree| tree.expand(&leaves, &answers))?;
        }
        let progress = self.progress;
        Ok(self.tree.map(|tree| (tree, progress)))
    }

    /// The answers for these positions: from the record as far as it goes, then from searches.
    /// `None` if stopped.
    fn answers(
        &mut self,
        positions: Vec<AnyPosition>,
        on_progress: &mut dyn FnMut(GrowthProgress) -> Result<()>,
    ) -> Result<Option<Vec<LeafAnswer>>> {
        let mut answers = Vec::with_capacity(positions.len());
        for position in positions {
            match self.recorded.pop_front() {
                Some(recorded) => {
                    answers.push(recorded.answer(&position)?);
                    self.progress.searches += 1;
                }
                None => {
                    let searcher = self.searcher.clone();
                    self.queue.submit(GrowthTask { searcher, position });
                }
            }
        }
        while let Some(outcome) = self.queue.take() {
            let Some(Searched { answer, recorded, nodes }) = outcome else { return Ok(None) };
            self.journal.add(&recorded)?;
            self.progress.searches += 1;
            self.progress.nodes += nodes;
            on_progress(self.progress)?;
            answers.push(answer);
        }
        self.journal.commit()?;
        Ok(Some(answers))
    }
}

/// The size of the table of a search.
fn table_bytes(nodes: u64) -> usize {
    nodes.saturating_mul(TABLE_BYTES).clamp(1 << 20, 64 << 20) as usize
}

/// How every position is searched, with a table of this size.
fn options(table_bytes: usize, constants: &SearchConstants) -> Options {
    Options { table_bytes, constants: constants.clone(), ..Options::default() }
}

/// Ends a build: writes the book and removes the journal.
///
/// # Errors
/// When the book cannot be written; then the journal stays.
pub fn finish(path: &Path, tree: &OpeningTree) -> Result<()> {
    files::write_atomically(path, tree.to_json()?.as_bytes(), Links::Followed)?;
    let journal = journal_path(path);
    match std::fs::remove_file(&journal) {
        // Somebody else has removed it. The book is complete without it.
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        removed => removed.map_err(|error| Error::io(&journal, "remove", error)),
    }
}
