//! Moves that a person gives: words with spaces between, or a game as exports have it, with
//! headers, numbers of moves, comments and a result.

use super::play::typed_move::read_typed;
use crate::any::{AnyOpening, AnyPosition};
use crate::arena::game_tags::GameTags;
use crate::error::{Error, Result, shorten};
use crate::files::without_byte_order_mark;
use crate::game::STARTPOS;
use crate::games::GameId;

const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// A text of moves, taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Pasted<'a> {
    headers: Vec<(&'a str, &'a str)>,
    /// The moves as they are written.
    pub(super) words: Vec<&'a str>,
    /// The text after the result.
    rest: Option<&'a str>,
    /// The comment or variation whose end is missing: what follows it would be lost.
    unclosed: Option<&'a str>,
}

impl<'a> Pasted<'a> {
    /// Takes a text apart.
    pub(super) fn new(text: &'a str) -> Self {
        let text = without_byte_order_mark(text).trim();
        let (mut pasted, mut rest) = (Self::default(), text);
        while let Some(first) = rest.chars().next() {
            let after = match first {
                '{' => after(rest, "}"),
                // On a single line, it only separates two moves.
                ';' if text.contains('\n') => after(rest, "\n").or(Some("")),
                ';' => None,
                '(' => after_variation(rest),
                '[' if rest.contains("\"]") => {
                    pasted.headers.extend(header(rest));
                    after(rest, "\"]")
                }
                _ if pasted.rest.is_some() => break,
                _ => Some(pasted.word(rest)),
            };
            let Some(after) = after else {
                pasted.unclosed = Some(rest);
                break;
            };
            rest = after.trim_start();
        }
        pasted
    }

    /// The value of a header; of several the first.
    pub(super) fn header(&self, name: &str) -> Option<&'a str> {
        self.headers.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// The headers that name the game and the board.
    pub(super) fn tags(&self) -> GameTags<'a> {
        GameTags { variant: self.header("Variant"), board: self.header("Board") }
    }

    /// The moves, played from this position.
    ///
    /// # Errors
    /// When the headers name another game, board or position, one is no legal move, something
    /// follows the result, or a comment has no end.
    pub(super) fn moves(&self, game: GameId, start: AnyPosition) -> Result<AnyOpening> {
        self.tags().check(game, Some(start.board()))?;
        if let Some(fen) = self.header("FEN").filter(|fen| fen.trim() != STARTPOS)
            && game.from_fen(fen).map_err(|error| error.within("tag FEN"))?.key() != start.key()
        {
            return Err(Error::input("tag FEN", "another position than the one given")
                .remedy("leave one of them out"));
        }
        let mut line = AnyOpening::new(start);
        for (index, word) in self.words.iter().enumerate() {
            let place = || format!("ply {}", index + 1);
            line.push(read_typed(&line.position, word).map_err(|error| error.within(place()))?);
        }
        if let Some(rest) = self.unclosed {
            let place = format!("`{}`", shorten(rest));
            return Err(Error::input(place, "a comment or variation is not closed")
                .remedy("close it, or separate moves by blanks"));
        }
        match self.rest {
            Some(rest) if !rest.is_empty() => {
                let place = format!("`{}`", shorten(rest));
                Err(Error::input(place, "follows the result").remedy("give one game"))
            }
            _ => Ok(line),
        }
    }

    /// Reads the word that a text begins with, and returns what follows it.
    fn word(&mut self, text: &'a str) -> &'a str {
        let end = |c: char| c.is_whitespace() || matches!(c, '{' | '(' | ';' | '[');
        let (word, rest) = text.split_at(text.find(end).unwrap_or(text.len()).max(1));
        if RESULTS.contains(&word) {
            self.rest = Some(before_comments(rest.trim_start()));
            return rest;
        }
        // A number stands before a move, with a space between or without one.
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        let is_number = digits > 0 && word[digits..].starts_with('.');
        let word = if is_number { word[digits..].trim_start_matches('.') } else { word };
        if !word.is_empty() && !word.starts_with('$') {
            self.words.push(word);
        }
        rest
    }
}

/// The header at the beginning of a text: `[Name "value"]`.
fn header(text: &str) -> Option<(&str, &str)> {
    let (inner, _) = text.strip_prefix('[')?.split_once("\"]")?;
    inner.split_once(" \"")
}

