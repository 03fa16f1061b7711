//! The results of a match as text.

use super::units::{counted, percent, signed, with_error};
use crate::arena::{EarlyEnds, MOST_REPEATS};
use crate::games::GameId;
use crate::protocol::ExternalEngine;
use crate::stats::{Decision, Model, Sprt, Summary, Verdict};
use crate::tune::{GameRules, YardstickMatch};

/// The share of the pairs above which a warning says that they rest on forfeits.
const FORFEITED_SHARE: f64 = 0.01;

/// The share of the checked games above which a warning says that scores end games wrongly, and the
/// fewest wrong games: one alone may be chance.
const WRONG_SHARE: f64 = 0.05;
const LEAST_WRONG: u64 = 2;

/// What scores are in percent of: a piece, or the unit of a game without pieces to count.
pub fn percent_of(game: GameId) -> &'static str {
    if game.counts_in_pieces() { "% of a piece" } else { "% of the unit" }
}

/// The warning that a share of the pairs or games rests on forfeits, if it is more than a few.
pub fn forfeit_warning(forfeited: u64, played: u64, what: &str) -> Option<String> {
    let share = forfeited as f64 / played.max(1) as f64;
    (share > FORFEITED_SHARE).then(|| {
        format!(
            "{} of the {what} rest on forfeits, which say nothing about strength",
            percent(Some(share))
        )
    })
}

/// A remark if a player's own program is the referee of its games.
pub fn own_referee<'a>(
    referee: Option<&ExternalEngine>,
    mut players: impl Iterator<Item = &'a ExternalEngine>,
) -> Option<String> {
    let referee = referee?;
    players.any(|player| player.command == referee.command).then(|| {
        format!(
            "`{}` is the referee of its own games: the rules are as it knows them",
            referee.command
        )
    })
}

/// A remark that only the tuned engine knows the rules, so that all results rest on it.
pub fn trusted_rules(rules: GameRules, engine: Option<&ExternalEngine>) -> Option<String> {
    let engine = engine.filter(|_| !rules.are_known())?;
    Some(format!(
        "no referee: `{}` is trusted to know the rules, and its own scores decide its games",
        engine.command
    ))
}

/// The remark that a match ended early because its pairs had become repeats.
pub fn repeats_remark(which: &str) -> String {
    format!(
        "{which} ended early: {MOST_REPEATS} pairs in a row repeated earlier ones move by move, so more pairs say nothing; {}",
        repeats_remedy()
    )
}

/// The remedy for pairs that repeat earlier ones.
pub fn repeats_remedy() -> &'static str {
    "give a longer --book, more random --plies, or a limit by time such as --tc 8+0.08"
}

/// More games lost on time than this share of all call for a longer clock.
const ON_TIME_SHARE: f64 = 0.1;

/// Remarks about the games that ended early, none of them forfeited, out of all `games`.
pub fn early_remarks(early: &EarlyEnds, games: u64) -> Vec<String> {
    let EarlyEnds { by_scores, checked, wrong, on_time, by_length, .. } = *early;
    let by_scores = (by_scores + checked > 0).then(|| {
        let ended = format!("{} ended by the scores of both players", counted(by_scores, "game"));
        match checked {
            0 => ended,
            _ => format!("{ended}; {checked} more were played on as a check, {wrong} of them to another result"),
        }
    });
    let wrong = audit_warning(early);
    let on_time = (on_time > 0).then(|| {
        let lost = format!("{} lost on time", counted(on_time, "game"));
        match on_time as f64 > ON_TIME_SHARE * games as f64 {
            true => format!("{lost}: give a longer clock, or fewer games at a time (--threads)"),
            false => lost,
        }
    });
    let by_length = (by_length > 0).then(|| {
        format!("{} ended as a draw at the most plies (--max-plies)", counted(by_length, "game"))
    });
    by_scores.into_iter().chain(wrong).chain(on_time).chain(by_length).collect()
}

/// The warning that scores end games wrongly, where the check finds more than a few.
pub fn audit_warning(early: &EarlyEnds) -> Option<String> {
    let share = early.wrong as f64 / early.checked.max(1) as f64;
    (early.wrong >= LEAST_WRONG && share > WRONG_SHARE).then(|| {
        format!(
            "{} of the checked games came to another result, so scores end games too early: demand more with --resign and --draw, or give --no-adjudication",
            percent(Some(share))
        )
    })
}

/// The Elo difference with its error, or with the interval that is known.
pub fn elo_text(summary: &Summary) -> String {
    let (low, high) = (summary.elo_low, summary.elo_high);
    match (summary.elo, summary.elo_error) {
        (Some(_), Some(_)) => format!("{} (95 %)", with_error(summary.elo, summary.elo_error)),
        _ if summary.games == 0 => "-".into(),
        (Some(elo), None) => format!("{}, {}", signed(elo), interval_text(low, high)),
        (None, _) => interval_text(low, high),
    }
}

/// An interval, either end of which may be open: `from -10.0 to +20.0 (95 %)`, `above +440.0 (95
/// %)`.
pub fn interval_text(low: Option<f64>, high: Option<f64>) -> String {
    match (low, high) {
        (Some(low), Some(high)) => format!("from {} to {} (95 %)", signed(low), signed(high)),
        (Some(low), None) => format!("above {} (95 %)", signed(low)),
        (None, Some(high)) => format!("below {} (95 %)", signed(high)),
        (None, None) => "-".into(),
    }
}

