//! An evaluator and an engine of any game.

#[cfg(feature = "endgames")]
use super::AnyEndgames;
use super::{AnyMove, AnyPosition};
use crate::eval::{Evaluator, Game, Score};
#[cfg(feature = "endgames")]
use crate::game::KnownValues;
use crate::game::Repetitions;
use crate::search::{
    Counters, DepthReport, Engine, Fill, Limits, Line, Lines, Options, Report, SearchConstants,
    Stop,
};
use std::any::Any;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::time::Duration;

/// A weight set of any game, prepared for search. Clones share it.
#[derive(Clone)]
pub struct AnyEvaluator(pub(super) Arc<dyn EvaluatorObject>);

impl AnyEvaluator {
    /// Wraps the evaluator of a game whose type is known.
    pub fn of<G: Game>(evaluator: G::Evaluator) -> Self {
        Self(Arc::new(TypedEvaluator::<G>(evaluator)))
    }

    /// The evaluator in the game's own type; `None` for a different game.
    pub fn typed<G: Game>(&self) -> Option<&G::Evaluator> {
        self.0.as_any().downcast_ref::<TypedEvaluator<G>>().map(|evaluator| &evaluator.0)
    }
}

impl Deref for AnyEvaluator {
    type Target = dyn EvaluatorObject;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

pub trait EvaluatorObject: Send + Sync {
    fn as_any(&self) -> &dyn Any;

    /// The static value of an unfinished position from the side to move; 0 for a position of
    /// another game.
    fn evaluate(&self, position: &AnyPosition) -> Score;

    /// The value of a piece under these weights, at least 1.
    fn unit(&self) -> Score;

    /// Makes an engine that plays with this evaluator.
    fn engine(&self, options: Options) -> AnyEngine;
}

struct TypedEvaluator<G: Game>(G::Evaluator);

impl<G: Game> EvaluatorObject for TypedEvaluator<G> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn evaluate(&self, position: &AnyPosition) -> Score {
        position.typed::<G>().map_or(0, |position| self.0.evaluate(position))
    }

    fn unit(&self) -> Score {
        self.0.unit()
    }

    fn engine(&self, options: Options) -> AnyEngine {
        AnyEngine(Box::new(Engine::<G>::new(self.0.clone(), options)))
    }
}

/// The lines that a search reports: this many, starting with one of these moves, or with any move
/// if the list is empty.
pub fn lines_among(count: usize, moves: &[AnyMove]) -> Lines {
    let codes = moves.iter().filter_map(|mv| u16::try_from(mv.0).ok());
    Lines::among_codes(count, codes.collect())
}

/// A line found by a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnyLine {
    /// The depth of its search, in plies.
    pub depth: u32,
    /// The score from the side to move, in units of the weight set.
    pub score: Score,
    /// Its moves, at least one.
    pub pv: Vec<AnyMove>,
}

impl AnyLine {
    fn of<G: Game>(Line { depth, score, pv }: &Line<G>) -> Self {
        Self { depth: *depth, score: *score, pv: any_moves::<G>(pv) }
    }
}

