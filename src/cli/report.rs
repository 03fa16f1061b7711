//! `spar report`: the result of a run, or its state.

use super::summary::summary_facts;
use super::tournament_json::print_json;
use super::tournament_text::tournament_text;
use super::tune_json::TuneJson;
use crate::cli::{Console, Ended, Role, check_not_stdout, find_runs, runs_folder};
use crate::error::{Error, Result};
use crate::files::{self, Links};
use crate::page::{POINTS, comparison_page, is_page, run_page};
use crate::report::comparison::comparison;
use crate::report::role::by_sign;
use crate::report::words::{elo_text, yardstick_lines};
use crate::report::{
    Facts, RoundRow, RunHistory, RunSummary, TextTable, TournamentReport, TuneState, csv, rounds,
    units,
};
use crate::run::{self, REPORT, Record, TournamentWork, TuneWork, Work, is_locked};
use crate::runs::{LiveRun, RunView};
use crate::shell::quote_path;
use crate::tune::{Method, Stage};
use clap::Args;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Makes a page of a run, with charts
///
/// An HTML page with plots of the strength and of every weight over the games. It works at any
/// time, also during the run: it locks nothing and changes nothing.
#[derive(Args, Debug)]
pub struct ReportArgs {
    /// The run: `last`, its name or a part of it, or its directory; several runs are compared on
    /// one page
    #[arg(value_name = "RUN", required = true)]
    named: Vec<PathBuf>,
    /// Where the page goes [default: report.html in the run directory; of several runs
    /// comparison.html in the folder of runs]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Overwrite that file even if it is no report
    #[arg(long, conflicts_with = "csv")]
    force: bool,
    /// Print the history as CSV instead: games, the running Elo with its 95 % error, and every
    /// weight, at most about 2000 rows; of a logistic tune its rounds
    #[arg(long, conflicts_with = "output")]
    csv: bool,
}

/// The name of the page about several runs, in their folder.
pub(super) const COMPARISON: &str = "comparison.html";
/// The largest file that is taken for a page, in bytes.
const MOST_BYTES: u64 = 1 << 30;
/// The share of a tune before which the report does not say which weights have settled.
const EARLY: f64 = 0.25;

/// Several runs side by side.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct ComparisonJson {
    /// The path of the page.
    report: String,
    runs: Vec<RunView>,
}

/// Runs the command.
///
/// # Errors
/// When the directory is not a run's, its files are damaged, or the page cannot be written.
pub fn run(args: &ReportArgs, console: &Console) -> Result<Ended> {
    let runs = find_runs(&args.named)?;
    if let Some(output) = &args.output {
        check_replaceable(output, args.force)?;
    }
    let [path] = &runs[..] else { return compare(&runs, args, console) };
    let (manifest, record) = run::read_checked(path)?;
    match &manifest.work {
        Work::Tune(tune) => of_tune(args, path, (tune, record), console),
        Work::Tournament(tournament) => of_tournament(args, path, (tournament, &record), console),
    }
}

fn of_tournament(
    args: &ReportArgs,
    run: &Path,
    (tournament, record): (&TournamentWork, &Record),
    console: &Console,
) -> Result<Ended> {
    let report = TournamentReport::of_record(tournament, record)?;
    if args.csv {
        let batches: Vec<_> = record.batches(Stage::Match).collect();
        console.raw(&report.csv(&batches))?;
        return Ok(Ended::Done);
    }
    let path = write_page(run, args.output.as_deref(), &recorded(run)?)?;
    if console.json {
        print_json(&report, Some(run), Some(&path), console)?;
    } else {
        console.say(tournament_text(&report, console.width()))?;
        console.say(page_line(&path))?;
    }
    if !report.result.is_complete && !is_locked(run) {
        console.aside(format!("not finished; continue with:\n  spar resume {}", quote_path(run)));
    }
    Ok(Ended::Done)
}

fn of_tune(
    args: &ReportArgs,
    run: &Path,
    (tune, record): (&TuneWork, Record),
    console: &Console,
) -> Result<Ended> {
    if args.csv && tune.config.schedule().is_some() {
        console.raw(&rounds::csv(&rounds::rounds(&tune.config, &record)))?;
        return Ok(Ended::Done);
    }
    if args.csv {
        let history = RunHistory::new(&tune.config, &record);
        console.raw(&csv(&tune.config, &history))?;
        return Ok(Ended::Done);
    }
    // The page reads the record again.
    drop(record);
    let view = recorded(run)?;
    let path = write_page(run, args.output.as_deref(), &view)?;
    if console.json {
        let document = TuneJson::new(run, Some(&path), &view);
        document.map_or(Ok(()), |document| console.document(&document))?;
        return Ok(Ended::Done);
    }
    let Some(summary) = &view.summary else { return Ok(Ended::Done) };
    console.say(format!("{}\n", facts(summary, is_locked(run))))?;
    result_text(&view, Some(path), console).map_or(Ok(()), |text| console.say(text))?;
    Ok(Ended::Done)
}

