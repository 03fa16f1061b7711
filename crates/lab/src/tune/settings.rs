//! Everything that decides a tune, as the manifest of its run keeps it.

use super::logistic::columns::Columns;
use super::logistic::generate::KeptPositions;
use super::network::{check_has_networks, weights_beside};
use super::validation::MOST_GAMES;
use crate::any::AnyEvaluator;
use crate::arena::{
    Adjudication, Book, BookConfig, EngineJudge, PairSpec, PlayerFactory, PlayerSpec, Sets,
    check_max_plies,
};
use crate::error::{Error, Result};
use crate::game::Board;
use crate::game::openings::MOST_OPENING_PLIES;
use crate::games::GameId;
use crate::player::Player;
use crate::protocol::ExternalEngine;
use crate::search::{Limits, Options, SearchConstants};
use crate::session::Stage;
use crate::tune::{
    Beginning, FittingPlan, GenerateConfig, Knob, MatchPlan, Method, OpponentSet, OpponentsConfig,
    Optimizer, Plan, PlanChange, Schedule, SelfPlay, Space, Target, Validation, Yardsticks,
};
use crate::weights::WeightSet;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The judge of random openings: these weights, in a game that the engine of this program plays.
///
/// # Errors
/// When the set does not fit the game.
pub fn judge(game: GameId, weights: &WeightSet) -> Result<Option<AnyEvaluator>> {
    game.has_engine().then(|| game.evaluator(weights)).transpose()
}

/// Where the rules of a game come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum GameRules {
    /// This program or a referee knows them
    #[default]
    Known,
    /// Only the tuned engine knows them: games end by its own scores
    Trust,
}

impl GameRules {
    /// Whether anyone but the players knows the rules.
    pub fn are_known(&self) -> bool {
        *self == Self::Known
    }
}

/// The whole configuration of a tune. With a node or depth limit the run depends on it alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TuneSettings {
    /// The game by name, such as `breakthrough`.
    pub game: String,
    /// The board, for example `8x8`.
    pub board: String,
    /// Games played for tuning; matches that decide come on top.
    pub games: u64,
    /// The limits of each move.
    pub limits: Limits,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The openings of the tune.
    pub book: BookConfig,
    /// The openings of the validation.
    pub validation_book: BookConfig,
    /// The match that accepts or rejects the answer.
    pub validation: Validation,
    /// The matches that measure the candidate afterwards.
    #[serde(default, skip_serializing_if = "Yardsticks::is_empty")]
    pub yardsticks: Yardsticks,
    /// When games are ended early.
    pub adjudication: Adjudication,
    /// The engine that knows the rules, where this program does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub referee: Option<ExternalEngine>,
    /// Whether only the tuned engine knows the rules.
    #[serde(default, skip_serializing_if = "GameRules::are_known")]
    pub rules: GameRules,
    /// The most plies of a game after its opening, where they are not the usual ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_plies: Option<u32>,
    /// The plan of the tune.
    pub plan: Plan,
}

impl TuneSettings {
    /// Applies a change of the plan; the gain of the optimizer stays.
    pub fn change(&mut self, change: PlanChange) {
        if let Some(games) = change.games {
            if let Plan::Matches(plan) = &mut self.plan {
                let planned = plan.games_of_matches(self.games);
                let Optimizer::Spsa(options) = &mut plan.optimizer;
                options.planned_games.get_or_insert(planned);
            }
            self.games = games;
        }
        if let Some(round_games) = change.round_games {
            match &mut self.plan {
                Plan::Matches(_) => {}
                Plan::Fitting(plan) => plan.round_games = round_games,
                Plan::Training(plan) => plan.round_games = round_games,
            }
        }
        self.yardsticks.pairs = change.yardstick_pairs.unwrap_or(self.yardsticks.pairs);
    }

    /// The games that the tune is planned to play, without the matches that decide.
    pub fn planned_games(&self) -> u64 {
        self.schedule().map_or(self.games, |schedule| schedule.planned_games(self.games))
    }

    /// The method that makes the answer.
    pub fn method(&self) -> Method {
        match &self.plan {
            Plan::Matches(plan) => plan.method(),
            Plan::Fitting(_) => Method::Logistic,
            Plan::Training(_) => Method::Network,
        }
    }

    /// The kind of the tuned number.
    pub fn target(&self) -> Target {
        self.matches().map_or(Target::Weights, MatchPlan::target)
    }

    /// The plan of a tune by matches.
    pub fn matches(&self) -> Option<&MatchPlan> {
        match &self.plan {
            Plan::Matches(plan) => Some(plan),
            Plan::Fitting(_) | Plan::Training(_) => None,
        }
    }

    /// The opponents of a tune that has some.
    pub fn opponents(&self) -> Option<&OpponentsConfig> {
        self.matches().and_then(|plan| plan.opponents.as_ref())
    }

    /// The external engine that is tuned.
    pub fn engine(&self) -> Option<&ExternalEngine> {
        self.matches().and_then(|plan| plan.engine.as_ref())
    }

