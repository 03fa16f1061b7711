//! Files of openings: lists of positions (EPD, FEN, or what follows `position` in UCI, one a line),
//! and games as PGN, plain or compressed by gzip or zstd.
//!
//! A file is known by its SHA-256, so that a run goes on with the same openings. It is read whole
//! and checked before a run begins; of each position the first line counts.

use super::pgn_reader::{self, PgnGame};
use super::remote::digest;
use super::seed::derive;
use crate::any::AnyOpening;
use crate::error::{Error, Result, shorten};
use crate::files::{self, Links};
use crate::game::Board;
use crate::games::GameId;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::io::Read;
use std::ops::Range;
use std::path::Path;

/// The most bytes of a file, and of what is in it.
const MOST_BYTES: u64 = 1 << 31;
/// The first bytes of compressed files.
const GZIP: [u8; 2] = [0x1f, 0x8b];
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// The most openings of a file.
const MOST_OPENINGS: usize = 1 << 28;
/// The place below a seed of each way through the openings.
const ORDER: u64 = 7;
/// The seed by which the openings of a tune are parted from those of its validation: the same for
/// all runs with the file.
const PARTING: u64 = 0;
/// Of four openings, those for the tune; the others are for its validation.
const TUNED_ON: u64 = 3;

/// A file of openings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BookFile {
    /// Its path.
    pub path: String,
    /// The SHA-256 of its bytes, in hexadecimal digits.
    pub sha256: String,
    /// The plies that are taken of each game, where the file has games.
    pub plies: u32,
    /// Which of its openings are used.
    #[serde(default, skip_serializing_if = "BookPart::is_all")]
    pub part: BookPart,
}

/// Which openings of a file are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum BookPart {
    /// All.
    #[default]
    All,
    /// Three of four, on which a run tunes.
    Tune,
    /// The others, on which it validates its answer.
    Validation,
}

impl BookPart {
    fn is_all(&self) -> bool {
        *self == Self::All
    }

    fn has(self, index: u64, count: u64) -> bool {
        let is_tuned_on = 4 * permuted(index, count, PARTING) < TUNED_ON * count;
        match self {
            Self::All => true,
            Self::Tune => is_tuned_on,
            Self::Validation => !is_tuned_on,
        }
    }
}

impl BookFile {
    /// The plies taken of each game by default.
    pub const PLIES: u32 = 16;

    /// A file as it is now, under its full path.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn find(path: &Path, plies: u32) -> Result<Self> {
        let sha256 = digest(&files::read(path, Links::Followed, MOST_BYTES)?);
        let full = path.canonicalize().map_err(|error| Error::io(path, "find", error))?;
        let text = full.to_str().ok_or_else(|| {
            Error::input(full.display(), "the path is not Unicode").remedy("rename the file")
        })?;
        Ok(Self { path: text.to_owned(), sha256, plies, part: BookPart::All })
    }

    /// The file's name without its folder.
    pub fn name(&self) -> &str {
        Path::new(&self.path).file_name().and_then(|name| name.to_str()).unwrap_or(&self.path)
    }

    fn place(&self) -> String {
        format!("book `{}`", self.path)
    }

    /// The file's text, once it is seen to be the one of the digest.
    fn text(&self) -> Result<String> {
        let bytes = files::read(Path::new(&self.path), Links::Followed, MOST_BYTES)?;
        if digest(&bytes) != self.sha256 {
            let reason = "the file has changed since the run began (another SHA-256)";
            return Err(Error::input(self.place(), reason)
                .remedy("restore it as it was, or begin a new run"));
        }
        let unpacked = match &bytes[..] {
            packed if packed.starts_with(&GZIP) => {
                read_to_end(flate2::read::MultiGzDecoder::new(packed))
            }
            packed if packed.starts_with(&ZSTD) => zstd::Decoder::new(packed).and_then(read_to_end),
            _ => Ok(bytes),
        };
        let unpacked = unpacked.map_err(|error| {
            Error::input(self.place(), format!("cannot be unpacked: {error}"))
                .remedy("name a file that gzip or zstd has written whole")
        })?;
        // Old files of games have names of players in other encodings.
        Ok(String::from_utf8(unpacked)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
    }
}