/// The text after the first `end`, where there is one.
fn after<'a>(text: &'a str, end: &str) -> Option<&'a str> {
    text.split_once(end).map(|(_, rest)| rest)
}

/// The text after a variation, which may hold others; `None` where it has no end.
fn after_variation(text: &str) -> Option<&str> {
    let mut depth = 0;
    let end = text.find(|c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0
    });
    end.map(|end| &text[end + 1..])
}

/// The text after a result, unless it is a comment.
fn before_comments(rest: &str) -> &str {
    if rest.starts_with(['{', ';']) { "" } else { rest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Game;
    use crate::games::{Ataxx, Breakthrough, Breakthru};

    fn line<G: Game>(text: &str) -> String {
        let game = GameId::of::<G>();
        match Pasted::new(text).moves(game, game.start(game.default_board).unwrap()) {
            Ok(line) => line.text(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn games_are_read_as_programs_write_them() {
        let wanted = "a2a3 b7b6 a3a4 b6b5 a4b5";
        for text in [
            "a2a3 b7b6 a3a4 b6b5 a4b5",
            "a2a3 b7b6 a3a4 b6b5 a4b5*",
            "A2-A3 B7-B6 a3-a4 b6-b5 a4xb5",
            "1. a2a3 b7b6 2. a3a4 b6b5 3. a4b5 *",
            "1.a2a3 {book} b7b6{book} 2.a3a4 (2. b2b3 (2. c2c3) b6b5) 2... b6b5 3.a4b5 1-0",
            "a2a3 $1 b7b6 ; a comment\n a3a4! b6b5?! a4:b5# 1/2-1/2 {over}",
            "\u{feff}a2a3 b7b6\na3a4 b6b5\na4b5 ; the end",
            "[Event \"a; b\"]\n[Variant \"Breakthrough\"]\n[Board \"8x8\"]\n[FEN \"startpos\"]\n\n1. a2a3 b7b6 2. a3a4\nb6b5 3. a4b5 0-1\n\n",
        ] {
            assert_eq!(line::<Breakthrough>(text), wanted, "{text}");
        }
        assert_eq!(line::<Ataxx>("1. g2 { single } a2 2. g1e1 P@b1 1-0"), "g2 a2 g1e1 b1");
        assert_eq!(line::<Breakthru>("1. d6-c6 * "), "d6-c6");
        assert_eq!(line::<Breakthrough>(""), "");
    }

    #[test]
    fn what_is_no_game_is_refused_where_it_stands() {
        for (text, place) in [
            ("a2a3 hello", "ply 2"),
            ("a2a3 [ b7b6", "ply 2"),
            ("1. a2a3 * 1. b2b3", "follows the result"),
            ("1 a2a3", "ply 1"),
            ("a2a3 b3", "ply 2"),
            ("a2a3; b7b6", "`; b7b6`"),
            ("a2a3;b7b6", "`;b7b6`"),
            ("a2a3 {book b7b6", "`{book b7b6`"),
            ("a2a3 (b2b3 b7b6", "`(b2b3 b7b6`"),
            ("a2a3 (b2b3 (c2c3) b7b6", "is not closed"),
            ("[Variant \"Crazyhouse\"]\n1. a2a3 *", "`Crazyhouse`"),
            ("[Variant \"Ataxx\"]\n1. a2a3 *", "--game ataxx"),
            ("[Board \"5x5\"]\n1. a2a3 *", "--board 5x5"),
            ("[FEN \"p7/8/8/8/8/8/P7/8 w - - 0 1\"]\n1. a2a3 *", "another position"),
            ("[FEN \"x\"]\n1. a2a3 *", "tag FEN"),
        ] {
            assert!(
                line::<Breakthrough>(text).contains(place),
                "{text}: {}",
                line::<Breakthrough>(text)
            );
        }
    }

    #[test]
    fn headers_are_told() {
        let text = "[Event \"a \\\"b\\\" c\"]\n[FEN \"8/8 w\"]\n[Variant \"ataxx\"]\n\n*\n";
        let pasted = Pasted::new(text);
        assert_eq!(pasted.header("FEN"), Some("8/8 w"));
        assert_eq!(pasted.header("Variant"), Some("ataxx"));
        assert_eq!((pasted.header("fen"), pasted.words.len()), (None, 0));
    }
}