    /// The place of the tuned engine among the run's engines: after the opponents.
    pub(super) fn engine_place(&self) -> usize {
        self.opponents().map_or(0, |opponents| opponents.engines.len())
    }

    /// A book of openings whose judge is the start, found among `engines` if it is one of them.
    ///
    /// # Errors
    /// When the openings cannot be read, or the start does not fit the game.
    pub fn judged_book(
        &self,
        book: BookConfig,
        start: &Player,
        engines: &[Arc<dyn PlayerFactory>],
    ) -> Result<Book> {
        let game = self.game_id()?;
        let book = Book::new(game, book, judge(game, &start.weights)?.as_ref())?;
        Ok(book.judged_by(self.engine_judge(engines, &start.options)))
    }

    /// The tuned engine, found among the engines of the run, as the judge of random openings with
    /// these options.
    fn engine_judge(
        &self,
        engines: &[Arc<dyn PlayerFactory>],
        options: &BTreeMap<String, String>,
    ) -> Option<EngineJudge> {
        let engine = self.engine().and(engines.get(self.engine_place()))?;
        Some(EngineJudge::new(engine, options, self.limits))
    }

    /// Whether the shipped set of this name is one of the opponents.
    pub fn has_opponent(&self, set: &str) -> bool {
        let is_it = |known: &OpponentSet| known.player.is_none() && known.name == set;
        self.opponents().is_some_and(|opponents| opponents.sets.iter().any(is_it))
    }

    /// The plan of a tune by fitting.
    pub fn fitting(&self) -> Option<&FittingPlan> {
        match &self.plan {
            Plan::Matches(_) | Plan::Training(_) => None,
            Plan::Fitting(plan) => Some(plan),
        }
    }

    /// The rounds of a tune that has them.
    pub fn schedule(&self) -> Option<Schedule> {
        match &self.plan {
            Plan::Matches(_) => None,
            Plan::Fitting(plan) => Some(plan.schedule()),
            Plan::Training(plan) => Some(plan.schedule()),
        }
    }

    /// The tuned numbers of a tune by matches.
    pub fn knobs(&self) -> &[Knob] {
        self.matches().map_or(&[], |plan| &plan.knobs)
    }

    /// Whether a run from this start has a file of search constants beside its weights: if they are
    /// tuned, or are not the defaults.
    pub fn has_search(&self, start: &Player) -> bool {
        self.target() == Target::Search || start.constants != SearchConstants::default()
    }

    /// The game by name, such as `breakthrough`.
    ///
    /// # Errors
    /// When this program does not have it.
    pub fn game_id(&self) -> Result<GameId> {
        self.game.parse()
    }

    /// The limits of a move in the games of a stage, if all of them have the same.
    pub fn limits_in(&self, stage: Stage) -> Option<Limits> {
        let quick = self.matches().and_then(|plan| plan.quick_limits(&self.limits));
        let of_opponents = self.opponents().and_then(|opponents| opponents.limits);
        match stage {
            Stage::Yardstick => match self.yardsticks.limits[..] {
                [limits] => Some(limits),
                _ => None,
            },
            Stage::Tune if quick.is_some() || of_opponents.is_some() => None,
            _ => Some(self.limits),
        }
    }

    /// A pair of two players under these limits, without an opening. Adds their sets to `sets`.
    ///
    /// # Errors
    /// When a set has no compact form.
    pub fn pair(&self, players: [&Player; 2], limits: Limits, sets: &mut Sets) -> Result<PairSpec> {
        let algorithm = self.matches().map(|plan| plan.algorithm).unwrap_or_default();
        let spec = |player: &Player, sets: &mut Sets| -> Result<PlayerSpec> {
            if player.options.is_empty() {
                let spec = PlayerSpec::of_player(player, limits, sets)?;
                return Ok(PlayerSpec { algorithm, ..spec });
            }
            let (options, place) = (player.options.clone(), self.engine_place());
            Ok(PlayerSpec { options, ..PlayerSpec::of_engine(place, limits) })
        };
        let [a, b] = players.map(|player| spec(player, sets));
        let pair = PairSpec::new(self.game_id()?, self.board.parse()?, [a?, b?]);
        let table_bytes = Options::table_for(&self.limits);
        let (adjudication, max_plies) = (self.adjudication, self.max_plies);
        Ok(PairSpec { adjudication, max_plies, table_bytes, ..pair })
    }

    /// The games of a round, from 1.
    ///
    /// # Errors
    /// When a number is out of range.
    pub(super) fn round_games(&self, schedule: &Schedule, round: u64) -> Result<GenerateConfig> {
        let (games, seed) =
            (schedule.round_games(self.games, round), schedule.round_seed(self.seed, round));
        let usual = match self.plan {
            Plan::Training(_) => KeptPositions::All,
            Plan::Matches(_) | Plan::Fitting(_) => KeptPositions::Quiet,
        };
        let positions = Some(schedule.self_play.positions.unwrap_or(usual));
        let self_play = SelfPlay { positions, ..schedule.self_play };
        self_play.config(self.game_id()?, self.board.parse()?, games, self.limits, seed)
    }

