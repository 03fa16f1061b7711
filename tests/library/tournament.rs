//! Matches and tournaments: a resumed one gives the same result as an uninterrupted one, whatever
//! the settings; and settings that no command makes are refused.

use proptest::prelude::*;
use sparring::arena::queue::Threads;
use sparring::arena::{Adjudication, BookConfig, GameRecord};
use sparring::error::{Error, Result};
use sparring::game::Board;
use sparring::games::GameId;
use sparring::player::{DefaultWeights, Player};
use sparring::run::{Manifest, RunDir, TournamentWork, Work};
use sparring::search::{Algorithm, Limits, Stop};
use sparring::session::{BatchRecord, Ledger, MemoryLedger, Session, Stage, UnfinishedBatch};
use sparring::stats::{Model, Sprt};
use sparring::tournament::{
    Contestant, ContestantKind, ReadyPlayer, Tournament, TournamentKind, TournamentPair,
    TournamentResult, TournamentSettings,
};

/// Keeps this many batches and refuses the next one, as a full disk does.
#[derive(Default)]
struct Refusing {
    inner: MemoryLedger,
    unfinished: Vec<UnfinishedBatch>,
    left: usize,
}

impl Ledger for Refusing {
    fn recall(&self, stage: Stage, batch: u64) -> Option<&BatchRecord> {
        self.inner.recall(stage, batch)
    }

    fn recall_unfinished(&self, stage: Stage, batch: u64) -> Option<&UnfinishedBatch> {
        let place = |record: &BatchRecord| (record.stage, record.batch);
        self.unfinished.iter().find(|known| place(&known.record) == (stage, batch))
    }

    fn keep_unfinished(&mut self, batches: Vec<UnfinishedBatch>) -> Result<()> {
        self.unfinished = batches;
        Ok(())
    }

    fn keep(&mut self, record: BatchRecord, games: &[GameRecord]) -> Result<()> {
        self.left = self.left.checked_sub(1).ok_or_else(|| Error::failed("disk", "full"))?;
        self.inner.keep(record, games)
    }
}

fn game(name: &str) -> GameId {
    name.parse().unwrap()
}

fn player(game: GameId, name: &str) -> Player {
    Player::find(game, Some(name), DefaultWeights::HandMade).unwrap()
}

fn settings(game: &str, names: &[&str], seed: u64) -> TournamentSettings {
    let id = self::game(game);
    let contestant = |name: &&str| {
        let player = player(id, name);
        let fingerprint = player.fingerprint();
        Contestant {
            name: player.name,
            limits: Limits::nodes(30),
            plays: ContestantKind::Set { algorithm: Algorithm::Full, fingerprint, kept: false },
        }
    };
    TournamentSettings {
        game: game.into(),
        board: "5x5".into(),
        players: names.iter().map(contestant).collect(),
        pairs: 6,
        sprt: None,
        batch_pairs: 4,
        seed,
        book: BookConfig::new(id, Board::new(5, 5), seed),
        table_bytes: 1 << 16,
        adjudication: Adjudication::Never,
        referee: None,
        max_plies: None,
    }
}

/// Continues until at most this many pairs are done.
fn play(
    settings: &TournamentSettings,
    ledger: &mut dyn Ledger,
    threads: usize,
    pairs: usize,
) -> Result<()> {
    let game = game(&settings.game);
    let ready =
        |contestant: &Contestant| ReadyPlayer::Own(Box::new(player(game, &contestant.name)));
    let players: Vec<ReadyPlayer> = settings.players.iter().map(ready).collect();
    let (threads, interrupt) = (Threads::new(threads).unwrap(), Stop::default());
    let tournament = Tournament { settings, players: &players };
    let mut session = Session { threads: &threads, interrupt: &interrupt, ledger };
    let mut played = 0;
    tournament.play(&mut session, &mut |_: &TournamentPair| {
        played += 1;
        if played == pairs {
            interrupt.set();
        }
    })
}

/// The end of a process.
#[derive(Clone, Copy, Debug)]
enum End {
    /// After this many batches the disk is full.
    FullDisk(usize),
    /// A signal after this many pairs.
    Signal(usize),
}

/// Plays a tournament in one go, and with an end after each few batches or pairs.
fn check(settings: &TournamentSettings, ends: &[End]) {
    let mut whole = MemoryLedger::default();
    play(settings, &mut whole, 1, usize::MAX).unwrap();
    let mut broken = Refusing::default();
    for (number, &end) in ends.iter().enumerate() {
        let (batches, pairs) = match end {
            End::FullDisk(batches) => (batches, usize::MAX),
            End::Signal(pairs) => (usize::MAX, pairs),
        };
        broken.left = batches;
        if play(settings, &mut broken, 1 + number % 3, pairs).is_ok() {
            break;
        }
    }
    broken.left = usize::MAX;
    play(settings, &mut broken, 2, usize::MAX).unwrap();
    assert_eq!(broken.inner.records, whole.records);
    assert_eq!(broken.inner.games, whole.games);
    let result = TournamentResult::new(settings, &whole.records).unwrap();
    assert!(result.is_complete);
    assert_eq!(result.pairs() * 2, whole.games as u64);
    assert_eq!(whole.records.last().unwrap().summary.games, whole.games as u64);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn what_is_resumed_is_what_is_left_alone(
        seed in 0..1000u64,
        pairs in 1..14u64,
        batch_pairs in 1..6u64,
        players in 2..4usize,
        nodes in 5..60u64,
        tested in any::<bool>(),
        ataxx in any::<bool>(),
        ends in prop::collection::vec(
            prop_oneof![(0..4usize).prop_map(End::FullDisk), (1..9usize).prop_map(End::Signal)],
            0..6,
        ),
    ) {
        let names = if ataxx { ["piece", "hand", "general"] } else { ["piece", "zhu", "spsa"] };
        let names = &names[..players];
        let game = if ataxx { "ataxx" } else { "breakthrough" };
        let mut settings = settings(game, names, seed);
        settings.pairs = pairs;
        settings.batch_pairs = batch_pairs;
        settings.players[0].limits = Limits::nodes(nodes);
        if tested && players == 2 {
            settings.sprt = Some(Sprt::new(-200.0, 200.0, 0.3, 0.3, Model::Normalized).unwrap());
        }
        settings.check().unwrap();
        check(&settings, &ends);
    }
}

