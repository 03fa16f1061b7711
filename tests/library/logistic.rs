//! The logistic fit and the records that it reads.

use crate::common::{below, sample, scatter, weight_set};
use crate::tuning::game;
use proptest::prelude::*;
use rand_mt::Mt64;
use sparring::any::AnyPosition;
use sparring::arena::queue::Threads;
use sparring::error::Result;
use sparring::game::{Board, Position, SearchHints};
use sparring::games::Breakthrough;
use sparring::run::positions::{PositionFiles, PositionWriter};
use sparring::search::Stop;
use sparring::stats::{Z_95, t_95};
use sparring::tune::logistic::columns::Columns;
use sparring::tune::logistic::pass::{Data, Split, Wanted, cross_entropy, sigmoid};
use sparring::tune::logistic::samples::{
    FOLDS, Header, InMemory, MAX_SCORE, PositionSource, Sample, record_bytes,
};
use sparring::tune::logistic::uncertainty::Uncertainty;
use sparring::tune::logistic::{FitConfig, FitTask, SetFit};
use sparring::weights::{Weight, WeightSet};
use std::collections::HashSet;
use std::fs;

/// Bytes of a record.
fn record() -> usize {
    record_bytes(game())
}

/// The sample of a record.
fn read(board: Board, record: &[u8]) -> Result<Sample> {
    let mut sample = Sample::on_board(game(), board)?;
    sample.read(record)?;
    Ok(sample)
}

fn board() -> Board {
    Board::new(5, 5)
}

fn unit(generator: &mut Mt64) -> f64 {
    below(generator, 1 << 53) as f64 / (1_u64 << 53) as f64
}

/// A random sample of a board, its fields within their ranges.
fn random_sample(position: Breakthrough, generator: &mut Mt64) -> Sample {
    Sample {
        position: AnyPosition::of(position),
        score: below(generator, 2 * MAX_SCORE as u64 + 1) as i32 - MAX_SCORE,
        half_points: below(generator, 3) as u8,
        fold: below(generator, FOLDS.into()) as u8,
        ply: below(generator, 256) as u8,
    }
}

