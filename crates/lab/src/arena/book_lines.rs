//! The openings of a file, one a line, and the order in which they are taken.

use super::book_file::BookFile;
use super::game_tags::GameTags;
use super::pgn_reader::{self, PgnGame};
use super::seed::derive;
use crate::any::AnyOpening;
use crate::error::{Error, Result};
use crate::game::Board;
use crate::games::GameId;
use crate::opening_tree::{OpeningTree, check_has_lines, is_tree};
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

/// The most openings of a file.
const MOST_OPENINGS: usize = 1 << 28;
/// The fields of a position in EPD.
const EPD_FIELDS: usize = 4;
/// The place below a seed for the order of each pass through the openings.
const ORDER: u64 = 7;

/// The distinct openings of a file.
#[derive(Debug)]
pub(super) struct Openings {
    game: GameId,
    board: Board,
    plies: u32,
    /// Lines of positions, optionally with moves.
    text: String,
    /// The byte ranges of the openings' lines in `text`.
    places: Vec<Range<usize>>,
}

impl Openings {
    /// The openings that the file or a copy of it has already read, or else reads now.
    fn of(file: &BookFile, game: GameId, board: Board) -> Result<Arc<Self>> {
        let known = file.read.0.get().filter(|known| {
            known.game == game && known.board == board && known.plies == file.plies
        });
        if let Some(known) = known {
            return Ok(known.clone());
        }
        let read = Arc::new(Self::read(file, game, board)?);
        let _ = file.read.0.set(read.clone());
        Ok(read)
    }

    fn read(file: &BookFile, game: GameId, board: Board) -> Result<Self> {
        let text = file.text()?;
        check_has_lines(text.as_bytes()).map_err(|error| error.within(file.place()))?;
        // Only UTF-16 and UTF-32 text has zero bytes.
        if text.contains('\0') {
            return Err(Error::input(file.place(), "there are zero bytes in it, so it is no text in UTF-8")
                .remedy("name a list of positions, games in PGN or a book of `book build`; convert text with `iconv -t utf-8`"));
        }
        let text = match is_tree(text.as_bytes()) {
            true => tree_text(file, game, &text)?,
            false => text,
        };
        let is_pgn = pgn_reader::is_pgn(&text);
        let text = if is_pgn { games_text(file, (game, board), &text)? } else { text };
        let (mut known, mut places, mut from) = (HashSet::new(), Vec::new(), 0);
        for (number, line) in (1..).zip(text.split_inclusive('\n')) {
            let whole = from..from + line.trim_end().len();
            from += line.len();
            if line.trim().is_empty() || line.trim_start().starts_with(['#', ';']) {
                continue;
            }
            let what = if is_pgn { "opening" } else { "line" };
            let opening = read_line((game, board), line)
                .and_then(|opening| checked(opening, board))
                .map_err(|error| error.within(format!("{}, {what} {number}", file.place())))?;
            if known.insert(opening.position.key()) && places.len() < MOST_OPENINGS {
                places.push(whole);
            }
        }
        Ok(Self { game, board, plies: file.plies, text, places })
    }
}

/// The openings of a part of a file.
pub(super) struct BookLines {
    openings: Arc<Openings>,
    /// The byte ranges of the part's lines in the openings' text.
    places: Vec<Range<usize>>,
    seed: u64,
}

impl BookLines {
    /// Reads and checks a file; `seed` decides the order of its openings.
    ///
    /// # Errors
    /// When the file cannot be read or has changed, when a line or a game in it cannot be played on
    /// the board, or when there is no opening in it.
    pub(super) fn read(file: &BookFile, game: GameId, board: Board, seed: u64) -> Result<Self> {
        let openings = Openings::of(file, game, board)?;
        let count = openings.places.len() as u64;
        let of_part = (0..count).zip(&openings.places);
        let of_part = of_part.filter(|&(index, _)| file.part.has(index, count));
        let places: Vec<Range<usize>> = of_part.map(|(_, place)| place.clone()).collect();
        if places.is_empty() {
            let (reason, remedy) = match count {
                0 => ("there is no opening in it", "name a file of positions or games"),
                _ => ("one opening is too few for a tune and its validation", "name a longer book"),
            };
            return Err(Error::input(file.place(), reason).remedy(remedy));
        }
        Ok(Self { openings, places, seed })
    }

    /// The opening of a number: each comes once in a random order, then again in another.
    pub(super) fn opening(&self, number: u64) -> Option<AnyOpening> {
        let count = self.places.len() as u64;
        let seed = derive(self.seed, &[ORDER, number / count]);
        let place = self.places.get(permuted(number % count, count, seed) as usize)?;
        let &Openings { game, board, ref text, .. } = &*self.openings;
        read_line((game, board), text.get(place.clone())?).ok()
    }
}