    /// The space that a tune by matches searches, around the player that it starts from.
    ///
    /// # Errors
    /// When the set does not fit the game, or the knobs or constraints do not fit what is tuned.
    pub fn space(&self, start: &Player, plan: &MatchPlan) -> Result<Space> {
        Space::new(self.game_id()?, start.clone(), plan.knobs.clone(), &plan.constraints)
    }

    /// Checks what can be checked without playing.
    ///
    /// # Errors
    /// When a number is out of range, or parts of the configuration contradict each other.
    pub fn check(&self) -> Result<()> {
        self.limits.check()?;
        check_max_plies(self.max_plies)?;
        if self.games > MOST_GAMES {
            return Err(Error::input("games", format!("{} are too many", self.games))
                .remedy(format!("give at most {MOST_GAMES} with --games")));
        }
        self.validation.check("validation", "--validation-pairs")?;
        self.yardsticks.check()?;
        self.check_book("book", &self.book)?;
        self.check_book("validation_book", &self.validation_book)?;
        match &self.plan {
            Plan::Matches(plan) => plan.check(self.games),
            Plan::Fitting(plan) => plan.check(self.games, self.seed, &self.validation),
            Plan::Training(plan) => plan.check(self.games, self.seed, &self.validation),
        }
    }

    /// Checks that a fit before the matches has enough games.
    fn check_first_fit(&self) -> Result<()> {
        match &self.plan {
            Plan::Fitting(plan) if !plan.has_enough(self.games, self.seed) => {
                let reason = format!("{} are too few for a fit", self.games);
                Err(Error::input("games of the fit", reason)
                    .remedy("give 100 or more with --fit-games, or no fit with --method spsa"))
            }
            _ => Ok(()),
        }
    }

    fn check_book(&self, key: &str, book: &BookConfig) -> Result<()> {
        if book.board != self.board {
            let reason = format!("`{}`, but the run is on `{}`", book.board, self.board);
            return Err(Error::input(format!("key `config.{key}.board`"), reason)
                .remedy("restore the manifest as the run wrote it"));
        }
        if book.plies > MOST_OPENING_PLIES {
            return Err(Error::input(
                "plies of an opening",
                format!("{} are too many", book.plies),
            )
            .remedy(format!("give at most {MOST_OPENING_PLIES} with --plies")));
        }
        Ok(())
    }

    /// Checks that only the tuned engine plays if only it knows the rules.
    fn check_trust(&self) -> Result<()> {
        if self.rules.are_known() {
            return Ok(());
        }
        let refuse = |place: &str, reason: &str, remedy: &str| {
            Err(Error::input(place, reason).remedy(remedy))
        };
        match self.matches() {
            Some(plan) if plan.engine.is_none() => {
                refuse("--rules trust", "no engine is tuned", "name one with --engine cmd:PROGRAM")
            }
            Some(MatchPlan { opponents: Some(_), .. }) => refuse(
                "--opponent",
                "only the tuned engine is trusted to know the rules",
                "leave it out, or name a --referee",
            ),
            Some(MatchPlan { beginning: Some(Beginning { probe: Some(_), .. }), .. }) => refuse(
                "--probe",
                "without a referee, no positions for it are known",
                "leave it out, or name a --referee",
            ),
            Some(MatchPlan {
                beginning: Some(Beginning { fit_positions: Some(_), .. }), ..
            }) => refuse(
                "--method joined",
                "without a referee, quiet positions are unknown",
                "leave it out, or name a --referee",
            ),
            _ if self.book.file.is_none() && self.book.plies > 0 => refuse(
                "--plies",
                "without a referee, the legal moves of random openings are unknown",
                "name a file of positions with --book, or begin every game at the start with --plies 0",
            ),
            _ => Ok(()),
        }
    }

    /// Checks everything, including what depends on the game and on the player that the tune starts
    /// from.
    ///
    /// # Errors
    /// When a number is out of range, a name is unknown, or there are no such openings.
    pub fn check_for(&self, start: &Player) -> Result<()> {
        self.check()?;
        self.check_trust()?;
        let game = self.game_id()?;
        let board: Board = self.board.parse()?;
        match &self.plan {
            Plan::Matches(plan) => {
                drop(self.space(start, plan)?);
                if let Some(first) = self.fit_first(start) {
                    first.check_first_fit()?;
                    first.check_for(start)?;
                }
            }
            Plan::Fitting(plan) => {
                let set = plan.fit.split_by_phase(game, &start.weights, board)?;
                let (names, _) = plan.fit.names(game, &set, board);
                drop(Columns::new(game, board, &names)?);
                self.round_games(&plan.schedule(), 1)?;
            }
            Plan::Training(plan) => {
                plan.fit.beside_start.then(|| weights_beside(game, &start.weights)).transpose()?;
                check_has_networks(game, plan.fit.window)?;
                self.round_games(&plan.schedule(), 1)?;
            }
        }
        for book in [&self.book, &self.validation_book] {
            self.judged_book(book.clone(), start, &[])?;
        }
        Ok(())
    }
}
