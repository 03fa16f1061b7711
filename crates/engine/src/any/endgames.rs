//! Endgame databases of any game.

use super::{AnyPosition, GameId, Variant};
use crate::endgame::{ClassSummary, EndgamePlan, EndgameTables, WrongValue};
use crate::error::{Error, Result};
use crate::eval::Game;
use crate::game::endgames::Endgames;
use crate::game::{Board, KnownValue, KnownValues};
use crate::search::Stop;
use rand_mt::Mt64;
use std::any::Any;
use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::Arc;

/// The classes of a database that is to be built or read, see [`EndgamePlan`].
pub struct AnyEndgamePlan(Box<dyn PlanObject>);

impl AnyEndgamePlan {}

/// An endgame database of any game. Clones share it.
#[derive(Clone)]
pub struct AnyEndgames {
    tables: Arc<dyn TablesObject>,
    /// The same tables as an `Arc<dyn KnownValues<G>>`, for the solver and the search.
    known: Arc<dyn Any + Send + Sync>,
}

impl Deref for AnyEndgamePlan {
    type Target = dyn PlanObject;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl AnyEndgames {
    fn of<G: Game + Endgames>(tables: EndgameTables<G>) -> Self {
        let tables = Arc::new(tables);
        let known: Arc<dyn KnownValues<G>> = tables.clone();
        Self { tables, known: Arc::new(known) }
    }

    /// The `Arc<dyn KnownValues<G>>` of its game, for the solver and the search.
    pub(super) fn as_any(&self) -> &dyn Any {
        self.known.as_ref()
    }

    /// The value of an unfinished position. `None` if the database lacks it, or if the turn limit
    /// would end the game exactly when it is decided.
    pub fn value(&self, position: &AnyPosition) -> Option<KnownValue> {
        let fits = position.board() == self.board() && position.outcome().is_none();
        if fits { self.tables.value(position) } else { None }
    }
}

impl Deref for AnyEndgames {
    type Target = dyn TablesObject;

    fn deref(&self) -> &Self::Target {
        &*self.tables
    }
}

/// The functions of a game with endgames.
pub(super) trait EndgameFunctions: Send + Sync {
    fn material(&self) -> &'static [&'static str];
    fn usual(&self) -> Vec<Vec<u8>>;
    fn plan(&self, board: Board, bounds: &[Vec<u8>]) -> Result<AnyEndgamePlan>;
}

impl<G: Game + Endgames> EndgameFunctions for PhantomData<fn() -> G> {
    fn material(&self) -> &'static [&'static str] {
        G::MATERIAL
    }

    fn usual(&self) -> Vec<Vec<u8>> {
        G::USUAL.iter().map(|most| most.to_vec()).collect()
    }

    fn plan(&self, board: Board, bounds: &[Vec<u8>]) -> Result<AnyEndgamePlan> {
        let plan = Arc::new(EndgamePlan::<G>::new(board, bounds)?);
        Ok(AnyEndgamePlan(Box::new(plan)))
    }
}

impl Variant {
    /// Checks that the game has endgame databases.
    ///
    /// # Errors
    /// When it has none.
    pub fn needs_endgames(&self) -> Result<()> {
        self.endgames().map(drop)
    }

    /// The numbers that bound the material of a database, each described in words.
    ///
    /// # Errors
    /// When the game has no databases.
    pub fn endgame_material(&self) -> Result<&'static [&'static str]> {
        Ok(self.endgames()?.material())
    }

    /// The default bounds of the material.
    ///
    /// # Errors
    /// When the game has no databases.
    pub fn usual_endgames(&self) -> Result<Vec<Vec<u8>>> {
        Ok(self.endgames()?.usual())
    }

    /// Plans the classes of a database, see [`EndgamePlan::new`].
    ///
    /// # Errors
    /// As there, and when the game has no databases.
    pub fn endgame_plan(&self, board: Board, bounds: &[Vec<u8>]) -> Result<AnyEndgamePlan> {
        self.endgames()?.plan(board, bounds)
    }

    /// Whether the game has endgame databases.
    pub fn has_endgames(&self) -> bool {
        self.endgames.is_some()
    }

    fn endgames(&self) -> Result<&dyn EndgameFunctions> {
        self.endgames.as_deref().ok_or_else(|| {
            let refused = |reason| Error::input(format!("game `{}`", self.name), reason);
            match GameId::all().iter().find(|game| game.has_endgames()) {
                Some(game) => refused("it has no endgame databases")
                    .remedy(format!("name a game that has them, for example --game {game}")),
                None => refused("no game of this program has endgame databases"),
            }
        })
    }
}

