//! A game of the engine against itself, and the scores of its quiet positions.

use super::probe::KnobProbes;
use super::{OptionFitConfig, Slope, ValuedPosition};
use crate::any::{AnyMove, AnyOpening, AnyPosition};
use crate::arena::play::play_game;
use crate::arena::seed::generator;
use crate::arena::{
    Forfeit, GameEnding, GameEnds, GamePlayer, PlayedGame, PlayerFactory, Pool, ReportedScore,
    Task, Turn,
};
use crate::game::Repetitions;
use crate::game::openings::below;
use crate::games::GameId;
use crate::search::{Limits, Stop};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The most positions of a game. They share its result, so more of them would add little
/// information.
const MOST_OF_A_GAME: usize = 24;
/// The random stream, below the seed, that chooses the positions of a game.
const CHOICE: u64 = 0xf1;

/// The processes of a thread: both sides of a game, and a scorer of positions.
type Seats = [Box<dyn GamePlayer>; 3];

/// The settings that all games of a fit share.
pub(super) struct Harvesting {
    pub(super) engine: Arc<dyn PlayerFactory>,
    pub(super) probes: KnobProbes,
    /// The options of the knobs at their starts.
    pub(super) start: BTreeMap<String, String>,
    /// More options for the process that scores positions.
    pub(super) while_valued: BTreeMap<String, String>,
    pub(super) limits: Limits,
    pub(super) ends: GameEnds,
    pub(super) seed: u64,
    pub(super) seats: Pool<Seats>,
    pub(super) interrupt: Stop,
    /// Once set, games in progress end at once.
    pub(super) at_once: Stop,
}

/// A game to be played and scored.
pub(super) struct HarvestTask {
    pub(super) common: Arc<Harvesting>,
    pub(super) number: u64,
    pub(super) opening: AnyOpening,
}

/// The positions and faults of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GameHarvest {
    /// The quiet positions with their scores, in the order of the game.
    pub positions: Vec<ValuedPosition>,
    /// Positions left out because a score is a mate or missing.
    pub mates: u64,
    /// Positions left out because the engine failed.
    pub failed: u64,
    /// Positions whose score at the start changed when it was asked for again.
    pub unsteady: u64,
    /// Whether the engine failed in the game itself.
    pub is_void: bool,
    /// Whether the game was stopped before its end.
    #[serde(skip)]
    pub is_stopped: bool,
    /// The last failure of the engine.
    pub fault: Option<Forfeit>,
}

impl GameHarvest {
    /// The harvest of a game that a failure ended.
    fn void(fault: Forfeit) -> Self {
        Self { is_void: true, fault: Some(fault), ..Self::default() }
    }
}

/// A quiet position of a game.
struct QuietPosition {
    /// The moves that lead to it from the opening.
    moves: usize,
    position: AnyPosition,
    met: Repetitions,
    searched: f64,
    result: f64,
}

/// The answer about one position.
enum EngineScore {
    /// Hundredths of a pawn.
    Score(f64),
    /// A mate, or nothing.
    NoScore,
    Failed(Forfeit),
}

impl Task for HarvestTask {
    type Outcome = GameHarvest;

    fn run(&self) -> GameHarvest {
        if self.common.is_ending() {
            return self.given_up();
        }
        let new = || std::array::from_fn(|_| self.common.engine.new_player());
        let mut seats: Seats = self.common.seats.take().unwrap_or_else(new);
        let harvest = self.harvest(&mut seats);
        self.common.seats.give(seats);
        harvest
    }

    fn given_up(&self) -> GameHarvest {
        GameHarvest { is_stopped: true, ..GameHarvest::default() }
    }

    fn is_interrupted(&self) -> bool {
        self.common.interrupt.is_set()
    }
}

impl Harvesting {
    fn is_ending(&self) -> bool {
        self.interrupt.is_set() || self.at_once.is_set()
    }
}

impl HarvestTask {
    fn harvest(&self, [first, second, scorer]: &mut Seats) -> GameHarvest {
        let Harvesting { start, limits, ends, interrupt, at_once, .. } = &*self.common;
        first.configure(start);
        second.configure(start);
        let played = play_game(
            &self.opening,
            [(&mut **first, limits), (&mut **second, limits)],
            *ends,
            [at_once, interrupt],
        );
        let mut game = match played {
            Ok(game) => game,
            Err(error) => return GameHarvest::void(Forfeit::of_referee(&error)),
        };
        if game.ending == GameEnding::Stopped {
            return self.given_up();
        }
        if let Some(fault) = game.forfeit.take() {
            return GameHarvest::void(fault);
        }
        let (moves, candidates, unscored) = self.candidates(&game);
        let harvest = self.score(&mut **scorer, &moves, self.choose(candidates));
        GameHarvest { mates: harvest.mates + unscored, ..harvest }
    }

    /// The moves of a game, its quiet positions with a score in centipawns, and the number of those
    /// without one.
    fn candidates(&self, game: &PlayedGame) -> (Vec<AnyMove>, Vec<QuietPosition>, u64) {
        let (mut position, mut met) = (self.opening.position.clone(), self.opening.met());
        let (mut moves, mut found, mut unscored) = (Vec::new(), Vec::new(), 0);
        for (word, note) in game.moves.split(' ').zip(&game.searches) {
            let Ok(mv) = position.parse_move(word) else { break };
            position.meet(&mut met);
            let is_quiet = is_quiet(&position, mv);
            unscored += u64::from(is_quiet && note.cp.is_none());
            if let Some(searched) = note.cp.filter(|_| is_quiet) {
                let half_points = game.outcome.half_points(position.side_to_move());
                found.push(QuietPosition {
                    moves: moves.len(),
                    position: position.clone(),
                    met: met.clone(),
                    searched: f64::from(searched),
                    result: f64::from(half_points) / 2.0,
                });
            }
            moves.push(mv);
            position.advance(mv);
        }
        (moves, found, unscored)
    }

