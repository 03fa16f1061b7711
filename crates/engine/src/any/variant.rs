//! A game as data, for the rest of the program.

#[cfg(feature = "endgames")]
use super::AnyEndgames;
#[cfg(feature = "endgames")]
use super::endgames::EndgameFunctions;
use super::evaluated::{RulesAlone, WithEngine};
use super::refereed::{Referee, RefereedGame};
use super::variant_functions::{EngineFunctions, RulesFunctions};
use super::{AnyEvaluator, AnyMove, AnyPosition, AnyViews};
use crate::error::{Error, Result};
use crate::eval::{Game, Guide, NetworkView, PatternTable, ScoreUnits, Symmetry};
#[cfg(feature = "endgames")]
use crate::game::endgames::Endgames;
use crate::game::{Board, Outcome, Rules};
use crate::search::{SolveOptions, SolveProgress, Stop};
use crate::weights::{FeatureShape, InputScheme, WeightSet, WindowShape};
use std::marker::PhantomData;
use std::sync::Arc;

/// A feature with one weight, see [`Feature`](crate::eval::Feature).
#[derive(Clone, Copy, Debug)]
pub struct FeatureInfo {
    /// Its name in weight files.
    pub name: &'static str,
    /// The section of the feature list that it belongs to.
    pub family: &'static str,
    /// Its definition in words.
    pub words: &'static str,
    /// The definition as a formula.
    pub formula: &'static str,
    /// The weight file format that introduced it.
    pub since: u32,
}

/// A game: its constants, and its functions in terms of the positions, evaluators and engines of
/// [any](super) game.
pub struct Variant {
    /// The name in files and commands, in lower case.
    pub name: &'static str,
    /// Whether a game can end in a draw.
    pub has_draws: bool,
    /// The greatest number of plies in a turn.
    pub turn_plies: u32,
    /// The players' names for the first and the second side.
    pub side_names: [&'static str; 2],
    /// See [`Notation::PIECE_SIGNS`](crate::game::Notation::PIECE_SIGNS).
    pub piece_signs: [&'static str; 2],
    /// The notation of a move, explained to people.
    pub move_help: &'static str,
    /// The number of counters at the end of a FEN that a position does not store.
    pub loose_counters: usize,
    /// See [`Notation::IS_GUESSED`](crate::game::Notation::IS_GUESSED).
    pub is_guessed: bool,
    /// Every board that the game supports.
    pub boards: Vec<Board>,
    /// The board that is used when none is named.
    pub default_board: Board,
    /// The size of a packed position in bytes; 0 for a game without packed positions.
    pub packed: usize,
    /// The features with one weight, in the order of weight files.
    pub features: Vec<FeatureInfo>,
    /// The features with a weight for each pattern.
    pub tables: &'static [PatternTable],
    /// Whether its sets may have weights by phase, see [`Game::PHASE`].
    pub has_phases: bool,
    /// Guide text and examples, and the sets that commands use.
    pub guide: Guide,
    /// See [`Game::LEAST_BLEND`].
    pub least_blend: f64,
    /// See [`Game::BESIDE_TABLES`].
    pub beside_tables: &'static [&'static str],
    /// See [`Game::SYMMETRY`].
    pub symmetry: Option<Symmetry>,
    /// The input scheme of its networks.
    pub networks: InputScheme,
    rules: Box<dyn RulesFunctions>,
    engine: Option<Box<dyn EngineFunctions>>,
    #[cfg(feature = "endgames")]
    pub(super) endgames: Option<Box<dyn EndgameFunctions>>,
}

/// The result of a solver, see [`Solved`](crate::search::Solved).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnySolved {
    /// The outcome with best play; `None` if the solver was stopped early or gave up.
    pub outcome: Option<Outcome>,
    /// Whether the solver gave up because a line became too long.
    pub is_endless: bool,
    /// A line from the position to the end of the game.
    pub pv: Vec<AnyMove>,
    /// The number of positions visited.
    pub nodes: u64,
}

/// The guide of a game that has rules only.
const NO_GUIDE: Guide = Guide {
    text: "",
    example: "",
    example_set: "",
    default_set: "",
    hand_made_set: "",
    tunes_all: false,
    positions: "",
    boards: &[],
    bench_depth: 1,
    piece_logit: 1.0,
};

