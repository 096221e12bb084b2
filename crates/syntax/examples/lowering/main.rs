//! The lowering of TypeScript against the language: random programs run in Node.js and in the core's interpreter, and must
//! do the same.
//!
//!     cargo run --release -p factgate-syntax --example lowering -- SEED COUNT

mod oracle;

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1).filter_map(|argument| argument.parse::<u64>().ok());
    let (seed, count) = (arguments.next().unwrap_or(1), arguments.next().unwrap_or(1000));
    let shrink = arguments.next().unwrap_or(3);
    if !oracle::node::is_there() {
        return Err(std::io::Error::other("there is no `node` to compare with: install Node.js 20 or later"));
    }
    let tally = oracle::run(seed, count, usize::try_from(shrink).unwrap_or(3))?;
    for (_, shown) in tally.differing.iter().take(usize::try_from(shrink).unwrap_or(3)) {
        println!("{shown}");
    }
    println!(
        "{} programs, {} events: {} the same to the end, as far as they run {:?}, {} no program, {} differ",
        tally.programs,
        tally.events,
        tally.whole,
        tally.stopped,
        tally.invalid,
        tally.differing.len()
    );
    Ok(())
}
