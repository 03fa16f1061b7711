//! A match or a tournament as a table for other programs.

use crate::report::TournamentReport;
use crate::report::csv::{field, number};
use crate::stats::Summary;
use crate::tournament::TournamentKind;
use crate::tune::BatchRecord;

/// The most rows of a match's history.
const ROWS: usize = 2000;

impl TournamentReport<'_> {
    /// For a match, its course: a row for each batch, at most 2000 at even intervals, with pairs,
    /// games, the Elo so far with its 95 % error, and the LLR. For a tournament, its matches.
    /// Undefined numbers are empty.
    pub fn csv(&self, batches: &[&BatchRecord]) -> String {
        match self.kind {
            TournamentKind::Match => history(batches),
            TournamentKind::Tournament => self.matches(),
        }
    }

    fn matches(&self) -> String {
        let mut text =
            "a,b,ll,ld,mid,wd,ww,elo,elo_error,forfeits_a,forfeits_b,forfeited_pairs\n".to_owned();
        for played in &self.result.matches {
            let [a, b] = played.players.map(|place| field(&self.settings.players[place].name));
            let Summary { pairs, elo, elo_error, .. } = played.summary;
            let mut row = vec![a, b];
            row.extend(pairs.to_array().map(|count| count.to_string()));
            row.extend([elo, elo_error].map(number));
            row.extend(played.tally.forfeits.map(|count| count.to_string()));
            row.push(played.forfeited_pairs.to_string());
            text += &(row.join(",") + "\n");
        }
        text
    }
}

fn history(batches: &[&BatchRecord]) -> String {
    let mut text = "pairs,games,elo,elo_error,llr\n".to_owned();
    let every = batches.len().div_ceil(ROWS).max(1);
    let last = batches.len().saturating_sub(1);
    let shown = batches.iter().enumerate().filter(|(at, _)| at % every == 0 || *at == last);
    for (_, batch) in shown {
        let summary = &batch.summary;
        let mut row = vec![summary.pairs.pairs().to_string(), summary.pairs.games().to_string()];
        row.extend([summary.elo, summary.elo_error, summary.llr].map(number));
        text += &(row.join(",") + "\n");
    }
    text
}
