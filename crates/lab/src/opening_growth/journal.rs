//! The journal of an unfinished build: one answer a line, each with a checksum.

use super::journal_path;
use crate::any::AnyPosition;
use crate::error::{Error, Result, shorten};
use crate::eval::Score;
use crate::files::{self, Links, sync_name};
use crate::game::Board;
use crate::games::GameId;
use crate::opening_tree::{LeafAnswer, MOST_BYTES, OpeningTree, TreeSettings};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The first line, which says what the answers belong to.
#[derive(PartialEq, Serialize, Deserialize)]
struct JournalHead {
    format: u32,
    game: String,
    board: String,
    settings: TreeSettings,
}

/// The version of the format.
const FORMAT: u32 = 1;

/// An answer as it is recorded: its move as text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RecordedAnswer {
    score: Score,
    best: String,
}

impl RecordedAnswer {
    /// Records the answer for a position that has moves.
    pub(super) fn new(position: &AnyPosition, answer: &LeafAnswer) -> Self {
        let best = answer.best.map_or_else(String::new, |best| position.move_text(best));
        Self { score: answer.score, best }
    }

    /// The answer for the position of which it was recorded.
    ///
    /// # Errors
    /// When its move is not legal there.
    pub(super) fn answer(&self, position: &AnyPosition) -> Result<LeafAnswer> {
        let best = position.parse_move(&self.best).map_err(|_| {
            let reason = format!("the move on record, `{}`, is not legal", shorten(&self.best));
            Error::input(format!("opening book, position {}", position.fen()), reason)
                .remedy("move the file and its .part away, and build the book again")
        })?;
        Ok(LeafAnswer { score: self.score, best: Some(best) })
    }
}

/// A journal that is open for the next answers.
pub(super) struct GrowthJournal {
    path: PathBuf,
    file: File,
}

impl GrowthJournal {
    /// Opens the journal of a book, and returns the answers on record: of the book, then of the
    /// journal.
    pub(super) fn open(
        book: &Path,
        game: GameId,
        board: Board,
        settings: &TreeSettings,
    ) -> Result<(Self, Vec<RecordedAnswer>)> {
        let head = JournalHead {
            format: FORMAT,
            game: game.name.into(),
            board: board.to_string(),
            settings: settings.clone(),
        };
        let mut answers = answers_of(book, (game, board), settings)?;
        let path = journal_path(book);
        let failed = |error| Error::io(&path, "write", error);
        let mut file = files::open_to_change(&path, Links::Followed)?;
        file.try_lock().map_err(|_| {
            Error::input(path.display(), "another build is writing it")
                .remedy("wait for it, or name another file with -o")
        })?;
        let text = files::read(&path, Links::Followed, MOST_BYTES)?;
        let (found, whole) =
            read(&text, &head, answers.len()).map_err(|e| e.within(path.display()))?;
        // A line torn by a kill is written again.
        file.set_len(whole as u64).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        let mut journal = Self { path: path.clone(), file };
        if whole == 0 {
            let line = serde_json::to_string(&head).map_err(|e| Error::failed("journal", e))?;
            journal.write(&line)?;
            journal.write(&format!("after {}", answers.len()))?;
            sync_name(&path).map_err(failed)?;
        }
        answers.extend(found);
        Ok((journal, answers))
    }

    fn write(&mut self, line: &str) -> Result<()> {
        let text = format!("{line} {:08x}\n", crc32fast::hash(line.as_bytes()));
        self.file.write_all(text.as_bytes()).map_err(|e| Error::io(&self.path, "write", e))
    }

    pub(super) fn add(&mut self, answer: &RecordedAnswer) -> Result<()> {
        self.write(&format!("{} {}", answer.score, answer.best))
    }

    /// Syncs the added answers to disk.
    pub(super) fn commit(&mut self) -> Result<()> {
        self.file.sync_data().map_err(|error| Error::io(&self.path, "write", error))
    }
}

/// The answers in the file of an earlier build; none if there is no file.
fn answers_of(
    book: &Path,
    (game, board): (GameId, Board),
    settings: &TreeSettings,
) -> Result<Vec<RecordedAnswer>> {
    if !files::exists(book, Links::Followed)? {
        return Ok(Vec::new());
    }
    let tree = OpeningTree::load(book)?;
    let is_same = tree.game() == game && tree.board() == board && tree.settings() == settings;
    if !tree.merged().is_empty() {
        return Err(Error::input(book.display(), "a merged book, which cannot be extended")
            .remedy("extend the books it was merged from, or name another file with -o"));
    }
    if !is_same {
        return Err(other(book.display()));
    }
    let searched = tree.nodes().iter().filter(|node| !node.is_over);
    Ok(searched.map(|node| RecordedAnswer::new(&node.position, &node.answer)).collect())
}

fn other(place: impl std::fmt::Display) -> Error {
    Error::input(place, "begun with another game, board, weights, or other settings")
        .remedy("give those, or name another file with -o")
}

/// The answers of a journal that the book, with `known` answers, does not have, and the length in
/// bytes of the whole lines: 0 if the journal starts over.
fn read(text: &[u8], head: &JournalHead, known: usize) -> Result<(Vec<RecordedAnswer>, usize)> {
    let mut lines = text.split_inclusive(|&byte| byte == b'\n').map_while(whole_line);
    let (Some((first, head_bytes)), Some((after, after_bytes))) = (lines.next(), lines.next())
    else {
        return Ok((Vec::new(), 0));
    };
    let found: Option<JournalHead> = serde_json::from_str(first).ok();
    if found.as_ref() != Some(head) {
        return Err(other("journal"));
    }
    let after = after.strip_prefix("after ").and_then(|text| text.parse::<usize>().ok());
    let damaged = || {
        Error::input("journal", "damaged").remedy("remove the .part file; its searches are lost")
    };
    let skipped = after.and_then(|after| known.checked_sub(after)).ok_or_else(damaged)?;
    let (mut answers, mut whole) = (Vec::new(), head_bytes + after_bytes);
    for (line, bytes) in lines {
        let (score, best) = line.split_once(' ').ok_or_else(damaged)?;
        let score = score.parse().map_err(|_| damaged())?;
        answers.push(RecordedAnswer { score, best: best.to_owned() });
        whole += bytes;
    }
    match skipped < answers.len() || skipped == 0 {
        true => Ok((answers.split_off(skipped), whole)),
        // The book has all of it already.
        false => Ok((Vec::new(), 0)),
    }
}

/// The content and the bytes of a line that is whole.
fn whole_line(line: &[u8]) -> Option<(&str, usize)> {
    let text = std::str::from_utf8(line.strip_suffix(b"\n")?).ok()?;
    let (content, checksum) = text.rsplit_once(' ')?;
    let is_right = checksum == format!("{:08x}", crc32fast::hash(content.as_bytes()));
    is_right.then_some((content, line.len()))
}
