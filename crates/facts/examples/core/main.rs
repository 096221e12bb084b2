//! Guards against the core's interpreter at any size: `cargo run --release --example core -- 20000 [SEED] [zig|classes]`. With a
//! compiler in `ZIG` the interpreter itself is compared with compiled programs: `ZIG=zig cargo run --example core -- 400`.

mod compiled;
mod draw;
mod oracle;
mod shapes;
mod zig;

/// What is drawn, by the third argument.
const KINDS: [&str; 3] = ["aliases", "zig", "classes"];

fn main() {
    let mut arguments = std::env::args().skip(1);
    let count = arguments.next().and_then(|count| count.parse().ok()).unwrap_or(1_000);
    let seed = arguments.next().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    if let Some(zig) = std::env::var_os("ZIG") {
        return match compiled::compare(zig.as_ref(), seed, count) {
            Ok((runs, differing)) => {
                println!("{count} programs, {runs} runs, {} differ", differing.len());
                differing.iter().take(3).for_each(|one| println!("\nDIFFERS {one}"));
            }
            Err(error) => println!("{error}"),
        };
    }
    let kind = arguments.next().unwrap_or_default();
    let drawing = KINDS.iter().position(|known| *known == kind).unwrap_or_default();
    let tally = oracle::compare(&oracle::DRAWINGS[drawing], seed, count);
    println!(
        "{} guards, {} TRUE, {} held, {} false alarms, {} wrong",
        tally.decided,
        tally.read_true,
        tally.held,
        tally.false_alarms,
        tally.wrong.len()
    );
    println!("false alarms {:?}\nstopped {:?}", tally.causes, tally.stopped);
    let share = 100.0 * tally.false_alarms as f64 / tally.held.max(1) as f64;
    println!("{share:.1}% of the guards that hold in every run read FALSE");
    // A fourth argument is a reason, of which some false alarms are shown.
    let shown = arguments.next().and_then(|cause| tally.alarms.get(&cause));
    shown.into_iter().flatten().for_each(|alarm| println!("\nALARM {alarm}"));
    tally.wrong.iter().take(5).for_each(|wrong| println!("\nWRONG {wrong}"));
}