/// Makes the page of several runs side by side.
fn compare(runs: &[PathBuf], args: &ReportArgs, console: &Console) -> Result<Ended> {
    if args.csv {
        return Err(Error::input("--csv", "is for one run").remedy("name one run"));
    }
    let views = runs.iter().map(|run| recorded(run)).collect::<Result<Vec<_>>>()?;
    let columns: Vec<_> = views.iter().map(RunView::column).collect();
    let path = args.output.clone().unwrap_or_else(|| runs_folder().path().join(COMPARISON));
    check_replaceable(&path, args.force)?;
    files::write_atomically(&path, comparison_page(&views)?.as_bytes(), Links::Followed)?;
    if console.json {
        console.document(&ComparisonJson { report: path.display().to_string(), runs: views })?;
    } else {
        console.say(comparison(&columns).fit(console.width()))?;
        console.say(format!("\nthe page with all of them: {}", quote_path(&path)))?;
    }
    Ok(Ended::Done)
}

/// Checks that a page may be written to a path: nothing is there but an earlier page or an empty
/// file, or `force` is given.
///
/// # Errors
/// When another file is there, or no file.
fn check_replaceable(path: &Path, force: bool) -> Result<()> {
    check_not_stdout(path)?;
    let links = Links::Followed;
    if force || !files::exists(path, links)? {
        return Ok(());
    }
    match files::read(path, links, MOST_BYTES) {
        Ok(bytes) if bytes.is_empty() || is_page(&bytes) => Ok(()),
        _ => Err(Error::input(path.display(), "the file exists already, and it is no report")
            .remedy("name another one, or give --force to overwrite it")),
    }
}

/// The record of the run in a directory, even while another process works on it.
///
/// # Errors
/// When its files cannot be read.
pub fn recorded(run: &Path) -> Result<RunView> {
    // Drops a trailing slash, which is no part of the name.
    let run: PathBuf = run.components().collect();
    LiveRun::open(&run)?.recorded(POINTS)
}

/// The line that says where the page of a match or a tournament is.
pub(super) fn page_line(page: &Path) -> String {
    format!("\nplots and the whole report: {}", quote_path(page))
}

/// Writes the page of the run in a directory, there unless `output` names another place, and
/// returns the path.
///
/// # Errors
/// When the page cannot be written.
pub fn write_page(run: &Path, output: Option<&Path>, view: &RunView) -> Result<PathBuf> {
    let text = run_page(view)?;
    let (path, links) = match output {
        Some(path) => (path.to_owned(), Links::Followed),
        None => (run.join(REPORT), Links::Refused),
    };
    // An unchanged page is not written again.
    if !files::read(&path, links, text.len() as u64).is_ok_and(|old| old == text.as_bytes()) {
        files::write_atomically(&path, text.as_bytes(), links)?;
    }
    Ok(path)
}

/// The run's settings and state.
fn facts(summary: &RunSummary, is_running: bool) -> Facts {
    // The match of a fit before the steps is not among the planned games.
    let planned = summary.planned_games.max(summary.tune_games);
    let games = format!("{} of {}", units::count(summary.tune_games), units::count(planned));
    let mut facts = Facts::default();
    facts.add("run", format!("{} tuned by {} on {}", summary.start, summary.method, summary.board));
    summary.continues.iter().for_each(|run| {
        facts.add("continues", run.clone());
    });
    summary.played_with.iter().for_each(|weights| {
        facts.add("playing with", weights.clone());
    });
    facts.add("state", state_text(summary, is_running));
    summary.failure.iter().for_each(|failure| {
        facts.add("error", failure.clone());
    });
    facts.add("games", games);
    facts.add("limits", summary.limits.to_string()).add("seed", summary.seed.to_string());
    if let Some(opponents) = &summary.opponents {
        facts.add("opponents", opponents.clone());
    }
    if !summary.method.has_rounds() {
        add_answers(&mut facts, summary);
    }
    facts
}