/// The error when an operation needs the built-in engine and the game has rules only.
pub(super) fn rules_alone(game: &str) -> Error {
    let reason = "it has rules alone: no engine, no features and no weights of ours";
    Error::input(format!("game `{game}`"), reason).remedy(format!(
        "external engines play it: `match cmd:A cmd:B --game {game}`; `perft`, `show` and `export` \
         know its rules"
    ))
}

impl Variant {
    /// The game of a type that has rules only: no features and no weight sets.
    pub fn of_rules<R: Rules>() -> Self {
        let rules = Box::new(PhantomData::<fn() -> (R, RulesAlone)>);
        Self {
            has_draws: R::HAS_DRAWS,
            turn_plies: R::TURN_PLIES,
            side_names: R::SIDE_NAMES,
            piece_signs: R::PIECE_SIGNS,
            move_help: R::MOVE_HELP,
            loose_counters: R::LOOSE_COUNTERS,
            is_guessed: R::IS_GUESSED,
            boards: R::boards(),
            packed: R::PACKED,
            ..Self::of_functions(R::GAME, R::default_board(), rules)
        }
    }

    /// A game whose rules a referee supplies.
    pub(super) fn refereed(name: &'static str, board: Board, referee: Arc<dyn Referee>) -> Self {
        let game = Arc::new(RefereedGame::new(name, board, referee));
        Self::of_functions(name, board, Box::new(game))
    }

    /// A game on one board that has rules only.
    fn of_functions(name: &'static str, board: Board, rules: Box<dyn RulesFunctions>) -> Self {
        Self {
            name,
            has_draws: true,
            turn_plies: 1,
            side_names: ["White", "Black"],
            piece_signs: ["", ""],
            move_help: "write moves as engines do, for example e2e4 or P@e4",
            loose_counters: 0,
            is_guessed: false,
            boards: vec![board],
            default_board: board,
            packed: 0,
            features: Vec::new(),
            tables: &[],
            has_phases: false,
            guide: NO_GUIDE,
            least_blend: 1.0,
            beside_tables: &[],
            symmetry: None,
            networks: InputScheme { windows: &[], states: 0, turns: 0, most_bias: 0 },
            rules,
            engine: None,
            #[cfg(feature = "endgames")]
            endgames: None,
        }
    }

    /// The game of a type, with features and the built-in engine.
    pub fn of<G: Game>() -> Self {
        let info = |f: &crate::eval::Feature<G::Inputs>| FeatureInfo {
            name: f.name,
            family: f.family,
            words: f.words,
            formula: f.formula,
            since: f.since,
        };
        Self {
            features: G::FEATURES.iter().map(info).collect(),
            tables: G::TABLES,
            has_phases: G::PHASE.is_some(),
            guide: G::GUIDE,
            least_blend: G::LEAST_BLEND,
            beside_tables: G::BESIDE_TABLES,
            symmetry: G::SYMMETRY,
            networks: G::NetworkView::SCHEME,
            rules: Box::new(PhantomData::<fn() -> (G, WithEngine)>),
            engine: Some(Box::new(PhantomData::<fn() -> G>)),
            ..Self::of_rules::<G>()
        }
    }

    /// The same game with endgame databases.
    #[cfg(feature = "endgames")]
    #[must_use]
    pub fn with_endgames<G: Game + Endgames>(self) -> Self {
        Self { endgames: Some(Box::new(PhantomData::<fn() -> G>)), ..self }
    }

    /// Whether the built-in engine plays the game.
    pub fn has_engine(&self) -> bool {
        self.engine.is_some()
    }

    /// Checks that the built-in engine plays the game.
    ///
    /// # Errors
    /// When the game has rules only.
    pub fn needs_engine(&self) -> Result<()> {
        self.engine().map(drop)
    }

    fn engine(&self) -> Result<&dyn EngineFunctions> {
        self.engine.as_deref().ok_or_else(|| rules_alone(self.name))
    }

    /// The starting position.
    ///
    /// # Errors
    /// When the game does not support the board.
    pub fn start(&self, board: Board) -> Result<AnyPosition> {
        self.rules.start(board)
    }

    /// Reads a position from its FEN.
    ///
    /// # Errors
    /// When the text is not a position of the game; the error names the place in the text.
    pub fn from_fen(&self, text: &str) -> Result<AnyPosition> {
        self.rules.from_fen(text)
    }

