use super::facts::BookFacts;
use crate::any::AnyPosition;
use crate::arena::queue::Threads;
use crate::cli::analyze::score_text;
use crate::cli::args::{GameArgs, SeedArg, ThreadArgs, parse_count};
use crate::cli::console::Console;
use crate::cli::documents::ErrorDetails;
use crate::cli::ended::Ended;
use crate::cli::force::check_name;
use crate::cli::interrupt::Interrupt;
use crate::cli::named::find_player;
use crate::cli::players::warn_board;
use crate::cli::progress::ProgressLine;
use crate::cli::time_arg;
use crate::error::{Error, Result};
use crate::eval::Score;
use crate::opening_growth::{Growth, GrowthLimits, GrowthProgress, MOST_POSITIONS, finish};
use crate::opening_tree::{OpeningTree, RepertoireSettings, TreeSettings};
use crate::player::DefaultWeights;
use crate::report::units;
use crate::shell::quote_path;
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Grows an opening book from the start by drop-out expansion
///
/// The next position to expand is the leaf whose line costs least: each move of a line costs
/// --depth-penalty and whatever it loses against the best move. Each new position is searched once.
/// With --repertoire, moves that a side with the book would not play are left out. After an
/// interrupt or a kill the same command continues and ends with the same file, byte for byte, on
/// any number of threads; until then FILE.part keeps the finished searches. With a higher
/// --positions or more time it extends the book. It ends sooner if every line is decided.
#[derive(Args, Debug)]
pub(super) struct BookBuildArgs {
    /// The book to write or to extend
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    game: GameArgs,
    /// The weights to search with: a shipped set, a file or a run [default: the board's strongest]
    #[arg(long, value_name = "WEIGHTS")]
    weights: Option<String>,
    /// Nodes of the search of each position; k, M and G are understood
    #[arg(long, value_name = "N", default_value_t = TreeSettings::NODES, value_parser = parse_count)]
    nodes: u64,
    /// End when the book has this many positions [default: 2000, or none with --for]
    #[arg(long, value_name = "N", value_parser = parse_count)]
    positions: Option<u64>,
    /// End after this time, as 90s, 30m or 2h
    #[arg(long = "for", value_name = "TIME", value_parser = parse_time)]
    time: Option<Duration>,
    /// Cost of each ply, in hundredths of a piece: a higher one makes the book broader and less
    /// deep
    #[arg(long, value_name = "CP", default_value_t = TreeSettings::DEPTH_PENALTY)]
    depth_penalty: u32,
    /// Leaves expanded together: enough to occupy all threads
    #[arg(long, value_name = "N", default_value_t = TreeSettings::BATCH)]
    batch: u32,
    /// Follow lines in which one side plays only its best moves, for either side: much deeper
    #[arg(long, help_heading = "Repertoire")]
    repertoire: bool,
    /// Search at most this many replies to a position, the best ones by quick searches
    #[arg(long, value_name = "N", requires = "repertoire", default_value_t = RepertoireSettings::REPLIES, help_heading = "Repertoire")]
    replies: u32,
    /// Give a move up when another is better by more than this, in hundredths of a piece
    #[arg(long, value_name = "CP", requires = "repertoire", default_value_t = RepertoireSettings::DROP, help_heading = "Repertoire")]
    drop: u32,
    #[command(flatten)]
    seed: SeedArg,
    #[command(flatten)]
    threads: ThreadArgs,
}

/// The positions of a book where no limit is given.
const POSITIONS: u64 = 2000;

/// The shortest time that `--for` accepts.
const LEAST_TIME: Duration = Duration::from_millis(1);

