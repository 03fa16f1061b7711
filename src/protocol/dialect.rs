//! The words of UCI and UAI, and where the two differ.

use crate::game::openings::Opening;
use crate::game::{Board, Notation, line_text_by};
use crate::search::Limits;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// A protocol between a game's two sides and an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Protocol {
    /// The Universal Chess Interface (Huber and Meyer-Kahlen, 2006), with `UCI_Variant` for other
    /// games.
    Uci,
    /// The Universal Ataxx Interface (Ritchie, 2018): UCI under another name.
    Uai,
}

impl Protocol {
    /// The name, which is also the command that greets an engine.
    pub fn name(self) -> &'static str {
        match self {
            Protocol::Uci => "uci",
            Protocol::Uai => "uai",
        }
    }

    /// The line that ends an engine's answer to the greeting.
    pub fn welcome(self) -> &'static str {
        match self {
            Protocol::Uci => "uciok",
            Protocol::Uai => "uaiok",
        }
    }

    /// A position as the protocol's engines write it.
    pub fn fen<P: Notation>(self, position: &P) -> String {
        match self {
            Protocol::Uci => position.uci_fen(),
            Protocol::Uai => position.fen(),
        }
    }

    /// A move as the protocol's engines write it.
    pub fn move_text<P: Notation>(self, position: &P, mv: P::Move) -> String {
        match self {
            Protocol::Uci => position.uci_move_text(mv),
            Protocol::Uai => position.move_text(mv),
        }
    }

    /// Moves played one after the other as the protocol's engines write them, separated by spaces.
    pub fn line_text<P: Notation>(self, start: &P, moves: &[P::Move]) -> String {
        line_text_by(start, moves, |position, mv| self.move_text(position, mv))
    }

    /// The command that announces a new game.
    pub fn new_game(self) -> &'static str {
        match self {
            Protocol::Uci => "ucinewgame",
            Protocol::Uai => "uainewgame",
        }
    }
}

/// The name of the option that says which game is played.
pub const VARIANT_OPTION: &str = "UCI_Variant";

/// What `UCI_Variant` calls a game on a board: the game's name, with the size of an unusual board.
pub fn variant_name<P: Notation>(board: Board) -> String {
    if board == P::default_board() { P::GAME.to_owned() } else { format!("{}{board}", P::GAME) }
}

/// The name of a variant as Fairy-Stockfish's file of variants has it, where the board is a square:
/// `breakthrough6` for `breakthrough6x6`.
pub fn short_variant_name(variant: &str) -> Option<&str> {
    let (name, rows) = variant.rsplit_once('x')?;
    (!rows.is_empty() && name.ends_with(rows)).then_some(name)
}

/// The `position` command for the moves after an opening. It carries the position, unless the game
/// begins at the start of the usual board: an engine may take `startpos` for nothing else.
pub fn position_command<P: Notation>(
    protocol: Protocol,
    opening: &Opening<P>,
    moves: &[P::Move],
) -> String {
    let played = protocol.line_text(&opening.position, moves);
    let (start, line) = match P::start(P::default_board()) {
        Ok(start) if leads_to(&start, opening) => (
            "startpos".to_owned(),
            format!("{} {played}", protocol.line_text(&start, &opening.moves)),
        ),
        _ => (format!("fen {}", protocol.fen(&opening.position)), played),
    };
    match line.trim() {
        "" => format!("position {start}"),
        line => format!("position {start} moves {line}"),
    }
}

/// Whether the opening's moves lead from this start to its position.
fn leads_to<P: Notation>(start: &P, opening: &Opening<P>) -> bool {
    let played =
        opening.moves.iter().try_fold(start.clone(), |position, &mv| position.try_play(mv));
    played.as_ref() == Some(&opening.position)
}

/// The `go` command for these limits.
pub fn go_command(limits: &Limits) -> String {
    let mut command = "go".to_owned();
    let mut add = |word: &str, value: u128| command += &format!(" {word} {value}");
    if let Some(nodes) = limits.nodes {
        add("nodes", nodes.into());
    }
    if let Some(depth) = limits.depth {
        add("depth", depth.into());
    }
    if let Some(time) = limits.movetime {
        add("movetime", time.as_millis());
    }
    if let Some(clock) = limits.clock {
        // One side's clock is all there is; the other one's is taken to show the same.
        for (left, increment) in [("wtime", "winc"), ("btime", "binc")] {
            add(left, clock.left.as_millis());
            add(increment, clock.increment.as_millis());
        }
    }
    command
}

/// What an engine's `info` lines say about its search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// The last depth finished, in plies.
    pub depth: u32,
    /// Nodes visited.
    pub nodes: u64,
}

