//! The options of a run as they are typed, for commands that continue from its result.

use super::given_options::{fit_first, games_typed, measured};
use super::typed::options_of;
use crate::arena::{Adjudication, ScoreRules};
use crate::games::GameId;
use crate::protocol::ExternalEngine;
use crate::protocol::external_engine::COMMAND_PREFIX;
use crate::run::TuneWork;
use crate::search::Limits;
use crate::shell::{quote, quote_path};
use crate::tune::{
    FittingPlan, JoinedDefaults, Knob, MatchPlan, OpponentSet, OpponentsConfig, Optimizer, Plan,
    Selection, SpsaOptions, Target, TrainingPlan,
};

/// Options of a run, each word quoted for a shell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TypedOptions {
    /// The limits of a move, without a space before or after.
    pub limits: String,
    /// The options for the tuned numbers, their bounds, the method and the games, with a space before
    /// each.
    pub of_tune: String,
    /// The options of a match that is played like the tune, beside the limits, with a space before
    /// each.
    pub of_match: String,
}

impl TypedOptions {
    /// The options of a run, without `--range` for weights: their usual ranges are measured in quick
    /// games, which would take too long in a list of runs.
    pub fn of(tune: &TuneWork) -> Self {
        let config = &tune.config;
        let spaced = |options: Vec<String>| -> String {
            options.iter().map(|option| format!(" {option}")).collect()
        };
        Self {
            limits: limits_typed(&config.limits).join(" "),
            of_tune: spaced(of_tune(tune)),
            of_match: spaced(games_typed(config)),
        }
    }
}

/// The options that set these limits.
pub fn limits_typed(limits: &Limits) -> Vec<String> {
    let nodes = limits.nodes.map(|nodes| format!("--nodes {nodes}"));
    let depth = limits.depth.map(|depth| format!("--depth {depth}"));
    let movetime = limits.movetime.map(|time| format!("--movetime {}", time.as_millis()));
    let tc = limits.clock.map(|clock| format!("--tc {}", clock.time_control()));
    [nodes, depth, movetime, tc].into_iter().flatten().collect()
}

/// The options for a tuned engine beside its command: the engine's own, and unusual ones of the command
/// line.
pub fn engine_typed(engine: &ExternalEngine) -> Vec<String> {
    let own = engine.options.iter().map(|(name, value)| of_engine("--option", name, value));
    let protocol = engine.protocol.map(|protocol| format!("--protocol {}", protocol.name()));
    let restart = engine.restarts.then(|| "--restart".to_owned());
    own.chain(protocol).chain(patience_typed(engine)).chain(restart).collect()
}

/// The unusual options for the time and the failures that are forgiven an engine.
pub(super) fn patience_typed(engine: &ExternalEngine) -> Vec<String> {
    let usual = ExternalEngine::of_command("");
    let (margin, timeout, limit) = (engine.margin_ms, engine.timeout_seconds, engine.forfeit_limit);
    let options = [
        (margin != usual.margin_ms).then(|| format!("--margin {margin}")),
        (timeout != usual.timeout_seconds).then(|| format!("--timeout {timeout}")),
        (limit != usual.forfeit_limit).then(|| format!("--forfeit-limit {limit}")),
    ];
    options.into_iter().flatten().collect()
}

/// The option of this program that sets an option of an engine.
fn of_engine(option: &str, name: &str, value: &str) -> String {
    format!("{option} {}", quote(format!("{name}={value}")))
}

/// The options that name a referee and the most plies of a game.
pub(super) fn referee_typed(
    referee: Option<&ExternalEngine>,
    max_plies: Option<u32>,
) -> Vec<String> {
    let mut words = Vec::new();
    if let Some(engine) = referee {
        words.push(format!("--referee {}", quote(format!("{COMMAND_PREFIX}{}", engine.command))));
        let options = engine.options.iter();
        words.extend(options.map(|(name, value)| of_engine("--referee-option", name, value)));
    }
    words.extend(max_plies.map(|plies| format!("--max-plies {plies}")));
    words
}

/// The options that set these rules of adjudication for a game.
pub(super) fn adjudication_typed(adjudication: Adjudication, game: &str) -> Vec<String> {
    let has_engine = game.parse::<GameId>().is_ok_and(|game| game.has_engine());
    match adjudication {
        Adjudication::Never if has_engine => Vec::new(),
        Adjudication::Never => vec!["--no-adjudication".into()],
        Adjudication::Proven => vec!["--adjudicate".into()],
        Adjudication::Scores(rules) if !has_engine && rules == ScoreRules::default() => Vec::new(),
        Adjudication::Scores(ScoreRules { resign, draw }) => {
            let resign = resign.map(|rule| format!("--resign {rule}"));
            resign.into_iter().chain(draw.map(|rule| format!("--draw {rule}"))).collect()
        }
    }
}

