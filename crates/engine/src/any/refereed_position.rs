//! A position of a game whose rules another program supplies.

use super::evaluated::Evaluated;
use super::position::PositionObject;
use super::refereed::{RefereedGame, Ruling, again, is_move_word, without_counters};
use super::{AnyMove, AnyOpening, AnyPosition};
use crate::error::{Error, Result, shorten};
use crate::game::openings::below;
use crate::game::{Board, Outcome, Repetitions, Side};
use rand_mt::Mt64;
use std::any::Any;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, OnceLock};

/// A position of a game with a referee.
#[derive(Clone)]
pub(super) struct RefereedPosition {
    game: Arc<RefereedGame>,
    pub(super) start: Option<Arc<str>>,
    line: Arc<Vec<u32>>,
    /// The ruling before the last move, if it was requested.
    before: Option<Arc<Ruling>>,
    ruling: OnceLock<std::result::Result<Arc<Ruling>, Arc<Error>>>,
    /// Whether it belongs to a recorded game. The referee is then not asked.
    is_recorded: bool,
    /// Whether the second side begins, where the start does not say so by the sign `b`.
    second_begins: bool,
}

impl RefereedPosition {
    pub(super) fn new(game: Arc<RefereedGame>, start: Option<Arc<str>>) -> Self {
        let (line, ruling) = (Arc::default(), OnceLock::new());
        Self { game, start, line, before: None, ruling, is_recorded: false, second_begins: false }
    }

    pub(super) fn any(self) -> AnyPosition {
        AnyPosition(Box::new(self))
    }

    fn ruling(&self) -> &std::result::Result<Arc<Ruling>, Arc<Error>> {
        self.ruling.get_or_init(|| self.ask().map_err(Arc::new))
    }

    fn ask(&self) -> Result<Arc<Ruling>> {
        if self.is_recorded {
            let place = format!("referee `{}`", self.game.referee.name());
            return Err(Error::failed(place, "not asked about a recorded game"));
        }
        let line: Vec<Arc<str>> = self.line.iter().map(|&code| self.game.text(code)).collect();
        let words: Vec<&str> = line.iter().map(AsRef::as_ref).collect();
        let ruling = self.game.referee.rule(self.start.as_deref(), &words)?;
        match (&self.before, words.last()) {
            (Some(before), Some(last)) if before.fen == ruling.fen => {
                let reason = format!("does not play the move `{last}`, which it called legal");
                Err(Error::failed(format!("referee `{}`", self.game.referee.name()), reason))
            }
            _ => Ok(ruling),
        }
    }

    pub(super) fn ruled(&self) -> Option<&Ruling> {
        self.ruling().as_ref().ok().map(AsRef::as_ref)
    }

    /// The number of lines of this many plies.
    fn lines(&self, depth: u32) -> u64 {
        let moves = PositionObject::moves(self);
        match depth {
            0 => 1,
            1 => moves.len() as u64,
            _ => moves.into_iter().map(|mv| self.after(mv).lines(depth - 1)).sum(),
        }
    }

    fn after(&self, mv: AnyMove) -> Self {
        let mut next = self.clone();
        next.advance(mv);
        next
    }

    fn hash_of(&self, text: &str) -> u64 {
        let mut hasher = DefaultHasher::new();
        match self.ruling() {
            Ok(_) => text.hash(&mut hasher),
            Err(_) => (&self.start, &self.line).hash(&mut hasher),
        }
        hasher.finish()
    }
}

impl PositionObject for RefereedPosition {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn clone_box(&self) -> AnyPosition {
        self.clone().any()
    }

    fn clone_from_object(&mut self, source: &AnyPosition) {
        if let Some(position) = source.0.as_any().downcast_ref::<Self>() {
            self.clone_from(position);
        }
    }

    fn equals(&self, other: &AnyPosition) -> bool {
        let Some(other) = other.0.as_any().downcast_ref::<Self>() else { return false };
        let is_same_line = self.start == other.start && self.line == other.line;
        self.game.name == other.game.name && (is_same_line || self.fen() == other.fen())
    }

