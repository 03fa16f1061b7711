//! The arguments of tunes by matches, and the plan that they make.

use super::engine::EngineTuneArgs;
use crate::arena::BookConfig;
use crate::cli::Console;
use crate::cli::args::parse_count;
use crate::cli::opponents::OpponentArgs;
use crate::error::Result;
use crate::game::Board;
use crate::games::GameId;
use crate::player::Player;
use crate::search::{Algorithm, Limits};
use crate::tune::engine_check::check_limits;
use crate::tune::{Constraint, FitFirst, MatchPlan, Optimizer, Selection, Target};
use crate::weights::WeightSet;
use clap::Args;

/// The options of every tune by matches.
#[derive(Args, Debug)]
pub(super) struct MatchPlanArgs {
    /// Tune the weights of the evaluation, or the constants of the search
    #[arg(long, value_enum, default_value_t, help_heading = "What is tuned")]
    pub(super) target: Target,
    /// How the players of the matches search
    #[arg(long, value_enum, default_value_t, help_heading = "Search")]
    algorithm: Algorithm,
    #[command(flatten)]
    pub(super) selection: Selection,
    /// Keep a condition between two values, as "high_danger >= danger" or "a = b"; may be repeated
    #[arg(long, value_name = "CONDITION", help_heading = "What is tuned")]
    pub(super) constrain: Vec<Constraint>,
    /// Play some of the pairs at this share of --nodes or --movetime, so that the answer suits more
    /// than one limit
    #[arg(long, value_name = "SHARE", help_heading = "Limits of a move")]
    pub(super) quick_share: Option<f64>,
    /// Share of the pairs that --quick-share applies to [default: 0.5, in joined tunes of weights
    /// 0.667]
    #[arg(long, value_name = "SHARE", help_heading = "Limits of a move")]
    pub(super) quick_pairs: Option<f64>,
    #[command(flatten)]
    pub(super) opponents: OpponentArgs,
    /// The options of a tune of an engine, filled for SPSA.
    #[arg(skip)]
    pub(super) engine: EngineTuneArgs,
    /// Set for the joined method.
    #[arg(skip)]
    pub(super) fit_first: Option<FitFirstArgs>,
}

/// The options of the fit before the matches.
#[derive(Args, Clone, Debug)]
pub(super) struct FitFirstArgs {
    /// How many of the tune's games the initial fit takes [default: a fifth; no fit below 400]
    #[arg(long, value_name = "N", value_parser = parse_count, help_heading = "Steps")]
    fit_games: Option<u64>,
    /// Random plies that open each of these games [default: four times --plies, and at most half
    /// the length of random games]
    #[arg(long, value_name = "PLIES", help_heading = "Steps")]
    fit_plies: Option<u32>,
    /// Weight of the search score in the fit's target; the rest is the game result [default: 0.9]
    #[arg(long, value_name = "SHARE", help_heading = "Steps")]
    fit_blend: Option<f64>,
}

impl MatchPlanArgs {
    /// The plan of a tune with this optimizer.
    ///
    /// # Errors
    /// When a name is unknown, nothing is left to tune, a file cannot be read, or an opponent does
    /// not play.
    pub(super) fn plan(
        &self,
        optimizer: &Optimizer,
        start: &Player,
        (game, board): (GameId, Board),
        book: &BookConfig,
        (seed, games, limits): (u64, u64, &Limits),
        console: &Console,
    ) -> Result<MatchPlan> {
        self.engine.check()?;
        if let Some(command) = self.engine.command() {
            return self.plan_of_engine((command, limits), optimizer, (game, board), console);
        }
        let knobs = match self.target {
            Target::Option => Vec::new(),
            Target::Search => self.selection.constants(&start.constants, self.algorithm)?,
            Target::Weights => {
                self.selection.weights(game, &start.weights, board, book.plies, seed)?
            }
        };
        let mut plan = MatchPlan {
            constraints: self.constrain.clone(),
            opponents: self.opponents.config(game, board, console)?,
            quick_share: self.quick_share,
            quick_pairs: self.quick_pairs,
            algorithm: self.algorithm,
            ..MatchPlan::new(optimizer.clone(), knobs)
        };
        self.plan_beginning(&mut plan, optimizer, games, game, book);
        Ok(plan)
    }

    /// The plan of a tune of an external engine with limits that it must respect.
    fn plan_of_engine(
        &self,
        (command, limits): (&str, &Limits),
        optimizer: &Optimizer,
        on: (GameId, Board),
        console: &Console,
    ) -> Result<MatchPlan> {
        let (engine, started, lines) =
            self.engine.knobs.find(command, self.opponents.engine(), on, console)?;
        let mut optimizer = optimizer.clone();
        let Optimizer::Spsa(options) = &mut optimizer;
        options.take_gain(&lines).into_iter().for_each(|note| console.note(note));
        let knobs = self.selection.options(lines, started.offered(), options.c)?;
        self.engine.knobs.check_free(&knobs)?;
        check_limits(&started, on, limits)?;
        Ok(MatchPlan {
            engine: Some(engine),
            constraints: self.constrain.clone(),
            opponents: self.opponents.config(on.0, on.1, console)?,
            quick_share: self.quick_share,
            quick_pairs: self.quick_pairs,
            ..MatchPlan::new(optimizer, knobs)
        })
    }

    /// Gives the plan this optimizer and, if a tune of this many games with these openings has one,
    /// the fit before the matches, after which the optimizer expects a sharper surface.
    pub(super) fn plan_beginning(
        &self,
        plan: &mut MatchPlan,
        optimizer: &Optimizer,
        games: u64,
        game: GameId,
        book: &BookConfig,
    ) {
        if plan.engine.is_none() {
            plan.optimizer = optimizer.clone();
        }
        plan.begin_with(self.fit_first(games, game, book));
    }

    /// The start set, with an early and a late value for each weight tuned by phase.
    ///
    /// # Errors
    /// When a name is unknown, or the set or its game can have no weights by phase.
    pub(super) fn split_by_phase(&self, game: GameId, start: &WeightSet) -> Result<WeightSet> {
        match (self.target, self.engine.is_tuned()) {
            (Target::Weights, false) => self.selection.split_by_phase(game, start),
            _ => Ok(start.clone()),
        }
    }

    /// Whether a fit may come before the matches: only weights can be fitted.
    pub(super) fn has_fit(&self) -> bool {
        self.fit_first.is_some() && self.target == Target::Weights
    }

    /// An option of the fit before the matches, if one is given.
    pub(super) fn fit_option(&self) -> Option<&'static str> {
        let FitFirstArgs { fit_games, fit_plies, fit_blend } = self.fit_first.as_ref()?;
        let given = [
            (fit_games.is_some(), "--fit-games"),
            (fit_plies.is_some(), "--fit-plies"),
            (fit_blend.is_some(), "--fit-blend"),
        ];
        given.into_iter().find_map(|(is_given, option)| is_given.then_some(option))
    }

    /// The fit before the matches in a tune of this many games with these openings.
    pub(super) fn fit_first(
        &self,
        games: u64,
        game: GameId,
        book: &BookConfig,
    ) -> Option<FitFirst> {
        let given = self.fit_first.as_ref().filter(|_| self.has_fit())?;
        let games = given.fit_games.or_else(|| FitFirst::usual_games(games))?;
        let usual = FitFirst::new(games, game, book);
        Some(FitFirst {
            plies: given.fit_plies.or(usual.plies),
            blend: given.fit_blend.or(usual.blend),
            ..usual
        })
    }
}
