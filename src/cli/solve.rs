//! `spar solve`: who wins with best play, proven.

use super::args::{MAX_THREADS, check_memory};
use crate::any::{AnyPosition, AnySolved};
use crate::cli::{Console, Ended, Interrupt, PositionArgs, ProgressLine};
use crate::endgames::load_for;
use crate::error::{Error, Result};
use crate::game::{Board, Outcome};
use crate::games::GameId;
use crate::report::{Facts, units};
use crate::search::{MOST_SOLVED_PLIES, SolveOptions, SolveProgress};
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::{Duration, Instant};

/// The squares of the largest board that is solved from its start, in a minute.
const MOST_SOLVED: u32 = 30;

/// Whether a board may be too large to be solved from its start.
pub(super) fn is_too_large(board: Board) -> bool {
    u32::from(board.cols()) * u32::from(board.rows()) > MOST_SOLVED
}

/// Proves who wins with best play, on small boards and in endgames
///
/// It has no time limit.
#[derive(Args, Debug)]
#[command(after_help = "The side to move is called the first one. Ctrl-C gives up: an unfinished \
                  search proves nothing.")]
pub struct SolveArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Memory for the search: bytes, or with K, M, G (times 1024 each); with less it takes longer
    #[arg(long, value_name = "SIZE", default_value = "1G")]
    memory: TableSize,
    /// Threads; with more than one the nodes and the line differ from run to run, the winner does
    /// not
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=MAX_THREADS))]
    threads: u64,
    /// An endgame database of `endgame build` to use
    #[arg(long, value_name = "FILE")]
    endgame: Option<PathBuf>,
}

/// A number of bytes, written `512M`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct TableSize {
    bytes: usize,
    text: String,
}

impl TableSize {
    const LEAST: usize = 1 << 10;
    const MOST: usize = 1 << 40;
}

impl FromStr for TableSize {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let refuse = |reason: &str| {
            let error = Error::input(format!("memory `{text}`"), reason);
            Err(error.remedy("give a size from 1K to 1024G, for example 512M"))
        };
        let digits = text.trim_end_matches(['k', 'K', 'm', 'M', 'g', 'G']);
        let shift = match &text[digits.len()..] {
            "" => 0,
            "k" | "K" => 10,
            "m" | "M" => 20,
            "g" | "G" => 30,
            _ => return refuse("not a size"),
        };
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return refuse("not a size");
        }
        let bytes = digits.parse::<usize>().ok().and_then(|number| number.checked_mul(1 << shift));
        match bytes {
            Some(bytes) if (Self::LEAST..=Self::MOST).contains(&bytes) => {
                Ok(Self { bytes, text: text.to_owned() })
            }
            _ => refuse("too little or too much"),
        }
    }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct SolveResult {
    /// `first` (the side to move), `second` or `draw`; `None` when stopped before it was known.
    winner: Option<&'static str>,
    /// Visits of positions, repeated ones included.
    nodes: u64,
    seconds: f64,
    /// Nodes a second; null if no time passed.
    nps: Option<f64>,
    /// To the end of the game: each of the winner's moves keeps the win, the loser resists.
    pv: Vec<String>,
    game: &'static str,
    board: String,
    fen: String,
    /// The endgame database used.
    endgame: Option<String>,
}

/// Runs the command.
///
/// # Errors
/// When an argument is wrong.
pub fn run(args: &SolveArgs, console: &Console) -> Result<Ended> {
    let game = args.position.game(None, console)?;
    game.needs_engine()?;
    let position = args.position.position(game, None)?;
    check_memory(args.memory.bytes, &format!("--memory {}", args.memory.text))?;
    let endgames = args.endgame.as_deref().map(|path| load_for(path, game, position.board()));
    let endgames = endgames.transpose()?;
    if !console.json {
        console.say(format!("{}\n", position.diagram()))?;
    }
    let board = position.board();
    if args.position.is_start() && is_too_large(board) {
        console.note(format!(
            "{board} may be too large to solve from the start; Ctrl-C gives up. Name a smaller \
             --board, or a --fen"
        ));
    }
    let options = SolveOptions { memory: args.memory.bytes, threads: args.threads as usize };
    let interrupt = Interrupt::new("giving up; Ctrl-C again ends at once");
    let mut progress = ProgressLine::new(console, None, "nodes");
    let begun = Instant::now();
    let endgames = endgames.as_ref();
    let solved =
        game.solve_with(&position, endgames, &options, interrupt.stop(), &mut |so_far| {
            progress.update(so_far.nodes, || detail(so_far));
        })?;
    let time = begun.elapsed();
    progress.finish();
    if solved.is_endless {
        let most = units::count(MOST_SOLVED_PLIES.into());
        let reason = format!("a line is longer than {most} plies: the game can go in circles");
        return Err(Error::failed(format!("game `{}`", game.name), reason)
            .remedy("nothing is proven; give a --fen nearer to the end of the game"));
    }
    match console.json {
        true => console.document(&answer(args, game, &position, &solved, time)?)?,
        false => report(&position, &solved, time, console)?,
    }
    Ok(if solved.outcome.is_some() { Ended::Done } else { Ended::Stopped })
}

fn detail(so_far: &SolveProgress) -> String {
    format!(
        "table {}  proof numbers {} win, {} loss",
        units::percent(Some(f64::from(so_far.permille_full) / 1e3)),
        units::count(so_far.win.into()),
        units::count(so_far.loss.into())
    )
}

fn winner(position: &AnyPosition, outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Draw => "draw",
        Outcome::Win(side) if side == position.side_to_move() => "first",
        Outcome::Win(_) => "second",
    }
}

fn answer(
    args: &SolveArgs,
    game: GameId,
    position: &AnyPosition,
    solved: &AnySolved,
    time: Duration,
) -> Result<SolveResult> {
    Ok(SolveResult {
        winner: solved.outcome.map(|outcome| winner(position, outcome)),
        nodes: solved.nodes,
        seconds: time.as_secs_f64(),
        nps: units::per_second(solved.nodes, time),
        pv: position.line_text(&solved.pv).split_whitespace().map(str::to_owned).collect(),
        game: position.game(),
        board: position.board().to_string(),
        fen: args.position.text(game, None)?,
        endgame: args.endgame.as_ref().map(|path| path.display().to_string()),
    })
}

fn report(
    position: &AnyPosition,
    solved: &AnySolved,
    time: Duration,
    console: &Console,
) -> Result<()> {
    let mut facts = Facts::default();
    let words = match solved.outcome.map(|outcome| winner(position, outcome)) {
        Some("first") => "first: the side to move wins",
        Some("second") => "second: the side to move loses",
        Some(_) => "draw: neither side can win",
        None => "not known yet",
    };
    facts.add("winner", words);
    facts.add("nodes", units::count(solved.nodes));
    facts.add("time", units::time(time));
    facts.add("speed", units::rate(solved.nodes, time, "nodes"));
    if !solved.pv.is_empty() {
        let plies = format!("{} plies: {}", solved.pv.len(), position.line_text(&solved.pv));
        facts.add("line", plies);
    }
    console.say(facts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        let read = |text: &str| text.parse::<TableSize>().ok().map(|size| size.bytes);
        assert_eq!(
            ["2048", "4k", "512M", "1G"].map(read),
            [2048, 4096, 512 << 20, 1 << 30].map(Some)
        );
        let bad = [
            "",
            "G",
            "1GG",
            "-1G",
            "1.5G",
            "1T",
            "0",
            "1023",
            "99999999999G",
            "+5M",
            "1 G",
            "5\u{e9}",
        ];
        assert_eq!(bad.map(read), [None; 12]);
    }
}
