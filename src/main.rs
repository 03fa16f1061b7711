//! temp
use sparring::arena::queue::Threads;
use sparring::arena::*;
use sparring::game::*;
use sparring::search::*;
use sparring::stats::*;
use sparring::tune::*;
use std::time::Instant;
struct Mon(Instant);
impl Monitor for Mon {
    fn on_batch(&mut self, p: &Progress) {
        if p.games % 1000 < 50 && !p.validating {
            let e = p.estimate();
            eprintln!(
                "{} games {:.1}/s elo {:?} +- {:?} {:?}",
                p.games,
                p.games as f64 / self.0.elapsed().as_secs_f64(),
                e.elo.map(|x| x.round()),
                e.elo_error.map(|x| x.round()),
                p.point.iter().map(|x| x.round() as i64).collect::<Vec<_>>()
            );
        }
    }
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let get = |k: &str, d: f64| {
        a.iter().find_map(|x| x.strip_prefix(&format!("{k}="))).map_or(d, |v| v.parse().unwrap())
    };
    let gets =
        |k: &str, d: &str| a.iter().find_map(|x| x.strip_prefix(&format!("{k}="))).unwrap_or(d).to_string();
    let set = sparring::weights::find(&gets("start", "breakthrough/atachiants"), "breakthrough").unwrap();
    let board: Board = gets("board", "8x8").parse().unwrap();
    let seed = get("seed", 1.0) as u64;
    let add: Vec<String> = gets("add", "").split(',').filter(|s| !s.is_empty()).map(String::from).collect();
    let sel = Selection { add, ..Selection::default() };
    let params = sel.params::<Breakthrough>(&set, board, 8, seed).unwrap();
    for p in &params {
        eprintln!("{} {} range {}", p.name, p.start, p.range);
    }
    let gain = get("gain", 0.0);
    let config = TuneConfig {
        game: "breakthrough".into(),
        board: board.to_string(),
        method: gets("method", "spsa").parse().unwrap(),
        games: get("games", 8000.0) as u64,
        limits: Limits::nodes(get("nodes", 1000.0) as u64),
        seed,
        params,
        constraints: vec![],
        batch_pairs: get("batch", 24.0) as u64,
        probe_pairs: 1,
        perturbation: get("c", 1.0 / 6.0),
        gain: if gain > 0.0 { Some(gain) } else { None },
        book: BookConfig::new::<Breakthrough>(board, seed),
        validation_book: BookConfig::new::<Breakthrough>(board, seed + 1000),
        validation: Validation {
            pairs: get("pairs", 400.0) as u64,
            least_pairs: get("pairs", 400.0) as u64,
            sprt: Sprt::new(0.0, 10.0, 0.05, 0.05, Model::Normalized).unwrap(),
            batch_pairs: 16,
        },
        adjudication: Adjudication::Never,
    };
    eprintln!("gain {} precision {}", config.planned_gain(), config.planned_precision());
    let mut ledger = MemoryLedger::default();
    let t = Instant::now();
    let s = Session {
        config: &config,
        start: &set,
        run: "x",
        threads: Threads::new(2).unwrap(),
        interrupt: Stop::default(),
    };
    let ans = s.run::<Breakthrough>(&mut ledger, &mut Mon(t)).unwrap();
    println!(
        "{} games {:.1}s accepted {} elo {:?} +- {:?} {:?}",
        ans.games,
        t.elapsed().as_secs_f64(),
        ans.accepted,
        ans.validation.elo,
        ans.validation.elo_error,
        ans.validation.pairs
    );
    println!("{}", ans.candidate.to_json());
    std::fs::write(gets("o", "/tmp/cand.json"), ans.candidate.to_json()).unwrap();
}
