//! Our engine survives any input, and answers every search.

use super::dialogue::{Dialogue, PATIENCE};
use rand_mt::Mt64;
use sparring::uci::EngineCommand;
use std::time::{Duration, Instant};

/// The most time that a busy machine may need to end.
const SLACK: Duration = Duration::from_secs(5);

#[test]
fn the_end_of_the_input_ends_a_search_with_its_answer() {
    for go in ["go infinite", "go ponder wtime 1000", "go depth 90", "go"] {
        let mut engine = Dialogue::greeted();
        engine.ask("position startpos");
        engine.send(go);
        std::thread::sleep(Duration::from_millis(50));
        let begun = Instant::now();
        let (rest, status, stderr) = engine.close();
        assert!(begun.elapsed() < SLACK && status.success(), "{go}: {status} {stderr}");
        assert!(rest.last().unwrap().starts_with("bestmove "), "{go}: {rest:?}");
    }
}

#[test]
fn quit_ends_it_at_once() {
    let mut engine = Dialogue::greeted();
    engine.send("go infinite");
    engine.send("quit");
    let lines = engine.until("bestmove ");
    assert!(!lines.is_empty());
    let (rest, status, stderr) = engine.close();
    assert!(rest.is_empty() && status.success() && stderr.is_empty(), "{rest:?} {stderr}");
}

#[test]
fn bytes_of_any_kind_are_ignored_with_a_remark() {
    let mut engine = Dialogue::greeted();
    let mut remarks = |bytes: &[u8]| {
        engine.send_bytes(bytes);
        engine.until_heard()
    };
    for bytes in [
        &b"\xff\xfe\x00go\n"[..],
        b"\0\0\0\n",
        b"\x1b[2J\n",
        b"setoption name \xc3\x28 value \xff\n",
    ] {
        let told = remarks(bytes);
        assert!(told.len() == 1 && told[0].starts_with("info string "), "{told:?}");
        assert!(!told[0].chars().any(char::is_control), "{told:?}");
    }
    let mut huge = vec![b'g'; 20 << 20];
    huge.push(b'\n');
    assert!(remarks(&huge)[0].contains("ignored"));
    let many = format!("position startpos moves {}\n", "a2a3 ".repeat(1 << 18));
    assert!(remarks(many.as_bytes())[0].contains("ignored"));
    assert!(remarks(b"\r\n\n \n\t\n").is_empty());
    assert_eq!(engine.answer("go depth 2").best_move(), "(none)", "the last position was refused");
    engine.send("ucinewgame");
    assert!(engine.answer("go depth 2").best_move().starts_with(|c| ('a'..='h').contains(&c)));
}

/// Lines that are commands, nearly commands, or nothing of the kind; without commands that may take
/// long.
struct Lines(Mt64);

impl Lines {
    const WORDS: [&str; 40] = [
        "uci",
        "isready",
        "setoption",
        "name",
        "value",
        "ucinewgame",
        "position",
        "startpos",
        "fen",
        "moves",
        "go",
        "depth",
        "nodes",
        "movetime",
        "wtime",
        "btime",
        "winc",
        "binc",
        "movestogo",
        "mate",
        "infinite",
        "ponder",
        "stop",
        "ponderhit",
        "debug",
        "register",
        "d",
        "eval",
        "help",
        "uai",
        "uainewgame",
        "Move",
        "Overhead",
        "Clear",
        "UCI_Variant",
        "searchmoves",
        "\u{1b}[2J",
        "é\u{0}",
        "(none)",
        "0000",
    ];
    const WHOLE: [&str; 24] = [
        "position startpos moves a2a3 b7b6",
        "position fen pppppp/pppppp/6/6/PPPPPP/PPPPPP w - - 0 1",
        "position fen 8/3P4/8/8/8/8/p7/8 w - - 0 1 moves d7d8",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position startpos moves a2a9",
        "setoption name UCI_Variant value breakthrough6x6",
        "setoption name UCI_Variant value breakthrough",
        "setoption name Hash value 2",
        "setoption name Hash value -1",
        "setoption name Threads value 2",
        "setoption name piece value 77",
        "setoption name razor_depth value 4",
        "setoption name Clear Hash",
        "setoption name EvalFile value piece",
        "setoption name EvalFile value /",
        "go infinite",
        "go ponder wtime 50 btime 50",
        "go nodes 300",
        "go depth 3",
        "go movetime 1",
        "go mate 1",
        "perft 2",
        "stop",
        "ponderhit",
    ];

