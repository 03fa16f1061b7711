//! `spar train`: a network from positions.

use super::older::NamedPositions;
use super::players::warn_board;
use crate::arena::Threads;
use crate::cli::force::write_set;
use crate::cli::{
    Console, Ended, ErrorDetails, GameArgs, Interrupt, ProgressLine, Role, SeedArg, ThreadArgs,
    check_free, check_not_read, find_player, older,
};
use crate::error::{Error, ErrorKind, Result};
use crate::game::Board;
use crate::games::GameId;
use crate::player::{DefaultWeights, Player};
use crate::report::words::percent_of;
use crate::report::{Facts, TextTable, units};
use crate::run::CheckpointFile;
use crate::run::positions::PositionFiles;
use crate::shell::quote;
use crate::tune::PositionSource;
use crate::tune::logistic::FitError;
use crate::tune::network::{
    Epoch, NetworkFit, TrainConfig, TrainTask, TrainingMemory, TrainingStep, weights_beside,
};
use crate::weights::{Provenance, TrainedOn, WeightSet};
use clap::Args;
use serde::Serialize;
use std::cell::RefCell;
use std::path::PathBuf;
use std::time::Instant;

/// Trains a network on positions and the results of their games
///
/// A hidden layer over the patterns of the board, whose value predicts game results and search
/// scores. Generate the positions with `--positions all`: networks learn from captures too. The
/// same files, options and seed give the same network, on any number of threads.
#[derive(Args, Debug)]
pub struct TrainArgs {
    /// Files of positions, or runs that have some, all of one board
    #[arg(value_name = "RUN|FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    game: GameArgs,
    /// The file to write
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Overwrite that file if it exists, and what another training has left beside it
    #[arg(long)]
    force: bool,
    /// The set to begin with: its network, and with `--beside-start` its other weights; a shipped
    /// set or a file [default: none; with --beside-start the board's strongest]
    #[arg(long, value_name = "WEIGHTS", help_heading = "Network")]
    start: Option<String>,
    #[command(flatten)]
    train: TrainConfig,
    #[command(flatten)]
    seed: SeedArg,
    #[command(flatten)]
    threads: ThreadArgs,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct TrainJson<'a> {
    /// The path of the weight file written.
    weights: &'a str,
    game: &'static str,
    board: String,
    /// The fingerprint of the set in it.
    fingerprint: String,
    /// The name of the set with whose network the training began; null for random numbers.
    begun_with: Option<String>,
    /// Positions read, repetitions included.
    read: u64,
    /// Older positions read, repetitions included.
    older_read: u64,
    /// Older positions for training, repetitions left out: part of `training`.
    older: u64,
    /// How many of these each pass takes.
    older_in_pass: u64,
    /// The sources of the positions.
    trained_on: &'a [TrainedOn],
    /// Positions for training, repetitions left out.
    training: u64,
    /// The same for validation.
    validation: u64,
    /// The divisor of the search's scores, in percent of a piece's worth per logit, for each file.
    k: Vec<f64>,
    /// Weight of the search scores in the training target; the rest is the game results.
    blend: f64,
    /// The losses of every epoch.
    epochs: &'a [Epoch],
    /// The place of the best one.
    best: usize,
    /// The loss per validation position of the set as it is in the file, in nats.
    loss: f64,
    /// The seed of all random numbers.
    seed: u64,
    /// The time of the whole command, in seconds.
    seconds: f64,
}

/// Checks that the network does not replace positions that the training reads.
fn check_apart(args: &TrainArgs, named: &NamedPositions) -> Result<()> {
    // Missing older positions get their own error later.
    let older = NamedPositions::find(&args.train.older_from).map(|older| older.files);
    let inputs = [named.files.as_slice(), &older.unwrap_or_default()].concat();
    check_not_read(&args.output, &inputs)
}

