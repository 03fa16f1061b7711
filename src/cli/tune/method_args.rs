//! The arguments of `spar tune` that only some methods have.

use super::engine::{EngineTuneArgs, OptionFitArgs};
use super::from::EarlierTune;
use super::matches::{FitFirstArgs, MatchPlanArgs};
use crate::cli::Console;
use crate::error::Result;
use crate::protocol::ExternalEngine;
use crate::tune::logistic::FitConfig;
use crate::tune::{
    FittingPlan, JoinedDefaults, Method, Optimizer, Probing, SpsaOptions, Target, TrainingPlan,
};
use clap::{ArgMatches, Args, Command, FromArgMatches};

/// The options of a method.
#[derive(Debug)]
pub(super) enum MethodArgs {
    Matches(Box<MatchPlanArgs>, Optimizer),
    Fitting(Box<FittingPlan>),
    Training(Box<TrainingPlan>),
}

impl MethodArgs {
    /// Adds the options of a method to a command.
    pub(super) fn augment(method: Method, command: Command) -> Command {
        let by_matches = MatchPlanArgs::augment_args;
        match method {
            Method::Joined => {
                FitFirstArgs::augment_args(SpsaOptions::augment_args(by_matches(command)))
                    .mut_arg("c", |c| c.default_value(JoinedDefaults::C.to_string()))
                    .mut_arg("quick_share", |share| {
                        share.default_value(JoinedDefaults::QUICK_SHARE.to_string())
                    })
            }
            Method::Spsa => {
                EngineTuneArgs::augment_args(SpsaOptions::augment_args(by_matches(command)))
            }
            Method::Logistic => FittingPlan::<FitConfig>::augment_args(command),
            Method::Network => TrainingPlan::augment_args(command),
        }
    }

    pub(super) fn read(
        method: Method,
        found: &ArgMatches,
    ) -> std::result::Result<Self, clap::Error> {
        let optimizer = match method {
            Method::Logistic => {
                return FittingPlan::from_arg_matches(found).map(Box::new).map(Self::Fitting);
            }
            Method::Network => {
                return TrainingPlan::from_arg_matches(found).map(Box::new).map(Self::Training);
            }
            Method::Joined | Method::Spsa => {
                Optimizer::Spsa(SpsaOptions::from_arg_matches(found)?.scaled())
            }
        };
        let mut args = MatchPlanArgs::from_arg_matches(found)?;
        // The options of one method may lack it.
        let names = |id| matches!(found.try_contains_id(id), Ok(true));
        let is_of_engine = names("engine") || names("from");
        if method == Method::Spsa || is_of_engine {
            args.engine = EngineTuneArgs::from_arg_matches(found)?;
        }
        if method == Method::Joined && is_of_engine {
            args.engine.fit_first = Some(OptionFitArgs::from_arg_matches(found)?);
        } else if method == Method::Joined {
            args.fit_first = Some(FitFirstArgs::from_arg_matches(found)?);
        }
        if args.has_fit() {
            args.opponents.usual = Some((JoinedDefaults::OPPONENT, JoinedDefaults::OPPONENT_SHARE));
            args.quick_pairs.get_or_insert(JoinedDefaults::QUICK_PAIRS);
        }
        Ok(Self::Matches(Box::new(args), optimizer))
    }

    /// The arguments of a tune by matches.
    fn of_matches(&self) -> Option<&MatchPlanArgs> {
        match self {
            Self::Matches(args, _) => Some(args),
            Self::Fitting(_) | Self::Training(_) => None,
        }
    }

    /// The command of the external engine that is tuned, if one is.
    pub(super) fn engine(&self) -> Option<&str> {
        self.of_matches()?.engine.command()
    }

    /// Whether an external engine is tuned.
    pub(super) fn tunes_engine(&self) -> bool {
        self.of_matches().is_some_and(|args| args.engine.is_tuned())
    }

    /// The earlier tune of an engine that this one continues, if one is named.
    ///
    /// # Errors
    /// As [`FromArgs::find`](super::from::FromArgs::find).
    pub(super) fn earlier(&self, console: &Console) -> Result<Option<EarlierTune>> {
        self.of_matches().map_or(Ok(None), |args| args.engine.from.find(console))
    }

    /// How external engines are started, in a tune that may have some.
    pub(super) fn engines(&self) -> Option<&ExternalEngine> {
        self.of_matches().map(|args| args.opponents.engine())
    }

    /// The fit of an engine's options before the matches, where there is one.
    pub(super) fn option_fit(&self) -> Option<&OptionFitArgs> {
        self.of_matches()?.engine.fit_first.as_ref()
    }

    /// The probe of an engine's knobs before the matches, where one is wanted.
    pub(super) fn probe(&self) -> Option<Probing> {
        self.of_matches()?.engine.probe
    }

    /// The Elo that the tune may leave, where its games follow from it.
    pub(super) fn precision(&self) -> Option<f64> {
        self.of_matches()?.engine.precision
    }

    pub(super) fn target(&self) -> Target {
        self.of_matches().map_or(Target::Weights, |args| args.target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::BookConfig;
    use crate::game::Board;
    use crate::games::GameId;
    use crate::tune::MatchPlan;

    #[test]
    fn the_plan_is_as_sharp_as_what_the_matches_begin_with() {
        let command = MethodArgs::augment(Method::Joined, Command::new("tune"));
        let book = BookConfig::new(GameId::default(), Board::new(8, 8), 1);
        let planned = |words: &[&str], games: &[u64]| {
            let found = command.clone().no_binary_name(true).get_matches_from(words);
            let MethodArgs::Matches(args, optimizer) =
                MethodArgs::read(Method::Joined, &found).unwrap()
            else {
                panic!("not a tune by matches")
            };
            let mut plan = MatchPlan::new(optimizer.clone(), Vec::new());
            let (game, book) = (GameId::default(), &book);
            let begin = |games| args.plan_beginning(&mut plan, &optimizer, games, game, book);
            games.iter().copied().for_each(begin);
            let Optimizer::Spsa(options) = plan.optimizer;
            options.elo_at_half_range()
        };
        assert_eq!(planned(&[], &[30_000]), Optimizer::ELO_AROUND_A_FIT);
        assert_eq!(planned(&[], &[100]), Optimizer::ELO_AT_HALF_RANGE);
        // A trial of speed may leave too few games for the fit.
        assert_eq!(planned(&[], &[30_000, 100]), Optimizer::ELO_AT_HALF_RANGE);
        assert_eq!(planned(&["--elo-at-half-range", "40"], &[30_000]), 40.0);
    }
}