fn read_to_end(from: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 <= MOST_BYTES {
        true => Ok(bytes),
        false => Err(std::io::Error::other("there is more than 2 GiB in it")),
    }
}

/// The openings of a file, which are different.
pub(super) struct BookLines {
    game: GameId,
    /// Lines of positions, perhaps with moves.
    text: String,
    /// Where the lines of the openings stand.
    places: Vec<Range<usize>>,
    seed: u64,
}

impl BookLines {
    /// Reads and checks a file; `seed` decides the order of its openings.
    ///
    /// # Errors
    /// When it cannot be read, has changed, a line or a game of it cannot be played on the board,
    /// or there is no opening in it.
    pub(super) fn read(file: &BookFile, game: GameId, board: Board, seed: u64) -> Result<Self> {
        let text = file.text()?;
        let is_pgn = text.trim_start_matches('\u{feff}').trim_start().starts_with('[');
        let text = if is_pgn { games_text(file, game, &text)? } else { text };
        let (mut known, mut places, mut from) = (HashSet::new(), Vec::new(), 0);
        for (number, line) in (1..).zip(text.split_inclusive('\n')) {
            let whole = from..from + line.trim_end().len();
            from += line.len();
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let what = if is_pgn { "opening" } else { "line" };
            let opening = read_line(game, line)
                .and_then(|opening| checked(opening, board))
                .map_err(|error| error.within(format!("{}, {what} {number}", file.place())))?;
            if known.insert(opening.position.key()) && places.len() < MOST_OPENINGS {
                places.push(whole);
            }
        }
        let count = places.len() as u64;
        let mut index = 0..count;
        places.retain(|_| index.next().is_some_and(|index| file.part.has(index, count)));
        if places.is_empty() {
            let (reason, remedy) = match count {
                0 => ("there is no opening in it", "name a file of positions or games"),
                _ => ("one opening is too few for a tune and its validation", "name a longer book"),
            };
            return Err(Error::input(file.place(), reason).remedy(remedy));
        }
        Ok(Self { game, text, places, seed })
    }

    /// The opening of a number: each once in an order by chance, then each once in another order.
    pub(super) fn opening(&self, number: u64) -> Option<AnyOpening> {
        let count = self.places.len() as u64;
        let seed = derive(self.seed, &[ORDER, number / count]);
        let place = self.places.get(permuted(number % count, count, seed) as usize)?;
        read_line(self.game, self.text.get(place.clone())?).ok()
    }
}

/// An opening that the game can go on from, on the board.
fn checked(opening: AnyOpening, board: Board) -> Result<AnyOpening> {
    let own = opening.position.board();
    if own != board {
        let reason = format!("a position on {own}, but the games are on {board}");
        return Err(Error::input("", reason).remedy(format!("give --board {own}, or another book")));
    }
    match opening.position.outcome() {
        None => Ok(opening),
        Some(_) => Err(Error::input("", "the game is over here").remedy("leave the line out")),
    }
}

/// Reads a position as FEN or EPD, whose opcodes are skipped, or `startpos`; and after the word
/// `moves` those that are played from there.
fn read_line(game: GameId, line: &str) -> Result<AnyOpening> {
    let line = line.split(';').next().unwrap_or_default().trim();
    let (position, moves) = line.split_once(" moves ").unwrap_or((line, ""));
    let mut fields: Vec<&str> = position.split_whitespace().collect();
    // Operations of EPD follow the four fields, and begin with a letter.
    let is_operation = |field: &&str| field.starts_with(|first: char| first.is_ascii_alphabetic());
    if let Some(operation) = fields.iter().skip(4).position(is_operation) {
        fields.truncate(4 + operation);
    }
    let mut opening = AnyOpening::new(game.from_fen(&fields.join(" "))?);
    for word in moves.split_whitespace() {
        opening.push(opening.position.parse_move(word)?);
    }
    Ok(opening)
}

