//! `spar export web`: the page to play on, as a folder for any server of files.

use super::named::candidate_of;
use crate::cli::{Console, Ended, NamedSet, infer};
use crate::error::{Error, Result, shorten, suggest};
use crate::files::{self, Links};
use crate::game::Board;
use crate::games::GameId;
use crate::opening_tree::{OpeningBook, OpeningTree};
use crate::report::units;
use crate::runs::{RunSet, SetRole};
use crate::shell::quote_path;
use crate::web::{
    BOOKS, BookEntry, FILES, GAMES, INDEX, LICENSE, PageHost, SETS, SetEntry, ShippedFiles,
    book_entries, book_file, has_games, pack_book, page, shipped_files,
};
use crate::weights::WeightSet;
use clap::Args;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;
use std::fmt;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The prefix of names of sets that are not the program's own.
const OWN: &str = "own/";

/// Writes the page to play and analyse on, its engine and the sets, for any static file server
#[derive(Args, Debug)]
pub(super) struct ExportWebArgs {
    /// The folder to write; it is created if needed
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Add a set to the program's own: a weight file, or a run for the set that it made; may be
    /// repeated
    #[arg(long = "with", value_name = "WEIGHTS")]
    sets: Vec<String>,
    /// Add an opening book in any form; on its board the page's engines play from it; may be
    /// repeated
    #[arg(long = "book", value_name = "FILE")]
    books: Vec<PathBuf>,
    /// Only the sets of a game, or those for one of its boards, columns x rows; may be repeated
    #[arg(long, value_name = "GAME[/COLSxROWS]")]
    only: Vec<Only>,
    /// Take the candidates of the runs given with --with, accepted or not: as RUN:candidate
    #[arg(long, requires = "sets")]
    candidate: bool,
    /// Write into a folder that is not empty, over files of the same names
    #[arg(long)]
    force: bool,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ExportWebJson {
    /// The path of the folder.
    folder: String,
    /// The files written, by their paths in the folder.
    files: Vec<String>,
    /// The size of all of them.
    bytes: u64,
}

/// Runs the command.
///
/// # Errors
/// When the page plays no game of the program, the folder is not empty, a set cannot be read, or a
/// file cannot be written.
pub(super) fn run(args: &ExportWebArgs, console: &Console) -> Result<Ended> {
    if !has_games() {
        let reason = "the engine of the page plays none of this program's games";
        return Err(Error::input("page", reason)
            .remedy("`spar play` plays them in a terminal, `spar uci` for a graphical board"));
    }
    check_empty(&args.folder, args.force)?;
    // Sets that cannot be read are refused before anything is written.
    let names = args.sets.iter().map(|name| candidate_of(name, args.candidate));
    let own = names.map(|name| OwnSet::read(&name, console)).collect::<Result<Vec<_>>>()?;
    let mut sets: Vec<ShippedFiles> = own.into_iter().map(OwnSet::files).collect::<Result<_>>()?;
    check_shown(&sets, &args.only)?;
    let books = args.books.iter().map(|path| OwnBook::read(path, &args.only));
    let books = books.collect::<Result<Vec<_>>>()?;
    sets.extend(shipped_files()?);
    sets.retain(|set| is_wanted(&set.entry, &args.only));
    let mut output = ExportFolder { path: &args.folder, files: Vec::new(), bytes: 0 };
    let only: Vec<String> = args.only.iter().map(Only::to_string).collect();
    output.write("index.html", page(PageHost::Folder, &only).as_bytes())?;
    output.write("LICENSE", LICENSE.as_bytes())?;
    for file in FILES {
        output.write(&format!("assets/{}", file.path), &file.stripped())?;
    }
    for (name, bytes) in sets.iter().flat_map(|set| &set.files) {
        output.write(&format!("assets/{SETS}/{name}"), bytes)?;
    }
    let entries: Vec<&SetEntry> = sets.iter().map(|set| &set.entry).collect();
    let list =
        serde_json::to_vec(&entries).map_err(|error| Error::failed("list of sets", error))?;
    output.write(&format!("assets/{SETS}/{INDEX}"), &list)?;
    write_books(&mut output, books, &args.only)?;
    output.tell(console)
}

/// An opening book added to the program's books in the folder, packed.
struct OwnBook {
    entry: BookEntry,
    bytes: Vec<u8>,
}

impl OwnBook {
    fn read(path: &Path, only: &[Only]) -> Result<Self> {
        let book = match OpeningBook::load_small(path)? {
            Some(book) => book,
            None => OpeningBook::of(&OpeningTree::load(path)?),
        };
        let title = name_of_file(path).unwrap_or_else(|| BOOKS.into());
        let entry = BookEntry {
            name: format!("{OWN}{title}"),
            game: book.game().name().into(),
            board: book.board().to_string(),
            file: format!("{OWN}{title}.bin.gz"),
            title: Some(title),
        };
        let refuse = |reason, remedy| Err(Error::input(path.display(), reason).remedy(remedy));
        if !GAMES.contains(&entry.game.as_str()) {
            let reason = format!("a book of {}, which the page does not play", entry.game);
            return refuse(reason, format!("the page plays {}", GAMES.join(", ")));
        }
        if !is_for(&entry, only) {
            let reason = format!("--only leaves {} on {} out", entry.game, entry.board);
            return refuse(reason, "name its game in --only too, or leave out the book".into());
        }
        Ok(Self { entry, bytes: pack_book(&book).map_err(|error| error.within(path.display()))? })
    }
}

/// Whether the page is for the board of a book.
fn is_for(book: &BookEntry, only: &[Only]) -> bool {
    let suits = |only: &Only| {
        let board = only.board.map(|board| board.to_string());
        only.game.name() == book.game && board.is_none_or(|board| board == book.board)
    };
    only.is_empty() || only.iter().any(suits)
}

/// Writes the books that were asked for and the program's for the boards that the page is for, and
/// their list.
fn write_books(output: &mut ExportFolder, own: Vec<OwnBook>, only: &[Only]) -> Result<()> {
    let mut books = Vec::new();
    for OwnBook { entry, bytes } in own {
        output.write(&format!("assets/{BOOKS}/{}", entry.file), &bytes)?;
        books.push(entry);
    }
    for book in book_entries()?.into_iter().filter(|book| is_for(book, only)) {
        if let Some(bytes) = book_file(&book.file)? {
            output.write(&format!("assets/{BOOKS}/{}", book.file), &bytes)?;
        }
        books.push(book);
    }
    let list = serde_json::to_vec(&books).map_err(|e| Error::failed("list of books", e))?;
    output.write(&format!("assets/{BOOKS}/{INDEX}"), &list)
}

/// The game, and perhaps its board, that a page is for.
#[derive(Clone, Debug)]
struct Only {
    game: GameId,
    board: Option<Board>,
}

impl FromStr for Only {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (game, board) = text.split_once('/').map_or((text, None), |(g, b)| (g, Some(b)));
        let found = GameId::find(game);
        let Some(game) = found.filter(|game| GAMES.contains(&game.name())) else {
            let place = format!("game `{}`", shorten(game));
            return Err(Error::input(place, "the page does not play it")
                .remedy(suggest(game, GAMES, "it plays")));
        };
        let board = board.map(str::parse).transpose()?;
        board.map(|board| game.start(board)).transpose()?;
        Ok(Self { game, board })
    }
}