fn parse_time(text: &str) -> Result<Duration> {
    time_arg::parse(text, LEAST_TIME)
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct BookBuildJson {
    #[serde(flatten)]
    book: BookFacts,
    /// The minimax value of the start, in units of the weight set.
    value: Score,
    /// The best line from the start.
    pv: Vec<String>,
    /// Nodes visited by this process.
    nodes: u64,
    /// Nodes a second; null if no time passed.
    nps: Option<f64>,
    /// Seconds of this process.
    seconds: f64,
}

/// Runs this command to its end.
///
/// # Errors
/// When an argument is wrong, or the book cannot be read or written.
pub(super) fn run(args: &BookBuildArgs, console: &Console) -> Result<Ended> {
    check_name(&args.output)?;
    let begun = Instant::now();
    check_positions(args.positions)?;
    let sets: Vec<&str> = args.weights.as_deref().into_iter().collect();
    let game = args.game.id(&sets);
    game.needs_engine()?;
    let board = args.game.checked_board(game, &sets)?;
    let default = DefaultWeights::Strongest(board);
    let player = find_player(game, args.weights.as_deref(), default, console)?;
    warn_board(&player, board, console)?;
    let evaluator = game.evaluator(&player.weights)?;
    let settings = TreeSettings {
        weights: player.name.clone(),
        fingerprint: player.fingerprint(),
        unit: evaluator.unit(),
        nodes: args.nodes,
        depth_penalty: args.depth_penalty,
        batch: args.batch,
        seed: args.seed.seed,
        repertoire: args
            .repertoire
            .then_some(RepertoireSettings { replies: args.replies, drop: args.drop }),
    };
    let interrupt = Interrupt::new("stopping; the same command continues later");
    let threads = Threads::new(args.threads.count())?;
    let player = (&player, &evaluator);
    let growth =
        Growth::open(&args.output, (game, board), settings, player, &threads, interrupt.stop())?;
    let wanted = args.positions.or(args.time.is_none().then_some(POSITIONS));
    let limits = GrowthLimits {
        positions: wanted.or(Some(MOST_POSITIONS)),
        end: args.time.map(|time| begun + time),
    };
    let mut progress = ProgressLine::new(console, wanted, "positions").until(limits.end);
    let grown = growth.run(&limits, &mut |so_far| {
        progress.update(so_far.positions, || format!("{} searches", units::count(so_far.searches)));
        Ok(())
    });
    progress.finish();
    let Some((tree, done)) = grown? else {
        console.aside("stopped early; every search that was finished is kept");
        console.failure(ErrorDetails::of_stop(args.output.display(), "the same command"))?;
        return Ok(Ended::Stopped);
    };
    finish(&args.output, &tree)?;
    report(args, &tree, done, begun.elapsed(), console).map(|()| Ended::Done)
}

/// Checks that a book can have this many positions, if the number is given.
fn check_positions(wanted: Option<u64>) -> Result<()> {
    let place = "option `--positions`";
    match wanted {
        Some(0) => Err(Error::input(place, "a book of no positions").remedy("give at least 1")),
        Some(count) if count > MOST_POSITIONS => {
            let reason = format!("{count} are more than a book can have");
            Err(Error::input(place, reason).remedy(format!("give at most {MOST_POSITIONS}")))
        }
        _ => Ok(()),
    }
}

/// The moves of a line as text, each in its own position.
pub(super) fn words(start: &AnyPosition, line: &[crate::any::AnyMove]) -> Vec<String> {
    start.line_text(line).split_whitespace().map(str::to_owned).collect()
}

fn report(
    args: &BookBuildArgs,
    tree: &OpeningTree,
    done: GrowthProgress,
    time: Duration,
    console: &Console,
) -> Result<()> {
    let root = &tree.nodes()[0];
    let document = BookBuildJson {
        book: BookFacts::new(&args.output, tree),
        value: root.value,
        pv: words(&root.position, &tree.best_line(0)),
        nodes: done.nodes,
        nps: units::per_second(done.nodes, time),
        seconds: time.as_secs_f64(),
    };
    if console.json {
        return console.document(&document);
    }
    let file = quote_path(&args.output);
    console.say(format!(
        "{} in {file}, {} of them expanded, up to {} deep ({})\nvalue {} for the side to move at the start\nline {}\n\nnext\n  spar book show {file}\n  spar play --game {} --board {} --book {file}",
        units::counted(document.book.positions, "position"),
        units::count(document.book.expanded),
        units::counted(document.book.plies.into(), "ply").replace("plys", "plies"),
        units::time(time),
        score_text(document.value),
        document.pv.join(" "),
        document.book.game,
        document.book.board,
    ))
}