pub trait PlanObject: Send + Sync {
    /// The bounds of the material, each with one number for each of the game's words.
    fn bounds(&self) -> &[Vec<u8>];

    /// The number of values of each class.
    fn sizes(&self) -> Vec<u64>;

    /// The memory that all values take, in bytes.
    fn bytes(&self) -> u64;

    /// Solves every position, see [`EndgamePlan::build`].
    fn build(
        &self,
        threads: usize,
        stop: &Stop,
        on_progress: &mut dyn FnMut(u64),
    ) -> Option<AnyEndgames>;

    /// Makes the database of these values, class by class.
    ///
    /// # Errors
    /// When their number is wrong.
    fn with_values(&self, values: Vec<Vec<u8>>) -> Result<AnyEndgames>;
}

impl<G: Game + Endgames> PlanObject for Arc<EndgamePlan<G>> {
    fn bounds(&self) -> &[Vec<u8>] {
        EndgamePlan::bounds(self)
    }

    fn sizes(&self) -> Vec<u64> {
        EndgamePlan::sizes(self).map(|(_, size)| size).collect()
    }

    fn bytes(&self) -> u64 {
        EndgamePlan::bytes(self)
    }

    fn build(
        &self,
        threads: usize,
        stop: &Stop,
        on_progress: &mut dyn FnMut(u64),
    ) -> Option<AnyEndgames> {
        EndgamePlan::build(self, threads, stop, on_progress).map(AnyEndgames::of)
    }

    fn with_values(&self, values: Vec<Vec<u8>>) -> Result<AnyEndgames> {
        EndgamePlan::with_values(self, values).map(AnyEndgames::of)
    }
}

pub trait TablesObject: Send + Sync {
    /// The name of the game.
    fn game(&self) -> &'static str;

    /// The board.
    fn board(&self) -> Board;

    /// The bounds of the material.
    fn bounds(&self) -> &[Vec<u8>];

    /// The values of each class, one byte for each index.
    fn values(&self) -> &[Vec<u8>];

    /// A summary of each class.
    fn classes(&self) -> Vec<ClassSummary>;
    fn value(&self, position: &AnyPosition) -> Option<KnownValue>;

    /// A random position as near to the turn limit as the solver needs it; `None` if there are
    /// hardly any.
    fn random(&self, generator: &mut Mt64) -> Option<AnyPosition>;

    /// Compares stored values of a class with the values that follow from the positions after each
    /// move, see [`EndgameTables::check`]. Returns the first wrong one.
    fn check(
        &self,
        class: usize,
        numbers: std::ops::Range<usize>,
    ) -> Option<WrongValue<AnyPosition>>;
}

impl<G: Game + Endgames> TablesObject for EndgameTables<G> {
    fn game(&self) -> &'static str {
        G::GAME
    }

    fn board(&self) -> Board {
        self.plan().board()
    }

    fn bounds(&self) -> &[Vec<u8>] {
        self.plan().bounds()
    }

    fn values(&self) -> &[Vec<u8>] {
        EndgameTables::values(self)
    }

    fn classes(&self) -> Vec<ClassSummary> {
        self.summaries()
    }

    fn value(&self, position: &AnyPosition) -> Option<KnownValue> {
        EndgameTables::value(self, position.typed::<G>()?)
    }

    fn random(&self, generator: &mut Mt64) -> Option<AnyPosition> {
        let position = EndgameTables::random(self, generator)?;
        let most = G::SOLVABLE_TURNS.filter(|_| position.turns_left().is_some());
        Some(AnyPosition::of(match most {
            Some(most) => {
                let turns = 1 + generator.next_u64() % u64::from(most);
                position.with_turns_left(turns as u32)
            }
            None => position,
        }))
    }

    fn check(
        &self,
        class: usize,
        mut numbers: std::ops::Range<usize>,
    ) -> Option<WrongValue<AnyPosition>> {
        let wrong = numbers.find_map(|number| EndgameTables::check(self, class, number))?;
        Some(WrongValue {
            position: AnyPosition::of(wrong.position),
            stored: wrong.stored,
            expected: wrong.expected,
        })
    }
}
