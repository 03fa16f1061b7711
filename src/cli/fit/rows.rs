//! `spar fit --rows`: weights from rows of features with results that another program wrote.

use super::show::{note_no_better, trial_text};
use super::{FitArgs, row_notes, stopped};
use crate::cli::force::write_free;
use crate::cli::{Console, Ended, Interrupt, Role};
use crate::error::{Error, ErrorKind, Result};
use crate::report::{Facts, TextTable, units};
use crate::shell::quote;
use crate::tune::PenaltyResult;
use crate::tune::rows::{RowSource, RowWeight, Rows, RowsConfig, RowsFit, fit};
use clap::Args;
use serde::Serialize;
use serde_json::{Value, json};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Distance of a knob's bounds from its start in the written file, in half-widths of the 95 %
/// interval.
const BOUNDS: f64 = 5.0;
/// The units of a weight that make sense.
const UNITS: RangeInclusive<f64> = 1e-9..=1e9;

/// The arguments of a fit to rows.
#[derive(Args, Debug)]
pub(in crate::cli) struct RowArgs {
    /// Fit weights to rows of features with results instead: CSV with a line of names, or numpy's
    /// .npz with the arrays X, y and names; writes a file of knobs
    #[arg(long, value_name = "FILE", help_heading = "Rows of other programs",
        conflicts_with_all = ["files", "start", "ablate", "all", "clear_rest", "no_sharing", "blend", "game", "board"])]
    pub(super) rows: Option<PathBuf>,
    /// The column of the results, 0 to 1 or as in PGN [default: result]
    #[arg(long, value_name = "COLUMN", requires = "rows", help_heading = "Rows of other programs")]
    result: Option<String>,
    /// The column that names the game of a row: rows of a game are adjacent, and share its result
    /// [default: every row is a game; in .npz the array groups]
    #[arg(long, value_name = "COLUMN", requires = "rows", help_heading = "Rows of other programs")]
    group: Option<String>,
    /// Units of a weight per logit [default: 1]
    #[arg(long, value_name = "UNITS", requires = "rows", help_heading = "Rows of other programs")]
    units: Option<f64>,
    /// Write the weights as whole numbers
    #[arg(long, requires = "rows", help_heading = "Rows of other programs")]
    int: bool,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct RowsJson<'a> {
    /// The path of the file of knobs written.
    knobs: String,
    /// Training and validation rows, and their games.
    rows: RowCounts,
    /// Units of a weight per logit.
    units_per_logit: f64,
    /// The loss per validation row with all weights 0, in nats.
    start_loss: f64,
    /// The fits, one for each penalty that was tried.
    trials: &'a [PenaltyResult],
    /// The place of the best one.
    best: usize,
    /// The weights, in these units.
    features: &'a [RowWeight],
    /// Columns that follow from others in the training rows, each after these others: only a
    /// combination of their weights is known.
    dependent: Vec<Vec<&'a str>>,
    /// The time of the whole command, in seconds.
    seconds: f64,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct RowCounts {
    training: u64,
    validation: u64,
    games: u64,
}

/// Runs the command for the rows of a file.
///
/// # Errors
/// When an argument is wrong, or a file cannot be read or written.
pub(super) fn run(path: &Path, args: &FitArgs, console: &Console) -> Result<Ended> {
    let begun = Instant::now();
    let units = args.of_rows.units.unwrap_or(1.0);
    if !UNITS.contains(&units) {
        return Err(Error::input("--units", format!("{units} is out of range")).remedy(format!(
            "give a number from {:e} to {:e}",
            UNITS.start(),
            UNITS.end()
        )));
    }
    let interrupt = Interrupt::new("");
    let fitted = in_pool(args.threads.count(), || {
        let source = RowSource {
            result: args.of_rows.result.as_deref().unwrap_or("result"),
            game: args.of_rows.group.as_deref(),
            only: &args.fit.only,
        };
        let rows = Rows::read(path, &source, interrupt.stop())?;
        console.aside(format!(
            "{} of {}",
            units::counted(rows.len() as u64, "row"),
            units::counted(rows.names.len() as u64, "feature")
        ));
        if rows.games.is_empty() {
            row_notes::note_group(&rows.names, console);
        }
        fit(&rows, &RowsConfig::from(&args.fit), interrupt.stop())
    });
    let mut fitted = match fitted {
        Err(error) if error.kind() == ErrorKind::Interrupted => return stopped(&error, console),
        fitted => fitted?,
    };
    if !fitted.weights.iter().any(is_knob) {
        return Err(Error::input(path.display(), "no column that the results depend on")
            .remedy("give columns that are not 0 in all rows"));
    }
    for weight in &mut fitted.weights {
        weight.weight *= units;
        weight.error = weight.error.map(|error| error * units);
    }
    let text = format!("{:#}\n", knobs(&fitted, args.of_rows.int));
    write_free(&args.output, text.as_bytes(), args.force)?;
    if args.of_rows.int {
        row_notes::note_rounding(&fitted, console);
    }
    row_notes::note_unknown(&fitted, console);
    note_no_better(&fitted.trials[fitted.best], fitted.start_loss, console);
    if let [_] = fitted.trials[..] {
        row_notes::note_withheld(&fitted, args.fit.validation_folds, console);
    }
    show(&fitted, args, units, begun.elapsed().as_secs_f64(), console)?;
    Ok(Ended::Done)
}

