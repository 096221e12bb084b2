//! Any text as a configuration and its pattern file: read whole, or refused with errors that say something.
#![no_main]

use factgate::config;
use factgate_facts::{FileError, Files};
use factgate_record::RepoPath;
use libfuzzer_sys::fuzz_target;
use std::sync::Arc;

struct Two([(RepoPath, Arc<[u8]>); 2], [RepoPath; 2]);

impl Files for Two {
    fn read(&self, path: &RepoPath) -> Result<Option<Arc<[u8]>>, FileError> {
        Ok(self.0.iter().find(|(name, _)| name == path).map(|(_, bytes)| Arc::clone(bytes)))
    }

    fn list(&self) -> Result<&[RepoPath], FileError> {
        Ok(&self.1)
    }
}

fuzz_target!(|data: &[u8]| {
    let cut = data.iter().position(|byte| *byte == 0).unwrap_or(data.len());
    let patterns = data.get(cut + 1..).unwrap_or_default();
    let names = ["factgate.toml", "patterns/a.toml"].map(RepoPath::from_git);
    let [configuration, pattern_file] = names.clone();
    let files = Two([(configuration, data[..cut].into()), (pattern_file, patterns.into())], names);
    if let Err(wrong) = config::load(&files, &[]) {
        assert!(!wrong.is_empty() && wrong.iter().all(|finding| !finding.message.is_empty()));
    }
});
