//! Moves as people type them: `e2e4`, `e2 e4`, `e2-e4`, `e2xe4`, `e2e4*`, or only the destination
//! square if one move leads to it.

use crate::any::{AnyMove, AnyPosition};
use crate::error::{Error, Result, shorten};

/// Reads a legal move as a person may have typed it.
///
/// # Errors
/// When the text is no move, an illegal one, or ambiguous.
pub(in crate::cli) fn read_typed(position: &AnyPosition, typed: &str) -> Result<AnyMove> {
    // Drops annotations such as `!`, and `*` for a capture.
    let typed = match typed.trim_end_matches(['*', '+', '#', '!', '?']) {
        "" => typed,
        bare => bare,
    };
    let lower = typed.to_lowercase();
    // Moves are written in lower case in most games; typed capitals are no reason to refuse.
    let exact = position.parse_move(typed);
    let Err(error) = exact.or_else(|error| position.parse_move(&lower).map_err(|_| error)) else {
        return position.parse_move(typed).or_else(|_| position.parse_move(&lower));
    };
    let Some(squares) = squares(&lower) else { return Err(error) };
    let squares_of = |mv: &AnyMove| self::squares(&position.move_text(*mv)).unwrap_or_default();
    let fits = |mv: &AnyMove| match squares.as_slice() {
        [to] => squares_of(mv).last() == Some(to),
        all => squares_of(mv) == all,
    };
    let found: Vec<AnyMove> = position.moves().into_iter().filter(fits).collect();
    match (found.as_slice(), squares.as_slice()) {
        (&[mv], _) => Ok(mv),
        ([], [square]) => Err(Error::input(format!("move `{}`", shorten(typed)), "illegal here")
            .remedy(format!("no move leads to {square}; legal are: {}", legal(position)))),
        // The move is written the game's way, so the game's own error fits.
        ([], _) => position.parse_move(&squares.concat()),
        (several, _) => {
            let names: Vec<String> = several.iter().map(|&mv| position.move_text(mv)).collect();
            Err(Error::input(format!("move `{}`", shorten(typed)), "several moves lead there")
                .remedy(format!("write one of {}", names.join(" "))))
        }
    }
}

/// The legal moves in a position.
fn legal(position: &AnyPosition) -> String {
    let moves = position.moves();
    let names: Vec<String> = moves.iter().map(|&mv| position.move_text(mv)).collect();
    if names.is_empty() { "none, as the game is over".into() } else { names.join(" ") }
}

/// The squares of a move, in order; `None` if the text contains anything but squares and signs
/// between them.
pub(in crate::cli) fn squares(text: &str) -> Option<Vec<String>> {
    let (mut squares, mut rest) = (Vec::new(), text.trim());
    while let Some(first) = rest.chars().next() {
        let digits = rest[first.len_utf8()..].chars().take_while(char::is_ascii_digit).count();
        if first.is_ascii_lowercase() && digits > 0 {
            let (square, behind) = rest.split_at(1 + digits);
            squares.push(square.to_owned());
            rest = behind;
        } else if matches!(first, ' ' | '-' | 'x' | ':') && !squares.is_empty() {
            rest = &rest[1..];
        } else {
            return None;
        }
    }
    (!squares.is_empty()).then_some(squares)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Side;
    use crate::games::{Ataxx, Breakthru, GameId};

    fn reads(position: &AnyPosition, typed: &str) -> String {
        match read_typed(position, typed) {
            Ok(mv) => position.move_text(mv),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn moves_are_understood_in_every_usual_form() {
        let start = GameId::default().start(GameId::default().default_board).unwrap();
        for typed in ["a2a3", "A2A3", "a2 a3", "a2-a3", "a2 - a3", "a2xa3", "a2a3*", "a2-a3!?"] {
            assert_eq!(reads(&start, typed), "a2a3", "{typed}");
        }
        assert!(reads(&start, "a3").contains("write one of"), "{}", reads(&start, "a3"));
        // Other commands read moves here too, and have no word that lists them.
        let refusal = reads(&start, "a5");
        assert!(refusal.contains("no move leads to a5; legal are: b2a3 "), "{refusal}");
        assert!(reads(&start, "a2 a5").contains("illegal here; legal are: a2a3 a2b3"));
        for typed in ["", "hello", "a2+a3", "xa3", "a2a3!a", "*", "é2a3", "a", "2"] {
            assert!(read_typed(&start, typed).is_err(), "{typed}");
        }
        let alone = GameId::default().from_fen("8/3p4/8/8/8/8/8/P7 w - - 0 1").unwrap();
        assert_eq!(reads(&alone, "b2"), "a1b2");
    }

    #[test]
    fn other_games_keep_their_own_forms() {
        let ataxx = GameId::of::<Ataxx>();
        let ataxx = ataxx.start(ataxx.default_board).unwrap();
        assert_eq!(reads(&ataxx, "b7"), "b7", "a clone goes before the jumps to the square");
        assert_eq!(reads(&ataxx, "a7 a5"), "a7a5");
        let breakthru = AnyPosition::of(Breakthru::begun_by(Side::First));
        assert_eq!(reads(&breakthru, "d6 e6"), "d6-e6");
        assert!(reads(&breakthru, "d6 b6").contains("legal are: d6-e6"));
    }
}
