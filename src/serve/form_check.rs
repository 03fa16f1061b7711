//! Checks the names in a form before anything starts: sets, and weights of them.

use super::answer::{Refusal, Reply};
use super::requests::text_of;
use super::sets::set_of_run;
use super::state::ServerState;
use crate::error::{Error, Result, shorten};
use crate::eval::features::check_board;
use crate::game::Board;
use crate::games::GameId;
use crate::player::{DefaultWeights, Player};
use crate::run::WEIGHTS;
use crate::runs::WantedSet;
use crate::tune::logistic::FitConfig;
use crate::tune::logistic::columns::Columns;
use crate::tune::{JoinedDefaults, Method, Selection};
use crate::weights::{WeightSet, find_shipped};
use serde_json::{Map, Value};

/// The prefix of a player that is a set of a run in the folder.
const OF_RUN: &str = "run:";

/// The player that a field of a form names, as an argument and as it plays on a board.
///
/// # Errors
/// When there is no such set, or it cannot play there.
pub(super) fn player(
    field: &'static str,
    name: &str,
    (game, board): (GameId, Board),
    shared: &ServerState,
) -> Reply<(String, Player)> {
    let found = match name.strip_prefix(OF_RUN) {
        Some(named) => player_of_run(named, game, shared),
        None => shipped_player(field, name, game),
    };
    let (argument, player) = found.map_err(|refusal| refusal.at(field))?;
    check_board(&player.weights, &player.name, board)
        .map_err(|error| Refusal::from(error).at(field))?;
    Ok((argument, player))
}

fn player_of_run(named: &str, game: GameId, shared: &ServerState) -> Reply<(String, Player)> {
    let (run, wanted) = WantedSet::split(named);
    let directory = shared.directory(run)?;
    let set = set_of_run(&directory, wanted)?;
    let player = Player::from_set(game, named.into(), set, DefaultWeights::HandMade)?;
    let argument = match wanted {
        WantedSet::Best => text_of(directory.join(WEIGHTS))?,
        _ => wanted.name_of(&text_of(directory)?),
    };
    Ok((argument, player))
}

fn shipped_player(field: &str, name: &str, game: GameId) -> Reply<(String, Player)> {
    let set = find_shipped(name, game.name).ok_or_else(|| {
        Error::input(format!("{field} `{}`", shorten(name)), "no such set or run")
            .remedy("name a shipped set, or run:NAME or run:NAME:candidate of a run in the folder")
    })?;
    Ok((set.name.into(), Player::find(game, Some(set.name), DefaultWeights::HandMade)?))
}

/// Checks the options of a tune that name weights, and that the game has the opponent whose share
/// is given.
///
/// # Errors
/// When a name is unknown, nothing is left to tune, or there is no such opponent.
pub(super) fn check_weights(
    (game, board): (GameId, Board),
    start: &WeightSet,
    method: Method,
    options: &Map<String, Value>,
) -> Reply<()> {
    let names = |field: &str| -> Vec<String> {
        let text = options.get(field).and_then(Value::as_str).unwrap_or_default();
        text.split(',').filter(|name| !name.is_empty()).map(Into::into).collect()
    };
    let (only, freeze) = (names("only"), names("freeze"));
    let phases = options.get("phases").and_then(Value::as_bool).unwrap_or(false);
    match method {
        Method::Joined | Method::Spsa => {
            let choice = |only: &[String], freeze: &[String], phases| Selection {
                only: only.to_vec(),
                freeze: freeze.to_vec(),
                phases,
                ..Selection::default()
            };
            // Checked one by one, so that an error names its field.
            at_field("only", choice(&only, &[], false).check(game, start))?;
            at_field("freeze", choice(&only, &freeze, false).check(game, start))?;
            at_field("phases", choice(&only, &freeze, phases).check(game, start))?;
        }
        Method::Logistic => {
            let fit = |phases| FitConfig { only: only.clone(), phases, ..FitConfig::default() };
            at_field("only", check_fit(&fit(false), (game, board), start))?;
            at_field("phases", check_fit(&fit(phases), (game, board), start))?;
        }
        Method::Network => {}
    }
    let share = options.get("opponent-share").and_then(Value::as_f64);
    if share.is_some() && find_shipped(JoinedDefaults::OPPONENT, game.name).is_none() {
        let reason = format!("{game} has no set `{}` to play against", JoinedDefaults::OPPONENT);
        let error = Error::input("opponent-share", reason).remedy("leave the field empty");
        return Err(Refusal::from(error).at("opponent-share"));
    }
    Ok(())
}

/// The result of a check; an error belongs to this field of a form.
fn at_field(field: &'static str, checked: Result<()>) -> Reply<()> {
    checked.map_err(|error| Refusal::from(error).at(field))
}

fn check_fit(fit: &FitConfig, (game, board): (GameId, Board), start: &WeightSet) -> Result<()> {
    let set = fit.split_by_phase(game, start, board)?;
    let (names, _) = fit.names(game, &set, board);
    Columns::new(game, board, &names).map(drop)
}
