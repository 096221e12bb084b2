//! The differential test of guards at any size: `cargo run --release --example differential -- 1000000 [SEED]`.

#[path = "../tests/differential/engine.rs"]
mod engine;
#[path = "../tests/differential/interpreter.rs"]
mod interpreter;
#[path = "../tests/differential/language.rs"]
mod language;
#[path = "../tests/differential/print.rs"]
mod print;
#[path = "../tests/differential/scenes/mod.rs"]
mod scenes;
#[path = "../tests/differential/store.rs"]
mod store;
#[path = "../tests/differential/switches.rs"]
mod switches;
#[path = "../tests/differential/tape.rs"]
mod tape;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let count = arguments.next().and_then(|count| count.parse().ok()).unwrap_or(10_000);
    let seed = arguments.next().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    show("functions", count, &engine::compare(seed, count));
    show("scenes", count, &engine::compare_scenes(seed, count));
}

fn show(what: &str, count: usize, tally: &engine::Tally) {
    println!("{what} {count}, guards {}, read TRUE {}", tally.decided, tally.read_true);
    println!("wrong TRUE {}", tally.wrong.len());
    println!("held {}, of these read FALSE {}", tally.held, tally.false_alarms);
    let share = tally.false_alarms as f64 * 100.0 / tally.held.max(1) as f64;
    println!("share {share:.2}%");
    println!("by reason: {:?}", tally.causes);
    for sample in tally.wrong.iter().take(3).chain(tally.samples.iter().take(6)) {
        println!("---\n{sample}");
    }
}