/// The openings of games, one a line: the first plies of each game that lasts longer.
fn games_text(file: &BookFile, game: GameId, text: &str) -> Result<String> {
    let mut lines = String::new();
    for PgnGame { line, fen, moves } in pgn_reader::games(text) {
        let place = |error: Error| error.within(format!("{}, game at line {line}", file.place()));
        let start = match fen {
            Some(fen) => game.from_fen(&fen),
            None => game.start(game.default_board),
        };
        let mut opening = AnyOpening::new(start.map_err(place)?);
        for word in moves.take(file.plies as usize) {
            opening.push(opening.position.parse_move(word).map_err(place)?);
        }
        if opening.moves.len() == file.plies as usize && opening.position.outcome().is_none() {
            lines += &format!("{} moves {}\n", opening.start.fen(), opening.text());
        }
    }
    match lines.is_empty() {
        false => Ok(lines),
        true => Err(Error::input(
            file.place(),
            format!("no game in it lasts longer than {} plies", file.plies),
        )
        .remedy("take fewer with --book-plies")),
    }
}

/// Where a number below `count` stands in an order by chance, by a Feistel network whose numbers
/// beyond the count are put through again.
fn permuted(index: u64, count: u64, seed: u64) -> u64 {
    let half = (64 - count.leading_zeros()).div_ceil(2).max(1);
    let mask = (1 << half) - 1;
    let mut number = index;
    loop {
        let (mut left, mut right) = (number >> half, number & mask);
        for round in 0..4 {
            (left, right) = (right, left ^ derive(seed, &[round, right]) & mask);
        }
        number = left << half | right;
        if number < count {
            return number;
        }
    }
}

