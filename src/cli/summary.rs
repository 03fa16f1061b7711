//! The numbers of a match as text: what `match`, `stats` and the final match of a tune print.

use crate::report::table::Facts;
use crate::report::units::{count, percent, with_error};
pub use crate::report::words::{elo_text, interval_text, llr_text, short_text, verdict_text};
use crate::stats::{Sprt, Summary};

/// The numbers of a match, line by line.
pub fn summary_facts(summary: &Summary, sprt: Option<&Sprt>) -> Facts {
    let p = &summary.pairs;
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
    facts.add("score", percent(summary.score));
    facts.add("Elo", elo_text(summary));
    facts.add("nElo", with_error(summary.nelo, summary.nelo_error));
    facts.add("LOS", percent(summary.los));
    if let Some(sprt) = sprt {
        facts.add("LLR", llr_text(summary, sprt));
        facts.add("verdict", verdict_text(summary.verdict, sprt));
    }
    facts
}
