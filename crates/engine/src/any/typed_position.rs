//! A position of a game whose type is known, behind the interface of [`AnyPosition`].

use super::evaluated::{Evaluated, PositionKind};
use super::position::PositionObject;
use super::{AnyMove, AnyOpening, AnyPosition};
use crate::error::Result;
use crate::eval::features::sample_positions;
use crate::game::openings::Opening;
use crate::game::{Board, MoveList, Outcome, Repetitions, Rules, Side};
use rand_mt::Mt64;
use std::any::Any;
use std::marker::PhantomData;

/// A position with the kind of its game.
pub(super) struct TypedPosition<R, K>(pub(super) R, pub(super) PhantomData<K>);

impl<R: Rules, K: PositionKind<R>> PositionObject for TypedPosition<R, K> {
    fn as_any(&self) -> &dyn Any {
        &self.0
    }

    fn clone_box(&self) -> AnyPosition {
        AnyPosition::of_kind::<R, K>(self.0.clone())
    }

    fn clone_from_object(&mut self, source: &AnyPosition) {
        if let Some(position) = source.typed::<R>() {
            self.0.clone_from(position);
        }
    }

    fn equals(&self, other: &AnyPosition) -> bool {
        other.typed::<R>() == Some(&self.0)
    }

    fn game(&self) -> &'static str {
        R::GAME
    }

    fn board(&self) -> Board {
        self.0.board()
    }

    fn side_to_move(&self) -> Side {
        self.0.side_to_move()
    }

    fn plies_made(&self) -> u32 {
        self.0.plies_made()
    }

    fn is_start(&self) -> bool {
        R::start(self.0.board()).is_ok_and(|start| start == self.0)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    fn moves(&self) -> Vec<AnyMove> {
        let mut moves = MoveList::new();
        self.0.moves(&mut moves);
        moves.into_iter().map(AnyMove::of).collect()
    }

    fn is_legal(&self, mv: AnyMove) -> bool {
        self.0.is_legal(mv.typed())
    }

    fn advance(&mut self, mv: AnyMove) {
        self.0 = self.0.play_unchecked(mv.typed());
    }

    fn key(&self) -> u64 {
        self.0.key()
    }

    fn canonical_key(&self) -> u128 {
        self.0.canonical_key()
    }

    fn meet(&self, met: &mut Repetitions) -> bool {
        met.meet(&self.0)
    }

    fn fen(&self) -> String {
        self.0.fen()
    }

    fn uci_fen(&self) -> String {
        self.0.uci_fen()
    }

    fn loose_counters(&self) -> usize {
        R::LOOSE_COUNTERS
    }

    fn move_text(&self, mv: AnyMove) -> String {
        self.0.move_text(mv.typed())
    }

    fn uci_move_text(&self, mv: AnyMove) -> String {
        self.0.uci_move_text(mv.typed())
    }

    fn pgn_move_text(&self, mv: AnyMove) -> String {
        self.0.pgn_move_text(mv.typed())
    }

    fn parse_move(&self, text: &str) -> Result<AnyMove> {
        self.0.parse_move(text).map(AnyMove::of)
    }

    fn diagram(&self) -> String {
        self.0.diagram()
    }

    fn perft(&self, depth: u32) -> u64 {
        self.0.perft(depth)
    }

    fn sample(&self, count: usize, seed: u64) -> Vec<AnyPosition> {
        let sample = sample_positions(&self.0, count, seed);
        sample.into_iter().map(AnyPosition::of_kind::<R, K>).collect()
    }

    fn random_line(&self, plies: u32, generator: &mut Mt64) -> Option<AnyOpening> {
        let drawn = if self.is_start() { R::random_start(generator) } else { None };
        let start = drawn.as_ref().unwrap_or(&self.0);
        let Opening { moves, position } = Opening::random(start, plies, generator)?;
        let moves = moves.into_iter().map(AnyMove::of).collect();
        let [start, position] = [start.clone(), position].map(AnyPosition::of_kind::<R, K>);
        Some(AnyOpening { start, moves, position })
    }

    fn packed(&self) -> usize {
        R::PACKED
    }

    fn pack(&self, bytes: &mut [u8]) -> bool {
        self.0.pack(bytes)
    }

    fn unpack(&mut self, bytes: &[u8]) -> Result<()> {
        self.0 = R::unpack(self.0.board(), bytes)?;
        Ok(())
    }

    fn evaluated(&self) -> Option<&dyn Evaluated> {
        K::evaluated(&self.0)
    }
}