/// Runs `work` in a pool of this many threads.
fn in_pool<T: Send>(threads: usize, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| Error::failed("threads", error).remedy("ask for fewer with --threads"))?
        .install(work)
}

/// The weights as a file of knobs: the bounds are [`BOUNDS`] errors away, and the step is one
/// error. Columns of zeros are left out.
fn knobs(fitted: &RowsFit, is_int: bool) -> Value {
    let knob = |weight: &RowWeight| {
        let error = reach(weight);
        let [min, max] = [-1.0, 1.0].map(|side| weight.weight + side * BOUNDS * error);
        match is_int {
            true => json!({
                "name": weight.name, "kind": "int", "start": weight.weight.round() as i64,
                "min": min.floor() as i64, "max": max.ceil() as i64,
                "step": (error.round() as i64).max(1),
            }),
            false => json!({
                "name": weight.name, "kind": "float", "start": weight.weight,
                "min": min, "max": max, "step": error,
            }),
        }
    };
    fitted.weights.iter().filter(|weight| is_knob(weight)).map(knob).collect()
}

/// Whether a weight becomes a knob: a column of zeros has nothing to tune.
pub(super) fn is_knob(weight: &RowWeight) -> bool {
    weight.shown > 0 && reach(weight) > 0.0
}

/// The error of a weight; where it is unknown, the size of the weight.
fn reach(weight: &RowWeight) -> f64 {
    weight.error.unwrap_or(weight.weight.abs())
}

fn show(
    fitted: &RowsFit,
    args: &FitArgs,
    units: f64,
    seconds: f64,
    console: &Console,
) -> Result<()> {
    let [training, validation] = fitted.rows;
    let knobs = args.output.display().to_string();
    if console.json {
        return console.document(&RowsJson {
            knobs,
            rows: RowCounts { training, validation, games: fitted.games },
            units_per_logit: units,
            start_loss: fitted.start_loss,
            trials: &fitted.trials,
            best: fitted.best,
            features: &fitted.weights,
            dependent: fitted.dependent_names(),
            seconds,
        });
    }
    let best = &fitted.trials[fitted.best];
    fitted.trials.iter().for_each(|trial| console.aside(trial_text(trial)));
    let mut facts = Facts::default();
    facts.add(
        "rows",
        format!(
            "{} for training, {} for validation",
            units::count(training),
            units::count(validation)
        ),
    );
    facts.add("games", units::count(fitted.games));
    facts.add(
        "validation",
        format!("loss {:.6} with all weights 0, {:.6} fitted", fitted.start_loss, best.validation),
    );
    facts.add("penalty", best.penalty.to_string()).add("file", knobs.clone());
    let mut table =
        TextTable::new().left("feature").right("weight").right("error (95 %)").right("shown in");
    for weight in &fitted.weights {
        let error = weight.error.map_or("-".into(), |error| format!("+- {error:.4}"));
        let cells = [weight.name.clone(), format!("{:.4}", weight.weight), error];
        table.row(cells.into_iter().chain([units::count(weight.shown)]));
    }
    console.say(format!("\n{facts}\n\n{}", table.fit(console.width())))?;
    console.say(format!(
        "\n{}\n  spar tune --engine cmd:./engine --knobs {} --nodes 20k",
        Role::Heading.paint("next"),
        quote(&knobs)
    ))
}
