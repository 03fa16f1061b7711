//! Sentences about a result: how certain it is, and what to do next.

use super::options::TypedOptions;
use crate::report::{RunSummary, TuneState, WeightRow, units};
use crate::run::TuneWork;
use crate::shell::{quote, quote_path};
use crate::stats::{Summary, Verdict, acceptance};
use crate::tune::{Method, Target};
use std::path::Path;

/// Pairs of a match that measures an accepted set again, on openings that had no part in its
/// selection.
const FRESH_PAIRS: u64 = 200;
/// The most weights that a sentence names.
const NAMED: usize = 6;
/// The games after which the two sides of a tune without any result are too much alike.
const MANY_LEVEL_GAMES: u64 = 400;
/// The strengths, in normalised Elo, for which a report says how often they pass.
const PASSING: [f64; 3] = [10.0, 20.0, 30.0];

/// Sentences about how certain the result is, and about when the tune is done.
pub fn advice(summary: &RunSummary) -> Vec<String> {
    let by_pairs = !summary.method.has_rounds();
    let sentences = [
        if by_pairs { left_to_gain(summary) } else { Some(rounds(summary)) },
        settling(summary).filter(|_| by_pairs),
        bounds(summary),
        Some(proof(summary)),
        (summary.state == TuneState::Accepted).then(|| {
            format!(
                "The gain was measured at {}. It may differ at other limits: try yours in a match.",
                summary.limits
            )
        }),
    ];
    sentences.into_iter().flatten().collect()
}

/// Sentences about the result of a finished run at `path`, and where its files are.
pub fn outcome(summary: &RunSummary, path: &Path) -> Option<String> {
    let (start, file) = (&summary.start, in_run(path, summary.target.file()));
    if summary.target == Target::Option && summary.state.is_finished() {
        return Some(outcome_of_options(summary, &file));
    }
    let [tuned, be, were] = match summary.target {
        Target::Search => ["tuned constants", "are", "were"],
        _ => ["tuned set", "is", "was"],
    };
    Some(match summary.state {
        TuneState::Tuning | TuneState::Validating => return None,
        TuneState::Accepted => {
            let how = match summary.decision.is_some_and(|decision| decision.at_cap) {
                true => "scored better than {start} by more than chance explains".into(),
                false => format!("{be} better than {{start}}"),
            };
            format!("The {tuned} {}, and {be} now in\n  {file}", how.replace("{start}", start))
        }
        TuneState::Rejected if !summary.changed => {
            let nothing = match summary.method {
                Method::Logistic | Method::Network => "No round won its match".into(),
                _ => format!("The tune did not change a single {}", summary.target.one()),
            };
            format!("{nothing}; {start} stays in\n  {file}")
        }
        TuneState::Rejected if summary.validation.games == 0 => format!(
            "The {tuned} {were} not validated, so the strength is unknown; {start} stays \
             in\n  {file}\n\
             The {tuned} {be} kept in\n  {}",
            in_run(path, "candidate.json")
        ),
        TuneState::Rejected if is_no_better(summary) => format!(
            "The {tuned} {be} {} than {start}, which stays in\n  {file}",
            if summary.validation.elo < Some(0.0) { "worse" } else { "no better" }
        ),
        TuneState::Rejected => format!(
            "The {tuned} {were} NOT shown to be better than {start}, which stays in\n  {file}\n\
             The {tuned} {be} kept in\n  {}\n\
             More pairs, or a longer tune that begins with it, may tell more.",
            in_run(path, "candidate.json")
        ),
    })
}

/// As [`outcome`], for a tune of an external engine's options.
fn outcome_of_options(summary: &RunSummary, file: &str) -> String {
    let start = &summary.start;
    let verdict = match summary.state {
        TuneState::Accepted => {
            format!("{start} with the tuned options is better than with its own")
        }
        _ if !summary.changed => "The tune did not change a single option".to_owned(),
        _ if summary.validation.games == 0 => {
            "The tuned options were not validated, so their strength is unknown".to_owned()
        }
        _ => format!("{start} with the tuned options was NOT shown to be better than with its own"),
    };
    format!("{verdict}. The answer is in\n  {file}")
}

/// Whether the validation shows that the candidate is no better than the start: by the verdict of
/// its test, or by an Elo whose whole interval is below 0.
fn is_no_better(summary: &RunSummary) -> bool {
    let Summary { verdict, elo_high, .. } = summary.validation;
    verdict == Some(Verdict::H0) || elo_high.is_some_and(|high| high < 0.0)
}

fn in_run(path: &Path, name: &str) -> String {
    quote_path(&path.join(name))
}