fn of_tune(tune: &TuneWork) -> Vec<String> {
    let config = &tune.config;
    let mut options = match &config.plan {
        Plan::Matches(plan) => of_matches(plan, &usual_knobs(tune, plan)),
        Plan::Fitting(plan) => of_fitting(plan),
        Plan::Training(plan) => of_training(plan),
    };
    // A game that this program does not know has no usual openings.
    if let Ok(game) = config.game_id() {
        let plan = config.matches();
        options.extend(
            plan.into_iter().flat_map(|plan| fit_first(plan, config.games, game, &config.book)),
        );
        options.extend(measured(config, game).unwrap_or_default());
    }
    options.extend(games_typed(config));
    if !config.rules.are_known() {
        options.push(format!("--rules trust --board {}", config.board));
    }
    options
}

/// The knobs of a plan as they would be without ranges and bounds of their own, except that weights
/// keep their ranges.
fn usual_knobs(tune: &TuneWork, plan: &MatchPlan) -> Vec<Knob> {
    let constants = || chosen(plan).constants(&tune.start.constants, plan.algorithm).ok();
    let usual = (plan.target() == Target::Search).then(constants).flatten();
    usual.unwrap_or_else(|| plan.knobs.clone())
}

/// The choice of exactly the knobs of a plan.
fn chosen(plan: &MatchPlan) -> Selection {
    let only = plan.knobs.iter().map(|knob| knob.name.clone()).collect();
    Selection { only, ..Selection::default() }
}

/// The options of a plan by fitting.
pub(super) fn of_fitting(plan: &FittingPlan) -> Vec<String> {
    options_of(plan, &FittingPlan::default())
}

/// The options of a plan by training.
pub(super) fn of_training(plan: &TrainingPlan) -> Vec<String> {
    let files = plan.fit.older.iter();
    let files = files.map(|file| format!("--older {}", quote_path(&file.path)));
    options_of(plan, &TrainingPlan::default()).into_iter().chain(files).collect()
}

/// The options of a plan whose knobs would be the `usual` ones without ranges and bounds.
fn of_matches(plan: &MatchPlan, usual: &[Knob]) -> Vec<String> {
    let mut choice = chosen(plan);
    choice.keep_reach(&plan.knobs, usual);
    let mut options = target(plan);
    options.extend(choice.typed());
    options.extend(beside_knobs(plan));
    options
}

/// The options for the kind of a plan's knobs, and for the search of its players.
pub(super) fn target(plan: &MatchPlan) -> Vec<String> {
    let target = (plan.target() == Target::Search).then(|| "--target search".to_owned());
    let algorithm = plan.other_algorithm().map(|algorithm| format!("--algorithm {algorithm}"));
    target.into_iter().chain(algorithm).collect()
}

/// The options of a plan that choose no knobs.
pub(super) fn beside_knobs(plan: &MatchPlan) -> Vec<String> {
    let conditions = plan.constraints.iter();
    let mut options: Vec<String> =
        conditions.map(|condition| format!("--constrain {}", quote(condition))).collect();
    let Optimizer::Spsa(spsa) = &plan.optimizer;
    options.extend(options_of(spsa, &usual_steps(plan)));
    options.extend(quick_pairs(plan));
    options.extend(opponents(plan));
    options
}

/// Whether the defaults of a joined tune of weights apply.
fn is_joined(plan: &MatchPlan) -> bool {
    plan.fit_first.is_some()
}

fn usual_steps(plan: &MatchPlan) -> SpsaOptions {
    match is_joined(plan) {
        false => SpsaOptions::default(),
        true => SpsaOptions {
            c: JoinedDefaults::C,
            elo_at_half_range: Some(Optimizer::ELO_AROUND_A_FIT),
            ..SpsaOptions::default()
        },
    }
}

