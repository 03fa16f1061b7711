//! The JSON document of a tune, which `spar tune`, `spar resume` and `spar report` print.

use crate::report::RunSummary;
use crate::run::SEARCH;
use crate::runs::RunView;
use crate::search::SearchConstants;
use crate::stats::Summary;
use crate::tune::{Target, TuneResult};
use crate::weights::{FORMAT_WITH_SEARCH, Provenance, WeightSet};
use serde::Serialize;
use std::path::Path;
use std::time::Duration;

/// A tune: its files, its outcome and its numbers.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct TuneJson<'a> {
    /// The path of the run directory.
    run: String,
    /// The path of its weight file: the tuned set if it was accepted, else the start; in a tune of
    /// an external engine, the file of its answer.
    weights: String,
    /// The path of the report; null where it could not be written.
    report: Option<String>,
    /// The file of constants of the search, where the run has any of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    search: Option<String>,
    /// Whether the candidate passed its validation; null before its end.
    accepted: Option<bool>,
    /// The validation: the candidate's Elo over the start.
    elo: Option<f64>,
    /// Half the width of its 95 % interval.
    elo_error: Option<f64>,
    /// The lower end of a 95 % interval that holds for few pairs, too.
    elo_low: Option<f64>,
    /// The upper end of it.
    elo_high: Option<f64>,
    /// The median-unbiased Elo, which allows for the test's having stopped the match.
    elo_unbiased: Option<f64>,
    /// Seconds of this process; none in a report.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    /// Commands suggested as the next steps.
    next: &'a [String],
    /// The candidate at the end of a tune, unless it has tables, which are long: see the files of
    /// the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    candidate: Option<Option<CandidateJson<'a>>>,
    #[serde(flatten)]
    summary: &'a RunSummary,
}

impl<'a> TuneJson<'a> {
    /// The document of the tune in a directory, with its page; none for a run that is no tune.
    pub(in crate::cli) fn new(run: &Path, page: Option<&Path>, view: &'a RunView) -> Option<Self> {
        let summary = view.summary.as_ref()?;
        let Summary { elo, elo_error, elo_low, elo_high, .. } = summary.validation;
        let file = |name| run.join(name).display().to_string();
        Some(Self {
            run: run.display().to_string(),
            weights: file(summary.target.file_of_answer()),
            report: page.map(|page| page.display().to_string()),
            search: summary.has_search.then(|| file(SEARCH)),
            accepted: summary.state.accepted(),
            elo,
            elo_error,
            elo_low,
            elo_high,
            elo_unbiased: summary.decision.and_then(|decision| decision.elo_unbiased),
            seconds: None,
            next: &view.next,
            candidate: None,
            summary,
        })
    }

    /// The same at the end of the tune, with its candidate and the time that it took.
    pub(in crate::cli) fn with_result(self, result: &'a TuneResult, took: Duration) -> Self {
        let candidate = Some(CandidateJson::of(result, self.summary.target));
        Self { seconds: Some(took.as_secs_f64()), candidate, ..self }
    }
}

/// The tuned set, accepted or not.
#[derive(Serialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
enum CandidateJson<'a> {
    Weights(&'a WeightSet),
    Search(ConstantsJson<'a>),
}

/// Tuned constants, without the weights that they were tuned with.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ConstantsJson<'a> {
    format: u32,
    game: &'a str,
    board: Option<&'a str>,
    name: &'a str,
    constants: &'a SearchConstants,
    provenance: Option<&'a Provenance>,
}

impl<'a> CandidateJson<'a> {
    fn of(result: &'a TuneResult, target: Target) -> Option<Self> {
        let set = &result.candidate.weights;
        let has_tables = set.weights.iter().any(|(name, _)| set.one(name).is_none());
        match target {
            Target::Option => None,
            Target::Search => Some(Self::Search(ConstantsJson {
                format: FORMAT_WITH_SEARCH,
                game: &set.game,
                board: set.board.as_deref(),
                name: &set.name,
                constants: &result.candidate.constants,
                provenance: set.provenance.as_ref(),
            })),
            Target::Weights => (!has_tables).then_some(Self::Weights(set)),
        }
    }
}
