//! The options that begin a run with another run's settings: everything beyond its game, board,
//! players, method, games and seed.

use super::options::{
    adjudication_typed, beside_knobs, limits_typed, of_fitting, of_training, referee_typed, target,
};
use crate::arena::{Adjudication, BookConfig, BookFile};
use crate::error::{Error, Result};
use crate::games::GameId;
use crate::player::{DefaultWeights, Player};
use crate::protocol::ExternalEngine;
use crate::run::{TournamentWork, TuneWork, player_file};
use crate::search::{Algorithm, Options, SearchConstants};
use crate::shell::{quote, quote_path};
use crate::stats::{Model, Sprt};
use crate::tournament::{ContestantKind, TournamentSettings};
use crate::tune::{
    FitFirst, Knob, MatchPlan, Plan, Selection, Target, TuneSettings, Validation, Yardsticks,
};
use serde::Serialize;
use std::path::Path;

/// An option of a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GivenOption {
    /// The name, without dashes.
    pub name: String,
    /// The value; `None` for a switch.
    pub value: Option<String>,
}

impl GivenOption {
    /// The options of a tune that are not the usual ones.
    ///
    /// # Errors
    /// When an external engine is tuned, the program does not know the game, or the start does not
    /// fit it.
    pub fn of_tune(tune: &TuneWork) -> Result<Vec<Self>> {
        let TuneWork { config, start, .. } = tune;
        let game = game_of(config)?;
        let mut options = limits_typed(&config.limits);
        match &config.plan {
            Plan::Matches(plan) => {
                options.extend(target(plan));
                options.extend(selection(tune, plan)?.typed());
                options.extend(beside_knobs(plan));
                options.extend(fit_first(plan, config.games, game, &config.book));
            }
            Plan::Fitting(plan) => options.extend(of_fitting(plan)),
            Plan::Training(plan) => options.extend(of_training(plan)),
        }
        options.extend(constants("--search", &start.constants));
        options.extend(games_typed(config));
        options.extend(measured(config, game)?);
        Ok(read(&options))
    }

    /// The options, without the usual ones, of a match between a tune's result and its start,
    /// played like the tune.
    ///
    /// # Errors
    /// As [`of_tune`](Self::of_tune).
    pub fn of_match_with_start(tune: &TuneWork) -> Result<Vec<Self>> {
        let config = &tune.config;
        game_of(config)?;
        let mut options = limits_typed(&config.limits);
        let algorithm = config.matches().and_then(MatchPlan::other_algorithm);
        options.extend(algorithm.map(|algorithm| format!("--algorithm {algorithm}")));
        options.extend(games_typed(config));
        Ok(read(&options))
    }

    /// The options of the match in the directory of a run that are not the usual ones.
    ///
    /// # Errors
    /// When it is a tournament, the program does not know the game, or a player's file is damaged.
    pub fn of_match(work: &TournamentWork, run: &Path) -> Result<Vec<Self>> {
        let config = &work.config;
        let [a, b] = &config.players[..] else {
            return Err(Error::input(run.display(), "not a match of two players"));
        };
        let game: GameId = config.game.parse()?;
        let mut options = limits_typed(&a.limits);
        if b.limits != a.limits {
            options
                .extend(limits_typed(&b.limits).iter().map(|limit| limit.replacen(' ', "-b ", 1)));
        }
        let algorithms = [("-a", a), ("-b", b)].map(|(part, player)| {
            let other = player.algorithm().filter(|&own| own != Algorithm::default());
            other.map(|algorithm| format!("--algorithm{part} {algorithm}"))
        });
        options.extend(algorithms.into_iter().flatten());
        for (place, part) in ["--search-a", "--search-b"].into_iter().enumerate() {
            if let Some(player) = kept_player(config, place, game, run)? {
                options.extend(constants(part, &player.constants));
            }
        }
        options.extend(config.sprt.iter().flat_map(test));
        let usual = [a, b].map(|player| Options::table_for(&player.limits)).into_iter().max();
        if usual != Some(config.table_bytes) {
            options.push(format!("--hash {}", (config.table_bytes >> 20).max(1)));
        }
        options.extend(played_with(
            &config.game,
            &config.book,
            config.adjudication,
            config.referee.as_ref(),
            config.max_plies,
        ));
        Ok(read(&options))
    }

    /// The option as one argument of a command.
    pub fn argument(&self) -> String {
        match &self.value {
            Some(value) => format!("--{}={value}", self.name),
            None => format!("--{}", self.name),
        }
    }

    /// The option as it is typed.
    pub fn typed(&self) -> String {
        match &self.value {
            Some(value) => format!("--{} {}", self.name, quote(value)),
            None => format!("--{}", self.name),
        }
    }
}

/// The game of a tune of sets.
fn game_of(config: &TuneSettings) -> Result<GameId> {
    match config.engine() {
        None => config.game_id(),
        Some(_) => Err(Error::input("settings", "the tune is of an external engine")
            .remedy("begin another tune of it in a terminal, with spar tune --from RUN:start")),
    }
}

/// Reads options as they are typed.
fn read(typed: &[String]) -> Vec<GivenOption> {
    let words = shlex::split(&typed.join(" ")).unwrap_or_default();
    let mut options: Vec<GivenOption> = Vec::new();
    for word in words {
        match (word.strip_prefix("--"), options.last_mut()) {
            (Some(name), _) => options.push(GivenOption { name: name.into(), value: None }),
            (None, Some(last)) => last.value = Some(word),
            (None, None) => {}
        }
    }
    options
}