fn quick_pairs(plan: &MatchPlan) -> Vec<String> {
    let usual =
        is_joined(plan).then_some((JoinedDefaults::QUICK_SHARE, JoinedDefaults::QUICK_PAIRS));
    let share = plan.quick_share.filter(|&share| usual.is_none_or(|usual| usual.0 != share));
    let pairs = plan.quick_pairs.filter(|&pairs| usual.is_none_or(|usual| usual.1 != pairs));
    [
        share.map(|share| format!("--quick-share {share}")),
        pairs.map(|pairs| format!("--quick-pairs {pairs}")),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn opponents(plan: &MatchPlan) -> Vec<String> {
    let Some(OpponentsConfig { sets, engines, share, limits }) = &plan.opponents else {
        return is_joined(plan).then(|| "--opponent-share 0".into()).into_iter().collect();
    };
    let is_usual = is_joined(plan) && engines.is_empty() && is_usual_opponent(sets);
    let usual_share =
        if is_joined(plan) { JoinedDefaults::OPPONENT_SHARE } else { OpponentsConfig::SHARE };
    let mut options = Vec::new();
    if !is_usual {
        let of_sets = sets.iter().map(|set| set.name.clone());
        let of_engines = engines.iter().map(|engine| format!("{COMMAND_PREFIX}{}", engine.command));
        options
            .extend(of_sets.chain(of_engines).map(|name| format!("--opponent {}", quote(&name))));
    }
    if *share != usual_share {
        options.push(format!("--opponent-share {share}"));
    }
    if let Some(engine) = engines.first() {
        let own = engine.options.iter();
        options.extend(own.map(|(name, value)| of_engine("--opponent-option", name, value)));
        let folder = engine.folder.iter();
        options.extend(folder.map(|folder| format!("--opponent-dir {}", quote(folder))));
        options.extend(patience_typed(engine));
    }
    let limits = limits.iter().flat_map(limits_typed);
    options.extend(limits.map(|limit| limit.replacen("--", "--opponent-", 1)));
    options
}

/// Whether these are the default opponents of a joined tune.
fn is_usual_opponent(sets: &[OpponentSet]) -> bool {
    let [set] = sets else { return false };
    let short = set.name.rsplit_once('/').map_or(&*set.name, |(_, name)| name);
    set.player.is_none() && short == JoinedDefaults::OPPONENT
}

#[cfg(test)]
mod tests {
    use super::{JoinedDefaults, of_matches};
    use crate::player::{DefaultWeights, Player};
    use crate::search::Limits;
    use crate::tune::joined::FitFirst;
    use crate::tune::{
        Knob, MatchPlan, OpponentSet, OpponentsConfig, Optimizer, SpsaOptions, Target,
    };

    fn opponents(name: &str, share: f64, limits: Option<Limits>) -> OpponentsConfig {
        let default = DefaultWeights::HandMade;
        let player = Player::find(
            crate::games::GameId::of::<crate::games::Breakthrough>(),
            Some(name),
            default,
        )
        .unwrap();
        OpponentsConfig { sets: vec![OpponentSet::of(player)], engines: Vec::new(), share, limits }
    }

    fn plan(spsa: SpsaOptions) -> MatchPlan {
        let knob = Knob {
            name: "tempo".into(),
            target: Target::Weights,
            start: 0.0,
            range: 100.0,
            min: -400.0,
            max: 400.0,
            ..Knob::default()
        };
        MatchPlan::new(Optimizer::Spsa(spsa), vec![knob])
    }

    fn typed(plan: &MatchPlan) -> Vec<String> {
        of_matches(plan, &plan.knobs)
    }

    #[test]
    fn only_unusual_options_are_typed() {
        assert_eq!(typed(&plan(SpsaOptions::default())), ["--only tempo"]);
        let timed = SpsaOptions { planned_games: Some(900), ..SpsaOptions::default() };
        assert_eq!(typed(&plan(timed)), ["--only tempo"]);
        let mut joined = plan(SpsaOptions {
            c: JoinedDefaults::C,
            elo_at_half_range: Some(Optimizer::ELO_AROUND_A_FIT),
            ..SpsaOptions::default()
        });
        joined.fit_first =
            Some(FitFirst { games: 400, plies: Some(32), blend: Some(FitFirst::BLEND) });
        assert_eq!(typed(&joined), ["--only tempo", "--opponent-share 0"]);
        joined.quick_share = Some(JoinedDefaults::QUICK_SHARE);
        joined.quick_pairs = Some(JoinedDefaults::QUICK_PAIRS);
        joined.opponents = Some(opponents("piece", JoinedDefaults::OPPONENT_SHARE, None));
        assert_eq!(typed(&joined), ["--only tempo"]);
        joined.quick_share = Some(0.5);
        joined.opponents = Some(opponents("zhu", 0.25, Some(Limits::nodes(70))));
        let options = typed(&joined).join(" ");
        assert_eq!(
            options,
            "--only tempo --quick-share 0.5 --opponent breakthrough/zhu --opponent-share 0.25 --opponent-nodes 70"
        );
    }
}