    fn below(&mut self, bound: usize) -> usize {
        (self.0.next_u64() % bound as u64) as usize
    }

    fn word(&mut self) -> String {
        match self.below(8) {
            0 => self.0.next_u64().to_string(),
            1 => format!("-{}", self.below(1000)),
            2 => {
                let length = self.below(12);
                (0..length).map(|_| char::from(33 + self.below(94) as u8)).collect()
            }
            _ => Self::WORDS[self.below(Self::WORDS.len())].to_owned(),
        }
    }

    fn next(&mut self) -> Vec<u8> {
        // Most lines are rubbish: a line that begins a search costs a thread.
        let mut line = match self.below(20) {
            0 => Self::WHOLE[self.below(Self::WHOLE.len())].as_bytes().to_vec(),
            1 => (0..self.below(60)).map(|_| self.below(256) as u8).collect(),
            n => {
                let words: Vec<String> = (0..=self.below(n)).map(|_| self.word()).collect();
                words.join(" ").into_bytes()
            }
        };
        if self.below(10) == 0 && !line.is_empty() {
            let at = self.below(line.len());
            line[at] = self.below(256) as u8;
        }
        line.retain(|&byte| byte != b'\n');
        line
    }
}

/// Sends this many lines, and checks that every search is answered and the engine still works.
fn fuzz(seed: u64, count: usize) {
    let mut engine = Dialogue::start("uci --hash 1 --weights piece");
    let (mut lines, mut searches) = (Lines(Mt64::new(seed)), 0);
    let (mut batch, begun) = (Vec::new(), Instant::now());
    let mut answers = 0;
    let is_answer = |line: &&String| line.starts_with("bestmove ");
    for number in 1..=count {
        let line = lines.next();
        match EngineCommand::parse(String::from_utf8_lossy(&line).trim_end()) {
            Ok(EngineCommand::Go(_)) => searches += 1,
            Ok(EngineCommand::Quit | EngineCommand::Perft(5..) | EngineCommand::Bench(_)) => {
                continue;
            }
            _ => {}
        }
        batch.extend(line);
        batch.push(b'\n');
        if number % 1000 == 0 || number == count {
            batch.extend(b"stop\n");
            engine.send_bytes(&std::mem::take(&mut batch));
            answers += engine.until_heard().iter().filter(is_answer).count();
            assert!(begun.elapsed() < PATIENCE * 10, "{number} lines only");
        }
    }
    println!(
        "{count} lines, {searches} searches: {:.0} lines/s",
        count as f64 / begun.elapsed().as_secs_f64()
    );
    engine.send("position startpos moves a2a3");
    engine.send("go infinite");
    answers += engine.until_heard().iter().filter(is_answer).count();
    let (rest, status, stderr) = engine.close();
    answers += rest.iter().filter(is_answer).count();
    assert_eq!(answers, searches + 1);
    assert!(rest.last().unwrap().starts_with("bestmove "), "{rest:?}");
    assert!(status.success() && !stderr.contains("panicked"), "{status}: {stderr}");
}

#[test]
fn twenty_thousand_lines_do_no_harm() {
    fuzz(1, 20_000);
}

#[test]
#[ignore = "takes minutes"]
fn a_million_lines_do_no_harm() {
    for seed in 2..12 {
        fuzz(seed, 100_000);
    }
}
