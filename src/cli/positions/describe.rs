use super::{PositionPaths, each_record};
use crate::arena::Threads;
use crate::cli::{Console, Ended, Interrupt, ThreadArgs};
use crate::error::Result;
use crate::games::GameId;
use crate::report::words::percent_of;
use crate::report::{Facts, units};
use crate::tune::PositionSource;
use crate::tune::logistic::dedup::Dedup;
use crate::tune::logistic::samples::Sample;
use clap::Args;
use serde::Serialize;

/// Says what positions are like: plies, results, scores, duplicates
#[derive(Args, Debug)]
pub(in crate::cli) struct DescribeArgs {
    #[command(flatten)]
    paths: PositionPaths,
    #[command(flatten)]
    threads: ThreadArgs,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct PositionsDescribeJson {
    game: &'static str,
    board: String,
    /// Positions in all files, repetitions included.
    positions: u64,
    /// Distinct positions; mirror images are one position, and so are turned ones where the game is
    /// the same on a turned board.
    distinct: u64,
    /// Positions that repeat an earlier record.
    duplicates: u64,
    /// Bytes of a position with its score and result.
    bytes_per_position: usize,
    /// The plies of the game before a position; those above 255 count as 255.
    plies: NumberSummary,
    /// The scores of the search from the side to move, in percent of a piece's worth.
    scores: NumberSummary,
    /// The results of the games for the side to move.
    results: ResultCounts,
}

/// The least and the greatest of numbers, and their mean; 0 where there are none.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct NumberSummary {
    least: i64,
    mean: f64,
    greatest: i64,
    /// The mean of the absolute values.
    mean_size: f64,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ResultCounts {
    won: u64,
    drawn: u64,
    lost: u64,
}

/// Sums of numbers, for a [`NumberSummary`].
#[derive(Default)]
struct Tally {
    count: u64,
    sum: i64,
    sizes: i64,
    ends: Option<(i64, i64)>,
}

impl Tally {
    fn add(&mut self, number: i64) {
        self.count += 1;
        self.sum += number;
        self.sizes += number.abs();
        let (least, greatest) = self.ends.unwrap_or((number, number));
        self.ends = Some((least.min(number), greatest.max(number)));
    }

    fn spread(&self) -> NumberSummary {
        let (least, greatest) = self.ends.unwrap_or_default();
        let mean = |sum: i64| sum as f64 / self.count.max(1) as f64;
        NumberSummary { least, mean: mean(self.sum), greatest, mean_size: mean(self.sizes) }
    }
}

pub(super) fn run(args: &DescribeArgs, console: &Console) -> Result<Ended> {
    let (game, files) = args.paths.open(console)?;
    let board = files.board();
    let (mut plies, mut scores, mut results) = (Tally::default(), Tally::default(), [0; 3]);
    let mut sample = Sample::on_board(game, board)?;
    each_record(&files, &mut |index, record| {
        files.sample(index, record, &mut sample)?;
        plies.add(sample.ply.into());
        scores.add(sample.score.into());
        results[usize::from(sample.half_points.min(2))] += 1;
        Ok(())
    })?;
    let threads = Threads::new(args.threads.count())?;
    let interrupt = Interrupt::new("");
    let stop = interrupt.stop();
    let distinct =
        Dedup { game, samples: &files, board, threads: &threads, stop }.distinct()?.count;
    let positions = files.count();
    let [lost, drawn, won] = results;
    let found = PositionsDescribeJson {
        game: game.name,
        board: board.to_string(),
        positions,
        distinct,
        duplicates: positions - distinct,
        bytes_per_position: files.record(),
        plies: plies.spread(),
        scores: scores.spread(),
        results: ResultCounts { won, drawn, lost },
    };
    show(&found, game, console)?;
    Ok(Ended::Done)
}

fn show(found: &PositionsDescribeJson, game: GameId, console: &Console) -> Result<()> {
    if console.json {
        return console.document(found);
    }
    let share = |part: u64| units::percent(units::share(part, found.positions));
    let spread = |spread: &NumberSummary| {
        format!("{} to {}, {:.1} on average", spread.least, spread.greatest, spread.mean)
    };
    let ResultCounts { won, drawn, lost } = found.results;
    let mut facts = Facts::default();
    facts.add("game", format!("{} on {}", found.game, found.board));
    facts.add("positions", units::count(found.positions));
    facts.add(
        "duplicates",
        format!("{} ({})", units::count(found.duplicates), share(found.duplicates)),
    );
    facts.add("size", format!("{} bytes a position", found.bytes_per_position));
    facts.add("plies", spread(&found.plies));
    let size = found.scores.mean_size;
    facts.add(
        "scores",
        format!("{}, {size:.0} in absolute value, in {}", spread(&found.scores), percent_of(game)),
    );
    facts.add(
        "results",
        format!("{} won, {} drawn, {} lost", share(won), share(drawn), share(lost)),
    );
    console.say(facts)
}