#[test]
fn records_hold_what_was_written() {
    let mut generator = Mt64::new(1);
    for board in Breakthrough::boards() {
        let crowded =
            (0..20).map(|_| scatter(board, 45, &mut Mt64::new(below(&mut generator, 1 << 40))));
        let all: Vec<_> = sample::<Breakthrough>(board, 20, 2).into_iter().chain(crowded).collect();
        for position in all.into_iter().filter(|position| position.outcome().is_none()) {
            let written = random_sample(position, &mut generator);
            let mut bytes = vec![7];
            let pieces = written.position.fen().chars().filter(|sign| "Pp".contains(*sign)).count();
            assert_eq!(written.write(&mut bytes), pieces <= 32, "{}", written.position.fen());
            if pieces > 32 {
                assert_eq!(bytes, [7]);
                continue;
            }
            let read = read(board, &bytes[1..]).unwrap();
            // The board is turned so that the first side is to move; the features stay.
            assert_eq!(read.position.features(), written.position.features());
            assert_eq!(Sample { position: written.position.clone(), ..read.clone() }, written);
            let mut again = Vec::new();
            assert!(read.write(&mut again));
            assert_eq!(again, bytes[1..]);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

    #[test]
    fn any_bytes_as_a_record(bytes in prop::collection::vec(any::<u8>(), 0..24), index in any::<prop::sample::Index>()) {
        let boards = Breakthrough::boards();
        let board = boards[index.index(boards.len())];
        if let Ok(found) = read(board, &bytes) {
            prop_assert_eq!(found.position.board(), board);
            prop_assert_eq!(found.position.outcome(), None);
            let mut again = Vec::new();
            prop_assert!(found.write(&mut again));
            prop_assert_eq!(read(board, &again).unwrap(), found);
        }
    }

    #[test]
    fn any_bytes_as_a_file(begin in 0_usize..200, bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let whole = Header::new(game(), board(), "here".into()).to_bytes();
        let text = [&whole[..begin.min(whole.len())], &bytes].concat();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.pos");
        fs::write(&path, text).unwrap();
        if let Err(error) = PositionFiles::open(game(), std::slice::from_ref(&path)) {
            prop_assert_eq!(error.exit_code(), 2);
            prop_assert!(error.to_string().starts_with(&path.display().to_string()), "{}", error);
        }
    }
}

#[test]
fn foreign_files_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pos");
    let open = |text: &str| {
        let bytes =
            [b"SPARPOS1".as_slice(), &(text.len() as u32).to_le_bytes(), text.as_bytes()].concat();
        let end = [b"DONE".as_slice(), &crc32fast::hash(&bytes).to_le_bytes()].concat();
        let bytes = [bytes, end].concat();
        fs::write(&path, bytes).unwrap();
        PositionFiles::open(game(), std::slice::from_ref(&path)).map(|files| files.count())
    };
    let header = r#"{"version":1,"game":"breakthrough","board":"5x5","record":16,"source":null}"#;
    assert_eq!(open(header).unwrap(), 0);
    for (from, to, wanted) in [
        ("breakthrough", "chess", "positions of `chess`"),
        ("\"version\":1", "\"version\":9", "newer"),
        ("\"record\":16", "\"record\":0", "records of"),
        ("5x5", "99x99", "99x99"),
        ("5x5", "nine", "nine"),
        ("source", "sauce", "sauce"),
        ("SPARPOS", "SPARPOS", ""),
    ] {
        let Err(error) = open(&header.replace(from, to)) else {
            assert_eq!(from, to);
            continue;
        };
        assert!(error.to_string().contains(wanted) && error.exit_code() == 2, "{error}");
    }
    fs::write(&path, "SPARPOS1").unwrap();
    assert!(PositionFiles::open(game(), std::slice::from_ref(&path)).is_err());
    assert!(PositionFiles::open(game(), &[]).is_err());
    assert!(PositionFiles::open(game(), &[folder.path().join("none")]).is_err());
}

/// Positions of a board with results drawn from a linear model of these features, and scores that
/// follow the model.
pub(crate) fn drawn_from(truth: &[(&str, f64)], count: usize, seed: u64) -> InMemory {
    let place = |name: &str| game().features.iter().position(|f| f.name == name).unwrap();
    let places: Vec<(usize, f64)> =
        truth.iter().map(|&(name, weight)| (place(name), weight)).collect();
    let mut generator = Mt64::new(seed);
    let mut bytes = Vec::new();
    let positions = sample::<Breakthrough>(board(), count, seed).into_iter().map(AnyPosition::of);
    for (number, position) in positions.enumerate() {
        let features = position.features();
        let logit: f64 =
            places.iter().map(|&(place, weight)| weight * f64::from(features[place])).sum();
        let won = unit(&mut generator) < sigmoid(logit);
        let sample = Sample {
            position,
            score: (logit * 100.0).round() as i32,
            half_points: if won { 2 } else { 0 },
            fold: (number % usize::from(FOLDS)) as u8,
            ply: 0,
        };
        assert!(sample.write(&mut bytes));
    }
    InMemory { record: record(), bytes }
}

/// Games of this many positions, each position won where its chance is above a number drawn for the
/// game; the scores state the chances.
fn games_from(truth: &[(&str, f64)], games: usize, positions: usize, seed: u64) -> InMemory {
    let mut samples = drawn_from(truth, games * positions, seed);
    let mut generator = Mt64::new(seed + 1);
    for (game, records) in samples.bytes.chunks_mut(record() * positions).enumerate() {
        let luck = unit(&mut generator);
        for (ply, bytes) in records.chunks_mut(record()).enumerate() {
            let drawn = read(board(), bytes).unwrap();
            let won = luck < sigmoid(f64::from(drawn.score) / 100.0);
            let half_points = if won { 2 } else { 0 };
            let fold = (game % usize::from(FOLDS)) as u8;
            let mut written = Vec::new();
            assert!(Sample { half_points, fold, ply: ply as u8, ..drawn }.write(&mut written));
            bytes.copy_from_slice(&written);
        }
    }
    samples
}

fn data<'a>(samples: &'a dyn PositionSource, threads: usize, blend: f64) -> Data<'a> {
    Data {
        game: game(),
        samples,
        board: board(),
        distinct: None,
        validation_folds: 6,
        blend,
        score_scales: vec![130.0],
        rest: None,
        threads: Threads::new(threads).unwrap(),
        stop: Stop::default(),
    }
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.into()).collect()
}

