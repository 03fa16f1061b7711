//! Sentences about a result: how certain it is, and what to do next.

use super::run_summary::{RunState, RunSummary, WeightRow};
use super::units;
use crate::shell::quote;
use crate::stats::Verdict;
use crate::tune::{Method, Target};

/// The most weights that a sentence names.
const NAMED: usize = 6;

/// Sentences about how certain the result is, and about when the tune is done.
pub fn advice(summary: &RunSummary) -> Vec<String> {
    let by_pairs = summary.method != Method::Logistic;
    let sentences = [
        Some(if by_pairs { precision(summary) } else { rounds(summary) }),
        settling(summary).filter(|_| by_pairs),
        bounds(summary),
        Some(proof(summary)),
        (summary.state == RunState::Accepted).then(|| {
            format!(
                "The gain was measured at {}. It may be another one at other limits: try yours in a match.",
                summary.limits
            )
        }),
    ];
    sentences.into_iter().flatten().collect()
}

/// Sentences about the result of a finished run at `path`, and where its files are.
pub fn outcome(summary: &RunSummary, path: &str) -> Option<String> {
    let (start, file) = (&summary.start, in_run(path, summary.target.file()));
    Some(match summary.state {
        RunState::Tuning | RunState::Validating => return None,
        RunState::Accepted => {
            format!("The tuned set is better than {start} and is now in\n  {file}")
        }
        RunState::Rejected if !summary.changed => {
            let nothing = match summary.method {
                Method::Logistic => "No round gained".into(),
                _ => format!("The tune did not change a single {}", summary.target.one()),
            };
            format!("{nothing}; {start} stays in\n  {file}")
        }
        RunState::Rejected => format!(
            "The tuned set was NOT proven better than {start}, which stays in\n  {file}\n\
             A longer tune (--games, --for) or more validation (--validation-pairs) may tell more."
        ),
    })
}

fn in_run(path: &str, name: &str) -> String {
    quote(format!("{}/{name}", path.trim_end_matches('/')))
}

/// The commands to type next for the run at `path`.
pub fn next(summary: &RunSummary, path: &str) -> Vec<String> {
    let run = quote(path);
    if !summary.state.is_finished() && summary.failure.is_none() {
        return vec![format!("spar resume {run}"), format!("spar report {run}")];
    }
    let (weights, search) = (in_run(path, "weights.json"), in_run(path, "search.json"));
    let on = format!("--game {} --board {}", summary.game, summary.board);
    let (seed, games) = (summary.seed.wrapping_add(1), summary.planned_games.saturating_mul(4));
    let mut tune = format!("spar tune {on} --method {}", summary.method);
    if summary.target == Target::Search {
        tune += " --target search";
    }
    tune += &format!(" --games {games} --seed {seed} --start {weights}");
    if summary.state != RunState::Accepted {
        return vec![tune];
    }
    let start = quote(summary.played_with.as_ref().unwrap_or(&summary.start));
    let long = format!("{on} --nodes 5000 --pairs 200");
    let play = format!("spar play {on} --weights {weights}");
    // The constants that both sides play with need not be those of the start's name.
    let search_b = match summary.has_search {
        true => format!(" --search-b {search}"),
        false => String::new(),
    };
    match summary.target {
        Target::Search => {
            vec![format!("spar match {weights} {start} {long}"), play, tune]
        }
        Target::Weights => vec![
            format!("spar weights diff {start} {weights}"),
            format!("spar match {weights} {start}{search_b} {long}"),
            play,
            tune,
        ],
    }
}

fn rounds(summary: &RunSummary) -> String {
    let games = "More games let the fit see more patterns; stronger games, with more nodes a move, teach it more about each.";
    match summary.rounds.last().map(|last| last.accepted) {
        None => "No round has begun.".into(),
        Some(None) => format!("Round {} is under way.", summary.rounds.len()),
        Some(Some(true)) => {
            format!(
                "The last round still gained, so further rounds are likely to gain too. {games}"
            )
        }
        Some(Some(false)) => format!(
            "Round {} did not gain over the one before it, at this number of games and nodes. {games}",
            summary.rounds.len()
        ),
    }
}

fn precision(summary: &RunSummary) -> String {
    let within = match summary.planned_precision {
        elo if elo < 1.0 => "less than 1".into(),
        elo => format!("{elo:.0}"),
    };
    format!(
        "The steps were planned so that {} games end within {within} Elo of the best values of these {} {} in 95 % of \
         runs. Twice the games halve that distance.",
        units::count(summary.planned_games),
        summary.weights.len(),
        summary.target.many(),
    )
}

fn settling(summary: &RunSummary) -> Option<String> {
    let moving = summary.moving();
    let (total, one, many) = (summary.weights.len(), summary.target.one(), summary.target.many());
    if summary.tune_games == 0 {
        return None;
    }
    let when =
        if summary.state == RunState::Tuning { "of the games so far" } else { "of its games" };
    Some(match (moving.is_empty(), summary.state) {
        (true, RunState::Tuning) => {
            format!("In the last quarter {when} no {one} moved by more than its step.")
        }
        (true, _) => format!(
            "In the last quarter {when} no {one} moved by more than its step, so the tune has nearly settled. Where a \
             curve above still leans one way, more games would take it further."
        ),
        (false, RunState::Tuning) => format!(
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
    };
    (!at.is_empty())
        .then(|| format!("At a bound: {}. Unless the bound is meant, {further}.", names(&at)))
}

fn proof(summary: &RunSummary) -> String {
    let alpha = summary.sprt.alpha * 100.0;
    let match_ = &summary.validation;
    match (summary.state, match_.verdict) {
        (RunState::Tuning, _) => "Nothing is proven yet: the running estimate lags behind the weights and looks at few \
                               games. The validation after the tune decides."
            .into(),
        (RunState::Validating, _) => {
            "The tune is finished; its answer is playing the start, and nothing is proven before that match ends.".into()
        }
        (RunState::Accepted, _) => format!(
            "The tuned set passed a test that a set no better than the start passes in {alpha:.0} % of cases. The Elo is \
             that of this one match, which ended when the evidence sufficed, and is a little flattering for that."
        ),
        (RunState::Rejected, _) if !summary.changed => {
            match summary.method {
                Method::Logistic => "No round gained, so there was nothing more to validate.".into(),
                _ => format!(
                    "Not a single {} ended at another integer, so there was nothing to validate.",
                    summary.target.one()
                ),
            }
        }
        (RunState::Rejected, Some(Verdict::H0)) => {
            "The test found the candidate no better than the start, which therefore stays.".into()
        }
        (RunState::Rejected, _) => {
            let error = match_.elo_error.map_or(String::new(), |error| format!(" (it sees {error:.0} Elo at best)"));
            format!(
                "The match of {} pairs was too short to tell{error}, so the start stays. More validation, with \
                 --validation-pairs, may tell.",
                units::count(match_.pairs.pairs())
            )
        }
    }
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
