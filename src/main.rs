//! temp
use sparring::eval::*;
use sparring::game::*;
use sparring::search::*;
use std::time::Instant;
fn main() {
    let start = Breakthrough::start(Board::new(8, 8)).unwrap();
    let t = Instant::now();
    let n = perft(&start, 7);
    println!("perft7 {n} {:.2} M/s", n as f64 / t.elapsed().as_secs_f64() / 1e6);
    let names: Vec<&str> = Breakthrough::feature_list().iter().map(|f| f.name).collect();
    let w = [1300, 10, 100, 50, 65, 35, 15, 1, 20, 10, 10000];
    let obj: Vec<String> =
        names.iter().enumerate().map(|(i, n)| format!("\"{n}\": {}", w.get(i).unwrap_or(&0))).collect();

    let set = weights::find("atachiants", "breakthrough").unwrap();
    let ev = Breakthrough::evaluator(&set).unwrap();
    println!("unit {}", ev.unit());
    let pos = start.play(start.parse_move("a2a3").unwrap());
    for s in sparring::eval::features::sample_positions(&start, 2000, 3) {
        let e = explain(&s, &set).unwrap();
        assert_eq!(e.score, ev.evaluate(&s), "{}", s.fen());
    }
    let sample = sparring::eval::features::sample_positions(&start, 2000, 3);
    let t = Instant::now();
    let mut x = 0i64;
    for _ in 0..1000 {
        for s in &sample {
            x += ev.evaluate(s) as i64;
        }
    }
    println!("eval {:.1} ns {x}", t.elapsed().as_secs_f64() * 1e9 / 2e6);
    for algorithm in Algorithm::ALL {
        for d in 2..=7 {
            let mut e = Engine::<Breakthrough>::new(ev.clone(), Options { algorithm, ..Options::default() });
            let r = e.search(&pos, &Limits::depth(d), &Stop::default(), &mut |_| {});
            println!(
                "{algorithm} d{d} nodes {} {:.2} ms score {} best {} q {}",
                r.counters.nodes,
                r.elapsed.as_secs_f64() * 1e3,
                r.score,
                pos.move_text(r.best.unwrap()),
                r.counters.quiescence_nodes
            );
        }
    }
    let mut e = Engine::<Breakthrough>::new(ev.clone(), Options::default());
    let r = e.search(&pos, &Limits::depth(18), &Stop::default(), &mut |d| {
        println!(
            "d{} n {} {:.3}s score {} cbf {:?}",
            d.depth,
            d.counters.nodes,
            d.elapsed.as_secs_f64(),
            d.score,
            d.counters.moves_before_cutoff()
        )
    });
    println!("{:.2} M nps", r.counters.nodes as f64 / r.elapsed.as_secs_f64() / 1e6);
}
use sparring::weights;