#[test]
fn the_gradient_is_that_of_the_loss() {
    let samples = drawn_from(&[("piece", 0.5), ("advance", 0.1)], 3000, 3);
    let columns = ["piece", "danger@early", "danger@late", "mobility", "tempo", "windows_3x3"];
    let columns = Columns::new(game(), board(), &names(&columns)).unwrap();
    let mut generator = Mt64::new(4);
    let point: Vec<f64> = (0..columns.len()).map(|_| unit(&mut generator) * 0.2 - 0.1).collect();
    for blend in [0.0, 0.6, 1.0] {
        let data = data(&samples, 2, blend);
        let loss =
            |point: &[f64]| data.pass(&columns, point, Split::Training, Wanted::Loss).unwrap().loss;
        let sums = data.pass(&columns, &point, Split::Training, Wanted::Gradient).unwrap();
        assert_eq!(sums.loss, loss(&point));
        let curvature =
            data.pass(&columns, &point, Split::Training, Wanted::Curvature).unwrap().curvature;
        let shown = (0..columns.len()).filter(|&column| curvature[column] > 0.0);
        for column in (0..5).chain(shown.skip(5).step_by(97)) {
            const STEP: f64 = 1e-4;
            let moved = |by: f64| {
                let mut point = point.clone();
                point[column] += by;
                loss(&point)
            };
            let (up, down) = (moved(STEP), moved(-STEP));
            let slope = (up - down) / (2.0 * STEP);
            assert!(
                (slope - sums.gradient[column]).abs() < 1e-4 * (1.0 + slope.abs()),
                "{column}: {slope}"
            );
            let bend = (up + down - 2.0 * sums.loss) / (STEP * STEP);
            assert!(
                (bend - curvature[column]).abs() < 1e-2 * (1.0 + bend.abs()),
                "{column}: {bend}"
            );
        }
    }
}

#[test]
fn the_cross_entropy_is_finite_and_least_at_the_target() {
    for target in [0.0, 0.25, 0.5, 1.0] {
        for logit in [-800.0, -3.0, 0.0, 2.0, 800.0] {
            let p = sigmoid(logit);
            let loss = cross_entropy(logit, target);
            assert!(loss.is_finite() && loss >= 0.0);
            if logit.abs() < 10.0 {
                let plain = -target * p.ln() - (1.0 - target) * (1.0 - p).ln();
                assert!((loss - plain).abs() < 1e-12);
            }
        }
    }
}

/// The mirror image, left to right.
fn mirrored(position: &AnyPosition) -> AnyPosition {
    let fen = position.fen();
    let (rows, rest) = fen.split_once(' ').unwrap();
    let row = |row: &str| row.chars().rev().collect::<String>();
    let rows = rows.split('/').map(row).collect::<Vec<_>>().join("/");
    game().from_fen(&format!("{rows} {rest}")).unwrap()
}

#[test]
fn tied_cells_share_a_column() {
    for board in Breakthrough::boards() {
        let Ok(columns) = Columns::new(game(), board, &names(&["windows_3x3"])) else {
            assert!(board.cols() < 3);
            continue;
        };
        let mut generator = Mt64::new(5);
        let point: Vec<f64> = (0..columns.len()).map(|_| unit(&mut generator) - 0.5).collect();
        let mut row = Vec::new();
        let mut value = |position: &AnyPosition| {
            columns.row(position, &mut row);
            row.iter().map(|&(column, value)| point[column as usize] * value).sum::<f64>()
        };
        for position in sample::<Breakthrough>(board, 20, 6) {
            // One side's gain is the other's loss, and a mirror image is worth the same.
            let passed = AnyPosition::of(position.pass().unwrap());
            let position = AnyPosition::of(position);
            let here = value(&position);
            assert!((here + value(&passed)).abs() < 1e-9);
            assert!((here - value(&mirrored(&position))).abs() < 1e-9);
        }
        // What is written into a set is read back.
        let mut set = weight_set::<Breakthrough>(1, &[]);
        set.board = Some(board.to_string());
        let whole: Vec<f64> =
            point.iter().map(|weight| (weight * 1000.0).round() / 1000.0).collect();
        columns.write(&whole, 1000.0, &mut set);
        game().evaluator(&set).unwrap();
        let read = columns.read(&set, 1000.0);
        assert!(read.iter().zip(&whole).all(|(a, b)| (a - b).abs() < 1e-12));
    }
}

