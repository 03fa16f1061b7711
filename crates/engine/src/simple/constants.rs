//! Compile-time checks of a game's constants.

use super::squares::{MAX_SETS, MAX_SQUARES, sign_count, stride};
use super::{Features, Rules};

/// The greatest number of features of a game.
pub(super) const MAX_FEATURES: usize = 64;

/// Fails the build of a game whose constants are invalid.
pub(super) const fn check_constants<R: Rules>() {
    assert!(is_name(R::NAME), "NAME: lower-case letters and digits");
    assert!(R::HAS_DRAWS || !R::REPEATS, "HAS_DRAWS is false, and by REPEATS games are drawn");
    check_signs::<R>();
    let [first, second] = R::SIDE_NAMES;
    assert!(is_word(first) && is_word(second), "SIDE_NAMES: a word each, without spaces");
    assert!(!is_same(first, second), "SIDE_NAMES: both sides have one name");
    let squares = stride(R::BOARD) as usize * R::BOARD.rows() as usize;
    assert!(squares <= MAX_SQUARES, "BOARD: more than 128 squares");
}

const fn check_signs<R: Rules>() {
    let (first, second) = (R::SIGNS[0].as_bytes(), R::SIGNS[1].as_bytes());
    assert!(first.len() == second.len(), "SIGNS: the sides need the same number of signs");
    assert!(!first.is_empty() && sign_count::<R>() <= MAX_SETS, "SIGNS: one to six a side");
    let mut seen = [false; 128];
    let mut n = 0;
    while n < sign_count::<R>() {
        let sign = if n < first.len() { first[n] } else { second[n - first.len()] };
        let is_free = sign.is_ascii_graphic() && !sign.is_ascii_digit() && sign != b'/';
        assert!(is_free, "SIGNS: ASCII signs, no digits, no slash");
        assert!(!seen[sign as usize], "SIGNS: two kinds of pieces have one sign");
        seen[sign as usize] = true;
        n += 1;
    }
}

/// Fails the build of a game whose features are not valid in weight files.
pub(super) const fn check_features<R: Features>() {
    let features = R::FEATURES;
    assert!(features.len() <= MAX_FEATURES, "FEATURES: more than 64");
    let mut n = 0;
    while n < features.len() {
        assert!(is_feature(features[n].name), "FEATURES: names have letters, digits, - and _ only");
        let mut before = 0;
        while before < n {
            let is_double = is_same(features[before].name, features[n].name);
            assert!(!is_double, "FEATURES: two have one name");
            before += 1;
        }
        n += 1;
    }
}

/// The kinds of names among a game's constants.
#[derive(Clone, Copy)]
enum NameKind {
    Game,
    Feature,
    /// A side's name, which may use letters of any language.
    Side,
}

impl NameKind {
    const fn may_have(self, byte: u8) -> bool {
        match self {
            Self::Game => byte.is_ascii_lowercase() || byte.is_ascii_digit(),
            Self::Feature => byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-',
            Self::Side => byte > b' ' && byte != 0x7f,
        }
    }

    /// Whether a name is not empty and has only allowed bytes.
    const fn fits(self, text: &str) -> bool {
        let bytes = text.as_bytes();
        let mut n = 0;
        while n < bytes.len() {
            if !self.may_have(bytes[n]) {
                return false;
            }
            n += 1;
        }
        !bytes.is_empty()
    }
}

pub(crate) const fn is_name(name: &str) -> bool {
    NameKind::Game.fits(name)
}

pub(crate) const fn is_feature(name: &str) -> bool {
    NameKind::Feature.fits(name)
}

const fn is_word(name: &str) -> bool {
    NameKind::Side.fits(name)
}

const fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut n = 0;
    while n < a.len() {
        if a[n] != b[n] {
            return false;
        }
        n += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_the_characters_of_files_and_commands() {
        assert!(is_name("connect4") && !is_name("Connect4") && !is_name("a b") && !is_name(""));
        assert!(is_feature("open_two") && is_feature("X-squares"));
        let refused = ["", "two lines", "danger@late", "a,b", "a=b", "gr\u{f6}\u{df}e"];
        assert!(refused.iter().all(|name| !is_feature(name)));
        assert!(is_word("wei\u{df}") && !is_word("the first") && !is_word(""));
        assert!(is_same("x", "x") && !is_same("x", "o") && !is_same("x", "xx"));
    }
}