fn state_text(summary: &RunSummary, is_running: bool) -> String {
    match summary.state {
        _ if summary.failure.is_some() => "ended with an error that a resume cannot fix".into(),
        TuneState::Accepted => {
            format!("{}: better than {}", Role::Good.paint("accepted"), summary.start)
        }
        TuneState::Rejected => {
            format!("{}: {} stays", Role::Bad.paint("not accepted"), summary.start)
        }
        TuneState::Validating if is_running => "being validated".into(),
        TuneState::Validating => "stopped while being validated".into(),
        TuneState::Tuning if is_running => "tuning".into(),
        TuneState::Tuning => "stopped while tuning".into(),
    }
}

/// Adds how strong the latest answers are, and what more games may change.
fn add_answers(facts: &mut Facts, summary: &RunSummary) {
    facts.add("latest answers", format!("Elo {}", elo_text(&summary.recent)));
    let left = match summary.elo_left {
        _ if summary.is_untold => Some("not known: too few results".into()),
        _ if summary.is_contradicted => Some("not known: the validation contradicts it".into()),
        elo => elo.map(|elo| format!("some {elo:.1} Elo, if losses are quadratic")),
    };
    left.into_iter().for_each(|left| {
        facts.add("left to gain", left);
    });
    // Early in a run, weights that have not moved yet have not necessarily settled.
    if !summary.is_untold && (summary.state.is_finished() || summary.share_done() > EARLY) {
        let (moving, many) = (summary.moving().len(), summary.target.many());
        facts.add("still moving", format!("{moving} of {} {many}", summary.weights.len()));
    }
}

/// The changes, the validation, the outcome, and suggested next commands.
///
/// `None` for a run that is no tune.
pub fn result_text(view: &RunView, page: Option<PathBuf>, console: &Console) -> Option<String> {
    let summary = view.summary.as_ref()?;
    let table = match summary.method {
        Method::Logistic | Method::Network => rounds_table(&summary.rounds),
        _ => knobs_table(summary),
    };
    let mut parts = vec![table.fit(console.width()).to_string()];
    if summary.validation.games > 0 {
        let decision = summary.decision.as_ref();
        let facts = summary_facts(&summary.validation, Some(&summary.sprt), decision);
        parts.push(format!(
            "{}, {} on openings the tune never saw\n{facts}",
            Role::Heading.paint("validation"),
            summary.limits
        ));
    }
    parts.extend(view.remarks.iter().cloned());
    if !summary.yardsticks.is_empty() {
        let mut facts = Facts::default();
        for (against, elo) in yardstick_lines(&summary.yardsticks) {
            facts.add(&format!("against {against}"), elo);
        }
        parts.push(format!("{}, the candidate's Elo\n{facts}", Role::Heading.paint("yardsticks")));
    }
    parts.extend(view.outcome.clone());
    parts.push(format!("{}\n  {}", Role::Heading.paint("next"), view.next.join("\n  ")));
    parts.extend(page.map(|page| format!("plots and the whole report: {}", quote_path(&page))));
    Some(parts.join("\n\n"))
}

fn knobs_table(summary: &RunSummary) -> TextTable {
    let mut table = TextTable::new()
        .left(summary.target.one())
        .shortened(12)
        .right("start")
        .optional(1)
        .right("tuned")
        .right("error (95 %)")
        .right("change");
    for row in &summary.weights {
        let error = row.error_text().unwrap_or_default();
        let change = by_sign(row.change(), format!("{:+}", row.change()));
        table.row([row.name.clone(), row.start.to_string(), row.tuned.to_string(), error, change]);
    }
    table
}

fn rounds_table(rows: &[RoundRow]) -> TextTable {
    let mut table = TextTable::new();
    for title in RoundRow::TITLES {
        table = match title {
            "" => table.left(title),
            _ if title.starts_with("Elo") => table.left(title),
            "loss before" => table.right(title).optional(4),
            "penalty" => table.right(title).optional(3),
            "positions" => table.right(title).optional(2),
            "pairs" => table.right(title).optional(1),
            _ => table.right(title),
        };
    }
    for row in rows {
        let mut cells = row.cells();
        let judged = match row.accepted {
            Some(accepted) => Role::of_judgement(accepted),
            None => Role::Undecided,
        };
        cells.iter_mut().last().into_iter().for_each(|cell| *cell = judged.paint(&*cell));
        table.row(cells);
    }
    table
}
