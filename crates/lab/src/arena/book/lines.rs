//! The openings of a file, one a line, and the order in which they are taken.

use super::file::BookFile;
use super::texts::{checked, opening_lines, read_line};
use crate::any::AnyOpening;
use crate::arena::seed::derive;
use crate::error::{Error, Result};
use crate::game::Board;
use crate::games::GameId;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

/// The most openings of a file.
const MOST_OPENINGS: usize = 1 << 28;
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
        let (text, what) = opening_lines(file, (game, board))?;
        let (mut known, mut places, mut from) = (HashSet::new(), Vec::new(), 0);
        for (number, line) in (1..).zip(text.split_inclusive('\n')) {
            let whole = from..from + line.trim_end().len();
            from += line.len();
            if line.trim().is_empty() || line.trim_start().starts_with(['#', ';']) {
                continue;
            }
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
pub(super) mod tests {
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

    pub(in super::super) fn write(name: &str, bytes: &[u8]) -> (tempfile::TempDir, BookFile) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        (folder, BookFile::find(&path, 4).unwrap())
    }

    pub(in super::super) fn lines(file: &BookFile, game: &str) -> Result<BookLines> {
        let game: GameId = game.parse().unwrap();
        BookLines::read(file, game, game.default_board, 1)
    }

    pub(in super::super) fn count(lines: &BookLines) -> usize {
        lines.places.len()
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
}
