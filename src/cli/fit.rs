//! `spar fit`: weights from positions.

use super::Ended;
use super::args::{GameArgs, ThreadArgs};
use super::console::Console;
use super::players::Player;
use crate::arena::queue::Threads;
use crate::error::Result;
use crate::eval::Evaluated;
use crate::game::with_game;
use crate::run::positions::PositionFiles;
use crate::search::Stop;
use crate::tune::logistic::columns::Columns;
use crate::tune::logistic::fit::{FitConfig, fit, score_scale};
use crate::tune::logistic::pass::Data;
use crate::tune::logistic::samples::Samples;
use clap::Args;
use std::path::PathBuf;
use std::time::Instant;

/// Fits weights to positions that `spar generate` made.
#[derive(Args, Debug)]
pub struct FitArgs {
    /// Files of positions
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    game: GameArgs,
    /// Weights to start from: a shipped set or a file
    #[arg(long, value_name = "WEIGHTS")]
    start: Option<String>,
    /// Fit only these weights and tables
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    only: Vec<String>,
    /// The share of the search's score in the target
    #[arg(long, default_value_t = 0.5)]
    blend: f64,
    /// Penalties to try
    #[arg(long, value_delimiter = ',', default_value = "100,30,10")]
    penalties: Vec<f64>,
    /// The most iterations for each penalty
    #[arg(long, default_value_t = 40)]
    iterations: u64,
    /// Units of weight for a logit
    #[arg(long, default_value_t = 1000.0)]
    per_logit: f64,
    /// The scale of the new set
    #[arg(long, default_value_t = 10)]
    scale: i32,
    /// The file to write
    #[arg(long, short)]
    output: PathBuf,
    #[command(flatten)]
    threads: ThreadArgs,
}

/// Runs the command.
///
/// # Errors
/// When an argument is wrong, or a file cannot be read or written.
pub fn run(args: &FitArgs, console: &Console) -> Result<Ended> {
    with_game!(args.game.game, P => run_game::<P>(args, console))
}

fn run_game<P: Evaluated>(args: &FitArgs, console: &Console) -> Result<Ended> {
    let begun = Instant::now();
    let files = PositionFiles::open::<P>(&args.files)?;
    let board = files.board();
    let start = Player::<P>::find_or_default(args.start.as_deref())?;
    let columns = Columns::new::<P>(board, &args.only)?;
    let mut set = start.set.clone();
    // Everything that is not fitted is left out.
    for feature in P::feature_list() {
        if !args.only.iter().any(|name| name == feature.name) {
            set.weights.insert(feature.name, crate::weights::Weight::One(0));
        }
    }
    set.format = crate::weights::FORMAT;
    set.board = Some(board.to_string());
    let mut data = Data::<P> {
        samples: &files,
        board,
        keep: None,
        validation_folds: 6,
        blend: args.blend,
        score_scale: 100.0,
        rest: None,
        threads: Threads::new(args.threads.count())?,
        stop: Stop::default(),
    };
    data.score_scale = score_scale(&data)?;
    console.aside(format!(
        "{} positions, {} columns, K {:.1} ({:.1} s)",
        files.count(),
        columns.len(),
        data.score_scale,
        begun.elapsed().as_secs_f64()
    ));
    let config = FitConfig {
        only: args.only.clone(),
        blend: args.blend,
        validation_folds: 6,
        penalties: args.penalties.clone(),
        iterations: args.iterations,
        per_logit: args.per_logit,
    };
    let first = columns.read(&set, args.per_logit);
    let fitted = fit(&data, &columns, &config, &first, &|penalty, cost| {
        console.aside(format!("  {penalty} {cost:.6} {:.1} s", begun.elapsed().as_secs_f64()));
    })?;
    for trial in &fitted.trials {
        console.aside(format!("{trial:?}"));
    }
    console.aside(format!("start {:.6}", fitted.start));
    columns.write(&fitted.point, args.per_logit, &mut set);
    set.scale = args.scale;
    set.name = args.output.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    set.provenance = None;
    set.save(&args.output)?;
    Ok(Ended::Done)
}
