//! Comments and literals told without a parser, beside a parser.

mod compare;
mod random;

use compare::Compared;
use random::Random;

#[test]
fn what_is_certain_without_a_parser_is_what_a_parser_says() {
    let (mut compared, mut random) = (Compared::default(), Random::new(1));
    for _ in 0..40_000 {
        let text = random.program();
        compared.add(&text, &text);
    }
    assert!(compared.wrong.is_empty(), "{}", compared.wrong.join("\n"));
    assert!(compared.texts > 10_000, "only {} texts could be compared", compared.texts);
    assert!(
        compared.certain * 10 > compared.bytes * 4,
        "only {} of {} bytes were certain",
        compared.certain,
        compared.bytes
    );
}
