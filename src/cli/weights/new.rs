use super::export::output_path;
use crate::arena::spec::{change_weights, lacks};
use crate::cli::force::write_set;
use crate::cli::{Console, Ended, GameArgs, SearchArg, check_free, find_player};
use crate::error::{Error, Result, nearest, shorten, suggest};
use crate::eval::features::check_board;
use crate::games::GameId;
use crate::player::{DefaultWeights, Player};
use crate::search::{Algorithm, SearchConstants};
use crate::weights::{FORMAT, MAX_SCALE, Phase, Weight, WeightSet};
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;

/// Makes a weight file to edit: every weight 0, or another set's weights, with its search constants
#[derive(Args, Debug)]
pub(in crate::cli) struct NewArgs {
    /// The name of the set
    #[arg(value_name = "NAME", value_parser = name_of_set)]
    name: String,
    #[command(flatten)]
    game: GameArgs,
    /// Begin with this weight file, shipped set or run: its weights and its search constants
    #[arg(long, value_name = "WEIGHTS")]
    from: Option<String>,
    /// Set a weight, or the early or late one of a feature as NAME@late=900; may be repeated
    #[arg(long = "set", value_name = "FEATURE=WEIGHT", value_parser = parse_assignment)]
    assignments: Vec<(String, i32)>,
    #[command(flatten)]
    search: SearchArg,
    /// The divisor of the sum [default: 1, or the scale of --from]
    #[arg(long, value_parser = clap::value_parser!(i32).range(1..=i64::from(MAX_SCALE)))]
    scale: Option<i32>,
    /// A description of the set
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// The file to write [default: NAME.json]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Overwrite the file if it exists
    #[arg(long)]
    force: bool,
}

/// Reads a weight to set, `piece=100`.
fn parse_assignment(text: &str) -> Result<(String, i32)> {
    let parts = text.split_once('=').and_then(|(name, value)| {
        Some((name.trim().to_owned(), value.trim().parse::<i32>().ok()?))
    });
    parts.ok_or_else(|| {
        Error::input(format!("weight `{text}`"), "not a feature and a whole number")
            .remedy("write for example NAME=100")
    })
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct WeightsNewJson {
    /// The path of the file.
    weights: String,
    /// A digest of the weights and constants.
    fingerprint: String,
}

pub(super) fn run(args: &NewArgs, console: &Console) -> Result<Ended> {
    let set = make(args.game.id(args.from.as_deref().as_slice()), args, console)?;
    let path = output_path(args.output.as_deref(), &args.name, "json")?;
    check_free(&path, args.force)?;
    write_set(&path, &set, args.force)?;
    if console.json {
        let weights = path.display().to_string();
        console.document(&WeightsNewJson { weights, fingerprint: set.fingerprint() })?;
    } else {
        console.say(format!("wrote {}", path.display()))?;
        say_which_are_tuned(&set, console)?;
    }
    Ok(Ended::Done)
}

/// The name of a set, without the ending of its file.
#[allow(clippy::unnecessary_wraps)] // clap expects a `Result`.
fn name_of_set(text: &str) -> std::result::Result<String, String> {
    Ok(text.strip_suffix(".json").unwrap_or(text).to_owned())
}

/// Notes how many weights a tune would leave out: zero weights, as a new set has them.
fn say_which_are_tuned(set: &WeightSet, console: &Console) -> Result<()> {
    let single = set.weights.iter().filter_map(|(_, weight)| match weight {
        Weight::One(value) => Some(*value),
        Weight::Table(_) => None,
    });
    let (zero, other): (Vec<i32>, Vec<i32>) = single.partition(|&weight| weight == 0);
    if zero.is_empty() {
        return Ok(());
    }
    console.say(format!(
        "{} of its {} weights are 0; `spar tune` leaves these out unless you add --all",
        zero.len(),
        zero.len() + other.len()
    ))
}

fn make(game: GameId, args: &NewArgs, console: &Console) -> Result<WeightSet> {
    let board = args.game.board.map(|_| args.game.checked_board(game, &[])).transpose()?;
    let mut player = match args.from.as_deref() {
        Some(name) => find_player(game, Some(name), DefaultWeights::HandMade, console)?,
        None => blank(game),
    };
    let origin = match args.from {
        Some(_) => format!("Made by hand from {}.", player.name),
        None => "Made by hand.".into(),
    };
    if let Some(board) = board {
        check_board(&player.weights, &player.name, board)?;
    }
    args.search.change(&mut player, Algorithm::Full, board, console)?;
    let set = &mut player.weights;
    set.name.clone_from(&args.name);
    set.board = board.map(|board| board.to_string()).or(set.board.take());
    set.description = args.description.clone().unwrap_or(origin);
    set.scale = args.scale.unwrap_or(set.scale);
    set.provenance = None;
    let by_phase = args.assignments.iter().filter_map(|(name, _)| Some(Phase::split(name)?.0));
    let by_phase =
        by_phase.map(|feature| checked_feature(game, feature)).collect::<Result<Vec<_>>>()?;
    *set = game.split_by_phase(set, by_phase)?;
    // A set of an older format may lack the game's newer features.
    let features = game.feature_names();
    let assignments = args.assignments.iter().map(|(name, weight)| (name.as_str(), *weight));
    let is_missing = |name: &str| features.contains(&name) && lacks(set, name);
    let added: Vec<(&str, i32)> = assignments.filter(|&(name, _)| is_missing(name)).collect();
    change_weights(set, added, &features)?;
    for (feature, weight) in &args.assignments {
        set.set_one(feature, *weight).map_err(|error| match remedy(game, set, feature) {
            Some(remedy) => error.remedy(remedy),
            None => error,
        })?;
    }
    // Checked before it is written.
    game.evaluator(set)?;
    Ok(player.to_set())
}

/// A feature of the game.
///
/// # Errors
/// When the game has none of this name.
fn checked_feature(game: GameId, name: &str) -> Result<&str> {
    let features = game.feature_names();
    if features.contains(&name) {
        return Ok(name);
    }
    let remedy = suggest(name, features, "the features are");
    Err(Error::input(
        format!("feature `{}`", shorten(name)),
        format!("{game} has none of this name"),
    )
    .remedy(remedy))
}

/// The remedy for a weight that the set does not have: the names to set instead.
fn remedy(game: GameId, set: &WeightSet, name: &str) -> Option<String> {
    if set.weights.get(name).is_some() {
        return None;
    }
    let (feature, phase) = name.split_once('@').unwrap_or((name, ""));
    let near = nearest(feature, game.feature_names())?;
    match set.weights.get(&format!("{near}@early")).is_some() {
        true => Some(format!("set `{near}@early` and `{near}@late`, which the set has")),
        false if near != feature => Some(format!("did you mean `{near}`?")),
        false if !phase.is_empty() => {
            Some(format!("set `{near}`, or `{near}@early` and `{near}@late`"))
        }
        false => None,
    }
}

/// A player without any weight.
pub(in crate::cli) fn blank(game: GameId) -> Player {
    let weights = WeightSet {
        format: FORMAT,
        game: game.name.into(),
        board: None,
        name: String::new(),
        description: String::new(),
        scale: 1,
        weights: game.features.iter().map(|feature| (feature.name, Weight::One(0))).collect(),
        network: None,
        search: None,
        provenance: None,
    };
    Player {
        name: String::new(),
        weights,
        constants: SearchConstants::default(),
        options: Default::default(),
    }
}