impl fmt::Display for Only {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.board {
            Some(board) => write!(f, "{}/{board}", self.game),
            None => write!(f, "{}", self.game),
        }
    }
}

/// Whether the page has a set; it has all where nothing was chosen.
fn is_wanted(set: &SetEntry, only: &[Only]) -> bool {
    let suits = |only: &Only| {
        set.suits(only.game.name(), only.board.map(|board| board.to_string()).as_deref())
    };
    only.is_empty() || only.iter().any(suits)
}

/// Refuses a set that was asked for and that the page could not offer.
fn check_shown(own: &[ShippedFiles], only: &[Only]) -> Result<()> {
    match own.iter().find(|set| !is_wanted(&set.entry, only)) {
        None => Ok(()),
        Some(ShippedFiles { entry, .. }) => {
            let board = entry.fits.as_ref().map_or(String::new(), |board| format!(" on {board}"));
            let reason = format!("--only leaves {}{board} out", entry.game);
            Err(Error::input(format!("set `{}`", entry.name), reason)
                .remedy("name its game in --only too, or leave out the set"))
        }
    }
}

/// Checks that a folder may be written into.
fn check_empty(folder: &Path, force: bool) -> Result<()> {
    if force || !folder.exists() {
        return Ok(());
    }
    let mut files = fs::read_dir(folder).map_err(|error| Error::io(folder, "read", error))?;
    if files.next().is_none() {
        return Ok(());
    }
    Err(Error::input(folder.display(), "the folder is not empty")
        .remedy("name another one, or give --force to overwrite files in it"))
}