#[test]
fn the_default_choice_follows_the_start() {
    let chosen = |start: &WeightSet, board: Board| FitConfig::default().names(game(), start, board);
    let mut start = weight_set::<Breakthrough>(1, &[("piece", 5), ("mobility", 1)]);
    assert_eq!(chosen(&start, board()), (names(&["tempo", "windows_3x3", "windows_5x2"]), true));
    assert_eq!(chosen(&start, Board::new(2, 6)), (names(&["tempo", "windows_5x2"]), true));
    start.board = Some("5x5".into());
    let cells = (game().tables[0].cells)(board());
    start.weights.insert("windows_3x3", Weight::Table(vec![1; cells]));
    assert_eq!(chosen(&start, board()), (names(&["piece", "mobility", "windows_3x3"]), false));
    let only = FitConfig { only: names(&["danger"]), ..FitConfig::default() };
    assert_eq!(only.names(game(), &start, board()), (names(&["danger"]), false));
    assert!(Columns::new(game(), board(), &names(&["dangre"])).is_err());
    assert!(Columns::new(game(), board(), &[]).is_err());
    assert!(Columns::new(game(), Board::new(2, 6), &names(&["windows_3x3"])).is_err());
}

fn run_fit<'a>(
    samples: &'a dyn PositionSource,
    start: &'a WeightSet,
    config: &'a FitConfig,
    threads: usize,
) -> SetFit<'a> {
    let threads = Threads::new(threads).unwrap();
    FitTask { game: game(), samples, board: board(), start, config, threads, stop: Stop::default() }
        .run(&|_| {})
        .unwrap()
}

#[test]
fn a_fit_is_the_same_on_any_number_of_threads() {
    let samples = drawn_from(&[("piece", 0.7), ("advance", 0.1)], 5000, 7);
    let start = weight_set::<Breakthrough>(1, &[("piece", 300), ("advance", 30)]);
    for only in [names(&["piece", "advance", "tempo"]), names(&["tempo", "windows_3x3"])] {
        let config =
            FitConfig { only, penalties: vec![10.0, 1.0], iterations: 12, ..FitConfig::default() };
        let one = run_fit(&samples, &start, &config, 1);
        let doubts = Uncertainty::of(&one).unwrap();
        for threads in [2, 5] {
            let other = run_fit(&samples, &start, &config, threads);
            assert_eq!(one.fitted, other.fitted);
            assert_eq!((&one.set, one.units), (&other.set, other.units));
            assert_eq!(doubts, Uncertainty::of(&other).unwrap());
        }
    }
}

/// The common part of many patterns is found in positions too few for each pattern.
#[test]
fn patterns_that_share_parts_learn_from_each_other() {
    let start = weight_set::<Breakthrough>(1, &[]);
    let only = names(&["windows_3x3", "windows_5x2"]);
    let samples = drawn_from(&[("piece", 0.7), ("advance", 0.1)], 4000, 21);
    let [shared, apart] = [false, true].map(|no_sharing| {
        let config =
            FitConfig { only: only.clone(), no_sharing, blend: Some(0.0), ..FitConfig::default() };
        let fit = run_fit(&samples, &start, &config, 2).fitted;
        fit.trials[fit.best].validation
    });
    let known = {
        let config = FitConfig {
            only: names(&["piece", "advance"]),
            blend: Some(0.0),
            ..FitConfig::default()
        };
        run_fit(&samples, &start, &config, 2).fitted.trials[0].validation
    };
    assert!(shared - known < 0.4 * (apart - known), "{shared} {apart} {known}");
}

