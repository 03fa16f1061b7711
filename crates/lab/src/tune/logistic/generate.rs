//! Self-play games for the fit: short searches from random openings, with a random move now and
//! then.

use super::samples::{FOLDS, Sample, percent_of_unit};
use super::self_play::{SelfPlayGames, SelfPlayTask};
use crate::any::{AnyEngine, AnyEvaluator, AnyMove, AnyOpening, AnyPosition};
use crate::arena::queue::{Queue, Threads};
use crate::arena::rule_faults::{advance, catch_panics, no_move};
use crate::arena::seed::{derive, generator, uniform};
use crate::error::{Error, Result};
use crate::game::openings::{MOST_OPENING_PLIES, below};
use crate::game::{Board, Outcome};
use crate::games::GameId;
use crate::player::Player;
use crate::search::score::is_proven;
use crate::search::{Limits, Stop};
use crate::tune::validation::MOST_GAMES;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The places below the seed for games, and for the fold of a game.
const GAMES: u64 = 0x9a;
const FOLD: u64 = 0x9b;
/// The longest game that counts, in plies after the opening. A longer one has no result by the rules
/// of its game, so its positions are left out.
pub(super) const MOST_PLIES: usize = 1000;
/// Tasks queued for each player: enough that none waits for the next one.
const TASKS_AHEAD: u64 = 4;

/// The settings that determine the games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GenerateConfig {
    /// The game by name, such as `breakthrough`.
    pub game: String,
    /// The board, columns x rows, such as `8x8`.
    pub board: String,
    /// The number of games.
    pub games: u64,
    /// The limits of each move.
    pub limits: Limits,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The fewest and the most random plies that open a game.
    pub opening_plies: (u32, u32),
    /// The chance of a random move instead of the best one, for each ply after the opening.
    pub deviate: f64,
    /// Which positions are kept.
    #[serde(default)]
    pub positions: KeptPositions,
}

/// Which positions of a game are kept; positions with proven results never are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum KeptPositions {
    /// Positions whose best move is no capture and where no threat needs an answer
    #[default]
    Quiet,
    /// All
    All,
}

/// How games for a fit are played.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SelfPlay {
    /// The chance of a random move instead of the best one, for each ply after the opening
    #[cfg_attr(feature = "clap", arg(long, value_name = "SHARE", default_value_t = Self::DEVIATE, help_heading = "Games for the fit"))]
    pub deviate: f64,
    /// Fewest random plies at the start of a game [default: half of the board's usual number]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "PLIES", help_heading = "Games for the fit")
    )]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least_plies: Option<u32>,
    /// Most random plies at the start of a game [default: twice the board's usual number]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "PLIES", help_heading = "Games for the fit")
    )]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most_plies: Option<u32>,
    /// Which positions are kept [default: quiet, and all for networks]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_enum, value_name = "WHICH", help_heading = "Games for the fit")
    )]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub positions: Option<KeptPositions>,
}

impl Default for SelfPlay {
    fn default() -> Self {
        Self { deviate: Self::DEVIATE, least_plies: None, most_plies: None, positions: None }
    }
}

impl SelfPlay {
    /// The chance of a random move by default.
    pub const DEVIATE: f64 = 0.02;

    /// The settings for a number of games under these limits.
    ///
    /// # Errors
    /// When a number is out of range.
    pub fn config(
        &self,
        game: GameId,
        board: Board,
        games: u64,
        limits: Limits,
        seed: u64,
    ) -> Result<GenerateConfig> {
        let usual = game.default_opening_plies(board);
        let opening_plies =
            (self.least_plies.unwrap_or(usual / 2), self.most_plies.unwrap_or(usual * 2));
        let (game, board) = (game.name.into(), board.to_string());
        let deviate = self.deviate;
        let positions = self.positions.unwrap_or_default();
        let config =
            GenerateConfig { game, board, games, limits, seed, opening_plies, deviate, positions };
        config.check().map(|()| config)
    }
}

impl GenerateConfig {
    /// Nodes a move by default.
    pub const NODES: u64 = 1_000;

