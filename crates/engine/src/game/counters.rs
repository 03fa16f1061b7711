//! The counters at the end of a chess FEN: the plies since the last irreversible move, and the move
//! number. Positions do not store them, since no rule depends on them. A game with such a rule has
//! the counter in its positions. A frontend carries the counters along when it shows the user's FEN
//! again.

use crate::any::{AnyMove, AnyPosition, Variant};
use crate::error::shorten;
use crate::game::{FenFault, Side};

/// The two counters of a FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FenCounters {
    /// Plies since the last irreversible move. Here only captures reset it.
    pub plies: u32,
    /// The number of the move; it grows after each turn of the second side.
    pub number: u32,
}

impl FenCounters {
    /// Reads the fields after the side to move: two optional dashes, then the counters, of which
    /// the last ones may be missing. `None` if there are no counters.
    ///
    /// # Errors
    /// When a field is neither a dash nor a counter, or there are too many fields.
    pub fn read(fields: &[&str]) -> Result<Option<Self>, FenFault> {
        let dashes = fields.iter().take(2).take_while(|&&field| field == "-").count();
        let numbers = &fields[dashes..];
        if let (1, Some(first)) = (dashes, numbers.first()) {
            let reason = format!("`{}` is not `-`; there are two dashes or none", shorten(first));
            return Err(("fourth field".into(), reason));
        }
        let number = |index: usize, place: &str, missing: u32| {
            let Some(field) = numbers.get(index) else { return Ok(missing) };
            let is_plain = field.bytes().all(|byte| byte.is_ascii_digit());
            let fault = if is_plain && !field.is_empty() { "too large" } else { "not a number" };
            let value = field.parse().ok().filter(|_| is_plain);
            value.ok_or_else(|| (place.into(), format!("`{}` is {fault}", shorten(field))))
        };
        let first = if dashes == 0 { "third field" } else { "ply counter" };
        let read = Self { plies: number(0, first, 0)?, number: number(1, "move number", 1)? };
        if let Some(extra) = numbers.get(2) {
            return Err(("fields".into(), format!("`{}` is one too many", shorten(extra))));
        }
        Ok((!numbers.is_empty()).then_some(read))
    }

    /// The counters of a position's FEN. `None` if it has none, or if they only have the
    /// placeholder values that [`fen`](super::Notation::fen) writes.
    pub fn of(game: &Variant, fen: &str) -> Option<Self> {
        let fields: Vec<&str> = fen.split_ascii_whitespace().skip(2).collect();
        let read = Self::read(&fields).ok().flatten()?;
        let for_form = [read.plies == 0, read.number == 1];
        let is_counted = for_form[2_usize.saturating_sub(game.loose_counters)..].contains(&false);
        is_counted.then_some(read)
    }

    /// The counters after one more ply.
    #[must_use]
    pub fn after(self, before: &AnyPosition, next: &AnyPosition) -> Self {
        let pieces = |fen: String| {
            fen.chars().take_while(|&sign| sign != ' ').filter(char::is_ascii_alphabetic).count()
        };
        let is_capture = pieces(next.fen()) < pieces(before.fen());
        let is_round = (before.side_to_move(), next.side_to_move()) == (Side::Second, Side::First);
        Self {
            plies: if is_capture { 0 } else { self.plies.saturating_add(1) },
            number: self.number.saturating_add(is_round.into()),
        }
    }

    /// The FEN of a position, with these counters instead of placeholders.
    pub fn fen(self, position: &AnyPosition) -> String {
        let loose = position.loose_counters();
        let fen = position.fen();
        let mut fields: Vec<&str> = fen.split(' ').collect();
        let kept = fields.len().saturating_sub(loose);
        let counters = [self.plies.to_string(), self.number.to_string()];
        fields.truncate(kept);
        fields.extend(counters.iter().skip(2_usize.saturating_sub(loose)).map(String::as_str));
        fields.join(" ")
    }
}

/// The FEN of the position after moves, with the start's counters carried along if it had any.
pub fn fen_after(counters: Option<FenCounters>, start: &AnyPosition, moves: &[AnyMove]) -> String {
    let (mut position, mut counters) = (start.clone(), counters);
    for &mv in moves {
        let next = position.after(mv);
        counters = counters.map(|counters| counters.after(&position, &next));
        position = next;
    }
    counters.map_or_else(|| position.fen(), |counters| counters.fen(&position))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Game;
    use crate::game::Notation;
    use crate::games::{Ataxx, Breakthrough, Breakthru, GameId};

    fn after<G: Game>(fen: &str, moves: &str) -> String {
        let game = GameId::of::<G>();
        let start = game.from_fen(fen).unwrap();
        let (mut position, mut line) = (start.clone(), Vec::new());
        for word in moves.split(' ').filter(|word| !word.is_empty()) {
            let mv = position.parse_move(word).unwrap();
            line.push(mv);
            position.advance(mv);
        }
        fen_after(FenCounters::of(&game, fen), &start, &line)
    }

    #[test]
    fn counters_go_on_from_those_that_were_read() {
        let ataxx =
            |rest: &str, moves: &str| after::<Ataxx>(&format!("x5o/7/7/7/7/7/o5x {rest}"), moves);
        assert!(ataxx("x 0 5", "").ends_with(" x 0 5"));
        assert!(ataxx("x 3 9", "g1e1 a1a3").ends_with(" x 5 10"));
        assert!(ataxx("o 0 9", "f7").ends_with(" x 0 10"));
        for form in ["x", "x 0 1", "x 7 1"] {
            assert!(ataxx(form, "f1 b1").ends_with(" x 0 1"), "those we write count nothing");
        }
        let fen = |rest: &str| format!("8/8/8/1p6/P7/8/8/8 {rest}");
        let breakthrough = |rest: &str, moves: &str| after::<Breakthrough>(&fen(rest), moves);
        assert!(breakthrough("w 3 9", "").ends_with(" w - - 3 9"));
        assert!(breakthrough("w - - 3 9", "a4a5 b5b4").ends_with(" w - - 5 10"));
        assert!(breakthrough("w - - 3 9", "a4b5").ends_with(" b - - 0 9"));
        assert!(breakthrough("w - - 3", "a4a5").ends_with(" b - - 4 1"));
        let start = Breakthru::begun_by(Side::First).fen();
        assert_eq!(
            after::<Breakthru>(&start, ""),
            start,
            "a position keeps the number of the turn"
        );
    }

    #[test]
    fn fields_out_of_place_are_named() {
        for (fields, place) in [
            (&["0", "1", "2"][..], "fields"),
            (&["-", "-", "0", "1", "2"], "fields"),
            (&["-", "-", "-"], "ply counter"),
            (&["-", "0", "1"], "fourth field"),
            (&["-", "e3", "0"], "fourth field"),
            (&["KQkq", "-"], "third field"),
            (&["+1"], "third field"),
            (&["0", "-5"], "move number"),
            (&["0", "4294967296"], "move number"),
        ] {
            assert_eq!(FenCounters::read(fields).unwrap_err().0, place, "{fields:?}");
        }
        for fields in [&[][..], &["-"], &["-", "-"]] {
            assert_eq!(FenCounters::read(fields), Ok(None), "{fields:?}");
        }
    }
}