/// Checks that an opening is on the board and does not end the game.
fn checked(opening: AnyOpening, board: Board) -> Result<AnyOpening> {
    let own = opening.position.board();
    if own != board {
        let reason = format!("a position on {own}, but the games are on {board}");
        return Err(Error::input("", reason).remedy(format!("give --board {own}, or another book")));
    }
    if let Some(fault) = opening.position.fault() {
        return Err(Error::failed("", fault));
    }
    match opening.position.outcome() {
        None => Ok(opening),
        Some(_) => Err(Error::input("", "the game is over here").remedy("leave the line out")),
    }
}

/// Reads a position (FEN, EPD without its operations, or `startpos` for the start of the board),
/// and the moves from there after the word `moves`; or all that as UCI writes it, after `position`
/// or `fen`.
fn read_line((game, board): (GameId, Board), line: &str) -> Result<AnyOpening> {
    let mut words = words_before_semicolon(line).peekable();
    for prefix in ["position", "fen"] {
        words.next_if_eq(&prefix);
    }
    let (mut fields, mut has_moves) = (Vec::new(), false);
    for word in words.by_ref() {
        let is_word = word.starts_with(|first: char| first.is_ascii_alphabetic());
        has_moves = word == "moves";
        // Operations of EPD follow the four fields, and begin with a letter.
        if has_moves || fields.len() >= EPD_FIELDS && is_word {
            break;
        }
        fields.push(word);
    }
    let start = match fields[..] {
        ["startpos"] => game.start(board),
        _ => game.from_fen(&fields.join(" ")),
    };
    let mut opening = AnyOpening::new(start?);
    for word in words.filter(|_| has_moves) {
        opening.push(opening.position.parse_move(word)?);
    }
    Ok(opening)
}

/// The words of a line up to its first semicolon.
fn words_before_semicolon(line: &str) -> impl Iterator<Item = &str> {
    line.split(';').next().unwrap_or_default().split_whitespace()
}