    /// Checks what can be checked without playing.
    ///
    /// # Errors
    /// When a number is out of range.
    pub fn check(&self) -> Result<()> {
        self.limits.check()?;
        if self.games == 0 {
            return Err(Error::input("games", "0 give no positions").remedy("give at least 1"));
        }
        if self.games > MOST_GAMES {
            return Err(Error::input("games", format!("{} are too many", self.games))
                .remedy(format!("give at most {MOST_GAMES}")));
        }
        let (least, most) = self.opening_plies;
        if least > most {
            return Err(Error::input("opening plies", format!("{least} to {most} is no range"))
                .remedy("give --least-plies a smaller number than --most-plies"));
        }
        if most > MOST_OPENING_PLIES {
            return Err(Error::input("opening plies", format!("{most} are too many"))
                .remedy(format!("give at most {MOST_OPENING_PLIES} with --most-plies")));
        }
        if !(0.0..1.0).contains(&self.deviate) {
            return Err(Error::input("random moves", format!("{} is out of range", self.deviate))
                .remedy("give a share of at least 0 and below 1 with --deviate"));
        }
        Ok(())
    }

    /// Where the positions come from, for the header of their file.
    pub fn source(&self, player: &Player) -> serde_json::Value {
        json!({
            "weights": player.name,
            "fingerprint": player.fingerprint(),
            "config": self,
            "version": env!("CARGO_PKG_VERSION"),
        })
    }
}

/// The records of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Harvest {
    /// The records, one after the other.
    pub records: Vec<u8>,
    /// Plies played after the opening.
    pub plies: u64,
    /// Nodes visited by this process.
    pub nodes: u64,
}

/// Plays the game with this number and keeps its undecided positions, all or the quiet ones; `None`
/// when the stop flag was set before the end. It depends on its arguments alone under a
/// deterministic limit, since the engine is cleared first.
///
/// # Errors
/// When the board does not exist, the rules of the game are at fault, or its code panics.
pub fn play(
    game: GameId,
    engine: &mut AnyEngine,
    board: Board,
    config: &GenerateConfig,
    number: u64,
    stop: &Stop,
) -> Result<Option<Harvest>> {
    let mut random = generator(config.seed, &[GAMES, number]);
    let (least, most) = config.opening_plies;
    let plies = least + below(&mut random, u64::from(most - least) + 1) as u32;
    let start = game.start(board)?;
    let opening = catch_panics(&start, |_| Ok(start.random_line(plies, &mut random)))?;
    let Some(opening) = opening else { return Ok(Some(Harvest::default())) };
    engine.clear();
    let fold = fold(config.seed, number);
    let settings = GameSettings { config, fold, most_plies: MOST_PLIES, stop };
    catch_panics(&opening.position, |moves| {
        play_on(&opening, engine, &settings, &mut random, moves)
    })
}

/// The settings of a game.
struct GameSettings<'a> {
    config: &'a GenerateConfig,
    /// The fold of its positions.
    fold: u8,
    /// The plies of the longest game that counts.
    most_plies: usize,
    stop: &'a Stop,
}

/// Plays on from an opening, and appends the moves to the list.
fn play_on(
    opening: &AnyOpening,
    engine: &mut AnyEngine,
    &GameSettings { config, fold, most_plies, stop }: &GameSettings,
    random: &mut rand_mt::Mt64,
    moves: &mut Vec<AnyMove>,
) -> Result<Option<Harvest>> {
    let mut harvest = Harvest::default();
    let unit = engine.unit();
    let mut ply = opening.moves.len();
    let mut met = opening.met();
    let (mut position, mut samples) = (opening.position.clone(), Vec::new());
    let outcome = loop {
        if let Some(outcome) = position.outcome() {
            break outcome;
        }
        if position.meet(&mut met) {
            break Outcome::Draw;
        }
        if harvest.plies as usize >= most_plies {
            return Ok(Some(harvest));
        }
        let report = engine.search(&met, &position, &config.limits, stop, None);
        if stop.is_set() {
            return Ok(None);
        }
        let Some(best) = report.best else { return Err(no_move(&position)) };
        let side = position.side_to_move();
        harvest.nodes += report.counters.nodes;
        if is_proven(report.score) {
            // A proven result ends the game.
            break Outcome::Win(if report.score > 0 { side } else { side.other() });
        }
        if config.positions == KeptPositions::All || position.is_quiet(best) {
            let score = percent_of_unit(report.score, unit);
            samples.push(Sample {
                position: position.clone(),
                score,
                half_points: 0,
                fold,
                ply: ply.min(255) as u8,
            });
        }
        let deviates = uniform(random) < config.deviate;
        let chosen = if deviates { random_move(&position, random) } else { best };
        moves.push(chosen);
        advance(&mut position, &opening.position, moves)?;
        harvest.plies += 1;
        ply += 1;
    };
    for mut sample in samples {
        sample.half_points = outcome.half_points(sample.position.side_to_move());
        sample.write(&mut harvest.records);
    }
    Ok(Some(harvest))
}