/// The commands to type next for the run at `path`. They keep the limits of the run and its choice
/// of weights, and continue with a rejected candidate if it may still be better than the start.
pub fn next(tune: &TuneWork, summary: &RunSummary, path: &Path) -> Vec<String> {
    let run = quote_path(path);
    if !summary.state.is_finished() && summary.failure.is_none() {
        return vec![format!("spar resume {run}"), format!("spar report {run}")];
    }
    if summary.target == Target::Option {
        let export = |format| format!("spar export answer {run} --as {format}");
        let exports = ["setoption", "openbench"].map(export).into_iter();
        return exports.chain(widen(summary, path)).collect();
    }
    let (weights, candidate) = (in_run(path, "weights.json"), in_run(path, "candidate.json"));
    let TypedOptions { limits, of_tune, of_match } = TypedOptions::of(tune);
    let on = format!("--game {} --board {}", summary.game, summary.board);
    let algorithm =
        summary.algorithm.map(|algorithm| format!(" --algorithm {algorithm}")).unwrap_or_default();
    let (seed, games) = (summary.seed.wrapping_add(1), summary.planned_games.saturating_mul(4));
    let tune = |start: &str| {
        format!(
            "spar tune {on} --method {} {limits}{of_tune} --games {games} --seed {seed} --start {start}",
            summary.method
        )
    };
    let start = quote(summary.played_with.as_ref().unwrap_or(&summary.start));
    // Both sides may play with other constants than the set after which the start is named.
    let search_b = match summary.has_search && summary.target == Target::Weights {
        true => format!(" --search-b {}", in_run(path, "search.json")),
        false => String::new(),
    };
    let meet = |player: &str, pairs: String| {
        format!(
            "spar match {player} {start}{search_b} {on}{algorithm} {limits}{of_match} --seed {seed} --pairs {pairs}"
        )
    };
    let diff = |player: &str| match summary.target {
        Target::Search | Target::Option => None,
        Target::Weights => Some(format!("spar weights diff {start} {player}")),
    };
    let commands = match summary.state {
        TuneState::Accepted => [
            diff(&weights),
            Some(meet(&weights, FRESH_PAIRS.to_string())),
            Some(format!("spar play {on}{algorithm} --weights {weights}")),
            Some(tune(&weights)),
        ],
        _ if !summary.changed => [Some(tune(&weights)), None, None, None],
        // A worse set is no start for another tune.
        _ if is_no_better(summary) => [diff(&candidate), Some(tune(&weights)), None, None],
        _ => {
            let pairs = 4 * summary.validation_pairs.max(FRESH_PAIRS);
            let sprt = format!("{pairs} --sprt {},{}", summary.sprt.elo0, summary.sprt.elo1);
            [diff(&candidate), Some(meet(&candidate, sprt)), Some(tune(&candidate)), None]
        }
    };
    commands.into_iter().flatten().collect()
}

/// The command that moves the bounds at which an engine's options ended, and continues the tune;
/// `None` if the answer is worse than the start.
fn widen(summary: &RunSummary, path: &Path) -> Option<String> {
    let is_refused = summary.state == TuneState::Rejected && summary.validation.games > 0;
    let touches = summary.weights.iter().any(|row| row.at_bound);
    let run = path.display().to_string();
    let named = if is_refused { format!("{run}:candidate") } else { run };
    (touches && !is_no_better(summary)).then(|| format!("spar tune --from {}", quote(named)))
}

fn rounds(summary: &RunSummary) -> String {
    let games = "More games let the fit see more patterns; stronger games, with more nodes a move, teach it more about each.";
    match summary.rounds.last().map(|last| last.accepted) {
        None => "No round has begun.".into(),
        Some(None) => format!("Round {} is not finished.", summary.rounds.len()),
        Some(Some(true)) => {
            format!(
                "The last round's set won its match, so further rounds may gain too. A round's match accepts a set that is more \
                 likely better than worse, so only the validation measures what all rounds gained. {games}"
            )
        }
        Some(Some(false)) => format!(
            "The set of round {} lost to the best before it, at this number of games and nodes. {games}",
            summary.rounds.len()
        ),
    }
}

fn left_to_gain(summary: &RunSummary) -> Option<String> {
    if summary.is_untold {
        let many = summary.target.many();
        return Some(match summary.tune_games < MANY_LEVEL_GAMES {
            true => format!(
                "The results are too few to tell better {many} from the start: play more games."
            ),
            false => format!(
                "The answer is still the start. If nearly all pairs were level, both sides may have played the same \
                 moves: search more nodes, or give a larger --c, so that their {many} differ more."
            ),
        });
    }
    let left = match summary.elo_left? {
        elo if elo < 1.0 => "less than 1".into(),
        elo => format!("some {elo:.0}"),
    };
    let (best, equally) = match summary.weights.len() {
        1 => (format!("value of this {} is", summary.target.one()), ""),
        count => (
            format!("values of these {count} {} are", summary.target.many()),
            " and all of them matter equally over their ranges",
        ),
    };
    Some(format!(
        "By the results, the best {best} {left} Elo ahead of the answer, if losses are quadratic{equally}. \
         Twice the games halve this.",
    ))
}