/// Runs the command.
///
/// # Errors
/// When an argument is wrong, or a file cannot be read or written.
pub fn run(args: &TrainArgs, console: &Console) -> Result<Ended> {
    let begun = Instant::now();
    check_free(&args.output, args.force)?;
    args.train.check()?;
    let named = NamedPositions::find(&args.files)?;
    check_apart(args, &named)?;
    let game = args.game.game.or_else(|| named.game()).unwrap_or_else(|| args.game.id(&[]));
    let files = older::open_new(game, &named.files, args.game.board, console)?;
    let board = files.board();
    let start = start(args, game, board, console)?;
    let beside = start.as_ref().filter(|_| args.train.beside_start);
    let beside = beside.map(|player| weights_beside(game, &player.weights)).transpose()?;
    let mut train = args.train.clone();
    let older = older::open(&mut train, game, board, console)?;
    if let Some(older) = &older {
        older.check_apart(&files)?;
    }
    let player = start;
    let start = player.clone().map(|Player { name, weights, .. }| WeightSet { name, ..weights });
    check_start(&train, start.as_ref(), board)?;
    older::begin(&mut train, start.as_ref(), board);
    let interrupt = Interrupt::new("");
    let task = TrainTask {
        game,
        samples: &files,
        board,
        config: &train,
        beside: beside.as_ref(),
        start: start.as_ref().filter(|_| train.from_start),
        older: older.as_ref().map(|files| files as &dyn PositionSource),
        seed: args.seed.seed,
        memory: TrainingMemory::default(),
        threads: Threads::new(args.threads.count())?,
        stop: interrupt.stop().clone(),
    };
    let begun_with = older::text(&train, start.as_ref(), board);
    console.aside(format!(
        "{} positions on {board}; begins with {begun_with}",
        units::count(files.count())
    ));
    let mut checkpoint = CheckpointFile::beside(&args.output, args.force);
    let mut fit = match watched(&task, &named, &mut checkpoint, console) {
        Err(error) if error.kind() == ErrorKind::Interrupted => {
            console.aside(stopped_text(&checkpoint));
            console.failure(ErrorDetails::from(&error))?;
            return Ok(Ended::Stopped);
        }
        fit => fit?,
    };
    // The set keeps the search constants of the start.
    if let Some(player) = player {
        fit.set = Player { weights: fit.set, ..player }.to_set();
    }
    describe(&mut fit, args, &named, &files);
    write_set(&args.output, &fit.set, args.force)?;
    checkpoint.remove()?;
    let shown = Shown {
        read: [files.count(), older::count(older.as_ref())],
        start: task.start.map(|start| start.name.clone()),
        begun_with,
        seconds: begun.elapsed().as_secs_f64(),
    };
    show(&fit, args, (game, board), shown, console)?;
    Ok(Ended::Done)
}

/// The remains of a stopped training.
fn stopped_text(checkpoint: &CheckpointFile) -> String {
    let path = checkpoint.path();
    match path.exists() {
        true => format!(
            "stopped early; the same command continues after the last complete epoch, from {}",
            path.display()
        ),
        false => "stopped early, in the first epoch; nothing was written".into(),
    }
}

/// The player whose network the training begins with, or whose weights it keeps.
fn start(
    args: &TrainArgs,
    game: GameId,
    board: Board,
    console: &Console,
) -> Result<Option<Player>> {
    if !args.train.beside_start && args.start.is_none() {
        return Ok(None);
    }
    let default = DefaultWeights::Strongest(board);
    let player = find_player(game, args.start.as_deref(), default, console)?;
    warn_board(&player, board, console)?;
    Ok(Some(player))
}

/// Refuses a start of which the training would use nothing.
fn check_start(train: &TrainConfig, start: Option<&WeightSet>, board: Board) -> Result<()> {
    let Some(start) = start.filter(|_| !train.beside_start) else { return Ok(()) };
    if train.fresh {
        return Err(
            Error::input("option `--start`", "--fresh ignores it").remedy("leave out one of them")
        );
    }
    match train.no_beginning_with(start, board) {
        None => Ok(()),
        Some(reason) => Err(Error::input("network of the start", reason)
            .remedy("leave out --start, give its --window and at least its --units, or keep its weights with --beside-start")),
    }
}

