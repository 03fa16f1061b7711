//! The rounds of a logistic tune, in numbers.

use super::units;
use super::words::elo_text;
use crate::run::Record;
use crate::stats::{PairCounts, Summary};
use crate::tune::{FitRecord, Schedule, Stage, TuneSettings};
use serde::Serialize;

/// A round, finished or not.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RoundRow {
    /// Its number, from 1.
    pub round: u64,
    /// Games whose positions were kept.
    pub games: u64,
    /// Positions kept from these games, repetitions included.
    pub positions: u64,
    /// The loss per validation position before the fit, in nats; `None` until the fit is done.
    pub loss_before: Option<f64>,
    /// The loss after the fit, in nats.
    pub loss: Option<f64>,
    /// The penalty that was chosen.
    pub penalty: Option<f64>,
    /// Whether the round's set became the best; `None` until the match is over.
    pub accepted: Option<bool>,
    /// The match of the round's set against the best before it, as far as it is on record.
    #[serde(rename = "match")]
    pub match_: Summary,
    /// Games of the run until the end of the round, matches included.
    pub games_until: u64,
}

impl RoundRow {
    /// The row as text: round, games, positions, loss before and after, penalty, pairs, Elo, and
    /// whether it was accepted.
    pub fn cells(&self) -> [String; 9] {
        let number = |value: Option<f64>| value.map_or("-".into(), |value| format!("{value:.6}"));
        let judged = match self.accepted {
            Some(true) => "accepted",
            Some(false) => "not accepted",
            None => "not finished",
        };
        [
            self.round.to_string(),
            units::count(self.games),
            units::count(self.positions),
            number(self.loss_before),
            number(self.loss),
            self.penalty.map_or("-".into(), |penalty| penalty.to_string()),
            units::count(self.match_.pairs.pairs()),
            elo_text(&self.match_),
            judged.into(),
        ]
    }

    /// The titles of the cells.
    pub const TITLES: [&'static str; 9] = [
        "round",
        "games",
        "positions",
        "loss before",
        "loss",
        "penalty",
        "pairs",
        "Elo over the best before",
        "",
    ];
}

/// The rounds of a run that were begun; none for other methods.
pub fn rounds(config: &TuneSettings, record: &Record) -> Vec<RoundRow> {
    let Some(plan) = config.schedule() else { return Vec::new() };
    let mut rows: Vec<RoundRow> = Vec::new();
    let mut points = record.batches(Stage::Round).flat_map(|batch| batch.points.iter().copied());
    let mut games_until = 0;
    for round in 1..=plan.most_rounds(config.games) {
        let Some(last) = record.positions(round).last() else { break };
        let (fit, end) = (record.fit(round), record.round(round));
        // The batches of all rounds form one sequence. The end of a round says how many pairs are
        // its own.
        let own =
            end.map_or(usize::MAX, |end| usize::try_from(end.pairs.pairs()).unwrap_or(usize::MAX));
        let mut counts = PairCounts::default();
        points.by_ref().take(own).for_each(|points| counts.add(points.min(4)));
        games_until += last.games + counts.games();
        rows.push(RoundRow {
            round,
            games: last.games,
            positions: last.positions,
            loss_before: fit.and_then(|fit| fit.start),
            loss: fit.and_then(|fit| fit.loss()),
            penalty: fit.and_then(FitRecord::penalty),
            accepted: end.map(|end| end.accepted),
            match_: Summary::of(&counts, None),
            games_until,
        });
    }
    rows
}

/// Whether no further round follows these.
pub fn are_over(rows: &[RoundRow], config: &TuneSettings, plan: &Schedule) -> bool {
    let in_vain = rows.iter().rev().take_while(|row| row.accepted == Some(false)).count();
    rows.last().is_some_and(|last| {
        last.accepted.is_some()
            && (in_vain as u64 >= plan.patience || last.round >= plan.most_rounds(config.games))
    })
}

/// The rounds as a table for other programs.
pub fn csv(rows: &[RoundRow]) -> String {
    let mut text = String::from(
        "round,games,positions,loss_before,loss,penalty,pairs,elo,elo_error,accepted\n",
    );
    let number = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    for row in rows {
        let cells = [
            row.round.to_string(),
            row.games.to_string(),
            row.positions.to_string(),
            number(row.loss_before),
            number(row.loss),
            number(row.penalty),
            row.match_.pairs.pairs().to_string(),
            number(row.match_.elo),
            number(row.match_.elo_error),
            row.accepted.map_or(String::new(), |accepted| accepted.to_string()),
        ];
        text += &(cells.join(",") + "\n");
    }
    text
}
