//! The moves of a game in PGN, between comments, variations and numbers.

use super::Tag;

/// The words that end a game.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// The length in bytes of the moves at the beginning of a text: up to the end of the result, or up
/// to the tags of the next game at the beginning of a line. Also the comment or variation in them
/// that is never closed.
pub(super) fn moves_length(text: &str) -> (usize, Option<&str>) {
    let (mut length, mut is_comment, mut depth) = (0, false, 0_usize);
    let mut opened = 0;
    for line in text.split_inclusive('\n') {
        if !is_comment && Tag::first(line).is_some() {
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
                return (length + at + result.len(), None);
            }
            before = sign;
            if depth == 0 && !is_comment && matches!(sign, b'{' | b'(') {
                opened = length + at;
            }
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
    (length, (is_comment || depth > 0).then(|| &text[opened..length]))
}

/// Whether a text begins with a word.
fn is_word(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|rest| rest.chars().next().is_none_or(ends_word))
}

/// Whether a sign ends a word.
fn ends_word(sign: char) -> bool {
    sign.is_whitespace() || "{}();".contains(sign)
}

/// The words of a game that are moves: comments, variations, numbers, glyphs and the result are
/// skipped.
#[derive(Clone, Copy, Debug)]
pub struct MoveWords<'a> {
    rest: &'a str,
    line_comment: Option<&'a str>,
}

impl<'a> MoveWords<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { rest: text, line_comment: None }
    }

    /// The last comment to the end of a line that was skipped so far.
    pub fn line_comment(&self) -> Option<&'a str> {
        self.line_comment
    }
}

impl<'a> Iterator for MoveWords<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let mut depth = 0_usize;
        loop {
            self.rest = self.rest.trim_start();
            let rest = self.rest;
            let first = rest.chars().next()?;
            let length = match first {
                '{' => rest.find('}').map_or(rest.len(), |end| end + 1),
                ';' | '%' => {
                    let end = rest.find('\n').unwrap_or(rest.len());
                    self.line_comment = Some(&rest[..end]);
                    end
                }
                '(' | ')' => 1,
                _ => rest.find(ends_word).unwrap_or(rest.len()).max(first.len_utf8()),
            };
            let (word, rest) = rest.split_at(length);
            self.rest = rest;
            match first {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                '{' | ';' | '%' => {}
                _ if depth > 0 => {}
                _ => match word_of_move(word) {
                    Some(mv) => return Some(mv),
                    None => continue,
                },
            }
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
    // Digits alone need not be a number: castling is written with zeros, and so are passes.
    let is_number = digits == word.len() && word.bytes().any(|digit| digit != b'0');
    let word = match word[digits..].starts_with('.') {
        true => word[digits..].trim_start_matches('.'),
        false if is_number => "",
        false => word,
    };
    let word = word.trim_end_matches(['!', '?']);
    (!word.is_empty()).then_some(word)
}