impl Info {
    /// Reads the part of a line after the word `info`. A bound is not the end of an iteration, and
    /// text is for people.
    pub fn read(&mut self, text: &str) {
        let words: Vec<&str> =
            text.split_whitespace().take_while(|&word| word != "string").collect();
        let after = |key: &str| {
            words
                .iter()
                .position(|&word| word == key)
                .and_then(|at| words.get(at + 1)?.parse::<u64>().ok())
        };
        if let Some(nodes) = after("nodes") {
            self.nodes = self.nodes.max(nodes);
        }
        let is_bound = words.contains(&"lowerbound") || words.contains(&"upperbound");
        if words.contains(&"score") && !is_bound {
            let depth = after("depth").and_then(|depth| u32::try_from(depth).ok());
            self.depth = depth.unwrap_or(self.depth);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Position;
    use crate::games::{Ataxx, Breakthrough};
    use crate::search::Clock;
    use std::time::Duration;

    #[test]
    fn positions_are_sent_from_the_start_of_the_usual_board() {
        let opening = |board: &str, words: &[&str]| {
            let mut opening = Opening::<Breakthrough>::start(board.parse().unwrap()).unwrap();
            for word in words {
                let mv = opening.position.parse_move(word).unwrap();
                opening.position = opening.position.play_unchecked(mv);
                opening.moves.push(mv);
            }
            opening
        };
        let usual = opening("8x8", &["a2a3", "b7b6"]);
        assert_eq!(
            position_command(Protocol::Uci, &usual, &[]),
            "position startpos moves a2a3 b7b6"
        );
        let mv = usual.position.parse_move("a3a4").unwrap();
        assert_eq!(
            position_command(Protocol::Uci, &usual, &[mv]),
            "position startpos moves a2a3 b7b6 a3a4"
        );
        assert_eq!(position_command(Protocol::Uci, &opening("8x8", &[]), &[]), "position startpos");
        let small = position_command(Protocol::Uci, &opening("6x6", &["a2a3"]), &[]);
        assert_eq!(small, "position fen pppppp/pppppp/6/P5/1PPPPP/PPPPPP b - - 0 1");
    }

    #[test]
    fn clones_are_drops_over_uci() {
        let mut opening = Opening::<Ataxx>::start(Ataxx::default_board()).unwrap();
        for word in ["g2", "a1a3"] {
            let mv = opening.position.parse_move(word).unwrap();
            opening.position = opening.position.play_unchecked(mv);
            opening.moves.push(mv);
        }
        let mv = opening.position.parse_move("f2").unwrap();
        let command = |protocol| position_command(protocol, &opening, &[mv]);
        assert_eq!(command(Protocol::Uci), "position startpos moves P@g2 a1a3 P@f2");
        assert_eq!(command(Protocol::Uai), "position startpos moves g2 a1a3 f2");
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
            let start = Ataxx::from_fen(fen).unwrap();
            let opening = Opening { moves: Vec::new(), position: start.clone() };
            let mut moves = Vec::new();
            let mut position = start;
            for word in uai.split(" moves ").nth(1).unwrap().split(' ') {
                moves.push(position.parse_move(word).unwrap());
                position = position.play_unchecked(moves[moves.len() - 1]);
            }
            assert_eq!(position_command(Protocol::Uci, &opening, &moves), uci);
            assert_eq!(position_command(Protocol::Uai, &opening, &moves), uai);
        }
    }

    #[test]
    fn limits_become_a_go_command() {
        assert_eq!(go_command(&Limits::nodes(500)), "go nodes 500");
        assert_eq!(
            go_command(&Limits { depth: Some(7), ..Limits::movetime(Duration::from_millis(250)) }),
            "go depth 7 movetime 250"
        );
        let clock = Clock::new(Duration::from_secs(60), Duration::from_millis(500));
        let go = go_command(&Limits { clock: Some(clock), ..Limits::default() });
        assert_eq!(go, "go wtime 60000 winc 500 btime 60000 binc 500");
    }

    #[test]
    fn info_lines_are_read() {
        let mut info = Info::default();
        info.read("depth 5 seldepth 6 score cp 12 nodes 900 nps 1000 pv a2a3");
        info.read("depth 6 score cp 40 lowerbound nodes 1500");
        info.read("depth 7 currmove a2a3");
        info.read("string depth 99 score nodes 99999");
        info.read("depth x score nodes");
        assert_eq!(info, Info { depth: 5, nodes: 1500 });
    }

    #[test]
    fn boards_have_variants_of_their_own() {
        assert_eq!(variant_name::<Breakthrough>("8x8".parse().unwrap()), "breakthrough");
        assert_eq!(variant_name::<Breakthrough>("6x6".parse().unwrap()), "breakthrough6x6");
        assert_eq!(short_variant_name("breakthrough6x6"), Some("breakthrough6"));
        assert!(
            ["ataxx", "ataxx5x6", "breakthrough"].iter().all(|v| short_variant_name(v).is_none())
        );
    }
}