    fn game(&self) -> &'static str {
        self.game.name
    }

    fn board(&self) -> Board {
        self.game.board
    }

    fn side_to_move(&self) -> Side {
        let named = self.start.as_deref().and_then(Ruling::side_by_sign);
        let second = self.second_begins || named == Some(Side::Second);
        let by_turns = Side::BOTH[(usize::from(second) + self.line.len()) % 2];
        self.ruled().map_or(by_turns, |ruling| ruling.side)
    }

    fn plies_made(&self) -> u32 {
        0
    }

    fn is_start(&self) -> bool {
        self.start.is_none() && self.line.is_empty()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.ruled().and_then(|ruling| ruling.outcome)
    }

    fn trusts_players(&self) -> bool {
        self.game.referee.trusts()
    }

    fn fault(&self) -> Option<&Error> {
        let error = self.ruling().as_ref().err().filter(|_| !self.is_recorded);
        error.map(AsRef::as_ref)
    }

    fn recorded(&self, second_begins: bool) -> Option<AnyPosition> {
        let (ruling, before) = (OnceLock::new(), None);
        Some(Self { is_recorded: true, second_begins, ruling, before, ..self.clone() }.any())
    }

    fn moves(&self) -> Vec<AnyMove> {
        let moves = self.ruled().map_or(&[][..], |ruling| &ruling.moves);
        moves.iter().map(|text| AnyMove(self.game.code(text))).collect()
    }

    fn is_legal(&self, mv: AnyMove) -> bool {
        let text = self.game.text(mv.0);
        if self.trusts_players() {
            return is_move_word(&text);
        }
        self.ruled().is_some_and(|ruling| ruling.moves.iter().any(|legal| **legal == *text))
    }

    fn advance(&mut self, mv: AnyMove) {
        self.before = self.ruling.take().and_then(std::result::Result::ok);
        Arc::make_mut(&mut self.line).push(mv.0);
    }

    fn key(&self) -> u64 {
        self.hash_of(without_counters(&self.fen()))
    }

    fn canonical_key(&self) -> u128 {
        self.key().into()
    }

    fn meet(&self, met: &mut Repetitions) -> bool {
        self.ruled().is_some() && met.meet_key(self.key())
    }

    fn fen(&self) -> String {
        if let Some(ruling) = self.ruled() {
            return ruling.fen.clone();
        }
        let start = self.start.as_deref().unwrap_or("startpos");
        let moves = self.line.iter().map(|&code| self.game.text(code));
        moves.enumerate().fold(start.to_owned(), |text, (index, mv)| {
            text + if index == 0 { " moves " } else { " " } + &mv
        })
    }

    fn uci_fen(&self) -> String {
        self.fen()
    }

    fn loose_counters(&self) -> usize {
        0
    }

    fn move_text(&self, mv: AnyMove) -> String {
        self.game.text(mv.0).as_ref().to_owned()
    }

    fn uci_move_text(&self, mv: AnyMove) -> String {
        self.move_text(mv)
    }

    fn pgn_move_text(&self, mv: AnyMove) -> String {
        self.move_text(mv)
    }

    fn parse_move(&self, text: &str) -> Result<AnyMove> {
        if self.is_recorded {
            return Ok(AnyMove(self.game.code(text)));
        }
        if self.trusts_players() {
            return match is_move_word(text) {
                true => Ok(AnyMove(self.game.code(text))),
                false => Err(Error::input(format!("move `{}`", shorten(text)), "no move")
                    .remedy("write it as the engine does")),
            };
        }
        let ruling = self.ruling().as_ref().map_err(|error| again(error))?;
        if ruling.moves.iter().any(|legal| legal == text) {
            return Ok(AnyMove(self.game.code(text)));
        }
        let (reason, remedy) = match ruling.moves.is_empty() {
            true => ("the game is over", "take a move back or begin a new game".to_owned()),
            false => ("illegal here", format!("legal are: {}", ruling.moves.join(" "))),
        };
        Err(Error::input(format!("move `{}`", shorten(text)), reason).remedy(remedy))
    }

    fn diagram(&self) -> String {
        format!("{}\n", self.fen())
    }

    fn perft(&self, depth: u32) -> u64 {
        self.lines(depth)
    }

    fn sample(&self, _: usize, _: u64) -> Vec<AnyPosition> {
        Vec::new()
    }

    /// If the referee fails, the line ends there, and the next player meets the fault.
    fn random_line(&self, plies: u32, generator: &mut Mt64) -> Option<AnyOpening> {
        let mut opening = AnyOpening::new(self.clone_box());
        for _ in 0..plies {
            let moves = opening.position.moves();
            if opening.position.fault().is_some() {
                return Some(opening);
            }
            let place = below(generator, moves.len() as u64) as usize;
            opening.push(*moves.get(place)?);
        }
        opening.position.outcome().is_none().then_some(opening)
    }

    fn packed(&self) -> usize {
        0
    }

    fn pack(&self, _: &mut [u8]) -> bool {
        false
    }

    fn unpack(&mut self, _: &[u8]) -> Result<()> {
        Err(Error::input("packed position", "this game has none"))
    }

    fn evaluated(&self) -> Option<&dyn Evaluated> {
        None
    }
}