fn settling(summary: &RunSummary) -> Option<String> {
    let moving = summary.moving();
    let (total, one, many) = (summary.weights.len(), summary.target.one(), summary.target.many());
    if summary.tune_games == 0 || summary.is_untold {
        return None;
    }
    let when =
        if summary.state == TuneState::Tuning { "of the games so far" } else { "of its games" };
    Some(match (moving.is_empty(), summary.state) {
        (true, TuneState::Tuning) => {
            format!("In the last quarter {when} no {one} moved by more than its step.")
        }
        (true, _) => format!(
            "In the last quarter {when} no {one} moved by more than its step, so the tune has nearly settled. Where a \
             curve above still leans one way, more games would take it further."
        ),
        (false, TuneState::Tuning) => format!(
            "In the last quarter {when} {} of {total} {many} moved by more than their step ({}): it is still under way.",
            moving.len(),
            names(&moving)
        ),
        (false, _) => format!(
            "In the last quarter {when} {} of {total} {many} still moved by more than their step ({}): the tune had not \
             settled when its games were used up, and a longer one is likely to find more.",
            moving.len(),
            names(&moving)
        ),
    })
}

fn bounds(summary: &RunSummary) -> Option<String> {
    let at: Vec<&WeightRow> = summary.weights.iter().filter(|row| row.at_bound).collect();
    let further = match summary.target {
        Target::Weights => "let them go further with --bounds NAME=MIN..MAX",
        Target::Search => "let them go further, if the engine's list of constants allows it",
        Target::Option => {
            "`spar tune --from` moves it and tunes on, as far as the engine's own options allow"
        }
    };
    (!at.is_empty())
        .then(|| format!("At a bound: {}. Unless the bound is meant, {further}.", names(&at)))
}

fn proof(summary: &RunSummary) -> String {
    let match_ = &summary.validation;
    match (summary.state, match_.verdict) {
        (TuneState::Tuning | TuneState::Validating, _) if summary.failure.is_some() => {
            "The run ended with an error before anything was proven.".into()
        }
        (TuneState::Tuning, _) => "Nothing is proven yet: the running estimate lags behind the weights and looks at few \
                               games. The validation after the tune decides."
            .into(),
        (TuneState::Validating, _) => {
            "The tune is finished; its answer is playing the start, and nothing is proven before that match ends.".into()
        }
        (TuneState::Accepted, _) => format!(
            "The tuned set passed its validation. {} The plain Elo of an accepted set is too high, most of all for a \
             small gain: a lucky match stops early, and of the sets with a small gain only the lucky ones pass. The \
             unbiased Elo allows for the early stop, not for this selection.",
            error_rates(summary)
        ),
        (TuneState::Rejected, _) if !summary.changed => {
            match summary.method {
                Method::Logistic | Method::Network => "No round's set won its match, so there was nothing to validate.".into(),
                _ => format!(
                    "Not a single {} ended at another integer, so there was nothing to validate.",
                    summary.target.one()
                ),
            }
        }
        (TuneState::Rejected, Some(Verdict::H0)) => {
            format!(
                "The test found the candidate {}, so the start stays. {}",
                if match_.elo < Some(0.0) { "worse than the start" } else { "no better than the start" },
                error_rates(summary)
            )
        }
        (TuneState::Rejected, _) => {
            format!(
                "The match of {} pairs did not show a gain, so the start stays. {} A longer validation \
                 (--validation-pairs) sees smaller gains.",
                units::count(match_.pairs.pairs()),
                error_rates(summary)
            )
        }
    }
}

/// How often sets of some strengths pass this validation.
fn error_rates(summary: &RunSummary) -> String {
    let passes = |nelo| acceptance(&summary.sprt, summary.validation_pairs, nelo);
    let percent = |share: f64| format!("{:.0} %", 100.0 * share);
    let Some(even) = passes(0.0) else {
        return format!(
            "A set that is {:.0} Elo better than the start passes in {} of cases.",
            summary.sprt.elo0,
            percent(summary.sprt.alpha)
        );
    };
    let better: Vec<String> = PASSING
        .iter()
        .filter_map(|&nelo| Some(format!("one of {nelo:+.0} nElo in {}", percent(passes(nelo)?))))
        .collect();
    format!(
        "A set no better than the start passes it in {} of cases, {}.",
        percent(even),
        better.join(", ")
    )
}

/// The names of a few weights.
fn names(rows: &[&WeightRow]) -> String {
    let mut names: Vec<&str> = rows.iter().take(NAMED).map(|row| row.name.as_str()).collect();
    let more = format!("{} more", rows.len().saturating_sub(NAMED));
    if rows.len() > NAMED {
        names.push(&more);
    }
    names.join(", ")
}
