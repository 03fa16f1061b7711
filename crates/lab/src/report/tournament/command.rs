//! The command that plays a match or a tournament again.

use crate::games::GameId;
use crate::protocol::external_engine::COMMAND_PREFIX;
use crate::report::options::{adjudication_typed, limits_typed, patience_typed, referee_typed};
use crate::run::player_file;
use crate::search::{Limits, Options};
use crate::shell::{quote, quote_path};
use crate::stats::{Model, Sprt};
use crate::tournament::{Contestant, ContestantKind, TournamentKind, TournamentSettings};
use std::path::Path;

/// The suffixes of the options of player A and player B.
const SIDES: [&str; 2] = ["-a", "-b"];

/// The command that plays what the run at `path` plays, in a run of its own.
pub(super) fn repeat(kind: TournamentKind, settings: &TournamentSettings, path: &Path) -> String {
    let TournamentSettings { game, board, players, pairs, seed, .. } = settings;
    let mut words = vec![format!("spar {kind}")];
    words.extend(players.iter().enumerate().map(|(place, player)| named(player, place, path)));
    words.push(format!(
        "--game {} --board {} --pairs {pairs} --seed {seed}",
        quote(game),
        quote(board)
    ));
    words.push(openings(settings));
    let are_told_apart = players.iter().skip(1).all(|player| player.name != players[0].name);
    for (place, player) in players.iter().enumerate() {
        words.extend(options(kind, place, player));
        if kind == TournamentKind::Match && are_told_apart && has_own_name(player) {
            let side = SIDES.get(place).copied().unwrap_or_default();
            words.push(format!("--name{side} {}", quote(&player.name)));
        }
    }
    if kind == TournamentKind::Tournament {
        words.extend(players.first().map(|first| limits_typed(&first.limits).join(" ")));
        let algorithm = players.iter().find_map(Contestant::algorithm);
        words.extend(algorithm.map(|algorithm| format!("--algorithm {algorithm}")));
    }
    let engine = players.iter().find_map(Contestant::engine);
    words.extend(engine.into_iter().flat_map(patience_typed));
    let limits: Vec<Limits> = players.iter().map(|player| player.limits).collect();
    if Some(settings.table_bytes) != limits.iter().map(Options::table_for).max() {
        words.push(format!("--hash {}", settings.table_bytes >> 20));
    }
    words.extend(settings.sprt.as_ref().map(test));
    words.extend(adjudication_typed(settings.adjudication, game));
    words.extend(referee_typed(settings.referee.as_ref(), settings.max_plies));
    words.retain(|word| !word.is_empty());
    words.join(" ")
}

/// The options for the openings.
fn openings(settings: &TournamentSettings) -> String {
    let book = &settings.book;
    if let Some(file) = &book.file {
        return format!("--book {} --book-plies {}", quote(&file.path), file.plies);
    }
    let balance = match (book.balance, settings.game.parse::<GameId>()) {
        (_, Ok(game)) if game.has_engine() => String::new(),
        (balance, _) => format!(" --balance {}", balance.unwrap_or(0)),
    };
    format!("--plies {} --keep {}{balance}", book.plies, book.keep)
}

/// A player as the command names it: by the run's own file where it has one.
fn named(player: &Contestant, place: usize, path: &Path) -> String {
    match &player.plays {
        ContestantKind::Engine(engine) => quote(format!("{COMMAND_PREFIX}{}", engine.command)),
        ContestantKind::Set { kept: true, .. } => quote_path(&path.join(player_file(place))),
        ContestantKind::Set { .. } => quote(&player.name),
    }
}

/// The options of one player.
fn options(kind: TournamentKind, place: usize, player: &Contestant) -> Vec<String> {
    let engine_options = player.engine().map_or(&[][..], |engine| &engine.options);
    let folder = player.engine().and_then(|engine| engine.folder.as_deref());
    let pair = |(name, value): &(String, String)| format!("{name}={value}");
    if kind == TournamentKind::Tournament {
        let option =
            |option| format!("--option {}", quote(format!("{}:{}", place + 1, pair(option))));
        let folder = folder.map(|dir| format!("--dir {}", quote(format!("{}:{dir}", place + 1))));
        return engine_options.iter().map(option).chain(folder).collect();
    }
    let side = SIDES.get(place).copied().unwrap_or_default();
    let limits = limits_typed(&player.limits);
    let limits = limits.iter().map(|limit| limit.replacen(' ', &format!("{side} "), 1));
    let algorithm = player.algorithm().map(|algorithm| format!("--algorithm{side} {algorithm}"));
    let option = |option| format!("--option{side} {}", quote(pair(option)));
    let folder = folder.map(|dir| format!("--dir{side} {}", quote(dir)));
    limits.chain(algorithm).chain(engine_options.iter().map(option)).chain(folder).collect()
}

/// Whether the user may have given a player its name: the command alone would give it another one.
fn has_own_name(player: &Contestant) -> bool {
    match &player.plays {
        ContestantKind::Engine(engine) => engine.name.as_ref() != Some(&player.name),
        ContestantKind::Set { kept, .. } => *kept,
    }
}

fn test(sprt: &Sprt) -> String {
    let Sprt { elo0, elo1, alpha, beta, model } = sprt;
    let model = match model {
        Model::Normalized => "normalized",
        Model::Logistic => "logistic",
    };
    format!("--sprt {elo0},{elo1} --alpha {alpha} --beta {beta} --model {model}")
}