/// Weights that results were drawn from are found again, within the errors that the fit states.
#[test]
fn known_weights_are_recovered() {
    let truth = [
        ("piece", 0.6),
        ("advance", 0.12),
        ("mobility", -0.05),
        ("tempo", 0.3),
        ("column_hole", 0.0),
    ];
    let start = weight_set::<Breakthrough>(1, &[]);
    let config = FitConfig {
        only: truth.iter().map(|(name, _)| (*name).into()).collect(),
        blend: Some(0.0),
        penalties: vec![1e-6],
        ..FitConfig::default()
    };
    let (mut squares, mut count) = (0.0, 0.0);
    for seed in 0..6 {
        let samples = drawn_from(&truth, 12_000, 100 + seed);
        let fit = run_fit(&samples, &start, &config, 2);
        assert!((fit.data.score_scales[0] - 100.0).abs() < 8.0, "{:?}", fit.data.score_scales);
        let doubts = Uncertainty::of(&fit).unwrap();
        for found in &doubts.weights {
            let known = truth.iter().find(|(name, _)| *name == found.name).unwrap().1 * fit.units;
            let error = found.error.unwrap();
            assert!(error > 0.0 && error < 0.2 * fit.units, "{found:?}");
            let off = (found.weight - known) / error;
            assert!(off.abs() < 4.0, "{found:?} is {off} errors off {known}");
            squares += off * off;
            count += 1.0;
            let set = fit.set.one(&found.name).unwrap();
            assert!((f64::from(set) - found.weight).abs() <= 0.5);
        }
        assert!(
            doubts
                .correlations
                .windows(2)
                .all(|w| w[0].correlation.abs() >= w[1].correlation.abs())
        );
        assert!(fit.fitted.trials[0].validation < fit.fitted.start);
    }
    // Errors that were half or twice as large would show.
    assert!((0.5..2.0).contains(&(squares / count)), "{}", squares / count);
}

/// The positions of a game share its luck: a position is won where its chance is above a number
/// drawn for the game. The stated errors are right with and without scores in the targets; errors
/// that take the positions for independent are too small without, and too large with them.
#[test]
fn errors_are_right_where_the_positions_of_a_game_are_not_independent() {
    const SETS: u64 = 24;
    let truth = [("piece", 0.4), ("advance", 0.08), ("tempo", 0.2)];
    let start = weight_set::<Breakthrough>(1, &[]);
    let squares = |blend: f64| {
        let config = FitConfig {
            only: truth.iter().map(|(name, _)| (*name).into()).collect(),
            blend: Some(blend),
            penalties: vec![1e-6],
            ..FitConfig::default()
        };
        // The squares of the errors made, in units of the stated ones and of the plain ones.
        let mut squares = [0.0; 2];
        for seed in 0..SETS {
            let samples = games_from(&truth, 320, 12, 500 + seed);
            let fit = run_fit(&samples, &start, &config, 2);
            let found = Uncertainty::of(&fit).unwrap();
            for (place, weight) in found.weights.iter().enumerate() {
                let known = truth.iter().find(|(name, _)| *name == weight.name).unwrap().1;
                let off = weight.weight - known * fit.units;
                let error = weight.error.unwrap();
                let degrees = weight.degrees.unwrap();
                assert!((45.0..=58.0).contains(&degrees), "{degrees}");
                let wider = t_95(degrees).unwrap() / Z_95;
                let standard_error = found.covariance[place][place].sqrt();
                assert!((standard_error * wider / error - 1.0).abs() < 1e-9);
                let positions = fit.fitted.positions[0] as f64;
                let plain = weight.weight / (2.0 * weight.loss.unwrap() * positions).sqrt();
                squares[0] += (off / error).powi(2);
                squares[1] += (off / plain).powi(2);
            }
        }
        squares.map(|sum| sum / (SETS * truth.len() as u64) as f64)
    };
    let [stated, plain] = squares(0.0);
    assert!((0.6..1.6).contains(&stated) && plain > 2.0, "{stated} {plain}");
    let [stated, plain] = squares(0.9);
    assert!((0.6..1.6).contains(&stated) && plain < 0.4, "{stated} {plain}");
}

/// A weight that affects few games has few degrees of freedom, and a wider error.
#[test]
fn a_weight_that_few_games_tell_of_has_few_degrees_of_freedom() {
    let drawn = |count| drawn_from(&[("piece", 0.4), ("advance", 0.05), ("tempo", 0.2)], count, 17);
    let config = FitConfig {
        only: names(&["piece", "danger", "advance", "tempo"]),
        penalties: vec![0.5],
        blend: Some(0.0),
        ..FitConfig::default()
    };
    let start = weight_set::<Breakthrough>(1, &[]);
    let of = |samples: &InMemory| {
        let found = Uncertainty::of(&run_fit(samples, &start, &config, 2)).unwrap();
        found.weights.iter().map(|weight| weight.degrees.unwrap()).collect::<Vec<f64>>()
    };
    let all = of(&drawn(2000));
    // All positions inform `tempo`, fewer inform the difference of `danger` and `advance`.
    assert!(all[3] > 50.0 && all[1] < 0.95 * all[3] && all[2] < 0.95 * all[3], "{all:?}");
    // Of folds 6 to 8 only, beside the validation's.
    let many = drawn(16_000);
    let numbered = many.bytes.chunks(record()).enumerate();
    let few = numbered.filter(|(number, _)| number % usize::from(FOLDS) < 9);
    let bytes = few.flat_map(|(_, record)| record).copied().collect();
    let few = of(&InMemory { record: record(), bytes });
    assert!(few.iter().all(|degrees| (1.0..=3.0).contains(degrees)), "{few:?}");
}

