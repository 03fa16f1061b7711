//! The fit of an engine's options that a joined tune begins with.

use super::TuneArgs;
use crate::arena::queue::Threads;
use crate::arena::{Book, GameEnds};
use crate::cli::console::Console;
use crate::cli::documents::ErrorDetails;
use crate::cli::fit::engine::{knob_table, small_table, watched};
use crate::cli::interrupt::Interrupt;
use crate::error::{Error, ErrorKind, Result};
use crate::player::Player;
use crate::search::Stop;
use crate::tune::logistic::FitConfig;
use crate::tune::option_fit::OptionFitConfig;
use crate::tune::rows::RowsConfig;
use crate::tune::{Optimizer, Plan, TuneSettings, judge};

/// Fits the knobs of a joined tune of an engine, if this is one, so that its matches begin there.
/// False after an interruption: there is no run yet, so nothing is kept.
///
/// # Errors
/// When the engine is not fit for it, or the fit sees no knob.
pub(super) fn begin(
    args: &TuneArgs,
    settings: &mut TuneSettings,
    start: &Player,
    console: &Console,
) -> Result<bool> {
    let Some(first) = args.of_method.option_fit() else { return Ok(true) };
    // Before the work, not after it.
    settings.check_for(start)?;
    let (game, board) = (settings.game_id()?, settings.board.parse()?);
    let mut book = Book::new(game, settings.book.clone(), judge(game, &start.weights)?.as_ref())?;
    let (limits, seed) = (settings.limits, settings.seed);
    let ends = GameEnds::new(settings.adjudication, settings.max_plies);
    let Plan::Matches(plan) = &mut settings.plan else { return Ok(true) };
    let Some(engine) = plan.engine.clone() else { return Ok(true) };
    if first.fit_positions == 0 {
        return Err(Error::input("positions", "0 give no fit")
            .remedy("give for example --fit-positions 20k, or leave out --method joined"));
    }
    let started = engine.start(game, board, &Stop::default())?;
    let Optimizer::Spsa(options) = &plan.optimizer;
    let config = OptionFitConfig {
        while_valued: small_table(started.offered()),
        knobs: plan.knobs.clone(),
        c: options.c,
        positions: first.fit_positions,
        limits,
        ends,
        seed,
        blend: OptionFitConfig::BLEND,
        rows: RowsConfig::from(&FitConfig::default()),
    };
    let interrupt = Interrupt::new("");
    let threads = Threads::new(args.common.threads.count())?;
    let fitted = match watched(&started, &config, &mut book, &threads, interrupt.stop(), console) {
        Err(error) if error.kind() == ErrorKind::Interrupted => {
            console.aside("stopped in the fit; there is no run yet");
            console.failure(ErrorDetails::from(&error))?;
            return Ok(false);
        }
        fitted => fitted?,
    };
    console.aside(format!("\n{}\n", knob_table(&fitted, console)));
    plan.knobs = fitted.with_fitted(&config.knobs);
    Ok(true)
}
