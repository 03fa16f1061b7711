//! The texts that a file of openings may hold: lists of positions, games and opening trees.

use super::file::BookFile;
use crate::any::AnyOpening;
use crate::arena::pgn;
use crate::error::{Error, Result};
use crate::game::Board;
use crate::games::GameId;
use crate::opening_tree::{OpeningTree, check_has_lines, is_tree};

/// The fields of a position in EPD.
const EPD_FIELDS: usize = 4;

/// The openings of a file, one a line, and what a line is called in errors.
///
/// # Errors
/// When the file cannot be read or has changed, holds no text, or holds games or a tree of which no
/// opening can be taken.
pub(super) fn opening_lines(
    file: &BookFile,
    (game, board): (GameId, Board),
) -> Result<(String, &'static str)> {
    let text = file.text()?;
    check_has_lines(text.as_bytes()).map_err(|error| error.within(file.place()))?;
    // Only UTF-16 and UTF-32 text has zero bytes.
    if text.contains('\0') {
        return Err(Error::input(file.place(), "there are zero bytes in it, so it is no text in UTF-8")
            .remedy("name a list of positions, games in PGN or a book of `book build`; convert text with `iconv -t utf-8`"));
    }
    if is_tree(text.as_bytes()) {
        Ok((tree_text(file, game, &text)?, "line"))
    } else if pgn::is_pgn(&text) {
        Ok((games_text(file, (game, board), &text)?, "opening"))
    } else {
        Ok((text, "line"))
    }
}

/// Reads a position (FEN, EPD without its operations, or `startpos` for the start of the board),
/// and the moves from there after the word `moves`; or all that as UCI writes it, after `position`
/// or `fen`.
pub(super) fn read_line((game, board): (GameId, Board), line: &str) -> Result<AnyOpening> {
    let before_semicolon = line.split(';').next().unwrap_or_default();
    let mut words = before_semicolon.split_whitespace().peekable();
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

/// The openings of games, one a line: the first plies of each game that lasts longer.
fn games_text(file: &BookFile, (game, board): (GameId, Board), text: &str) -> Result<String> {
    let mut lines = String::new();
    for pgn in pgn::games(text) {
        let place = || format!("{}, game at line {}", file.place(), pgn.line);
        let within = |error: Error| error.within(place());
        pgn.game_tags().check(game, Some(board)).map_err(within)?;
        if pgn.unclosed.is_some() {
            return Err(Error::input(place(), "a comment or variation is not closed")
                .remedy("close it with } or )"));
        }
        let start = match pgn.tag("FEN") {
            Some(fen) => game.from_fen(fen),
            None => game.start(board),
        };
        let mut opening = AnyOpening::new(start.map_err(within)?);
        for word in pgn.moves().take(file.plies as usize) {
            opening.push(opening.position.parse_move(word).map_err(within)?);
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

/// Checks that an opening is on the board and does not end the game.
pub(super) fn checked(opening: AnyOpening, board: Board) -> Result<AnyOpening> {
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

#[cfg(test)]
mod tests {
    use super::super::lines::BookLines;
    use super::super::lines::tests::{count, lines, write};
    use super::*;
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
        assert_eq!(count(&lines(&file, "breakthrough").unwrap()), 2);
        let windows = "\u{feff}startpos\r\n  # a remark\r\nstartpos moves a2a3 \r\n";
        let (_folder, file) = write("book.epd", windows.as_bytes());
        assert_eq!(count(&lines(&file, "breakthrough").unwrap()), 2);
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
        assert_eq!(count(&book), 1);
        assert_eq!(book.opening(5).unwrap().text(), "a2a3 a7a6 b2b3 b7b6");
        let untagged = "1. a2a3 a7a6 2. b2b3 b7b6 1-0 {a comment}\r\r1. b2b3 a7a6 2. c2c3 b7b6 *\r\
            { one more } 1.c2c3 (1. d2d3 1-0) a7a6 2. d2d3 b7b6 1/2-1/2 [Event \"no tag\"]\r";
        let (_folder, same) = write("untagged.pgn", untagged.as_bytes());
        assert_eq!(count(&lines(&same, "breakthrough").unwrap()), 3);
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
        assert_eq!(count(&lines(&file, "breakthrough").unwrap()), 5);
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
        assert_eq!(count(&lines(&file, "chess").unwrap()), 3);
        let pgn = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1/2-1/2\n";
        let (_folder, file) =
            write("book.pgn", format!("[Result \"1/2-1/2\"]\n\n{pgn}").as_bytes());
        assert_eq!(
            lines(&file, "chess").unwrap().opening(0).unwrap().text(),
            "e2e4 e7e5 g1f3 b8c6"
        );
    }
}