/// The openings of games, one a line: the first plies of each game that lasts longer.
fn games_text(file: &BookFile, (game, board): (GameId, Board), text: &str) -> Result<String> {
    let mut lines = String::new();
    for PgnGame { line, fen, tags, moves, is_open } in pgn_reader::games(text) {
        let place = |error: Error| error.within(format!("{}, game at line {line}", file.place()));
        let [variant, size] = tags.each_ref().map(Option::as_deref);
        GameTags { variant, board: size }.check(game, Some(board)).map_err(place)?;
        if is_open {
            let place = format!("{}, game at line {line}", file.place());
            return Err(Error::input(place, "a comment or variation is not closed")
                .remedy("close it with } or )"));
        }
        let start = match fen {
            Some(fen) => game.from_fen(&fen),
            None => game.start(board),
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

/// The openings of an opening tree, one a line: near-even ends of its lines.
fn tree_text(file: &BookFile, game: GameId, text: &str) -> Result<String> {
    let tree = OpeningTree::from_bytes(text.as_bytes()).map_err(|e| e.within(file.place()))?;
    if tree.game() != game {
        let reason = format!("an opening book of {}, not of {game}", tree.game());
        return Err(Error::input(file.place(), reason).remedy("name a book of the game"));
    }
    Ok(tree.openings_text(file.plies))
}

/// The place of `index` in a random order of the numbers below `count`: a Feistel network, applied
/// again until its result is below `count`.
pub(super) fn permuted(index: u64, count: u64, seed: u64) -> u64 {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::BookPart;
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
            (
                "[A \"b\"]\n\n1. a2a3 {no end a7a6\n\n[A \"c\"]\n\n1. b2b3 *\n",
                ["line 1", "is not closed"],
            ),
            ("[A \"b\"]\n\n1. a2a3 *\n\n[A \"c\"]\n\n1. b2b3 (1. c2c3 *\n", ["line 5", "close it"]),
        ] {
            let (_folder, file) = write("book.epd", text.as_bytes());
            let error = lines(&file, "breakthrough").err().unwrap().to_string();
            assert!(words.iter().all(|word| error.contains(word)), "{text}: {error}");
        }
        let wide: Vec<u8> = "startpos\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let (_folder, file) = write("book.epd", &wide);
        assert!(lines(&file, "breakthrough").err().unwrap().to_string().contains("iconv"));
        for name in ["shipped", "breakthrough/8x8"] {
            let error = BookFile::find(name.as_ref(), 4).unwrap_err().to_string();
            assert!(error.contains(name) && error.contains("`book build`"), "{error}");
        }
        let (_folder, file) = write("book.epd", b"startpos\rstartpos moves a2a3\r");
        assert_eq!(lines(&file, "breakthrough").unwrap().places.len(), 2);
        let windows = "\u{feff}startpos\r\n  # a remark\r\nstartpos moves a2a3 \r\n";
        let (_folder, file) = write("book.epd", windows.as_bytes());
        assert_eq!(lines(&file, "breakthrough").unwrap().places.len(), 2);
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
        let untagged = "1. a2a3 a7a6 2. b2b3 b7b6 1-0 {a comment}\r\r1. b2b3 a7a6 2. c2c3 b7b6 *\r\
            { one more } 1.c2c3 (1. d2d3 1-0) a7a6 2. d2d3 b7b6 1/2-1/2 [Event \"no tag\"]\r";
        let (_folder, same) = write("untagged.pgn", untagged.as_bytes());
        assert_eq!(lines(&same, "breakthrough").unwrap().places.len(), 3);
        let game: GameId = "breakthrough".parse().unwrap();
        for text in ["1. a2a3 b4b3 2. e2e3 d4d3 *", "startpos moves a2a3 b4b3 e2e3 d4d3"] {
            let (_folder, small) = write("small.pgn", text.as_bytes());
            let book = BookLines::read(&small, game, Board::new(5, 5), 1).unwrap();
            assert_eq!(book.opening(0).unwrap().text(), "a2a3 b4b3 e2e3 d4d3");
        }
        let longer = BookFile { plies: 9, ..file };
        assert!(lines(&longer, "breakthrough").err().unwrap().to_string().contains("--book-plies"));
    }

    #[test]
    fn a_game_without_moves_does_not_give_its_tags_to_the_next() {
        let fen = "[FEN \"pppppppp/pppppppp/8/8/8/3P4/PPP1PPPP/PPPPPPPP b - - 0 1\"]";
        let rest = "[Event \"b\"]\n\n1. a2a3 a7a6 2. b2b3 b7b6 3. c2c3 *\n";
        for empty in [format!("[Event \"a\"]\n{fen}\n\n"), format!("[Event \"a\"]\n{fen}\n")] {
            let (_folder, file) = write("book.pgn", format!("; by hand\n{empty}{rest}").as_bytes());
            let book = lines(&file, "breakthrough").unwrap();
            assert_eq!(book.opening(0).unwrap().text(), "a2a3 a7a6 b2b3 b7b6", "{empty}");
        }
        let twice =
            format!("{fen}\n[ECO \"A\"]\n[ECO \"B\"]\n\n1. a7a6 a2a3 2. b7b6 b2b3 3. c7c6 *\n");
        let (_folder, file) = write("book.pgn", twice.as_bytes());
        assert_eq!(
            lines(&file, "breakthrough").unwrap().opening(0).unwrap().text(),
            "a7a6 a2a3 b7b6 b2b3"
        );
    }

    #[test]
    fn games_of_another_game_or_board_are_refused() {
        for (tags, words) in [
            ("[Variant \"ataxx\"]", "--game ataxx"),
            ("[Variant \"Crazyhouse\"]", "`Crazyhouse`"),
            ("[Variant \"Breakthrough\"]\n[Board \"5x5\"]", "--board 5x5"),
        ] {
            let text = format!("{tags}\n\n1. a2a3 a7a6 2. b2b3 b7b6 3. c2c3 *\n");
            let (_folder, file) = write("book.pgn", text.as_bytes());
            let error = lines(&file, "breakthrough").err().unwrap().to_string();
            assert!(error.contains("game at line 1") && error.contains(words), "{tags}: {error}");
        }
    }

    #[test]
    fn positions_are_read_as_uci_writes_them() {
        let fen = "pppppppp/pppppppp/8/8/8/3P4/PPP1PPPP/PPPPPPPP b - - 0 1";
        let text = format!(
            "; a remark\nposition startpos moves a2a3\nposition startpos\nfen {fen}\nstartpos moves b2b3;x\n\
             position fen {fen} moves a7a6\nfen {fen} moves \nstartpos moves\n"
        );
        let (_folder, file) = write("book.txt", text.as_bytes());
        assert_eq!(lines(&file, "breakthrough").unwrap().places.len(), 5);
    }

    #[cfg(feature = "chess")]
    #[test]
    fn operations_of_epd_are_skipped() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        for operations in
            ["c0 \"candidate moves e4 ; d4\"; id \"x\";", "c0 best moves e2e4; bm d4;"]
        {
            let (_folder, file) = write("book.epd", format!("{start} {operations}\n").as_bytes());
            assert_eq!(
                lines(&file, "chess").unwrap().opening(0).unwrap().text(),
                "",
                "{operations}"
            );
        }
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
