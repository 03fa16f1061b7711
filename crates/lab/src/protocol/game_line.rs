//! The `position` command of a game, which grows by the moves that are played.

use super::dialect::Protocol;
use crate::any::{AnyMove, AnyOpening, AnyPosition};
use crate::games::GameId;

/// A game as its `position` command.
///
/// It names the position, unless the game begins at the start of the usual board: `startpos` stands
/// for nothing else. If an opening has a start of its own, the engine gets all moves, since their
/// repetitions count.
pub struct GameLine {
    protocol: Protocol,
    /// The command, up to the last move so far.
    text: String,
    /// The position after that move.
    position: AnyPosition,
    /// The number of moves in it that were played after the opening.
    played: usize,
}

impl GameLine {
    /// The game at the end of its opening.
    pub fn new(protocol: Protocol, opening: &AnyOpening) -> Self {
        let AnyOpening { start, position, moves } = opening;
        let fen = |position| format!("{} {}", protocol.fen_word(), protocol.fen(position));
        let (begin, shown) = match is_usual_start(start) {
            true => ("startpos".to_owned(), &moves[..]),
            false if start.is_start() => (fen(position), &[][..]),
            false => (fen(start), &moves[..]),
        };
        let mut line = Self {
            protocol,
            text: format!("position {begin}"),
            position: if shown.is_empty() { position.clone() } else { start.clone() },
            played: 0,
        };
        if !shown.is_empty() {
            line.text += " moves";
            shown.iter().for_each(|&mv| line.push(mv));
        }
        line.played = 0;
        line
    }

    /// The command for the game after these moves, the first of which are known already.
    pub fn after(&mut self, moves: &[AnyMove]) -> &str {
        for &mv in moves.get(self.played..).unwrap_or_default() {
            if !self.text.contains(" moves ") {
                self.text += " moves";
            }
            self.push(mv);
        }
        &self.text
    }

    fn push(&mut self, mv: AnyMove) {
        self.text += " ";
        self.text += &self.protocol.move_text(&self.position, mv);
        self.position.advance(mv);
        self.played += 1;
    }
}

/// Whether a position is the one that `startpos` stands for.
fn is_usual_start(position: &AnyPosition) -> bool {
    let game = position.game().parse::<GameId>();
    game.and_then(|game| game.start(game.default_board)).is_ok_and(|start| start == *position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Ataxx;

    /// The command after these moves; the same as when they come one by one.
    fn command(protocol: Protocol, opening: &AnyOpening, moves: &[AnyMove]) -> String {
        let mut line = GameLine::new(protocol, opening);
        for known in 0..moves.len() {
            line.after(&moves[..known]);
        }
        let text = line.after(moves).to_owned();
        assert_eq!(GameLine::new(protocol, opening).after(moves), text);
        text
    }

    fn opening(game: GameId, board: &str, words: &[&str]) -> AnyOpening {
        let mut opening = AnyOpening::new(game.start(board.parse().unwrap()).unwrap());
        for word in words {
            opening.push(opening.position.parse_move(word).unwrap());
        }
        opening
    }

    #[test]
    fn positions_are_sent_from_the_start_of_the_usual_board() {
        let opening = |board: &str, words: &[&str]| opening(GameId::default(), board, words);
        let usual = opening("8x8", &["a2a3", "b7b6"]);
        assert_eq!(command(Protocol::Uci, &usual, &[]), "position startpos moves a2a3 b7b6");
        let mv = usual.position.parse_move("a3a4").unwrap();
        assert_eq!(command(Protocol::Uci, &usual, &[mv]), "position startpos moves a2a3 b7b6 a3a4");
        assert_eq!(command(Protocol::Uci, &opening("8x8", &[]), &[]), "position startpos");
        let small = command(Protocol::Uci, &opening("6x6", &["a2a3"]), &[]);
        assert_eq!(small, "position fen pppppp/pppppp/6/P5/1PPPPP/PPPPPP b - - 0 1");
    }

    #[test]
    fn clones_are_drops_over_uci() {
        let opening = opening(GameId::of::<Ataxx>(), "7x7", &["g2", "a1a3"]);
        let mv = opening.position.parse_move("f2").unwrap();
        let sent = |protocol| command(protocol, &opening, &[mv]);
        assert_eq!(sent(Protocol::Uci), "position startpos moves P@g2 a1a3 P@f2");
        assert_eq!(sent(Protocol::Uai), "position startpos moves g2 a1a3 f2");
    }

    #[test]
    fn position_and_moves_are_in_one_dialect() {
        for (fen, uci, uai) in [
            (
                "x5o/7/2-1-2/7/2-1-2/7/o5x o 3 1",
                "position fen P5p/7/2*1*2/7/2*1*2/7/p5P b - - 3 1 moves P@a2 a7b5",
                "position fen x5o/7/2-1-2/7/2-1-2/7/o5x o 3 1 moves a2 a7b5",
            ),
            (
                "x3o/5/5/5/o3x o 0 1",
                "position fen P3p/5/5/5/p3P b - - 0 1 moves P@a2 a5b3",
                "position fen x3o/5/5/5/o3x o 0 1 moves a2 a5b3",
            ),
        ] {
            let opening = AnyOpening::new(GameId::of::<Ataxx>().from_fen(fen).unwrap());
            let mut line = opening.clone();
            for word in uai.split(" moves ").nth(1).unwrap().split(' ') {
                line.push(line.position.parse_move(word).unwrap());
            }
            let moves = line.moves;
            assert_eq!(command(Protocol::Uci, &opening, &moves), uci);
            assert_eq!(command(Protocol::Uai, &opening, &moves), uai);
        }
    }
}