/// `danger` and `advance` are so alike that the loss hardly tells them apart; the fit finds their
/// minimum all the same, wherever it starts.
#[test]
fn a_fit_of_single_weights_ends_at_the_minimum() {
    let samples = drawn_from(&[("piece", 0.4), ("advance", 0.05), ("tempo", 0.2)], 12_000, 9);
    let fitted = |start: &[(&str, i32)]| {
        let config = FitConfig {
            only: names(&["piece", "danger", "advance", "tempo"]),
            penalties: vec![0.5],
            blend: Some(0.0),
            ..FitConfig::default()
        };
        let start = weight_set::<Breakthrough>(1, start);
        let fit = run_fit(&samples, &start, &config, 2);
        fit.fitted.point.clone()
    };
    let (one, other) = (fitted(&[]), fitted(&[("piece", 300), ("danger", 90), ("advance", -60)]));
    for (a, b) in one.iter().zip(&other) {
        assert!((a - b).abs() < 1e-7, "{one:?} {other:?}");
    }
}

/// The estimated rise of the loss without a weight is about that of a fit without it.
#[test]
fn importance_is_the_rise_of_the_loss() {
    let samples = drawn_from(&[("piece", 0.4), ("advance", 0.05), ("tempo", 0.2)], 12_000, 9);
    let start = weight_set::<Breakthrough>(1, &[]);
    let fitted = |only: &[&str]| {
        let config = FitConfig {
            only: names(only),
            blend: Some(0.0),
            penalties: vec![1e-6],
            ..FitConfig::default()
        };
        let fit = run_fit(&samples, &start, &config, 2);
        (fit.fitted.trials[0].training, Uncertainty::of(&fit).unwrap())
    };
    let (all, doubts) = fitted(&["piece", "advance", "tempo"]);
    let (without, _) = fitted(&["piece", "advance"]);
    let estimate =
        doubts.weights.iter().find(|weight| weight.name == "tempo").unwrap().loss.unwrap();
    assert!((estimate / (without - all) - 1.0).abs() < 0.2, "{estimate} {}", without - all);
}

/// Weights that are not fitted stay, multiplied with the scale, so that their values are the same.
#[test]
fn what_is_not_fitted_stays() {
    let samples = drawn_from(&[("piece", 0.6), ("advance", 0.12), ("tempo", 0.3)], 12_000, 11);
    let start = weight_set::<Breakthrough>(2, &[("piece", 60), ("advance", 12)]);
    let config = FitConfig {
        only: names(&["tempo"]),
        blend: Some(0.0),
        penalties: vec![1e-3],
        ..FitConfig::default()
    };
    let fit = run_fit(&samples, &start, &config, 2);
    let factor = fit.set.scale / start.scale;
    assert!(factor > 1 && fit.set.scale % start.scale == 0);
    assert_eq!(fit.set.one("piece"), Some(60 * factor));
    assert_eq!(fit.set.one("advance"), Some(12 * factor));
    let tempo = f64::from(fit.set.one("tempo").unwrap()) / f64::from(fit.set.one("piece").unwrap());
    assert!((tempo - 0.5).abs() < 0.2, "{tempo}");
    let cleared = FitConfig { clear_rest: true, ..config };
    assert_eq!(run_fit(&samples, &start, &cleared, 2).set.one("piece"), Some(0));
}