/// The Elo that allows for the early stop by the test: see
/// [`SprtTracker::unbiased_elo`](crate::stats::SprtTracker::unbiased_elo).
pub fn unbiased_text(decision: &Decision) -> String {
    let elo = decision.elo_unbiased.map_or("-".into(), signed);
    format!("{elo} (as often too high as too low; a test stops lucky matches early)")
}

/// The name of a yardstick, and whether the tune had it as an opponent.
pub fn yardstick_name(played: &YardstickMatch) -> String {
    let trained = if played.trained { " (an opponent of the tune)" } else { "" };
    format!("{}{trained}", played.against)
}

/// A line for each yardstick: its name, and the Elo against it at each of the limits.
pub fn yardstick_lines(played: &[YardstickMatch]) -> Vec<(String, String)> {
    let mut lines: Vec<(String, String)> = Vec::new();
    for one in played {
        let elo = match one.summary.elo_error {
            Some(_) => with_error(one.summary.elo, one.summary.elo_error),
            None => interval_text(one.summary.elo_low, one.summary.elo_high),
        };
        let cell = format!("{elo} at {}", one.limits);
        let name = yardstick_name(one);
        match lines.iter_mut().find(|(against, _)| *against == name) {
            Some((_, line)) => *line += &format!(", {cell}"),
            None => lines.push((name, cell)),
        }
    }
    lines
}

/// The log-likelihood ratio between its bounds.
pub fn llr_text(summary: &Summary, sprt: &Sprt) -> String {
    let llr = summary.llr.map_or("-".into(), |llr| format!("{llr:.2}"));
    let is_inside = summary.llr.is_some_and(|llr| sprt.lower() < llr && llr < sprt.upper());
    let crossed =
        if summary.verdict.is_some() && is_inside { ", one was crossed earlier" } else { "" };
    format!("{llr} (bounds {:.2} and {:.2}{crossed})", sprt.lower(), sprt.upper())
}

/// The verdict of a test as text.
pub fn verdict_text(verdict: Option<Verdict>, sprt: &Sprt) -> String {
    let elo = match sprt.model {
        Model::Normalized => "nElo",
        Model::Logistic => "Elo",
    };
    let [elo0, elo1] = [sprt.elo0, sprt.elo1].map(signed);
    match verdict {
        Some(Verdict::H1) => {
            format!("H1: better than {elo0} {elo} (test of {elo0} against {elo1})")
        }
        Some(Verdict::H0) => {
            format!("H0: not as good as {elo1} {elo} (test of {elo0} against {elo1})")
        }
        None => format!("none yet between {elo0} and {elo1} {elo}"),
    }
}

/// How a match was decided: by its test, or at its last pair.
pub fn decision_text(decision: &Decision, verdict: Option<Verdict>, sprt: &Sprt) -> String {
    let judged = if decision.accepted { "accepted" } else { "not accepted" };
    if !decision.at_cap {
        return format!("{judged}, {}", verdict_text(verdict, sprt));
    }
    let cap = format!("{judged} at the cap, with {}", counted(decision.pairs, "counted pair"));
    match (decision.z, decision.needed) {
        (Some(z), Some(needed)) => format!("{cap}: z {z:.2}, needed {needed:.2}"),
        _ => cap,
    }
}

/// The Elo of a match in a few words, for a progress line: `Elo +12.3 +- 8.1`, or the interval
/// where the error is not known.
pub fn elo_short(summary: &Summary) -> String {
    let whole = |elo: f64| format!("{elo:+.0}");
    match (summary.elo_low, summary.elo_high) {
        _ if summary.elo_error.is_some() => {
            format!("Elo {}", with_error(summary.elo, summary.elo_error))
        }
        (Some(low), Some(high)) => format!("Elo {} to {}", whole(low), whole(high)),
        (Some(low), None) => format!("Elo above {}", whole(low)),
        (None, Some(high)) => format!("Elo below {}", whole(high)),
        (None, None) => "Elo -".into(),
    }
}

/// The log-likelihood ratio of a match between its bounds, for a progress line.
pub fn llr_short(summary: &Summary) -> Option<String> {
    let (low, high) = summary.llr_low.zip(summary.llr_high)?;
    Some(format!("LLR {:.2} of {low:.2}..{high:.2}", summary.llr?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_one_wrong_adjudication_in_twenty_is_a_warning() {
        let warned = |checked, wrong| {
            audit_warning(&EarlyEnds { checked, wrong, ..EarlyEnds::default() }).is_some()
        };
        assert!(!warned(0, 0) && !warned(10, 1) && !warned(40, 2));
        assert!(warned(39, 2) && warned(100, 6));
        let early = EarlyEnds { by_scores: 50, checked: 10, wrong: 3, ..EarlyEnds::default() };
        let said = early_remarks(&early, 100).join("\n");
        assert!(said.contains("30.0 %") && said.contains("--no-adjudication"), "{said}");
        let long = early_remarks(&EarlyEnds { by_length: 2, ..EarlyEnds::default() }, 100);
        assert_eq!(long, ["2 games ended as a draw at the most plies (--max-plies)"]);
        let late = EarlyEnds { on_time: 10, ..EarlyEnds::default() };
        assert_eq!(early_remarks(&late, 100), ["10 games lost on time"]);
        assert!(early_remarks(&late, 99)[0].contains("longer clock"));
    }
}
