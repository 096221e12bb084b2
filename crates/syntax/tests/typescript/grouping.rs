//! The grouping of the normal form against another parser, over the fixtures.

use crate::oxc::{Compared, compare};

#[test]
fn operators_are_grouped_as_another_parser_groups_them() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/ts");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        match compare(&name, &std::fs::read_to_string(&path).unwrap()) {
            Compared::Refused => panic!("{name} is refused"),
            Compared::Problems(problems) => panic!("{problems:?}"),
            Compared::Done { both, differences } => {
                assert!(differences.is_empty(), "{}", differences.join("\n"));
                seen += both;
            }
        }
    }
    assert!(seen > 200, "only {seen} operators");
}