    /// The number of signs in an unreadable text that belong to the notation of the game, see
    /// [`Notation::likeness`](crate::game::Notation::likeness).
    pub fn likeness(&self, text: &str) -> usize {
        self.rules.likeness(text)
    }

    /// The default number of random plies in an opening.
    pub fn default_opening_plies(&self, board: Board) -> u32 {
        self.rules.default_opening_plies(board)
    }

    /// Prepares a weight set for search.
    ///
    /// # Errors
    /// When the set does not fit the game, or the game has rules only.
    pub fn evaluator(&self, set: &WeightSet) -> Result<AnyEvaluator> {
        self.engine()?.evaluator(set)
    }

    /// The scale that turns a set's scores into pieces and winning chances.
    ///
    /// # Errors
    /// As for [`evaluator`](Self::evaluator).
    pub fn score_units(&self, set: &WeightSet) -> Result<ScoreUnits> {
        Ok(self.guide.score_units(self.evaluator(set)?.unit()))
    }

    /// Checks that a set fits the game, see
    /// [`check_set`](crate::eval::features::check_set).
    ///
    /// # Errors
    /// When it does not; the error names the set by `place`.
    pub fn check_set(&self, set: &WeightSet, place: &str) -> Result<()> {
        self.engine()?.check_set(set, place)
    }

    /// Whether scores are measured in pieces. Otherwise their unit is the spread of static values.
    pub fn counts_in_pieces(&self) -> bool {
        self.engine.as_ref().is_some_and(|engine| engine.counts_in_pieces())
    }

    /// The names and shapes of the features in weight files for a board, or for any board.
    pub fn shapes(&self, board: Option<Board>) -> Vec<FeatureShape> {
        self.engine.as_ref().map_or_else(Vec::new, |engine| engine.shapes(board))
    }

    /// The names of the features with one weight.
    pub fn feature_names(&self) -> Vec<&'static str> {
        self.features.iter().map(|feature| feature.name).collect()
    }

    /// Unpacks a position into a new one.
    ///
    /// # Errors
    /// When the bytes are not an unfinished position on the board.
    pub fn unpack(&self, board: Board, bytes: &[u8]) -> Result<AnyPosition> {
        let mut position = self.start(board)?;
        position.unpack(bytes)?;
        Ok(position)
    }

    /// An empty list of network inputs, for networks with such windows.
    pub fn views(&self, window: WindowShape) -> AnyViews {
        self.engine.as_ref().map_or_else(AnyViews::none, |engine| engine.views(window))
    }

    /// Solves a position, see [`solve()`](crate::search::solve()).
    ///
    /// # Errors
    /// When the position belongs to another game, or the game has rules only.
    pub fn solve(
        &self,
        position: &AnyPosition,
        options: &SolveOptions,
        stop: &Stop,
        on_progress: &mut dyn FnMut(&SolveProgress),
    ) -> Result<AnySolved> {
        let found = self.engine()?.solve(position, None, options, stop, on_progress);
        found.ok_or_else(|| self.foreign(position))
    }

    /// Solves a position with the values of an endgame database.
    ///
    /// # Errors
    /// As for [`solve`](Self::solve).
    #[cfg(feature = "endgames")]
    pub fn solve_with(
        &self,
        position: &AnyPosition,
        endgames: Option<&AnyEndgames>,
        options: &SolveOptions,
        stop: &Stop,
        on_progress: &mut dyn FnMut(&SolveProgress),
    ) -> Result<AnySolved> {
        let known = endgames.map(AnyEndgames::as_any);
        let found = self.engine()?.solve(position, known, options, stop, on_progress);
        found.ok_or_else(|| self.foreign(position))
    }

    /// The error for a position that belongs to another game.
    pub(super) fn foreign(&self, position: &AnyPosition) -> Error {
        let reason = format!("of {}, not of {}", position.game(), self.name);
        Error::input("position", reason).remedy("give a position of the game")
    }

    /// The game's section of FEATURES.md.
    ///
    /// # Errors
    /// When the [`guide`](Self::guide) names a position or a set that does not exist.
    #[cfg(feature = "documents")]
    pub fn features_markdown(&self) -> Result<String> {
        self.engine()?.features_markdown()
    }

    /// The text of `weights/<game>/conformance.json`.
    ///
    /// # Errors
    /// As for [`features_markdown`](Self::features_markdown).
    #[cfg(feature = "documents")]
    pub fn conformance_json(&self) -> Result<String> {
        self.engine()?.conformance_json()
    }
}
