//! Guards against the core's interpreter at any size: `cargo run --release --example core -- 20000 [SEED]`.

mod draw;
mod oracle;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let count = arguments.next().and_then(|count| count.parse().ok()).unwrap_or(1_000);
    let seed = arguments.next().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let tally = oracle::compare(seed, count);
    println!(
        "{} guards, {} TRUE, {} held, {} false alarms, {} wrong",
        tally.decided,
        tally.read_true,
        tally.held,
        tally.false_alarms,
        tally.wrong.len()
    );
    println!("false alarms {:?}\nstopped {:?}", tally.causes, tally.stopped);
    tally.wrong.iter().take(5).for_each(|wrong| println!("\nWRONG {wrong}"));
}