fn any_moves<G: Game>(moves: &[G::Move]) -> Vec<AnyMove> {
    moves.iter().copied().map(AnyMove::of).collect()
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnyReport {
    /// The move to play; `None` only when the game is over.
    pub best: Option<AnyMove>,
    /// The score from the side to move, in units of the weight set.
    pub score: Score,
    /// The last completed depth, in plies.
    pub depth: u32,
    /// The principal variation, beginning with the best move.
    pub pv: Vec<AnyMove>,
    /// The next best lines, best first, if several were requested.
    pub alternatives: Vec<AnyLine>,
    /// Counts of the nodes, table probes and other work of the search.
    pub counters: Counters,
    /// The time from the start of the search.
    pub elapsed: Duration,
}

impl AnyReport {
    pub(super) fn empty() -> Self {
        Self {
            best: None,
            score: 0,
            depth: 0,
            pv: Vec::new(),
            alternatives: Vec::new(),
            counters: Counters::default(),
            elapsed: Duration::ZERO,
        }
    }

    /// Every line, best first: the principal variation and its alternatives. Empty when the game is
    /// over.
    pub fn lines(&self) -> Vec<AnyLine> {
        let &Self { score, depth, .. } = self;
        let first = self.best.map(|_| AnyLine { depth, score, pv: self.pv.clone() });
        first.into_iter().chain(self.alternatives.iter().cloned()).collect()
    }

    fn of<G: Game>(report: Report<G>) -> Self {
        let Report { best, score, depth, pv, alternatives, counters, elapsed } = report;
        let (best, pv) = (best.map(AnyMove::of), any_moves::<G>(&pv));
        let alternatives = alternatives.iter().map(AnyLine::of).collect();
        Self { best, score, depth, pv, alternatives, counters, elapsed }
    }

    fn of_depth<G: Game>(found: &DepthReport<G>) -> Self {
        let &DepthReport { depth, score, counters, elapsed, .. } = found;
        let pv = any_moves::<G>(found.pv);
        let alternatives = found.alternatives.iter().map(AnyLine::of).collect();
        Self { best: pv.first().copied(), score, depth, pv, alternatives, counters, elapsed }
    }
}

/// An engine of any game: an evaluator, a search method and the memory it keeps between moves. See
/// [`Engine`].
pub struct AnyEngine(Box<dyn EngineObject>);

impl AnyEngine {
    /// Searches a position until a limit is reached, given the earlier positions of its game.
    /// Reports each completed depth to the listener, if there is one. Finds nothing in a position
    /// of another game.
    pub fn search(
        &mut self,
        met: &Repetitions,
        position: &AnyPosition,
        limits: &Limits,
        stop: &Stop,
        on_depth: Option<&mut dyn FnMut(&AnyReport)>,
    ) -> AnyReport {
        self.search_lines(&Lines::default(), met, position, limits, stop, on_depth)
    }

    /// Gives the full search an endgame database of the same game and board; `None` removes it.
    #[cfg(feature = "endgames")]
    pub fn set_endgames(&mut self, endgames: Option<&AnyEndgames>) {
        self.0.set_known(endgames.map(AnyEndgames::as_any));
    }
}

impl Deref for AnyEngine {
    type Target = dyn EngineObject;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl DerefMut for AnyEngine {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut *self.0
    }
}

pub trait EngineObject: Send {
    /// As [`AnyEngine::search`], for several lines or for some moves only.
    fn search_lines(
        &mut self,
        lines: &Lines,
        met: &Repetitions,
        position: &AnyPosition,
        limits: &Limits,
        stop: &Stop,
        on_depth: Option<&mut dyn FnMut(&AnyReport)>,
    ) -> AnyReport;

    /// Replaces the evaluator by another one of the same game. The tables still hold values of the
    /// old one: [`clear`](Self::clear) them.
    fn set_evaluator(&mut self, evaluator: &AnyEvaluator);

    /// Replaces the search constants. The tables still hold values of the old ones:
    /// [`clear`](Self::clear) them.
    fn set_constants(&mut self, constants: &SearchConstants);
    #[cfg(feature = "endgames")]
    fn set_known(&mut self, known: Option<&dyn Any>);

    /// Clears all memory, as before each game.
    fn clear(&mut self);

    /// The options that it searches with.
    fn options(&self) -> &Options;

    /// The value of a piece, at least 1, in units of the weight set.
    fn unit(&self) -> Score;

    /// Its memory, see [`Engine::fill`].
    fn fill(&self) -> Fill;
}

impl<G: Game> EngineObject for Engine<G> {
    fn search_lines(
        &mut self,
        lines: &Lines,
        met: &Repetitions,
        position: &AnyPosition,
        limits: &Limits,
        stop: &Stop,
        on_depth: Option<&mut dyn FnMut(&AnyReport)>,
    ) -> AnyReport {
        let Some(position) = position.typed::<G>() else { return AnyReport::empty() };
        let mut on_depth = on_depth;
        AnyReport::of(self.search_lines_after(lines, met, position, limits, stop, &mut |found| {
            if let Some(on_depth) = &mut on_depth {
                on_depth(&AnyReport::of_depth(found));
            }
        }))
    }

    fn set_evaluator(&mut self, evaluator: &AnyEvaluator) {
        if let Some(evaluator) = evaluator.typed::<G>() {
            self.set_evaluator(evaluator.clone());
        }
    }

    fn set_constants(&mut self, constants: &SearchConstants) {
        self.set_constants(constants);
    }

    #[cfg(feature = "endgames")]
    fn set_known(&mut self, known: Option<&dyn Any>) {
        self.set_known(known.and_then(|known| known.downcast_ref()).cloned()
            as Option<Arc<dyn KnownValues<G>>>);
    }

    fn clear(&mut self) {
        self.clear();
    }

    fn options(&self) -> &Options {
        self.options()
    }

    fn unit(&self) -> Score {
        self.evaluator().unit()
    }

    fn fill(&self) -> Fill {
        self.fill()
    }
}
