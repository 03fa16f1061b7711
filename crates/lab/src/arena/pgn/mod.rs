//! Reads games in PGN: their tags, and the moves of their main lines.

mod game_tags;
mod moves;

pub use game_tags::GameTags;
pub use moves::MoveWords;

use moves::moves_length;
use std::collections::HashSet;

/// A game of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PgnGame<'a> {
    /// The line of the text at which it begins, from 1.
    pub line: usize,
    /// Its tags, then its moves.
    text: &'a str,
    /// The length of its tags in bytes.
    tags: usize,
    /// The comment or variation in it that is never closed, which hides moves and later games.
    pub unclosed: Option<&'a str>,
}

impl<'a> PgnGame<'a> {
    /// The text of the game.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// The value of its first tag of this name, as it is written.
    pub fn tag(&self, name: &str) -> Option<&'a str> {
        let tags = self.text[..self.tags].lines().flat_map(|line| {
            let mut rest = line;
            std::iter::from_fn(move || {
                rest = rest.trim_start();
                let tag = Tag::first(rest)?;
                rest = &rest[tag.length..];
                Some(tag)
            })
        });
        tags.filter(|tag| tag.name == name).find_map(|tag| tag.value)
    }

    /// The tags that say what is played.
    pub fn game_tags(&self) -> GameTags<'a> {
        GameTags { variant: self.tag("Variant"), board: self.tag("Board") }
    }

    /// The moves of its main line.
    pub fn moves(&self) -> MoveWords<'a> {
        MoveWords::new(&self.text[self.tags..])
    }

    /// Whether there is neither a move nor a tag in it: the text after a result need not be another
    /// game.
    pub fn is_remark(&self) -> bool {
        self.tags == 0 && self.unclosed.is_none() && self.moves().next().is_none()
    }
}

/// Whether a text holds games, not positions: after comments to the end of a line, it begins with a
/// tag, another comment, or the number of a move.
pub fn is_pgn(text: &str) -> bool {
    let mut text = text.trim_start();
    while text.starts_with(';') {
        text = text.split_once('\n').map_or("", |(_, rest)| rest).trim_start();
    }
    let number = text.bytes().take_while(u8::is_ascii_digit).count();
    text.starts_with(['[', '{', '%']) || number > 0 && text[number..].starts_with('.')
}

/// The games of a text, one after the other, without mere remarks.
pub fn games(text: &str) -> impl Iterator<Item = PgnGame<'_>> {
    let (mut rest, mut line) = (text, 1);
    let games = std::iter::from_fn(move || {
        let begin = rest.find(|sign: char| !sign.is_whitespace())?;
        line += newlines(&rest[..begin]);
        let game = &rest[begin..];
        let tags = tags_length(game);
        let (moves, unclosed) = moves_length(&game[tags..]);
        let game = PgnGame { line, text: &game[..tags + moves], tags, unclosed };
        rest = &rest[begin + tags + moves..];
        line += newlines(game.text);
        Some(game)
    });
    games.filter(|game| !game.is_remark())
}

fn newlines(text: &str) -> usize {
    text.bytes().filter(|&byte| byte == b'\n').count()
}

/// A tag, `[Name "value"]`.
struct Tag<'a> {
    name: &'a str,
    /// Its value, unless it is written without quotes.
    value: Option<&'a str>,
    /// Its length in bytes.
    length: usize,
}

impl<'a> Tag<'a> {
    /// The tag that a text begins with.
    fn first(text: &'a str) -> Option<Self> {
        let line = text.lines().next()?;
        let inner = line.strip_prefix('[')?.trim_start();
        let name_length = inner.find(|sign: char| sign.is_whitespace() || "\"]".contains(sign))?;
        let (name, rest) = inner.split_at(name_length);
        if !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
            return None;
        }
        let length_before = |rest: &str| line.len() - rest.len();
        let Some(quoted) = rest.trim_start().strip_prefix('"') else {
            let end = rest.find(']')? + 1;
            return Some(Self { name, value: None, length: length_before(&rest[end..]) });
        };
        // Quotes in a value may lack their backslash: one that ends it has a bracket after it.
        quoted.match_indices('"').find_map(|(end, _)| {
            let rest = quoted[end + 1..].trim_start().strip_prefix(']')?;
            Some(Self { name, value: Some(&quoted[..end]), length: length_before(rest) })
        })
    }
}

/// The length in bytes of the tags at the beginning of a game. A second `Event`, or a tag that
/// occurs again after an empty line, is of the next game: this one has no moves.
fn tags_length(game: &str) -> usize {
    let (mut length, mut names, mut is_apart) = (0, HashSet::new(), false);
    loop {
        let rest = &game[length..];
        let tag_text = rest.trim_start();
        let blank = rest.len() - tag_text.len();
        is_apart |= newlines(&rest[..blank]) > 1;
        let Some(tag) = Tag::first(tag_text) else { return length };
        if !names.insert(tag.name) && (is_apart || tag.name == "Event") {
            return length;
        }
        length += blank + tag.length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_read_wherever_they_stand() {
        let text = "[Event \"a \\\"b\\\" [c]\"] [Round 3]\n[ White \"x \"y\" z\" ]\n[FEN \"8/8 w\"] 1. a2a3 *\n\
            [FEN \"second\"]\n\n*\n";
        let games: Vec<PgnGame<'_>> = games(text).collect();
        let first = games[0];
        assert_eq!(games.len(), 2);
        assert_eq!(first.tag("Event"), Some("a \\\"b\\\" [c]"));
        assert_eq!([first.tag("White"), first.tag("FEN")], [Some("x \"y\" z"), Some("8/8 w")]);
        assert_eq!([first.tag("Round"), first.tag("fen")], [None, None]);
        assert_eq!(first.moves().collect::<Vec<_>>(), ["a2a3"]);
        assert_eq!((games[1].line, games[1].tag("FEN")), (4, Some("second")));
        assert_eq!(games[1].moves().next(), None);
    }

    #[test]
    fn every_text_is_read_to_its_end() {
        for text in
            ["[", "[ a2a3", "[Event", "[Event \"a", "a2a3\n[ b7b6\n", "[]", "[\"\"]", "[é", "]"]
        {
            let words: usize = games(text).map(|game| game.moves().count()).sum();
            assert!(words > 0, "{text}");
        }
    }
}
