//! Other programs, which `tests/run.sh` installs: Fairy-Stockfish plays in our matches, and
//! python-chess's client plays with our engine. A bare `cargo test` leaves these tests out.

use super::support::{document, games, spar};
use rand_mt::Mt64;
use serde_json::json;
use sparring::any::AnyOpening;
use sparring::games::GameId;
use sparring::protocol::Protocol;
use sparring::protocol::game_line::GameLine;
use sparring::variants::variant_name;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The folder that `tests/run.sh` installs the programs into.
fn peers() -> PathBuf {
    let folder = std::env::var_os("SPARRING_PEERS").map(PathBuf::from);
    folder.expect("`bash tests/run.sh` installs the programs and says where they are")
}

fn script() -> PathBuf {
    let script = peers().join("node_modules/fairy-stockfish-nnue.wasm/uci.js");
    assert!(script.exists(), "{}", script.display());
    script
}

/// Fairy-Stockfish as a player.
fn fairy_stockfish() -> String {
    format!("cmd:node --no-experimental-fetch '{}'", script().display())
}

/// Fairy-Stockfish's counts for these lines, which ask for that number of counts.
fn answers(lines: &str, counts: usize) -> Vec<String> {
    let mut node = Command::new("node");
    node.arg("--no-experimental-fetch").arg(script()).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = node.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(lines.as_bytes()).unwrap();
    let (mut heard, mut counted) = (Vec::new(), 0);
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    while counted < counts {
        let line = output.next().expect("it continues to the last count").unwrap();
        counted += usize::from(line.starts_with("Nodes searched"));
        heard.push(line);
    }
    input.write_all(b"quit\n").unwrap();
    child.wait().unwrap();
    heard
}

/// Sends positions, each with one move played from it, and compares the engine's legal moves and
/// the positions that it shows with ours.
fn positions_are_understood(game: &str, starts: &[&str]) {
    let game: GameId = game.parse().unwrap();
    let (mut lines, mut wanted) = (String::new(), Vec::new());
    lines += &format!(
        "uci\nsetoption name UCI_Variant value {}\n",
        variant_name(game, game.default_board)
    );
    for (seed, start) in starts.iter().cycle().take(60).enumerate() {
        let start = game.from_fen(start).unwrap();
        let mut random = Mt64::new(seed as u64);
        let plies = seed as u32 % 30;
        let Some(AnyOpening { position, .. }) = start.random_line(plies, &mut random) else {
            continue;
        };
        let moves = position.moves();
        let mv = moves[seed % moves.len()];
        let next = position.after(mv);
        if next.outcome().is_some() {
            continue;
        }
        let opening = AnyOpening::new(position);
        lines += GameLine::new(Protocol::Uci, &opening).after(&[mv]);
        lines += "\nd\ngo perft 1\n";
        let texts = next.moves().into_iter().map(|mv| Protocol::Uci.move_text(&next, mv));
        let mut texts: Vec<String> = texts.collect();
        texts.sort();
        wanted.push((Protocol::Uci.fen(&next), texts));
    }
    // It counts on a thread of its own, so lists and positions each come in order, but may
    // interleave.
    let said = answers(&lines, wanted.len());
    let shown: Vec<&str> = said.iter().filter_map(|line| line.strip_prefix("Fen: ")).collect();
    assert_eq!(shown.len(), wanted.len());
    let lists = said.split(|line| line.starts_with("Nodes searched"));
    let found = shown.into_iter().zip(lists.map(|lines| {
        let words = lines.iter().filter_map(|line| line.strip_suffix(": 1"));
        let mut moves: Vec<String> = words.map(str::to_owned).collect();
        moves.sort();
        moves
    }));
    assert!(wanted.len() > 20);
    for ((fen, moves), (shown, legal)) in wanted.into_iter().zip(found) {
        // Its counters may differ from ours.
        let part = |fen: &str| fen.split(' ').take(4).collect::<Vec<_>>().join(" ");
        assert_eq!(part(shown), part(&fen));
        assert_eq!(legal, moves, "{fen}");
    }
}

