//! Comments, literals and specifiers told without a parser, compared with a parser's: of files, and of random programs.
//!
//!     cargo run --release -p factgate-syntax --example pieces -- FILE…
//!     cargo run --release -p factgate-syntax --example pieces -- --random COUNT [SEED]

#[path = "../tests/pieces/compare.rs"]
mod compare;
#[path = "../tests/pieces/random.rs"]
mod random;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut compared = compare::Compared::default();
    if arguments.first().is_some_and(|first| first == "--random") {
        let number = |at: usize| arguments.get(at).and_then(|number| number.parse().ok());
        let mut random = random::Random::new(number(2).unwrap_or(1));
        for _ in 0..number(1).unwrap_or(100_000) {
            let text = random.program();
            compared.add(&text, &text);
        }
    } else {
        for path in &arguments {
            if let Ok(text) = std::fs::read_to_string(path) {
                compared.add(path, &text);
            }
        }
    }
    compared.wrong.iter().take(20).for_each(|wrong| println!("{wrong}"));
    println!(
        "{} texts, {} bytes of which {} certain, {} specifiers, {} wrong",
        compared.texts,
        compared.bytes,
        compared.certain,
        compared.specifiers,
        compared.wrong.len()
    );
}
