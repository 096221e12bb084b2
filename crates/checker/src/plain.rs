//! A run's folder as a plain one: its modules and its configuration as TLC, or an editor's plug-in, opens them.

use crate::files::SpecPath;
use crate::plan::{Planned, Prepared};
use crate::run::Deadlock;
use std::io;
use std::path::{Path, PathBuf};

/// What stands in a configuration whose run ignores deadlocks: older engines know no keyword for it.
const IGNORED: &str = "\\* TLC 2.15 and older do not know the next line: take it out there, and give the option -deadlock.\n\
                       CHECK_DEADLOCK FALSE\n";

/// Lays out every run that can be made, each in a folder of its own below `folder`; nothing that is there is deleted.
pub fn keep(folder: &Path, model: &str, planned: &[Planned]) -> io::Result<()> {
    for one in planned {
        if let Ok(prepared) = &one.prepared {
            lay(prepared, &place(folder, model, one.spec.name.as_str()))?;
        }
    }
    Ok(())
}

/// Where a run of a model stands below a folder.
pub(crate) fn place(folder: &Path, model: &str, run: &str) -> PathBuf {
    folder.join(file_name(model)).join(file_name(run))
}

/// Writes the modules, the configuration, and the recorded runs where there are some.
pub(crate) fn lay(prepared: &Prepared, folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    for (name, text) in &prepared.modules {
        std::fs::write(folder.join(format!("{name}.tla")), text)?;
    }
    let mut cfg = prepared.cfg.render(&prepared.cfg.properties);
    if prepared.deadlock == Deadlock::Ignored {
        cfg.push_str(IGNORED);
    }
    std::fs::write(folder.join(format!("{}.cfg", prepared.root)), cfg)?;
    for (path, text) in &prepared.traces {
        std::fs::write(folder.join(SpecPath::file_name(path)), text)?;
    }
    Ok(())
}

/// A name as one of a file: different ones stay different.
fn file_name(name: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "-_. ".contains(letter);
    let one = |letter: char| if plain(letter) { letter.to_string() } else { format!("%{:x}", u32::from(letter)) };
    let text: String = name.chars().map(one).collect();
    text.strip_prefix('.').map_or(text.clone(), |rest| format!("%2e{rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constant::Facts;
    use crate::plan::plan;
    use crate::run::RunSpec;
    use std::collections::BTreeMap;

    #[test]
    fn a_folder_holds_all_that_the_run_reads() {
        let text = "---- MODULE A ----\nCONSTANT K\nVARIABLE x\nSpec == x = K /\\ [][x' = x]_x\nInv == x = K\n====\n";
        let files = BTreeMap::from([(SpecPath::new("m/A.tla"), text.as_bytes().to_vec())]);
        let mut run = RunSpec::new("../one", SpecPath::new("m/A.tla"));
        run.set.insert("K".to_owned(), crate::Constant::Integer(1));
        run.invariants = vec!["Inv".to_owned()];
        run.deadlock = Deadlock::Ignored;
        let folder = tempfile::tempdir().unwrap();
        keep(folder.path(), "a/b", &plan(&[run], &Facts::new(), &files)).unwrap();
        let at = folder.path().join("a%2fb").join("%2e.%2fone");
        let names = |folder: &Path| {
            let names =
                std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
            names.collect::<std::collections::BTreeSet<_>>()
        };
        let cfg: Vec<String> = names(&at).into_iter().filter(|name| name.ends_with(".cfg")).collect();
        assert!(names(&at).contains("A.tla") && cfg.len() == 1, "{:?}", names(&at));
        let cfg = std::fs::read_to_string(at.join(&cfg[0])).unwrap();
        assert!(cfg.contains("Inv") && cfg.ends_with("\nCHECK_DEADLOCK FALSE\n"), "{cfg}");
    }
}