#[test]
#[ignore = "needs Fairy-Stockfish, which tests/run.sh installs"]
fn fairy_stockfish_understands_every_position() {
    let ataxx = [
        "startpos",
        "x5o/7/2-1-2/7/2-1-2/7/o5x o 3 1",
        "x2-2o/3-3/7/--3--/7/3-3/o2-2x x 0 1",
        "o-x4/--x4/xxx4/7/7/7/6o x 0 1",
        "7/7/7/7/ooooooo/ooooooo/xxxxxxx x 0 1",
        "o-x4/--x4/xxx4/7/7/7/7 x 0 1",
    ];
    positions_are_understood("ataxx", &ataxx);
    let breakthrough = [
        "startpos",
        "1p2pp1p/2p2ppp/2P5/8/8/3P2P1/1p1P2PP/1PP1PP1P w - - 1 26",
        "8/1pp5/3p4/8/2P1P3/8/4P1P1/8 b - - 0 1",
    ];
    positions_are_understood("breakthrough", &breakthrough);
}

/// It knows every rule of ours in both games: neither side forfeits a game.
#[test]
#[ignore = "needs Fairy-Stockfish, which tests/run.sh installs"]
fn fairy_stockfish_plays_both_games_to_their_ends() {
    let fairy = fairy_stockfish();
    let folder = tempfile::tempdir().unwrap();
    for (game, set, plies) in [("breakthrough", "8x8", "8"), ("ataxx", "7x7", "3")] {
        let path = folder.path().join(format!("{game}.jsonl"));
        let more = format!(
            "--game {game} --pairs 2 --nodes 1000 --plies {plies} --threads 2 --timeout 120 --option-b Hash=4 --json \
             --save {}",
            path.display()
        );
        let found = document(&spar("match", &[set, &fairy], &more).output().unwrap());
        assert_eq!((&found["games"], &found["forfeits"]), (&json!(4), &json!([0, 0])), "{found:#}");
        assert!(
            found["players"][1]["name"].as_str().unwrap().starts_with("Fairy-Stockfish"),
            "{found:#}"
        );
        for game in games(&path) {
            assert_eq!(game["ending"], "rules", "{game}");
        }
    }
}

/// A tune can learn from its games.
#[test]
#[ignore = "needs Fairy-Stockfish, which tests/run.sh installs"]
fn a_tune_meets_fairy_stockfish() {
    let fairy = fairy_stockfish();
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let more = format!(
        "--opponent-nodes 200 --opponent-option Hash=1 --opponent-share 1 --nodes 50 --games 24 --batch 3 --probes 0 \
         --method spsa --start atachiants --a 1 --validation-pairs 2 --only danger,attack --timeout 120 --threads 2 --json --run {}",
        run.display()
    );
    let found = document(&spar("tune", &["--opponent", &fairy], &more).output().unwrap());
    assert_eq!(found["games"], 28, "{found:#}");
}

#[test]
#[ignore = "needs python-chess, which tests/run.sh installs"]
fn python_chess_plays_with_our_engine() {
    let peers = peers();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/program/protocol/client.py");
    let program = assert_cmd::cargo::cargo_bin!("spar");
    let output = Command::new("python3")
        .env("PYTHONPATH", peers.join("python"))
        .arg(script)
        .arg(program)
        .arg("uci")
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("plies"), "{told}");
}

#[test]
#[ignore = "needs Fairy-Stockfish, which tests/run.sh installs"]
fn it_is_the_referee_of_its_variants() {
    let folder = tempfile::tempdir().unwrap();
    let (engine, saved) = (fairy_stockfish(), folder.path().join("games.jsonl"));
    for game in ["antichess", "shogi", "shogi --protocol usi", "minishogi --protocol usi"] {
        let more = format!("--game {game} --pairs 1 --depth 2 --threads 1 --max-plies 60 --json");
        let mut command = spar("match", &[&engine, &engine], &more);
        command.args(["--referee", &engine, "--no-adjudication", "--force", "--save"]).arg(&saved);
        let found = document(&command.output().unwrap());
        assert_eq!((&found["forfeits"], &found["void"]), (&json!([0, 0]), &json!(0)), "{found:#}");
        for game in games(&saved) {
            assert!(matches!(game["ending"].as_str(), Some("rules" | "length")), "{game:#}");
        }
    }
}
