//! The lines about a search: `info` and `bestmove`.

use crate::arena::ReportedScore;
use crate::eval::Score;
use crate::protocol::Protocol;
use std::fmt;
use std::time::Duration;

/// The state of a search for an `info` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SearchInfo {
    /// The last depth finished, in plies.
    pub(super) depth: u32,
    /// The deepest ply reached.
    pub(super) seldepth: u32,
    /// The number of the line, from 1, where several are asked for.
    pub(super) multi_pv: Option<usize>,
    /// The score from the side to move.
    pub(super) score: Score,
    /// The score of a piece.
    pub(super) unit: Score,
    pub(super) nodes: u64,
    /// The share of the transposition table in use, in permille.
    pub(super) hashfull: u32,
    /// The time since the search began.
    pub(super) time: Duration,
    /// The principal variation, with spaces between the moves.
    pub(super) pv: String,
}

impl fmt::Display for SearchInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { depth, seldepth, nodes, hashfull, pv, .. } = self;
        let score = score_text(self.score, self.unit);
        let nps = u128::from(*nodes) * 1_000_000 / self.time.as_micros().max(1);
        let time = self.time.as_millis();
        write!(f, "info depth {depth} seldepth {seldepth}")?;
        if let Some(number) = self.multi_pv {
            write!(f, " multipv {number}")?;
        }
        write!(f, " score {score} nodes {nodes} nps {nps}")?;
        write!(f, " hashfull {hashfull} time {time}")?;
        if pv.is_empty() { Ok(()) } else { write!(f, " pv {pv}") }
    }
}

/// A score as the protocols write it, in hundredths of a piece, whose score is `unit`.
pub(super) fn score_text(score: Score, unit: Score) -> String {
    ReportedScore::of_score(score, unit).to_string()
}

/// The line that answers `go`. Without a move the game is over.
pub(super) fn best_move(protocol: Protocol, best: Option<&str>, ponder: Option<&str>) -> String {
    let none = match protocol {
        Protocol::Uci | Protocol::Usi => "(none)",
        Protocol::Uai => "0000",
    };
    let ponder = ponder.map_or(String::new(), |mv| format!(" ponder {mv}"));
    format!("bestmove {}{ponder}", best.unwrap_or(none))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::dialect::Info;
    use crate::search::score::WIN;

    #[test]
    fn a_line_has_every_part_and_is_read_back() {
        let info = SearchInfo {
            depth: 9,
            seldepth: 17,
            multi_pv: None,
            score: -650,
            unit: 1300,
            nodes: 123_456,
            hashfull: 42,
            time: Duration::from_micros(61_728),
            pv: "a2a3 b7b6".into(),
        };
        let text = info.to_string();
        assert_eq!(
            text,
            "info depth 9 seldepth 17 score cp -50 nodes 123456 nps 2000000 hashfull 42 time 61 pv a2a3 b7b6"
        );
        let mut read = Info::default();
        read.read(text.strip_prefix("info ").unwrap());
        let score = Some(ReportedScore::Centipawns(-50));
        assert_eq!(read, Info { depth: 9, nodes: 123_456, score });
        let third = SearchInfo { multi_pv: Some(3), ..info.clone() }.to_string();
        assert!(
            third.starts_with("info depth 9 seldepth 17 multipv 3 score cp -50 nodes "),
            "{third}"
        );
        let bare = SearchInfo { pv: String::new(), time: Duration::ZERO, nodes: u64::MAX, ..info };
        assert!(bare.to_string().ends_with(" hashfull 42 time 0"));
    }

    #[test]
    fn scores_are_hundredths_of_a_piece_or_moves_to_the_end() {
        assert_eq!(score_text(0, 100), "cp 0");
        assert_eq!(score_text(-1999, 1000), "cp -199");
        assert_eq!(score_text(7, 0), "cp 700");
        for (score, text) in [
            (WIN - 1, "mate 1"),
            (WIN - 2, "mate 1"),
            (WIN - 3, "mate 2"),
            (-WIN, "mate 0"),
            (-WIN + 1, "mate -1"),
            (-WIN + 2, "mate -1"),
            (-WIN + 4, "mate -2"),
        ] {
            assert_eq!(score_text(score, 100), text, "{score}");
        }
    }

    #[test]
    fn the_answer_names_a_move_or_none() {
        assert_eq!(
            best_move(Protocol::Uci, Some("a2a3"), Some("b7b6")),
            "bestmove a2a3 ponder b7b6"
        );
        assert_eq!(best_move(Protocol::Uci, Some("a2a3"), None), "bestmove a2a3");
        assert_eq!(best_move(Protocol::Uci, None, None), "bestmove (none)");
        assert_eq!(best_move(Protocol::Uai, None, None), "bestmove 0000");
    }
}
