//! Boards of Breakthrough as OpenSpiel draws them, for `--fen`.

/// The text of a position, as FEN where it is a board that OpenSpiel has drawn: rows with their
/// numbers from the top, `b`, `w` and dots, and the letters of the columns below. OpenSpiel names
/// no side to move; one that follows is kept. Any other text stays as it is.
pub(super) fn undrawn(text: &str) -> String {
    fen(&text.replace("\\n", "\n")).unwrap_or_else(|| text.into())
}

fn fen(text: &str) -> Option<String> {
    // Play-throughs have each line behind a `#`.
    let lines = text.lines().map(|line| line.trim_start_matches('#'));
    let mut words = lines.flat_map(str::split_whitespace);
    let first = words.next()?;
    let count = first.chars().next()?.to_digit(10)?;
    let mut rows = vec![row(first, count)?];
    for number in (1..count).rev() {
        rows.push(row(words.next()?, number)?);
    }
    let letters = "abcdefgh".get(..rows[0].len())?;
    (words.next()? == letters && rows.iter().all(|row| row.len() == letters.len())).then_some(())?;
    let rest: Vec<&str> = words.collect();
    let rows = rows.join("/").replace('.', "1");
    // With a side, the game and the side to move are certain.
    Some(match rest.is_empty() {
        true => rows,
        false => format!("{} {}", rows.replace('w', "P").replace('b', "p"), rest.join(" ")),
    })
}

/// The squares of a row that begins with its number.
fn row(word: &str, number: u32) -> Option<&str> {
    let squares = word.strip_prefix(&number.to_string())?;
    squares.chars().all(|square| ".bw".contains(square)).then_some(squares)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_read_as_open_spiel_draws_them() {
        let rows = ["5bbb", "4b.b", "3...", "2www", "1w.w", " abc"];
        let fen = "ppp/p1p/111/PPP/P1P w";
        for drawn in [
            rows.join("\n") + "\n w",
            rows.join("\\n") + "\\n w\n",
            rows.map(|row| format!("# {row}")).join("\n") + " w",
        ] {
            assert_eq!(undrawn(&drawn), fen, "{drawn}");
        }
        assert_eq!(undrawn(&(rows.join("\n") + "\n")), "bbb/b1b/111/www/w1w");
    }

    #[test]
    fn other_texts_stay_as_they_are() {
        for text in [
            "",
            "startpos",
            "8",
            "8/8 w",
            "5bbb\n4bbb\n3...\n2www\n1www",
            "5bbb\n4bbb\n3...\n2www\n1www\n abcd",
            "5bbb\n4bb\n3...\n2www\n1www\n abc",
            "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1",
            "9\u{e9}",
        ] {
            assert_eq!(undrawn(text), text);
        }
    }
}