/// A set added to the program's sets in the folder.
struct OwnSet {
    /// Its name in the folder.
    name: String,
    /// Its title on the page, if it differs from the name.
    title: Option<String>,
    set: WeightSet,
}

impl OwnSet {
    fn read(named: &str, console: &Console) -> Result<Self> {
        let game = infer::game(&[named]);
        let found = NamedSet::find(named, game.name())?;
        found.tell(console);
        let set = found.read(game.name())?;
        let (name, title) = match found.run_set() {
            Some(of_run) => name_of_run(of_run),
            None => (name_of_file(Path::new(named)), None),
        };
        Ok(Self { name: format!("{OWN}{}", name.unwrap_or_else(|| set.name.clone())), title, set })
    }

    /// Its file, in the compact form packed by gzip.
    fn files(self) -> Result<ShippedFiles> {
        let Self { name, title, set } = self;
        let bytes = set.to_compact().map_err(|error| error.within(&name))?;
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        let packed = encoder.write_all(&bytes).and_then(|()| encoder.finish());
        let packed = packed.map_err(|error| Error::failed(&name, error))?;
        let file = format!("{name}.bin.gz");
        let entry = SetEntry::new(name, file.clone(), &set, packed.len() as u64);
        Ok(ShippedFiles { entry: SetEntry { title, ..entry }, files: vec![(file, packed.into())] })
    }
}

/// The name and the title of a set of a run; a colon cannot be in the names of all files.
fn name_of_run(set: &RunSet) -> (Option<String>, Option<String>) {
    let run = set.run.canonicalize().unwrap_or_else(|_| set.run.clone());
    let Some(run) = run.file_name().map(|name| name.to_string_lossy().into_owned()) else {
        return (None, None);
    };
    let name = match set.role {
        SetRole::Start => format!("{run}.start"),
        SetRole::Candidate => format!("{run}.candidate"),
        SetRole::Accepted | SetRole::Unknown => run.clone(),
    };
    (Some(name), set.title(&run))
}

/// The name of the set in a file: the file's stem, or the folder's name for a run's `weights.json`
/// or `candidate.json`.
fn name_of_file(path: &Path) -> Option<String> {
    let last = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    match stem.as_deref() {
        Some("weights" | "candidate") => path.parent().and_then(last).or(stem),
        _ if path.extension().is_some() => stem,
        _ => last(path),
    }
}

/// The folder that is being written.
struct ExportFolder<'a> {
    path: &'a Path,
    files: Vec<String>,
    bytes: u64,
}

impl ExportFolder<'_> {
    /// Writes a file, once.
    fn write(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        if self.files.iter().any(|written| written == name) {
            return Ok(());
        }
        let path = self.path.join(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| Error::io(folder, "create", error))?;
        }
        files::write_atomically(&path, bytes, Links::Followed)?;
        self.files.push(name.to_owned());
        self.bytes += bytes.len() as u64;
        Ok(())
    }

    fn tell(self, console: &Console) -> Result<Ended> {
        let Self { path, files, bytes } = self;
        if console.json {
            let folder = path.display().to_string();
            console.document(&ExportWebJson { folder, files, bytes })?;
        } else {
            let count = units::count(files.len() as u64);
            let size = units::count(bytes);
            console.say(format!("wrote {}, {count} files, {size} bytes", path.display()))?;
            let folder = quote_path(path);
            console.aside(format!(
                "to look at it: python3 -m http.server --bind 127.0.0.1 -d {folder}"
            ));
        }
        Ok(Ended::Done)
    }
}
