use super::cells;
use super::network::NetworkSummary;
use crate::cli::named::candidate_of;
use crate::cli::{Console, Ended, NamedSet, infer};
use crate::error::Result;
use crate::games::GameId;
use crate::report::{Facts, TextTable, units};
use crate::runs::RunSet;
use crate::weights::{Provenance, WeightSet};
use clap::Args;

/// Shows a weight set; with --json the document of its file
#[derive(Args, Debug)]
pub(in crate::cli) struct WeightsShowArgs {
    /// A weight file, a shipped set or a run
    #[arg(value_name = "WEIGHTS")]
    weights: String,
    /// Take the candidate of the run, accepted or not: as RUN:candidate
    #[arg(long)]
    candidate: bool,
    /// The game of a shipped set that is named without one [default: the game that has the set]
    #[arg(long)]
    game: Option<GameId>,
    /// Show zero weights too, and every cell of tables
    #[arg(long)]
    all: bool,
}

pub(super) fn run(args: &WeightsShowArgs, console: &Console) -> Result<Ended> {
    let weights = candidate_of(&args.weights, args.candidate);
    let game = args.game.unwrap_or_else(|| infer::game(&[&weights]));
    game.needs_engine()?;
    let named = NamedSet::find(&weights, game.name())?;
    named.tell(console);
    let set = named.read(game.name())?;
    if console.json {
        match console.events {
            true => console.plain_document(&set)?,
            false => console.document_text(&set.to_json())?,
        }
        return Ok(Ended::Done);
    }
    console.say(facts(&set, named.run_set()))?;
    let mut table = TextTable::new().left("feature").shortened(12).right("weight");
    let is_cell = |name: &str| name.ends_with(']');
    let shown = |(name, value): &(String, i32)| args.all || (*value != 0 && !is_cell(name));
    for (name, value) in cells(&set).into_iter().filter(shown) {
        table.row([name, value.to_string()]);
    }
    for (name, weight) in set.weights.iter().filter(|(name, _)| set.one(name).is_none()) {
        table
            .row([name.to_owned(), format!("{} cells", units::count(weight.cells().len() as u64))]);
    }
    if !set.weights.is_empty() {
        console.say(format!("\n{}", table.fit(console.width())))?;
    }
    if let Some(values) = &set.search {
        let mut table = TextTable::new().left("search constant").right("value");
        values.iter().for_each(|(name, value)| table.row([name.clone(), value.to_string()]));
        console.say(format!("\n{table}"))?;
    }
    Ok(Ended::Done)
}

fn facts(set: &WeightSet, of_run: Option<&RunSet>) -> Facts {
    let mut facts = Facts::default();
    if let Some(title) = of_run.and_then(|set| set.title(&set.run.display().to_string())) {
        facts.add("set", title);
    }
    facts.add("name", &*set.name);
    facts.add("game", &*set.game);
    facts.add("board", set.board.as_deref().unwrap_or("any"));
    facts.add("scale", set.scale.to_string());
    facts.add("about", &*set.description);
    if let Some(network) = NetworkSummary::of(set) {
        network.add_to(&mut facts);
    }
    match &set.provenance {
        None => facts.add("made", "by hand"),
        Some(made) => add_provenance(&mut facts, made, set.is_edited()),
    };
    facts
}

/// Adds how a set was made; an `edited` one is not the set that was measured.
fn add_provenance<'a>(facts: &'a mut Facts, made: &Provenance, edited: bool) -> &'a mut Facts {
    let since = if edited { "; edited since then" } else { "" };
    let Provenance { method, run, version, .. } = made;
    facts.add("made", format!("by {method} in run {run}, version {version}{since}"));
    // Positions from elsewhere do not say how their games were played.
    let limits = Some(made.limits.clone()).filter(|limits| !limits.is_empty());
    let games = (made.games > 0).then(|| units::count(made.games));
    let known = [games, limits, Some(format!("seed {}", made.seed))];
    facts.add("games", known.into_iter().flatten().collect::<Vec<_>>().join(", "));
    if edited {
        return facts.add("Elo", "not measured since the set was edited");
    }
    // `spar train` measures nothing.
    if !made.baseline.is_empty() || made.elo.is_some() {
        facts.add("Elo", elo(made));
    }
    for found in &made.yardsticks {
        let elo = units::with_error(found.elo, found.elo_error);
        facts.add("", format!("{elo} against {}, {}", found.against, found.limits));
    }
    facts
}

/// The result of a final match.
fn elo(made: &Provenance) -> String {
    let unbiased = made.elo_unbiased.map(|elo| format!(", unbiased {}", units::signed(elo)));
    format!(
        "{} against {}{}",
        units::with_error(made.elo, made.elo_error),
        made.baseline,
        unbiased.unwrap_or_default()
    )
}
