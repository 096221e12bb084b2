//! What one file's names mean, as lines: `form base.path`.

use super::{Base, Denotes, Links, Means};

fn show(links: &Links, what: &Denotes) -> String {
    let base = match &what.base {
        Base::Symbol(index) => match &links.symbols[*index].means {
            Means::Alias(other) => format!("({})", show(links, other)),
            Means::Instance(class) => format!("a {}", show(links, class)),
            _ => links.symbols[*index].name.clone(),
        },
        Base::Module(from) => format!("'{from}'"),
        Base::Instance(class) => format!("a {}", show(links, class)),
        Base::Result(of) => format!("{}()", show(links, of)),
        Base::Anything => "?".to_owned(),
        Base::Foreign => "-".to_owned(),
    };
    std::iter::once(base).chain(what.path.iter().cloned()).collect::<Vec<_>>().join(".")
}

/// Compares the uses of a file, as lines.
#[track_caller]
pub(crate) fn check_uses(links: &Links, text: &str, expected: &[&str]) {
    assert!(links.broken.is_none(), "{text}: {:?}", links.broken);
    let uses: Vec<String> =
        links.uses.iter().map(|one| format!("{} {}", one.form.word(), show(links, &one.what))).collect();
    assert_eq!(uses, expected, "{text}");
}