/// The fold that the positions of a game belong to.
pub(super) fn fold(seed: u64, game: u64) -> u8 {
    (derive(seed, &[FOLD, game]) % u64::from(FOLDS)) as u8
}

/// One of the moves of an unfinished position.
fn random_move(position: &AnyPosition, random: &mut rand_mt::Mt64) -> AnyMove {
    let moves = position.moves();
    moves[below(random, moves.len() as u64) as usize]
}

/// Plays the games from `first` on, by all threads, with a player and its evaluator, and passes on
/// their records in the order of their numbers, until `on_game` breaks off. After an interrupt no
/// further game begins, and begun games are finished.
///
/// # Errors
/// The errors of `on_game`, and when the board does not exist.
pub fn run(
    game: GameId,
    config: &GenerateConfig,
    (evaluator, player): (&AnyEvaluator, &Player),
    threads: &Threads,
    first: u64,
    interrupt: &Stop,
    on_game: &mut dyn FnMut(&Harvest) -> Result<ControlFlow<()>>,
) -> Result<()> {
    let common = SelfPlayGames::new(game, config, evaluator, player, threads, interrupt)?;
    let common = Arc::new(common);
    let mut queue: Queue<Result<Option<Vec<Harvest>>>> = Queue::new(threads);
    let mut next = first;
    loop {
        let in_hand = TASKS_AHEAD * threads.players() as u64;
        while next < config.games && queue.pending() < in_hand && !interrupt.is_set() {
            let games = common.games_of_a_task(threads).min(config.games - next);
            queue.submit(SelfPlayTask { common: common.clone(), first: next, games });
            next += games;
        }
        let Some(harvests) = queue.take() else { return Ok(()) };
        let kept = harvests
            .and_then(|harvests| harvests.map(|games| pass_on(&games, on_game)).transpose());
        if let Ok(Some(ControlFlow::Continue(()))) = kept {
            continue;
        }
        // The games still in progress are not needed any more.
        common.at_once.set();
        return kept.map(drop);
    }
}

fn pass_on(
    harvests: &[Harvest],
    on_game: &mut dyn FnMut(&Harvest) -> Result<ControlFlow<()>>,
) -> Result<ControlFlow<()>> {
    for harvest in harvests {
        if on_game(harvest)?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GameId;
    use crate::player::DefaultWeights;
    use crate::search::Options;

    /// The records of a game that may have this many plies after the opening.
    fn records(most_plies: usize) -> (Vec<u8>, u64) {
        let game: GameId = "ataxx".parse().unwrap();
        let board = Board::new(4, 4);
        let player = Player::find(game, Some("piece"), DefaultWeights::HandMade).unwrap();
        let evaluator = game.evaluator(&player.weights).unwrap();
        let mut engine = evaluator.engine(Options { table_bytes: 1 << 16, ..Options::default() });
        let self_play = SelfPlay { positions: Some(KeptPositions::All), ..SelfPlay::default() };
        let config = self_play.config(game, board, 1, Limits::nodes(5), 3).unwrap();
        let settings =
            GameSettings { config: &config, fold: 0, most_plies, stop: &Stop::default() };
        let mut random = generator(config.seed, &[GAMES, 0]);
        let opening = game.start(board).unwrap().random_line(0, &mut random).unwrap();
        let found =
            play_on(&opening, &mut engine, &settings, &mut random, &mut Vec::new()).unwrap();
        found.map(|harvest| (harvest.records, harvest.plies)).unwrap()
    }

    #[test]
    fn a_game_that_is_cut_off_has_no_result_and_no_positions() {
        let (whole, plies) = records(MOST_PLIES);
        assert!(!whole.is_empty() && plies > 3, "{plies} plies");
        assert_eq!(records(plies as usize + 1), (whole, plies));
        assert_eq!(records(plies as usize / 2), (Vec::new(), plies / 2));
    }
}