/// Runs the training with a progress line.
fn watched(
    task: &TrainTask,
    named: &NamedPositions,
    checkpoint: &mut CheckpointFile,
    console: &Console,
) -> Result<NetworkFit> {
    let epochs = task.config.epochs;
    let progress = RefCell::new(ProgressLine::new(console, None, "positions"));
    let ended = task.run(checkpoint, &|step| match step {
        TrainingStep::Positions { epoch, seen: [seen, all] } => {
            let mut progress = progress.borrow_mut();
            progress.update((epoch - 1) * all + seen, || format!("epoch {epoch} of {epochs}"));
        }
        TrainingStep::Epoch(epoch) => progress.borrow().aside(&epoch_text(&epoch)),
        TrainingStep::Restored(epoch) => {
            progress.borrow().aside(&format!("{}, done before", epoch_text(&epoch)));
        }
    });
    progress.into_inner().finish();
    ended.map_err(|ended| match ended {
        FitError::NothingToFit(error) => named.name_in(error),
        FitError::Failed(error) => error,
    })
}

/// An epoch as a row.
fn epoch_text(Epoch { epoch, training, validation }: &Epoch) -> String {
    format!("  epoch {epoch}: training {training:.6}, validation {validation:.6}")
}

/// Names the set and says where it comes from.
fn describe(fit: &mut NetworkFit, args: &TrainArgs, named: &NamedPositions, files: &PositionFiles) {
    let set = &mut fit.set;
    set.name = older::name_of(&args.output, "network");
    set.description = format!(
        "A network trained on {} positions of self-play. Its strength was not measured.",
        files.count()
    );
    set.set_provenance(Provenance {
        method: "network".into(),
        seed: args.seed.seed,
        trained_on: fit.trained_on.clone(),
        ..older::provenance(&named.sources, files)
    });
}

/// Facts for a report beside the fit.
struct Shown {
    /// Positions read, and older ones.
    read: [u64; 2],
    /// The name of the set that the training began with.
    start: Option<String>,
    /// Its start, in words.
    begun_with: String,
    seconds: f64,
}

fn show(
    fit: &NetworkFit,
    args: &TrainArgs,
    (game, board): (GameId, Board),
    shown: Shown,
    console: &Console,
) -> Result<()> {
    let Shown { read: [read, older_read], start, begun_with, seconds } = shown;
    let file = args.output.display().to_string();
    let [training, validation] = fit.positions;
    if console.json {
        return console.document(&TrainJson {
            weights: &file,
            game: game.name,
            board: board.to_string(),
            fingerprint: fit.set.fingerprint(),
            begun_with: start,
            read,
            older_read,
            older: fit.older[0],
            older_in_pass: fit.older[1],
            trained_on: &fit.trained_on,
            training,
            validation,
            k: fit.scales.iter().map(|scale| scale.k).collect(),
            blend: fit.blend,
            epochs: &fit.epochs,
            best: fit.best,
            loss: fit.loss,
            seed: args.seed.seed,
            seconds,
        });
    }
    let mut facts = Facts::default();
    let scales: Vec<String> = fit.scales.iter().map(|scale| format!("{:.0}", scale.k)).collect();
    facts.add("training", format!("{} distinct positions", units::count(training)));
    facts.add("validation", units::count(validation));
    facts.add("begun with", begun_with);
    if fit.older[0] > 0 {
        let [older, in_pass] = fit.older.map(units::count);
        facts.add("older", format!("{older} of the distinct positions, {in_pass} in each pass"));
    }
    facts.add("K", format!("{} {} per logit", scales.join(", "), percent_of(game)));
    facts.add("scores", format!("{:.0} % of the training target", 100.0 * fit.blend));
    facts.add("loss", format!("{:.6} with whole numbers, as in the file", fit.loss));
    facts.add("time", format!("{seconds:.1} s"));
    facts.add("written", &file);
    console.say(format!("\n{facts}\n\n{}", epochs_table(fit).fit(console.width())))?;
    console.say(format!(
        "\n{}\n  spar match {} {} --game {} --board {board} --sprt 0,10 --pairs 2k",
        Role::Heading.paint("next"),
        quote(&file),
        DefaultWeights::Strongest(board).name(game)?,
        game,
    ))
}

fn epochs_table(fit: &NetworkFit) -> TextTable {
    let mut table =
        TextTable::new().right("epoch").right("training loss").right("validation loss").left("");
    for (place, Epoch { epoch, training, validation }) in fit.epochs.iter().enumerate() {
        let mark = if place == fit.best { "kept" } else { "" };
        let losses = [training, validation].map(|loss| format!("{loss:.6}"));
        let [training, validation] = losses;
        table.row([epoch.to_string(), training, validation, mark.into()]);
    }
    table
}
