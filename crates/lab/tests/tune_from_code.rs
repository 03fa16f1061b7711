//! A tune from code, of a game that is defined here, by this crate alone.

use sparring_lab::error::{ErrorKind, Result};
use sparring_lab::run::{self, Tuned};
use sparring_lab::search::Stop;
use sparring_lab::simple::*;
use sparring_lab::tune::{Method, Stage, Tune};
use sparring_lab::weights::WeightSet;
use std::path::Path;

/// Four in a row on 5x5 squares; `CLASHES` gives it the name of a game of the program.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct FourInARow<const CLASHES: bool = false> {
    stones: [u64; 2],
    side: Side,
}

const BOARD: u64 = board_squares(5, 5);
/// From a square to the next one of a line: to the right, upward, and along both diagonals.
const WAYS: [u32; 4] = [1, 8, 7, 9];

/// The first squares of the lines of four whose squares are all in a set.
fn all_four(set: u64, way: u32) -> u64 {
    let two = set & set >> way;
    two & two >> (2 * way)
}

impl<const CLASHES: bool> FourInARow<CLASHES> {
    fn has_four(&self, side: Side) -> bool {
        WAYS.iter().any(|&way| all_four(self.stones[side.index()], way) != 0)
    }

    /// The lines in which a side has this many stones and the other side none.
    fn open_lines(&self, side: Side, count: i32) -> i32 {
        let [own, other] = side.ordered(self.stones[0], self.stones[1]);
        let lines = WAYS.iter().flat_map(|&way| {
            each(all_four(BOARD & !other, way)).map(move |first| {
                (0..4).map(|step| ones(own & 1 << (first as u32 + step * way))).sum::<i32>()
            })
        });
        lines.filter(|&stones| stones == count).count() as i32
    }
}

impl<const CLASHES: bool> Rules for FourInARow<CLASHES> {
    const NAME: &'static str = if CLASHES { "ataxx" } else { "four" };
    const BOARD: Board = Board::new(5, 5);
    const SIGNS: [&'static str; 2] = ["x", "o"];
    const START: &'static str = "5/5/5/5/5 x";

    fn from_squares(squares: &Squares, side: Side) -> std::result::Result<Self, &'static str> {
        Ok(Self { stones: squares.narrow(), side })
    }

    fn squares(&self) -> Squares {
        Squares::of_sets(&self.stones)
    }

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn outcome(&self) -> Option<Outcome> {
        let winner = Side::BOTH.into_iter().find(|&side| self.has_four(side));
        let is_full = self.stones[0] | self.stones[1] == BOARD;
        winner.map(Outcome::Win).or(is_full.then_some(Outcome::Draw))
    }

    fn moves(&self, list: &mut Moves) {
        for square in each(BOARD & !(self.stones[0] | self.stones[1])) {
            list.drop(square);
        }
    }

    fn play(&mut self, mv: Move) {
        self.stones[self.side.index()] |= 1 << mv.to();
        self.side = self.side.other();
    }
}

impl<const CLASHES: bool> Features for FourInARow<CLASHES> {
    const FEATURES: &'static [SideFeature<Self>] = &[
        side("open_one", "Open lines with one stone.", |p, s| p.open_lines(s, 1)),
        side("open_two", "Open lines with two stones.", |p, s| p.open_lines(s, 2)),
        side("open_three", "Open lines with three stones.", |p, s| p.open_lines(s, 3)),
    ];
}

fn hand() -> WeightSet {
    let text = r#"{
        "format": 4, "game": "four", "board": null, "name": "hand", "description": "", "scale": 1,
        "weights": { "open_one": 10, "open_two": 10, "open_three": 10 }, "provenance": null
    }"#;
    WeightSet::from_json(text, "hand").unwrap()
}

/// Runs a tune, or the rest of it, until its observer has seen this much.
fn tune(dir: &Path, method: Method, games: u64, threads: usize, until: u64) -> Result<Tuned> {
    let (stop, mut seen) = (Stop::default(), 0);
    Tune::of::<Simple<FourInARow>>(hand())
        .method(method)
        .games(games)
        .nodes(10)
        .seed(7)
        .threads(threads)
        .stop(&stop)
        .observe(|progress| {
            assert!(!progress.to_string().is_empty());
            seen += 1;
            if seen >= until {
                stop.set();
            }
        })
        .run_in(dir)
}

#[test]
fn a_tune_of_a_game_from_elsewhere_goes_on_exactly_where_it_was_stopped() {
    let folder = tempfile::tempdir().unwrap();
    // The first steps of a joined tune are the games of a fit.
    for (method, games) in [(Method::Spsa, 400), (Method::Joined, 2000)] {
        let [whole, broken] =
            ["whole", "broken"].map(|n| folder.path().join(format!("{n}{method}")));
        let expected = tune(&whole, method, games, 2, u64::MAX).unwrap();
        let mut stops = 0;
        let done = loop {
            match tune(&broken, method, games, 1 + stops % 3, 3 + 60 * stops as u64) {
                Ok(done) => break done,
                Err(error) => assert_eq!(error.kind(), ErrorKind::Interrupted, "{error}"),
            }
            stops += 1;
            assert!(stops < 500, "{method} gets nowhere");
        };
        assert!(stops > 1, "{method} was not interrupted");
        assert_eq!((done.accepted, done.elo), (expected.accepted, expected.elo));
        assert_eq!((&done.weights, done.elo_error), (&expected.weights, expected.elo_error));
        let [(_, one), (manifest, two)] = [&whole, &broken].map(|dir| run::read(dir).unwrap());
        for stage in [Stage::Tune, Stage::Round, Stage::Validate, Stage::Yardstick] {
            assert!(one.batches(stage).eq(two.batches(stage)), "{method}, {stage:?}");
        }
        assert_eq!(manifest.work.tune().unwrap().config.method(), method);
        // A finished run gives its result again, and another tune is refused in its directory.
        assert_eq!(tune(&whole, method, games, 2, u64::MAX).unwrap().weights, done.weights);
        let error = tune(&whole, method, games + 60, 2, u64::MAX).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Input);
        assert!(error.to_string().contains("another run"), "{error}");
    }

    // A game that only has the name of one of the program is not taken for it.
    let tune = Tune::of::<Simple<FourInARow<true>>>(hand()).games(200);
    let error = tune.run_in(folder.path().join("run")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Input);
    assert!(error.to_string().contains("`ataxx`: another game has this name"), "{error}");
}
