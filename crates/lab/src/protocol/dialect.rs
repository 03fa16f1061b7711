//! The words of UCI, UAI and USI, and where they differ.

use super::usi;
use crate::any::{AnyMove, AnyPosition};
use crate::arena::ReportedScore;
use crate::game::Side;
use crate::search::{Clock, Limits};
use serde::{Deserialize, Serialize};

/// A protocol that engines speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Protocol {
    /// The Universal Chess Interface (Huber and Meyer-Kahlen, 2006), with `UCI_Variant` for other
    /// games.
    Uci,
    /// The Universal Ataxx Interface (Ritchie, 2018): UCI under another name.
    Uai,
    /// The Universal Shogi Interface (Romstad, 2007): UCI with the squares, the positions and the
    /// clocks of shogi.
    Usi,
}

impl Protocol {
    /// All of them, the more usual ones first.
    pub const ALL: [Protocol; 3] = [Protocol::Uci, Protocol::Uai, Protocol::Usi];
    /// The protocols of our own engine.
    pub const OWN: [Protocol; 2] = [Protocol::Uci, Protocol::Uai];

    /// The name, which is also the command that greets an engine.
    pub fn name(self) -> &'static str {
        match self {
            Protocol::Uci => "uci",
            Protocol::Uai => "uai",
            Protocol::Usi => "usi",
        }
    }

    /// The line that ends an engine's answer to the greeting.
    pub fn welcome(self) -> &'static str {
        match self {
            Protocol::Uci => "uciok",
            Protocol::Uai => "uaiok",
            Protocol::Usi => "usiok",
        }
    }

    /// A position as the protocol's engines write it.
    pub fn fen(self, position: &AnyPosition) -> String {
        match self {
            Protocol::Uci => position.uci_fen(),
            Protocol::Uai => position.fen(),
            Protocol::Usi => usi::sfen(&position.uci_fen()),
        }
    }

    /// A move as the protocol's engines write it.
    pub fn move_text(self, position: &AnyPosition, mv: AnyMove) -> String {
        match self {
            Protocol::Uci => position.uci_move_text(mv),
            Protocol::Uai => position.move_text(mv),
            Protocol::Usi => usi::from_uci(&position.uci_move_text(mv), &position.uci_fen()),
        }
    }

    /// Moves played one after the other as the protocol's engines write them, separated by spaces.
    pub fn line_text(self, start: &AnyPosition, moves: &[AnyMove]) -> String {
        start.line_text_by(moves, |position, mv| self.move_text(position, mv))
    }

    /// The command that announces a new game.
    pub fn new_game(self) -> &'static str {
        match self {
            Protocol::Uci => "ucinewgame",
            Protocol::Uai => "uainewgame",
            Protocol::Usi => "usinewgame",
        }
    }

    /// The word before a position in the `position` command.
    pub(super) fn fen_word(self) -> &'static str {
        match self {
            Protocol::Uci | Protocol::Uai => "fen",
            Protocol::Usi => "sfen",
        }
    }

    /// An engine's move in the notation that the game reads.
    pub(super) fn read(self, position: &AnyPosition, text: &str) -> String {
        match self {
            Protocol::Uci | Protocol::Uai => text.to_owned(),
            Protocol::Usi => usi::to_uci(text, &position.uci_fen()),
        }
    }

    /// Whether an engine resigns in place of a move.
    pub(super) fn is_resignation(self, text: &str) -> bool {
        self == Protocol::Usi && text == "resign"
    }

    /// Whether an engine declares in place of a move that it has won, as with its king across the
    /// board in shogi.
    pub(super) fn is_declaration(self, text: &str) -> bool {
        self == Protocol::Usi && text == "win"
    }

    /// Whether the first side is called White.
    pub fn begins_with_white(self) -> bool {
        self == Protocol::Uci
    }
}

/// The name of the option that says which game is played.
pub const VARIANT_OPTION: &str = "UCI_Variant";
/// The same option as engines call it when they speak USI.
pub const USI_VARIANT_OPTION: &str = "USI_Variant";

/// The name of the option that says that chess is Chess960.
pub const CHESS960_OPTION: &str = "UCI_Chess960";
/// The `go` command for these limits of a side; `clocks` are the clocks of the first and the second
/// side. If the other side has none, it is sent this side's clock too.
pub fn go_command(
    protocol: Protocol,
    side: Side,
    limits: &Limits,
    clocks: &[Option<Clock>; 2],
) -> String {
    let mut command = "go".to_owned();
    let mut add = |word: &str, value: u128| command += &format!(" {word} {value}");
    if let Some(nodes) = limits.nodes {
        add("nodes", nodes.into());
    }
    if let Some(depth) = limits.depth {
        add("depth", depth.into());
    }
    match limits.movetime {
        // USI limits the time of a move only in this way.
        Some(time) if protocol == Protocol::Usi => {
            let clocks = [("btime", 0), ("wtime", 0), ("byoyomi", time.as_millis())];
            clocks.into_iter().for_each(|(word, value)| add(word, value));
        }
        Some(time) => add("movetime", time.as_millis()),
        None => {}
    }
    if let Some(own) = limits.clock {
        for (words, place) in [(["wtime", "winc"], 0), (["btime", "binc"], 1)] {
            let of = if protocol.begins_with_white() { place } else { 1 - place };
            let clock = if of == side.index() { own } else { clocks[of].unwrap_or(own) };
            add(words[0], clock.left.as_millis());
            add(words[1], clock.increment.as_millis());
        }
        if let Some(moves) = own.moves_to_go.filter(|_| protocol != Protocol::Usi) {
            add("movestogo", moves.into());
        }
    }
    command
}