/// Results that follow weights by phase are learned as such, and plain features without them as
/// plain ones.
#[test]
fn a_fit_finds_the_weights_of_both_ends_of_a_game() {
    let samples = drawn_from(&[("piece", 0.6)], 8000, 21);
    let start = weight_set::<Breakthrough>(1, &[("piece", 300), ("mobility", 5)]);
    let config = FitConfig {
        only: names(&["piece", "tempo@early", "tempo@late"]),
        blend: Some(0.0),
        penalties: vec![3.0],
        ..FitConfig::default()
    };
    let fit = run_fit(&samples, &start, &config, 2);
    assert_eq!(fit.columns.names(), ["piece", "tempo@early", "tempo@late"]);
    assert_eq!((fit.phase_pairs.clone(), fit.set.format), (vec![[1, 2]], 6));
    game().check_set(&fit.set, "fitted").unwrap();
    let doubts = Uncertainty::of(&fit).unwrap();
    for found in &doubts.weights {
        let error = found.error.unwrap();
        let truth = if found.name == "piece" { 0.6 * fit.units } else { 0.0 };
        assert!(error > 0.0 && (found.weight - truth).abs() < 4.0 * error, "{found:?}");
    }
    // A strong prior shrinks the common part of the two less than it shrinks each alone.
    let both = names(&["piece@early", "piece@late"]);
    let shared = FitConfig { only: both, penalties: vec![1000.0], ..config.clone() };
    let alone = FitConfig { no_sharing: true, ..shared.clone() };
    let common =
        |config: &FitConfig| run_fit(&samples, &start, config, 2).fitted.point.iter().sum::<f64>();
    assert!(common(&shared) > 1.2 * common(&alone), "{} {}", common(&shared), common(&alone));
    let all = FitConfig { only: Vec::new(), all: true, phases: true, ..config };
    let set = all.split_by_phase(game(), &start, board()).unwrap();
    assert_eq!(all.names(game(), &set, board()).0.len(), 2 * game().features.len());
}

#[test]
fn repetitions_count_once() {
    let once = drawn_from(&[("piece", 0.6)], 4000, 13);
    let twice = InMemory { record: record(), bytes: [once.bytes.as_slice(), &once.bytes].concat() };
    let start = weight_set::<Breakthrough>(1, &[]);
    let config = FitConfig { only: names(&["piece"]), ..FitConfig::default() };
    let [one, two] = [&once, &twice].map(|samples| run_fit(samples, &start, &config, 1));
    assert_eq!(one.distinct, two.distinct);
    assert_eq!(one.fitted.positions, two.fitted.positions);
    assert_eq!(one.fitted.positions.iter().sum::<u64>(), one.distinct);
}

/// A win and a loss of a position, or of its mirror image, average to a draw; but games kept for
/// validation do not inform the training.
#[test]
fn a_repeated_position_has_the_mean_of_its_results() {
    let mut known = HashSet::new();
    let samples: Vec<Sample> = drawn_from(&[("piece", 0.6)], 6000, 16)
        .bytes
        .chunks(record())
        .map(|record| read(board(), record).unwrap())
        .filter(|sample| known.insert(sample.position.canonical_key()))
        .collect();
    let file = |samples: &[Sample]| {
        let mut bytes = Vec::new();
        samples.iter().for_each(|sample| assert!(sample.write(&mut bytes)));
        InMemory { record: record(), bytes }
    };
    let others = |of: &dyn Fn(&Sample) -> Sample| {
        samples.iter().skip(1).step_by(2).map(of).collect::<Vec<_>>()
    };
    let lost = |sample: &Sample| {
        let position = mirrored(&sample.position);
        Sample { position, half_points: 2 - sample.half_points, ..sample.clone() }
    };
    let mut drawn = samples.clone();
    drawn.iter_mut().skip(1).step_by(2).for_each(|sample| sample.half_points = 1);
    let elsewhere = |sample: &Sample| {
        let fold = if sample.fold < 6 { 6 } else { 0 };
        Sample { fold, ..lost(sample) }
    };
    let sources = [
        file(&[samples.clone(), others(&lost)].concat()),
        file(&drawn),
        file(&[samples.clone(), others(&elsewhere)].concat()),
        file(&samples),
    ];
    let start = weight_set::<Breakthrough>(1, &[]);
    let config =
        FitConfig { only: names(&["piece", "tempo"]), blend: Some(0.5), ..FitConfig::default() };
    let [both, drawn, apart, first] = sources.each_ref().map(|source| {
        let fit = run_fit(source, &start, &config, 1);
        assert_eq!(fit.distinct, samples.len() as u64);
        let shown = Uncertainty::of(&fit).unwrap().weights[0].error.unwrap();
        fit.fitted.point.into_iter().chain([shown]).collect::<Vec<f64>>()
    });
    let agree = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a / b - 1.0).abs() < 1e-6);
    assert!(
        agree(&both, &drawn) && agree(&apart, &first),
        "{both:?} {drawn:?} {apart:?} {first:?}"
    );
    assert!(!agree(&both, &first));
}

