//! `spar features`: a position's score, term by term.

use super::Ended;
use super::args::PositionArgs;
use super::console::Console;
use super::players::Player;
use super::table::{Facts, Table};
use crate::arena::record::result_text;
use crate::error::Result;
use crate::eval::features::{Term, explain};
use crate::eval::{Evaluated, Explanation};
use crate::game::with_game;
use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value};

/// Explains the static score of a position term by term: feature, value, weight, product.
#[derive(Args, Debug)]
pub struct FeaturesArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Weights: a shipped set or a file [default: the game's first set, breakthrough/atachiants]
    #[arg(long, value_name = "WEIGHTS")]
    weights: Option<String>,
    /// Show the features without a weight too
    #[arg(long)]
    all: bool,
}

#[derive(Serialize)]
struct Document<'a> {
    features: Map<String, Value>,
    score: i32,
    sum: i64,
    scale: i32,
    terms: &'a [Term],
    fen: String,
    weights: &'a str,
    /// The result of a position that is finished: then a search gives it a win, a loss or a draw instead.
    result: Option<&'static str>,
}

/// Runs the command.
///
/// # Errors
/// When the position or the weights are wrong.
pub fn run(args: &FeaturesArgs, console: &Console) -> Result<Ended> {
    with_game!(args.position.game(), P => run_game::<P>(args, console))
}

fn run_game<P: Evaluated>(args: &FeaturesArgs, console: &Console) -> Result<Ended> {
    let position: P = args.position.position()?;
    let player = Player::<P>::find_or_default(args.weights.as_deref())?;
    let explained = explain(&position, &player.set)?;
    let result = position.outcome().map(result_text);
    if console.json {
        console.document(&Document {
            features: explained.terms.iter().map(|term| (term.name.into(), term.value.into())).collect(),
            score: explained.score,
            sum: explained.sum,
            scale: explained.scale,
            terms: &explained.terms,
            fen: position.fen(),
            weights: &player.name,
            result,
        })?;
        return Ok(Ended::Done);
    }
    player.mind_board(position.board(), console);
    console.say(format!("{}\n{}\n", position.diagram(), term_table(&explained, args.all)))?;
    console.say(score_facts(&explained, &player.name))?;
    if let Some(result) = result {
        console.note(format!("the game is over: {result}. A search scores it by that, not by its features"));
    }
    Ok(Ended::Done)
}

fn term_table(explained: &Explanation, all: bool) -> Table {
    let mut table = Table::new().left("feature").right("value").right("weight").right("product");
    for term in explained.terms.iter().filter(|term| all || term.weight != 0) {
        table.row([
            term.name.into(),
            term.value.to_string(),
            term.weight.to_string(),
            term.product.to_string(),
        ]);
    }
    table
}

fn score_facts(explained: &Explanation, weights: &str) -> Facts {
    let mut facts = Facts::default();
    facts.add("weights", weights);
    facts.add("sum", explained.sum.to_string());
    facts.add("scale", explained.scale.to_string());
    facts.add("score", format!("{:+} for the side to move", explained.score));
    facts
}
