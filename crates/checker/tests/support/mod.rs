//! What the tests against a real TLC share.

use factgate_checker::{Engine, EngineSpec, SpecFiles, SpecPath};
use std::path::Path;

/// The fixtures' folder as the judged view.
pub(crate) struct Fixtures;

impl SpecFiles for Fixtures {
    fn read(&self, path: &SpecPath) -> Result<Option<Vec<u8>>, String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/tla");
        Ok(std::fs::read(folder.join(path.as_str())).ok())
    }
}

/// The engine of this machine; without one a test says so and passes: continuous integration has one.
pub(crate) fn engine() -> Option<Engine> {
    match EngineSpec::default().find(|name| std::env::var_os(name)) {
        Ok(engine) => Some(engine),
        Err(error) => {
            eprintln!("not run against TLC: {error}");
            None
        }
    }
}