/// After a signal the pairs in progress are finished, no other pair of their batch begins, and
/// finished pairs are not played again.
#[test]
fn a_signal_does_not_wait_for_the_batch() {
    let mut settings = settings("breakthrough", &["piece", "zhu"], 1);
    (settings.pairs, settings.batch_pairs) = (60, 60);
    // Playing a pair takes longer than counting one, so hardly any is finished before it is
    // counted.
    settings.players.iter_mut().for_each(|player| player.limits = Limits::nodes(2_000));
    let mut ledger = Refusing { left: usize::MAX, ..Refusing::default() };
    let mut before = 0;
    for _ in 0..2 {
        play(&settings, &mut ledger, 1, 3).unwrap_err();
        let [kept] = &ledger.unfinished[..] else { panic!("{:?}", ledger.unfinished) };
        let pairs = kept.record.points.len();
        assert!((before + 3..before + 12).contains(&pairs), "{pairs} pairs after {before}");
        before = pairs;
    }
    assert!(ledger.inner.records.is_empty());
}

#[test]
fn a_match_of_void_pairs_hides_no_later_ones() {
    let config = settings("breakthrough", &["piece", "zhu", "atachiants"], 3);
    let mut ledger = MemoryLedger::default();
    play(&config, &mut ledger, 1, usize::MAX).unwrap();
    for record in ledger.records.iter_mut().take_while(|record| record.batch < 2) {
        record.void = (0..record.points.len()).map(|place| (place, 1)).collect();
    }
    let result = TournamentResult::new(&config, &ledger.records).unwrap();
    assert!(result.is_complete);
    let pairs = result.matches.iter().map(|played| (played.void, played.summary.pairs.pairs()));
    assert_eq!(pairs.collect::<Vec<_>>(), [(6, 0), (0, 6), (0, 6)]);
    assert_eq!(result.matches[0].repeats, 0);
}

#[test]
fn settings_that_no_command_makes_are_refused() {
    type Forge = fn(&mut TournamentSettings);
    let forges: [(Forge, &str); 11] = [
        (|s| s.pairs = 0, "nothing to play"),
        (|s| s.pairs = u64::MAX, "out of range"),
        (|s| s.players.truncate(1), "1 players"),
        (|s| s.players = vec![s.players[0].clone(); 1001], "1001 players"),
        (|s| s.batch_pairs = 0, "batch_pairs"),
        (|s| s.batch_pairs = u64::MAX, "batch_pairs"),
        (|s| s.table_bytes = usize::MAX, "table_bytes"),
        (|s| s.board = "8x8".into(), "`5x5`, but the run is on `8x8`"),
        (|s| s.book.plies = u32::MAX, "plies"),
        (|s| s.book.keep = f64::NAN, "keep"),
        (|s| s.players[0].limits = Limits::default(), "limits"),
    ];
    let temp = tempfile::tempdir().unwrap();
    let path = temp.path().join("manifest.json");
    for (forge, said) in forges {
        let mut config = settings("breakthrough", &["piece", "zhu"], 1);
        forge(&mut config);
        let error = config.check().unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
        let work = Work::Tournament(TournamentWork {
            kind: TournamentKind::Match,
            config,
            copies: Vec::new(),
        });
        let manifest = Manifest::new("now".into(), work, Default::default()).unwrap();
        manifest.save(&path).unwrap();
        assert!(Manifest::load(&path).is_err(), "{said}");
    }
}

#[test]
fn a_manifest_comes_back_and_a_foreign_record_is_refused() {
    let temp = tempfile::tempdir().unwrap();
    let mut config = settings("breakthrough", &["piece", "zhu"], 1);
    config.sprt = Some(Sprt::new(0.0, 10.0, 0.05, 0.05, Model::Normalized).unwrap());
    let work = Work::Tournament(TournamentWork {
        kind: TournamentKind::Match,
        config,
        copies: Vec::new(),
    });
    let mut run = RunDir::create(temp.path(), work.clone(), &[]).unwrap();
    let config = &work.tournament().unwrap().config;
    let mut record = MemoryLedger::default();
    play(config, &mut record, 1, usize::MAX).unwrap();
    let mut forged = record.records[0].clone();
    forged.points[0] = 9;
    assert!(TournamentResult::new(config, [&forged]).is_err());
    run.keep(forged, &[]).unwrap();
    drop(run);
    let mut run = RunDir::open(temp.path()).unwrap();
    assert_eq!(run.manifest().work, work);
    assert!(play(config, &mut run, 1, usize::MAX).is_err());
}
