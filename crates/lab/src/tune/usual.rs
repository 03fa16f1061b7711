//! The usual tune: the defaults of `spar tune` and of tunes from code.

use crate::arena::seed::derive;
use crate::arena::{Adjudication, BookConfig, BookPart};
use crate::error::Result;
use crate::game::Board;
use crate::games::GameId;
use crate::player::{DefaultWeights, Player};
use crate::search::Limits;
use crate::stats::Sprt;
use crate::tune::{
    FitFirst, GameRules, JoinedDefaults, Knob, MatchPlan, Method, OpponentSet, OpponentsConfig,
    Optimizer, Plan, SpsaOptions, TuneSettings, Validation, Yardsticks,
};
use crate::weights::find_shipped;

/// The least pairs of the validation, even if the verdict comes sooner.
const LEAST_VALIDATION_PAIRS: u64 = 200;
/// Pairs on a line of the journal during the validation.
const VALIDATION_BATCH: u64 = 16;
/// The hypotheses of the validation, in normalised Elo.
const VALIDATION_ELO: (f64, f64) = (0.0, 10.0);
/// The places below the run's seed for the openings of the tune and of the validation.
const BOOKS: [u64; 2] = [0xb00c, 0xb00d];

impl Validation {
    /// The most pairs by default.
    pub const PAIRS: u64 = 1_000;

    /// The usual validation of at most this many pairs.
    ///
    /// # Errors
    /// Never: the hypotheses are sound.
    pub fn usual(pairs: u64) -> Result<Self> {
        let (elo0, elo1) = VALIDATION_ELO;
        Ok(Self {
            pairs,
            least_pairs: LEAST_VALIDATION_PAIRS.min(pairs),
            sprt: Sprt::usual(elo0, elo1)?,
            batch_pairs: VALIDATION_BATCH,
        })
    }
}

impl TuneSettings {
    /// Nodes a move by default.
    pub const NODES: u64 = 1_000;

    /// The seed of the openings of a tune with this seed.
    pub fn book_seed(seed: u64) -> u64 {
        derive(seed, &[BOOKS[0]])
    }

    /// A tune with openings from this book, the usual validation, no yardsticks and no adjudication.
    ///
    /// # Errors
    /// Never: the usual validation is sound.
    pub fn new(
        game: GameId,
        book: BookConfig,
        limits: Limits,
        seed: u64,
        games: u64,
        plan: Plan,
    ) -> Result<Self> {
        Ok(Self {
            game: game.name.into(),
            board: book.board.clone(),
            games,
            limits,
            seed,
            validation_book: BookConfig {
                seed: derive(seed, &[BOOKS[1]]),
                ..book.part(BookPart::Validation)
            },
            book: book.part(BookPart::Tune),
            validation: Validation::usual(Validation::PAIRS)?,
            yardsticks: Yardsticks::default(),
            adjudication: Adjudication::Never,
            referee: None,
            rules: GameRules::Known,
            max_plies: None,
            plan,
        })
    }

    /// The usual tune of weights by a method.
    ///
    /// # Errors
    /// When the set does not fit the game, or nothing is left to tune.
    pub fn usual(
        game: GameId,
        board: Board,
        start: &Player,
        method: Method,
        games: Option<u64>,
        limits: Limits,
        seed: u64,
    ) -> Result<Self> {
        let book = BookConfig::new(game, board, Self::book_seed(seed));
        let games = games.unwrap_or_else(|| method.usual_games());
        let knobs = || {
            let choice = super::Selection::default();
            choice.weights(game, &start.weights, board, book.plies, seed)
        };
        let plan = match method {
            Method::Joined => {
                Plan::Matches(Box::new(MatchPlan::joined(knobs()?, (game, board), games, &book)?))
            }
            Method::Spsa => {
                let optimizer = Optimizer::Spsa(SpsaOptions::default());
                Plan::Matches(Box::new(MatchPlan::new(optimizer, knobs()?)))
            }
            Method::Logistic => Plan::Fitting(Box::default()),
            Method::Network => Plan::Training(Box::default()),
        };
        let settings = Self::new(game, book, limits, seed, games, plan)?;
        let yardsticks = Yardsticks::of(game, board, limits, games, None);
        Ok(Self { yardsticks, ..settings })
    }
}

impl Method {
    /// Games of a tune by default.
    pub fn usual_games(self) -> u64 {
        match self {
            Self::Spsa => 30_000,
            Self::Joined | Self::Logistic | Self::Network => 60_000,
        }
    }
}

impl MatchPlan {
    /// The usual plan of a joined tune of these weights in this many games, with the openings of this
    /// book.
    fn joined(
        knobs: Vec<Knob>,
        (game, board): (GameId, Board),
        games: u64,
        book: &BookConfig,
    ) -> Result<Self> {
        let options = SpsaOptions { c: JoinedDefaults::C, ..SpsaOptions::default() };
        let mut plan = Self {
            opponents: OpponentsConfig::usual(game, board)?,
            quick_share: Some(JoinedDefaults::QUICK_SHARE),
            quick_pairs: Some(JoinedDefaults::QUICK_PAIRS),
            ..Self::new(Optimizer::Spsa(options), knobs)
        };
        plan.begin_with(FitFirst::usual_games(games).map(|games| FitFirst::new(games, game, book)));
        Ok(plan)
    }

    /// Begins with a fit, if there is one. Around the weights of a fit the optimizer expects a
    /// sharper surface.
    pub fn begin_with(&mut self, fit: Option<FitFirst>) {
        let Optimizer::Spsa(options) = &mut self.optimizer;
        if fit.is_some() {
            options.elo_at_half_range.get_or_insert(Optimizer::ELO_AROUND_A_FIT);
        }
        self.fit_first = fit;
    }
}

impl OpponentsConfig {
    /// The opponents of joined tunes of weights: the game's count of pieces, if it has one.
    fn usual(game: GameId, board: Board) -> Result<Option<Self>> {
        let Some(shipped) = find_shipped(JoinedDefaults::OPPONENT, game.name) else {
            return Ok(None);
        };
        let player = Player::find(game, Some(shipped.name), DefaultWeights::Strongest(board))?;
        let (sets, share) = (vec![OpponentSet::of(player)], JoinedDefaults::OPPONENT_SHARE);
        Ok(Some(Self { sets, engines: Vec::new(), share, limits: None }))
    }
}