/// The options for the games of a tune, beside the limits of a move.
pub(super) fn games_typed(config: &TuneSettings) -> Vec<String> {
    let (adjudication, referee) = (config.adjudication, config.referee.as_ref());
    played_with(&config.game, &config.book, adjudication, referee, config.max_plies)
}

/// The options for games that are not the usual ones: openings, early ends, and the referee with the
/// most plies.
pub fn played_with(
    game: &str,
    book: &BookConfig,
    adjudication: Adjudication,
    referee: Option<&ExternalEngine>,
    max_plies: Option<u32>,
) -> Vec<String> {
    let mut options = openings(book, game);
    options.extend(adjudication_typed(adjudication, game));
    options.extend(referee_typed(referee, max_plies));
    options
}

/// The options of a tune for the matches that measure its answer.
pub(super) fn measured(config: &TuneSettings, game: GameId) -> Result<Vec<String>> {
    let TuneSettings { validation, yardsticks, limits, games, .. } = config;
    let usual = Yardsticks::of(game, config.board.parse()?, *limits, *games, None).pairs;
    let options = [
        (validation.pairs != Validation::PAIRS)
            .then(|| format!("--validation-pairs {}", validation.pairs)),
        (yardsticks.pairs != usual).then(|| format!("--yardstick-pairs {}", yardsticks.pairs)),
    ];
    Ok(options.into_iter().flatten().collect())
}

/// The selection that makes the knobs of a plan.
fn selection(tune: &TuneWork, plan: &MatchPlan) -> Result<Selection> {
    Selection::of_knobs(&plan.knobs, |selection| knobs_of(selection, tune, plan))
}

/// The knobs of a selection in a tune.
fn knobs_of(selection: &Selection, tune: &TuneWork, plan: &MatchPlan) -> Result<Vec<Knob>> {
    let TuneWork { config, start, .. } = tune;
    match plan.target() {
        Target::Search => selection.constants(&start.constants, plan.algorithm),
        _ => selection.weights(
            config.game_id()?,
            &start.weights,
            config.board.parse()?,
            config.book.plies,
            config.seed,
        ),
    }
}

pub(super) fn fit_first(
    plan: &MatchPlan,
    games: u64,
    game: GameId,
    book: &BookConfig,
) -> Vec<String> {
    let Some(first) = &plan.fit_first else { return Vec::new() };
    let usual = FitFirst::new(first.games, game, book);
    let is_usual = FitFirst::usual_games(games) == Some(first.games);
    let options = [
        (!is_usual).then(|| format!("--fit-games {}", first.games)),
        first.plies.filter(|_| first.plies != usual.plies).map(|n| format!("--fit-plies {n}")),
        first.blend.filter(|_| first.blend != usual.blend).map(|n| format!("--fit-blend {n}")),
    ];
    options.into_iter().flatten().collect()
}

/// The options that give constants values other than the default ones.
fn constants(option: &str, constants: &SearchConstants) -> Vec<String> {
    let usual = SearchConstants::default().to_map();
    let changed =
        constants.to_map().into_iter().filter(|(name, value)| usual.get(name) != Some(value));
    changed.map(|(name, value)| format!("{option} {}", quote(format!("{name}={value}")))).collect()
}

/// The options of openings that are not the usual ones of the board. A game that this program does
/// not know has no usual random openings.
fn openings(book: &BookConfig, game: &str) -> Vec<String> {
    if let Some(file) = &book.file {
        let plies = (file.plies != BookFile::PLIES).then(|| format!("--book-plies {}", file.plies));
        let path = quote_path(Path::new(&file.path));
        return [format!("--book {path}")].into_iter().chain(plies).collect();
    }
    let (Ok(game), Ok(board)) = (game.parse::<GameId>(), book.board.parse()) else {
        return Vec::new();
    };
    let usual = BookConfig::new(game, board, book.seed);
    let balance = book.balance.unwrap_or(0);
    let options = [
        (book.plies != usual.plies).then(|| format!("--plies {}", book.plies)),
        (book.keep != usual.keep).then(|| format!("--keep {}", book.keep)),
        (book.balance != usual.balance).then(|| format!("--balance {balance}")),
    ];
    options.into_iter().flatten().collect()
}

/// The options of a test that are not the usual ones, beside its bounds.
fn test(sprt: &Sprt) -> Vec<String> {
    let options = [
        (sprt.alpha != Sprt::USUAL_ERROR).then(|| format!("--alpha {}", sprt.alpha)),
        (sprt.beta != Sprt::USUAL_ERROR).then(|| format!("--beta {}", sprt.beta)),
        (sprt.model != Model::default()).then(|| format!("--model {}", sprt.model)),
    ];
    options.into_iter().flatten().collect()
}

/// The player of a match whose weights and constants are in a file of the run.
fn kept_player(
    config: &TournamentSettings,
    place: usize,
    game: GameId,
    run: &Path,
) -> Result<Option<Player>> {
    let player = &config.players[place];
    if !matches!(player.plays, ContestantKind::Set { kept: true, .. }) {
        return Ok(None);
    }
    let path = run.join(player_file(place));
    let name = path.to_str().unwrap_or_default();
    Player::find(game, Some(name), DefaultWeights::HandMade).map(Some)
}