impl BookFile {
    /// What it is called in errors of a command line.
    ///
    /// # Errors
    /// When the digest, which may come from a file, is none.
    pub fn check(&self) -> Result<()> {
        let is_digest =
            self.sha256.len() == 64 && self.sha256.bytes().all(|b| b.is_ascii_hexdigit());
        if !is_digest {
            let place = format!("SHA-256 `{}`", shorten(&self.sha256));
            return Err(Error::input(place, "not 64 hexadecimal digits"));
        }
        match self.plies {
            0 => Err(Error::input("--book-plies 0", "there is nothing to take of a game")
                .remedy("give at least 1")),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn each_number_has_a_place_of_its_own() {
        for count in [1, 2, 3, 7, 64, 65, 1000] {
            for seed in 0..3 {
                let mut places: Vec<u64> = (0..count).map(|n| permuted(n, count, seed)).collect();
                let is_shuffled = !places.is_sorted();
                places.sort_unstable();
                assert_eq!(places, (0..count).collect::<Vec<_>>());
                assert!(is_shuffled || count < 7, "{count}");
            }
        }
    }

    fn write(name: &str, bytes: &[u8]) -> (tempfile::TempDir, BookFile) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        (folder, BookFile::find(&path, 4).unwrap())
    }

    fn lines(file: &BookFile, game: &str) -> Result<BookLines> {
        let game: GameId = game.parse().unwrap();
        BookLines::read(file, game, game.default_board, 1)
    }

    fn all(lines: &BookLines) -> Vec<String> {
        let count = lines.places.len() as u64;
        let mut all: Vec<String> =
            (0..count).map(|n| lines.opening(n).unwrap().position.fen()).collect();
        all.sort();
        all
    }

    const BREAKTHROUGH: &str = "# comment\n\
        pppppppp/pppppppp/8/8/8/3P4/PPP1PPPP/PPPPPPPP b - - 0 1\n\n\
        startpos moves a2a3 a7a6\n\
        pppppppp/pppppppp/8/8/8/3P4/PPP1PPPP/PPPPPPPP b - - 7 9; the same\n\
        startpos moves a2a3\n";

    #[test]
    fn lists_of_positions_are_read_in_any_packing() {
        let gzip = {
            let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            gzip.write_all(BREAKTHROUGH.as_bytes()).unwrap();
            gzip.finish().unwrap()
        };
        let zstd = zstd::encode_all(BREAKTHROUGH.as_bytes(), 1).unwrap();
        let read = |bytes: &[u8]| {
            let (_folder, file) = write("book.txt", bytes);
            all(&lines(&file, "breakthrough").unwrap())
        };
        let plain = read(BREAKTHROUGH.as_bytes());
        assert_eq!(plain.len(), 3);
        assert_eq!([read(&gzip), read(&zstd)], [plain.clone(), plain]);
        let (_folder, file) = write("cut.gz", &gzip[..gzip.len() - 9]);
        assert!(lines(&file, "breakthrough").err().unwrap().to_string().contains("unpacked"));
    }

    #[test]
    fn every_opening_comes_before_one_comes_again_and_parts_have_none_in_common() {
        let text: String = ["a2a3", "b2b3", "c2c3", "d2d3", "e2e3", "f2f3", "g2g3", "h2h3"]
            .map(|mv| format!("startpos moves {mv}\n"))
            .concat();
        let (_folder, file) = write("book.txt", text.as_bytes());
        let book = lines(&file, "breakthrough").unwrap();
        let round = |round: u64| -> Vec<String> {
            (8 * round..8 * round + 8).map(|n| book.opening(n).unwrap().text()).collect()
        };
        let sorted = |mut texts: Vec<String>| {
            texts.sort();
            texts
        };
        assert_eq!(sorted(round(0)), sorted(round(1)));
        assert_ne!(round(0), round(1));
        let part = |part| all(&lines(&BookFile { part, ..file.clone() }, "breakthrough").unwrap());
        let (tune, validation) = (part(BookPart::Tune), part(BookPart::Validation));
        assert_eq!((tune.len(), validation.len()), (6, 2));
        assert!(validation.iter().all(|fen| !tune.contains(fen)));
    }

    #[test]
    fn what_cannot_be_an_opening_is_named() {
        for (text, words) in [
            ("startpos\npppp w - -\n", ["line 2", "rows"]),
            ("startpos moves a2a5\n", ["line 1", "illegal"]),
            ("ppp/ppp/3/PPP/PPP w - - 0 1\n", ["line 1", "3x5"]),
            ("3P4/8/8/8/8/8/pp6/8 b - - 0 1\n", ["line 1", "over"]),
            ("# nothing\n", ["no opening", "name a file"]),
        ] {
            let (_folder, file) = write("book.epd", text.as_bytes());
            let error = lines(&file, "breakthrough").err().unwrap().to_string();
            assert!(words.iter().all(|word| error.contains(word)), "{text}: {error}");
        }
        let (_folder, file) = write("book.epd", b"startpos\n");
        std::fs::write(&file.path, "startpos moves a2a3\n").unwrap();
        assert!(lines(&file, "breakthrough").err().unwrap().to_string().contains("has changed"));
    }

    #[test]
    fn games_of_others_are_read() {
        let text = "[Event \"a [b] \\\"c\\\"\"]\n[FEN \"pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1\"]\n\n\
            1. a2a3 {a ( comment} a7a6 (1... b7b6 2. a3a4 (2. b2b3)) 2.b2b3 $1 b7b6! ; the rest\n3. c2c3 1-0\n\n\
            [Event \"short\"]\n\n1. a2a3 *\n";
        let (_folder, file) = write("book.pgn", text.as_bytes());
        let book = lines(&file, "breakthrough").unwrap();
        assert_eq!(book.places.len(), 1);
        assert_eq!(book.opening(5).unwrap().text(), "a2a3 a7a6 b2b3 b7b6");
        let longer = BookFile { plies: 9, ..file };
        assert!(lines(&longer, "breakthrough").err().unwrap().to_string().contains("--book-plies"));
    }

    #[cfg(feature = "chess")]
    #[test]
    fn operations_of_epd_are_skipped() {
        let text = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; id \"x; y\";\n\
            rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\n\
            rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - hmvc 0; fmvn 1;\n";
        let (_folder, file) = write("book.epd", text.as_bytes());
        assert_eq!(lines(&file, "chess").unwrap().places.len(), 3);
        let pgn = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1/2-1/2\n";
        let (_folder, file) =
            write("book.pgn", format!("[Result \"1/2-1/2\"]\n\n{pgn}").as_bytes());
        assert_eq!(
            lines(&file, "chess").unwrap().opening(0).unwrap().text(),
            "e2e4 e7e5 g1f3 b8c6"
        );
    }
}