/// The statistics of a search in an engine's `info` lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// The last depth finished, in plies.
    pub depth: u32,
    /// Nodes visited, as the engine counts them.
    pub nodes: u64,
    /// The last score that is not a bound.
    pub score: Option<ReportedScore>,
}

impl Info {
    /// Reads the part of a line after the word `info`. Skips bounds, which do not end an iteration,
    /// lines of second-best moves, and text for people.
    pub fn read(&mut self, text: &str) {
        let words: Vec<&str> =
            text.split_whitespace().take_while(|&word| word != "string").collect();
        let word_after =
            |key: &str| words.iter().position(|&word| word == key).and_then(|at| words.get(at + 1));
        let after = |key: &str| word_after(key)?.parse::<u64>().ok();
        if let Some(nodes) = after("nodes") {
            self.nodes = self.nodes.max(nodes);
        }
        let is_bound = words.contains(&"lowerbound") || words.contains(&"upperbound");
        if !words.contains(&"score") || is_bound || after("multipv").is_some_and(|line| line > 1) {
            return;
        }
        let depth = after("depth").and_then(|depth| u32::try_from(depth).ok());
        self.depth = depth.unwrap_or(self.depth);
        // The least number has no opposite.
        let number =
            |key: &str| word_after(key)?.parse::<i32>().ok().map(|n: i32| n.max(-i32::MAX));
        self.score = match word_after("score") {
            Some(&"cp") => number("cp").map(ReportedScore::Centipawns),
            Some(&"mate") => number("mate").map(ReportedScore::Mate),
            _ => None,
        };
    }
}

/// The first word of a line, and the rest of the line.
pub(super) fn first_word(line: &str) -> (&str, &str) {
    let line = line.trim_start();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (word, rest.trim_start())
}

/// The first move of the main line in an `info` line, if there is one.
pub(super) fn main_move(text: &str) -> Option<&str> {
    let (before, line) = text.split_once(" pv ")?;
    (!before.starts_with("string")).then(|| first_word(line).0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn limits_become_a_go_command() {
        let go = |limits: &Limits| go_command(Protocol::Uci, Side::Second, limits, &[None; 2]);
        assert_eq!(go(&Limits::nodes(500)), "go nodes 500");
        assert_eq!(
            go(&Limits { depth: Some(7), ..Limits::movetime(Duration::from_millis(250)) }),
            "go depth 7 movetime 250"
        );
        let byoyomi = Limits::movetime(Duration::from_millis(250));
        assert_eq!(
            go_command(Protocol::Usi, Side::First, &byoyomi, &[None; 2]),
            "go btime 0 wtime 0 byoyomi 250"
        );
        let clock = Clock::new(Duration::from_secs(60), Duration::from_millis(500));
        let limits = Limits { clock: Some(clock), ..Limits::default() };
        assert_eq!(go(&limits), "go wtime 60000 winc 500 btime 60000 binc 500");
    }

    #[test]
    fn both_clocks_are_sent_each_to_its_side() {
        let clock = |left| Some(Clock::new(Duration::from_secs(left), Duration::ZERO));
        let own = clock(7).map(|clock| Clock { moves_to_go: Some(9), ..clock });
        let limits = Limits { clock: own, ..Limits::default() };
        let go = |protocol, side, clocks| go_command(protocol, side, &limits, &clocks);
        assert_eq!(
            go(Protocol::Uci, Side::First, [own, clock(3)]),
            "go wtime 7000 winc 0 btime 3000 binc 0 movestogo 9"
        );
        assert_eq!(
            go(Protocol::Uai, Side::First, [own, clock(3)]),
            "go wtime 3000 winc 0 btime 7000 binc 0 movestogo 9"
        );
        assert_eq!(
            go(Protocol::Usi, Side::First, [own, clock(3)]),
            "go wtime 3000 winc 0 btime 7000 binc 0"
        );
        assert_eq!(
            go(Protocol::Uci, Side::Second, [None, own]),
            "go wtime 7000 winc 0 btime 7000 binc 0 movestogo 9"
        );
    }

    #[test]
    fn info_lines_are_read() {
        let mut info = Info::default();
        info.read("depth 5 seldepth 6 score cp 12 nodes 900 nps 1000 pv a2a3");
        info.read("depth 6 score cp 40 lowerbound nodes 1500");
        info.read("depth 7 currmove a2a3");
        info.read("depth 5 multipv 2 score cp -70 nodes 1200");
        info.read("string depth 99 score nodes 99999");
        let score = Some(ReportedScore::Centipawns(12));
        assert_eq!(info, Info { depth: 5, nodes: 1500, score });
        info.read("depth 8 score mate -3 nodes 1600");
        assert_eq!((info.depth, info.score), (8, Some(ReportedScore::Mate(-3))));
        info.read("depth x score nodes");
        assert_eq!(info, Info { depth: 8, nodes: 1600, score: None });
    }

    #[test]
    fn the_main_line_has_a_first_move() {
        assert_eq!(main_move("depth 5 score cp 12 pv a2a3 b7b6"), Some("a2a3"));
        assert_eq!(main_move("string a pv a2a3"), None);
        assert_eq!(main_move("depth 5 nodes 9"), None);
    }
}
