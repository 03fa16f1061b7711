//! Reads PGN files as far as openings need it: where each game begins, and its moves.

use std::collections::HashSet;

/// A game of a file.
pub(super) struct PgnGame<'a> {
    /// The line at which it begins, from 1.
    pub(super) line: usize,
    /// Its start, where a tag names one.
    pub(super) fen: Option<String>,
    /// The tags `Variant` and `Board`.
    pub(super) tags: [Option<String>; 2],
    /// The moves of its main line.
    pub(super) moves: MoveWords<'a>,
    /// Whether a comment or variation in it is never closed, which hides moves and later games.
    pub(super) is_open: bool,
}

/// The words that end a game.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// Whether a text holds games, not positions: after comments to the end of a line, it begins with a
/// tag, another comment, or the number of a move.
pub(super) fn is_pgn(text: &str) -> bool {
    let mut text = text.trim_start();
    while text.starts_with(';') {
        text = text.split_once('\n').map_or("", |(_, rest)| rest).trim_start();
    }
    let number = text.bytes().take_while(u8::is_ascii_digit).count();
    text.starts_with(['[', '{', '%']) || number > 0 && text[number..].starts_with('.')
}

/// The words of a game that are moves.
pub(super) struct MoveWords<'a>(&'a str);

/// The games of a text, one after the other.
pub(super) fn games(text: &str) -> impl Iterator<Item = PgnGame<'_>> {
    let (mut from, mut line) = (0, 1);
    let games = std::iter::from_fn(move || {
        let game = text.get(from..)?;
        let begin = game.find(|sign: char| !sign.is_whitespace())?;
        line += newlines(&game[..begin]);
        let (game, at) = (&game[begin..], line);
        let tags = tags_length(game);
        let (tag_text, rest) = game.split_at(tags);
        let (length, is_open) = moves_length(rest);
        from += begin + tags + length;
        line += newlines(&game[..tags + length]);
        let value = |name| tag_text.lines().find_map(|tag| tag_value(tag, name));
        let (fen, tags) = (value("FEN"), ["Variant", "Board"].map(value));
        Some(PgnGame { line: at, fen, tags, moves: MoveWords(&rest[..length]), is_open })
    });
    // The text after a result need not be another game.
    games.filter(|game| game.is_open || MoveWords(game.moves.0).next().is_some())
}

fn newlines(text: &str) -> usize {
    text.bytes().filter(|&byte| byte == b'\n').count()
}

/// The length in bytes of the lines of tags at the beginning of a game. A second `Event`, or a tag
/// that occurs again after an empty line, is of the next game: this one has no moves.
fn tags_length(game: &str) -> usize {
    let (mut length, mut names, mut is_apart) = (0, HashSet::new(), false);
    for line in game.split_inclusive('\n') {
        let text = line.trim();
        if let Some(tag) = text.strip_prefix('[') {
            let name = tag.split_whitespace().next();
            if !names.insert(name) && (is_apart || name == Some("Event")) {
                break;
            }
        } else if text.is_empty() {
            is_apart = true;
        } else {
            break;
        }
        length += line.len();
    }
    length
}

/// The length in bytes up to the end of the result, or up to the tags of the next game: a line
/// outside comments that begins with a bracket. Also whether a comment or variation before that is
/// never closed.
fn moves_length(text: &str) -> (usize, bool) {
    let (mut length, mut is_comment, mut depth) = (0, false, 0_usize);
    for line in text.split_inclusive('\n') {
        if line.starts_with('[') && !is_comment {
            break;
        }
        let mut before = b' ';
        for (at, sign) in line.bytes().enumerate() {
            let begins_word = before.is_ascii_whitespace() || b"})".contains(&before);
            if begins_word
                && !is_comment
                && depth == 0
                && let Some(result) = RESULTS.iter().find(|result| is_word(&line[at..], result))
            {
                return (length + at + result.len(), false);
            }
            before = sign;
            match sign {
                b'{' => is_comment = true,
                b'}' => is_comment = false,
                _ if is_comment => {}
                b';' | b'%' => break,
                b'(' => depth += 1,
                b')' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        length += line.len();
    }
    (length, is_comment || depth > 0)
}

/// Whether a text begins with a word.
fn is_word(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|rest| {
        rest.chars().next().is_none_or(|next| next.is_whitespace() || "{}();".contains(next))
    })
}

/// The value of a tag of this name.
fn tag_value(tag: &str, name: &str) -> Option<String> {
    let rest = tag.trim().strip_prefix('[')?.trim_start().strip_prefix(name)?;
    let value = rest.trim_start().strip_prefix('"')?;
    let end = value.rfind('"')?;
    Some(value[..end].replace("\\\"", "\"").replace("\\\\", "\\"))
}

impl<'a> Iterator for MoveWords<'a> {
    type Item = &'a str;

    /// The next move: comments, variations, numbers, glyphs and the result are skipped.
    fn next(&mut self) -> Option<&'a str> {
        let mut depth = 0_usize;
        loop {
            self.0 = self.0.trim_start();
            let first = self.0.chars().next()?;
            let (skipped, depth_after) = match first {
                '{' => (self.0.find('}').map_or(self.0.len(), |end| end + 1), depth),
                ';' | '%' => (self.0.find('\n').unwrap_or(self.0.len()), depth),
                '(' => (1, depth + 1),
                ')' => (1, depth.saturating_sub(1)),
                _ => {
                    let is_end = |sign: char| sign.is_whitespace() || "{}();".contains(sign);
                    let end = self.0.find(is_end).unwrap_or(self.0.len()).max(first.len_utf8());
                    let word = &self.0[..end];
                    self.0 = &self.0[end..];
                    match word_of_move(word).filter(|_| depth == 0) {
                        Some(mv) => return Some(mv),
                        None => continue,
                    }
                }
            };
            self.0 = &self.0[skipped..];
            depth = depth_after;
        }
    }
}

/// The move in a word, without the number before it and the `!` and `?` after it; `None` where
/// nothing is left.
fn word_of_move(word: &str) -> Option<&str> {
    if RESULTS.contains(&word) || word.starts_with('$') {
        return None;
    }
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    // A digit alone does not make a number: castling may be written with zeros.
    let word = match word[digits..].starts_with('.') {
        true => word[digits..].trim_start_matches('.'),
        false if digits == word.len() => "",
        false => word,
    };
    let word = word.trim_end_matches(['!', '?']);
    (!word.is_empty()).then_some(word)
}
