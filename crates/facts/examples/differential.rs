//! The differential test of guards at any size: `cargo run --release --example differential -- 1000000 [SEED]`.

#[path = "../tests/differential/engine.rs"]
mod engine;
#[path = "../tests/differential/interpreter.rs"]
mod interpreter;
#[path = "../tests/differential/language.rs"]
mod language;
#[path = "../tests/differential/print.rs"]
mod print;
#[path = "../tests/differential/store.rs"]
mod store;
#[path = "../tests/differential/switches.rs"]
mod switches;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let count = arguments.next().and_then(|count| count.parse().ok()).unwrap_or(10_000);
    let seed = arguments.next().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let tally = engine::compare(seed, count);
    println!("functions {count}, guards {}, read TRUE {}", tally.decided, tally.read_true);
    println!("wrong TRUE {}", tally.wrong.len());
    println!("held {}, of these read FALSE {}", tally.held, tally.false_alarms);
    let share = tally.false_alarms as f64 * 100.0 / tally.held.max(1) as f64;
    println!("share {share:.2}%");
    println!("by reason: {:?}", tally.causes);
    for sample in tally.wrong.iter().take(3).chain(tally.samples.iter().take(6)) {
        println!("---\n{sample}");
    }
}