#[test]
fn files_are_read_as_one_and_each_has_its_own_scale() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let header = Header::new(game(), board(), "test".into());
    let parts = [drawn_from(&[("piece", 0.6)], 3000, 14), drawn_from(&[("piece", 0.6)], 2000, 15)];
    for (part, name) in parts.iter().zip(["a.pos", "b.pos"]) {
        let mut writer = PositionWriter::open(&path(name), &header).unwrap();
        part.bytes.chunks(record() * 100).for_each(|game| writer.add(game));
        writer.finish().unwrap();
    }
    let files = PositionFiles::open(game(), &[path("a.pos"), path("b.pos")]).unwrap();
    assert_eq!((files.count(), files.parts()), (5000, vec![0, 3000]));
    let mut bytes = Vec::new();
    files.read(2990, 20, &mut bytes).unwrap();
    assert_eq!(
        bytes,
        [&parts[0].bytes[2990 * record()..], &parts[1].bytes[..10 * record()]].concat()
    );
    let start = weight_set::<Breakthrough>(1, &[]);
    let config = FitConfig { only: names(&["piece"]), ..FitConfig::default() };
    let fit = run_fit(&files, &start, &config, 1);
    assert_eq!(fit.data.score_scales.len(), 2);
    // All games of a file may be for validation: then it takes the scale of the others.
    let mut held = parts[1].bytes.clone();
    held.chunks_exact_mut(record()).for_each(|record| record[record.len() - 2] &= 3);
    let mut writer = PositionWriter::open(&path("c.pos"), &header).unwrap();
    writer.add(&held);
    writer.finish().unwrap();
    let files = PositionFiles::open(game(), &[path("a.pos"), path("c.pos")]).unwrap();
    let scales = run_fit(&files, &start, &config, 1).data.score_scales;
    assert!((scales[1] / scales[0] - 1.0).abs() < 1e-9, "{scales:?}");
    // A file that was cut has no checksum.
    let text = fs::read(path("b.pos")).unwrap();
    let records = header.to_bytes().len() + 2000 * record();
    for size in [records, records - 1] {
        fs::write(path("b.pos"), &text[..size]).unwrap();
        let Err(error) = PositionFiles::open(game(), &[path("b.pos")]) else { panic!("{size}") };
        assert!(error.to_string().contains("it was cut"), "{error}");
    }
}

#[test]
fn an_unfinished_file_is_read_as_far_as_its_progress_proves_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pos");
    let header = Header::new(game(), board(), "test".into());
    let games = drawn_from(&[("piece", 0.6)], 300, 14);
    let mut writer = PositionWriter::open(&path, &header).unwrap();
    games.bytes.chunks(record() * 100).for_each(|game| writer.add(game));
    writer.commit().unwrap();
    drop(writer);
    // A game that was appended, but is not in the progress yet.
    let mut longer = fs::read(&path).unwrap();
    longer.extend(&games.bytes[..record()]);
    fs::write(&path, longer).unwrap();
    let open = || PositionFiles::open(game(), std::slice::from_ref(&path)).map(|f| f.count());
    assert_eq!(open().unwrap(), 300);
    let part = folder.path().join("a.pos.part");
    for file in [&path, &part] {
        let good = fs::read(file).unwrap();
        let proven = good.len() - record() * usize::from(file == &path);
        for bit in (0..8 * proven).step_by(1 + good.len() / 30) {
            let mut bad = good.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            fs::write(file, &bad).unwrap();
            let error = open().expect_err(&format!("{}, bit {bit}", file.display())).to_string();
            assert!(error.contains("a.pos"), "{error}");
            assert!(PositionWriter::open(&path, &header).is_err(), "{}, bit {bit}", file.display());
            assert!(fs::read(file).unwrap() == bad, "the file was changed");
        }
        fs::write(file, good).unwrap();
    }
    PositionWriter::open(&path, &header).unwrap().finish().unwrap();
    assert_eq!(open().unwrap(), 300);
}