    /// A random choice of the positions, in the order of the game.
    fn choose(&self, mut candidates: Vec<QuietPosition>) -> Vec<QuietPosition> {
        let mut random = generator(self.common.seed, &[CHOICE, self.number]);
        let count = candidates.len().min(MOST_OF_A_GAME);
        for place in 0..count {
            let left = (candidates.len() - place) as u64;
            candidates.swap(place, place + below(&mut random, left) as usize);
        }
        candidates.truncate(count);
        candidates.sort_unstable_by_key(|candidate| candidate.moves);
        candidates
    }

    /// Scores the positions with the values of the start, then with each value beside it, then with
    /// the start again.
    fn score(
        &self,
        scorer: &mut dyn GamePlayer,
        moves: &[AnyMove],
        mut candidates: Vec<QuietPosition>,
    ) -> GameHarvest {
        let common = &*self.common;
        let mut harvest = GameHarvest::default();
        let mut scores: Vec<Vec<f64>> = vec![Vec::new(); candidates.len()];
        let sides = common.probes.sides.iter().map(Some);
        for side in [None].into_iter().chain(sides).chain([None]) {
            if common.is_ending() {
                return self.given_up();
            }
            let mut options = common.start.clone();
            options.extend(common.while_valued.clone());
            options.extend(side.map(|side| (side.option.clone(), side.value.clone())));
            scorer.configure(&options);
            let Some(answers) = self.ask(scorer, moves, &candidates) else {
                return self.given_up();
            };
            let mut kept = Vec::new();
            for (mut known, answer) in scores.into_iter().zip(&answers) {
                kept.push(match answer {
                    EngineScore::Score(score) => {
                        known.push(*score);
                        Some(known)
                    }
                    EngineScore::NoScore => {
                        harvest.mates += 1;
                        None
                    }
                    EngineScore::Failed(fault) => {
                        harvest.failed += 1;
                        harvest.fault = Some(fault.clone());
                        None
                    }
                });
            }
            let mut is_kept = kept.iter().map(Option::is_some);
            candidates.retain(|_| is_kept.next() == Some(true));
            scores = kept.into_iter().flatten().collect();
        }
        for (candidate, scores) in candidates.into_iter().zip(&scores) {
            let [start, beside @ .., again] = &scores[..] else { continue };
            harvest.unsteady += u64::from(start != again);
            harvest.positions.push(self.valued(candidate, *start, beside));
        }
        harvest
    }

    /// The scores of the positions with the options that are set; `None` if the work is to end.
    fn ask(
        &self,
        scorer: &mut dyn GamePlayer,
        moves: &[AnyMove],
        candidates: &[QuietPosition],
    ) -> Option<Vec<EngineScore>> {
        let Harvesting { interrupt, at_once, .. } = &*self.common;
        let limits = Limits { depth: Some(OptionFitConfig::DEPTH), ..Limits::default() };
        let (mut answers, mut is_ready) = (Vec::new(), false);
        for candidate in candidates {
            if !is_ready {
                is_ready = match scorer.new_game(interrupt) {
                    Ok(true) => true,
                    Ok(false) => return None,
                    Err(fault) => {
                        answers.push(EngineScore::Failed(fault));
                        continue;
                    }
                };
            }
            let turn = Turn {
                opening: &self.opening,
                moves: &moves[..candidate.moves],
                position: &candidate.position,
                met: &candidate.met,
                limits: &limits,
                clocks: [None; 2],
                stop: at_once,
                interrupt,
            };
            answers.push(match scorer.choose(&turn) {
                Ok(choice) if choice.best.is_none() => return None,
                Ok(choice) => match choice.reported {
                    Some(ReportedScore::Centipawns(score)) => EngineScore::Score(f64::from(score)),
                    Some(ReportedScore::Mate(_)) | None => EngineScore::NoScore,
                },
                Err(_) if self.common.is_ending() => return None,
                Err(fault) => {
                    is_ready = false;
                    EngineScore::Failed(fault)
                }
            });
        }
        Some(answers)
    }

    /// A position with its scores at the start and beside it.
    fn valued(&self, candidate: QuietPosition, value: f64, beside: &[f64]) -> ValuedPosition {
        let probes = &self.common.probes;
        let slopes = (0..probes.knobs).filter_map(|knob| {
            let (slope, bend) = probes.difference(knob, value, beside)?;
            let is_moved = slope != 0.0 || bend.is_some_and(|bend| bend != 0.0);
            let bend = bend.map(|bend| bend as f32);
            is_moved.then_some(Slope { knob: knob as u16, slope: slope as f32, bend })
        });
        let slopes = slopes.collect();
        let QuietPosition { position, searched, result, .. } = candidate;
        ValuedPosition { fen: position.fen(), game: 0, searched, result, value, slopes }
    }
}

/// Whether a position is quiet: its best move captures nothing, and by the rules of the game no
/// threat must be answered. For a game without an engine here, only the men on the board are
/// compared.
fn is_quiet(position: &AnyPosition, best: AnyMove) -> bool {
    let has_engine = position.game().parse::<GameId>().is_ok_and(|game| game.has_engine());
    match has_engine {
        true => position.is_quiet(best),
        false => men(position) == men(&position.after(best)),
    }
}

/// The men on the board and in hand: the letters of the first field of the FEN, sorted.
fn men(position: &AnyPosition) -> Vec<u8> {
    let fen = position.fen();
    let field = fen.split(' ').next().unwrap_or_default();
    let mut men: Vec<u8> = field.bytes().filter(u8::is_ascii_alphabetic).collect();
    men.sort_unstable();
    men
}
