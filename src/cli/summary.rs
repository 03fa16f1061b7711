//! The numbers of a match as text: what `match`, `stats` and the final match of a tune print.

use crate::report::units::{count, percent, with_error};
use crate::report::words::{decision_text, unbiased_text};
pub use crate::report::words::{elo_text, interval_text, llr_text, verdict_text};
use crate::report::{Facts, Role};
use crate::stats::{Decision, GameCounts, Sprt, Summary};

/// The numbers of a match, line by line; `decision` is given for a match that had to accept or
/// reject.
pub fn summary_facts(summary: &Summary, sprt: Option<&Sprt>, decision: Option<&Decision>) -> Facts {
    let p = summary.pairs;
    let mut facts = Facts::default();
    facts.add(
        "pairs",
        format!(
            "{}: LL {}  LD {}  mid {}  WD {}  WW {}",
            count(p.pairs()),
            p.ll,
            p.ld,
            p.mid,
            p.wd,
            p.ww
        ),
    );
    facts.add("games", count(summary.games));
    add_strength(&mut facts, summary, sprt, decision);
    facts
}

/// The numbers of a match whose pairs are unknown, line by line.
pub fn games_facts(games: GameCounts, summary: &Summary, sprt: Option<&Sprt>) -> Facts {
    let mut facts = Facts::default();
    facts.add(
        "pairs",
        "unknown, so games count as independent; with pairs the errors are usually smaller",
    );
    let GameCounts { wins, draws, losses } = games;
    facts.add("games", format!("{}: W {wins}  D {draws}  L {losses}", count(summary.games)));
    add_strength(&mut facts, summary, sprt, None);
    facts
}

fn add_strength(
    facts: &mut Facts,
    summary: &Summary,
    sprt: Option<&Sprt>,
    decision: Option<&Decision>,
) {
    facts.add("score", percent(summary.score));
    facts.add("Elo", elo_role(summary).paint(elo_text(summary)));
    if let Some(decision) = decision {
        facts.add("unbiased Elo", unbiased_text(decision));
    }
    facts.add("nElo", with_error(summary.nelo, summary.nelo_error));
    facts.add("LOS", percent(summary.los));
    if let Some(sprt) = sprt {
        facts.add("LLR", llr_text(summary, sprt));
        match decision {
            Some(decision) => {
                let text = decision_text(decision, summary.verdict, sprt);
                facts.add("decision", Role::of_judgement(decision.accepted).paint(text))
            }
            None => {
                let text = verdict_text(summary.verdict, sprt);
                facts.add("verdict", Role::of_verdict(summary.verdict).paint(text))
            }
        };
    }
}

/// Whether the first player is the stronger one, as far as the interval tells.
pub fn elo_role(summary: &Summary) -> Role {
    match summary.games {
        0 => Role::Undecided,
        _ => Role::of_interval(summary.elo_low, summary.elo_high),
    }
}
