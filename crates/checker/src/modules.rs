//! The modules that a specification reaches: read from the view, edited where a run plants a fault, and laid flat, as
//! TLC wants them.

use crate::files::{SpecFiles, SpecPath};
use crate::run::Edit;
use crate::scan::{self, Module};
use std::collections::{BTreeMap, BTreeSet};

/// Why a run cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// A file that the run names is not there.
    #[error("`{0}` is not there")]
    Missing(SpecPath),
    /// A file could not be read.
    #[error("`{path}` could not be read: {why}")]
    Unreadable {
        /// The file.
        path: SpecPath,
        /// Why, in words.
        why: String,
    },
    /// A planted fault does not fit.
    #[error("the edit of `{file}` {why}: `{find}`")]
    Edit {
        /// The file.
        file: SpecPath,
        /// What was looked for.
        find: String,
        /// What is wrong.
        why: String,
    },
    /// Constants that nobody gives.
    #[error("constant `{0}` of the specification is given by no fact, no `set` and no cfg")]
    MissingConstant(String),
    /// A constant that the specification does not have.
    #[error("`{name}`, given by {by}, is no constant of the specification{near}")]
    UnknownConstant {
        /// Its name.
        name: String,
        /// Who gives it: the `set` or the cfg.
        by: String,
        /// The nearest constant: ` (near: …)`, or nothing.
        near: String,
    },
    /// A value that cannot be handed to the engine.
    #[error("constant `{name}` cannot take {why}")]
    Value {
        /// The constant.
        name: String,
        /// What is wrong with the value.
        why: String,
    },
    /// The cfg gives another value than the code has.
    #[error(
        "constant `{name}` is {fact} in the code (a fact), and the cfg says `{name} {cfg}`: take it out of the cfg, or say in \
         the run that another value than the code's is meant: `{set}`"
    )]
    Contradicted {
        /// The constant.
        name: String,
        /// The fact's value.
        fact: String,
        /// What stands behind the name in the cfg.
        cfg: String,
        /// The key that would say that the cfg's value is meant.
        set: String,
    },
    /// `mutant_outcomes` names something that is no guard of the run.
    #[error("`mutant_outcomes` names `{0}`, which is no guard fact that the specification has as a constant")]
    UnknownMutant(String),
    /// A type invariant cannot be expected to break.
    #[error("`{0}` is a type invariant, whose violation says that the model is wrong: it cannot be expected")]
    TypeExpected(String),
    /// `violates` names something that the run does not check.
    #[error("`{0}` is expected to be violated, and is neither an invariant nor a property of the run")]
    NotChecked(String),
}

/// The modules of one run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Modules {
    /// The root module.
    pub(crate) root: Module,
    /// Text by module name: what is laid into the run's folder.
    pub(crate) texts: BTreeMap<String, String>,
    /// Constants of the root and of all that it extends, with the number of their arguments.
    pub(crate) constants: BTreeMap<String, usize>,
    /// Variables of the root and of all that it extends, in order.
    pub(crate) variables: Vec<String>,
    /// Names defined in any module that was read.
    pub(crate) defined: BTreeSet<String>,
    /// Modules that are not there: the engine's own.
    pub(crate) outside: BTreeSet<String>,
    /// The files of the view that were read.
    pub(crate) files: BTreeSet<SpecPath>,
}

impl Modules {
    /// Reads the specification and what it reaches, with the edits in place.
    pub(crate) fn load(
        spec: &SpecPath,
        library: &[SpecPath],
        edits: &[Edit],
        files: &dyn SpecFiles,
    ) -> Result<Modules, PlanError> {
        let mut modules = Modules::default();
        let mut read: BTreeMap<String, Module> = BTreeMap::new();
        let mut edited: BTreeSet<SpecPath> = BTreeSet::new();
        let mut queue = vec![(spec.module().to_owned(), spec.clone())];
        while let Some((name, path)) = queue.pop() {
            let Some(bytes) = read_file(files, &path)? else { return Err(PlanError::Missing(path)) };
            let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
            let text = plant(text, &path, edits)?;
            edited.insert(path);
            let module = scan::scan(&text);
            for reached in module.extends.union(&module.instances) {
                let known = read.contains_key(reached) || queue.iter().any(|(queued, _)| queued == reached);
                if known || *reached == name || module.inner.contains(reached) {
                    continue;
                }
                match find(reached, spec, library, files)? {
                    Some(path) => queue.push((reached.clone(), path)),
                    None => drop(modules.outside.insert(reached.clone())),
                }
            }
            modules.texts.insert(name.clone(), text);
            read.insert(name, module);
        }
        if let Some(edit) = edits.iter().find(|edit| !edited.contains(&edit.file)) {
            return Err(refused(edit, "names a file that is neither the run's cfg nor reached by its specification"));
        }
        modules.files = edited;
        modules.gather(spec.module(), &read);
        Ok(modules)
    }

    fn gather(&mut self, root: &str, read: &BTreeMap<String, Module>) {
        self.root = read.get(root).cloned().unwrap_or_default();
        self.defined = read.values().flat_map(|module| module.defined.iter().cloned()).collect();
        let mut seen = BTreeSet::new();
        let mut queue = vec![root];
        while let Some(name) = queue.pop() {
            let Some(module) = read.get(name).filter(|_| seen.insert(name)) else { continue };
            self.constants.extend(module.constants.clone());
            self.variables.extend(module.variables.clone());
            queue.extend(module.extends.iter().map(String::as_str));
        }
    }
}

/// Reads a file.
pub(crate) fn read_file(files: &dyn SpecFiles, path: &SpecPath) -> Result<Option<Vec<u8>>, PlanError> {
    files.read(path).map_err(|why| PlanError::Unreadable { path: path.clone(), why })
}

/// Where a module stands: beside the specification, or in a library folder.
fn find(
    module: &str,
    spec: &SpecPath,
    library: &[SpecPath],
    files: &dyn SpecFiles,
) -> Result<Option<SpecPath>, PlanError> {
    let beside = std::iter::once(spec.sibling(module));
    let places = beside.chain(library.iter().map(|folder| folder.inside(&format!("{module}.tla"))));
    for path in places {
        if read_file(files, &path)?.is_some() {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

/// Plants the faults that are meant for this file, one after the other.
pub(crate) fn plant(mut text: String, path: &SpecPath, edits: &[Edit]) -> Result<String, PlanError> {
    for edit in edits.iter().filter(|edit| edit.file == *path) {
        let (from, to) = (edit.find.replace("\r\n", "\n"), edit.replace.replace("\r\n", "\n"));
        if from.is_empty() {
            return Err(refused(edit, "looks for nothing"));
        }
        if from == to {
            return Err(refused(edit, "changes nothing"));
        }
        // Overlapping matches count: each is a place the author could have meant.
        let matches = text.char_indices().filter(|(at, _)| text[*at..].starts_with(&from)).count();
        match matches {
            1 => text = text.replacen(&from, &to, 1),
            0 => return Err(refused(edit, "matches nothing")),
            more => return Err(refused(edit, &format!("matches {more} times, and must match once"))),
        }
    }
    Ok(text)
}

fn refused(edit: &Edit, why: &str) -> PlanError {
    PlanError::Edit { file: edit.file.clone(), find: edit.find.clone(), why: why.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edits(pairs: &[(&str, &str)]) -> Vec<Edit> {
        let edit = |(find, replace): &(&str, &str)| Edit {
            file: SpecPath::new("m/A.tla"),
            find: (*find).to_owned(),
            replace: (*replace).to_owned(),
        };
        pairs.iter().map(edit).collect()
    }

    #[track_caller]
    fn check(pairs: &[(&str, &str)], wanted: Result<&str, &str>) {
        let text = "---- MODULE A ----\r\nInit == aaa\r\nx == 1\r\n====\r\n";
        let files = BTreeMap::from([(SpecPath::new("m/A.tla"), text.as_bytes().to_vec())]);
        let got = Modules::load(&SpecPath::new("m/A.tla"), &[], &edits(pairs), &files);
        match (got, wanted) {
            (Ok(modules), Ok(wanted)) => assert!(modules.texts["A"].contains(wanted), "{:?}", modules.texts["A"]),
            (Err(error), Err(wanted)) => assert!(error.to_string().contains(wanted), "{error}"),
            (got, wanted) => panic!("{got:?} is not {wanted:?}"),
        }
    }

    #[test]
    fn edits_match_once_and_change_something() {
        check(&[("x == 1", "x == 2")], Ok("x == 2"));
        check(&[("aaa\nx == 1", "b\nx == 1")], Ok("Init == b\n"));
        check(&[("x == 1", "x == 2"), ("x == 2", "x == 3")], Ok("x == 3"));
        check(&[("x == 1", "x == 1")], Err("changes nothing"));
        check(&[("y", "x")], Err("matches nothing"));
        check(&[("==", "=")], Err("matches 5 times"));
        check(&[("aa", "b")], Err("matches 2 times"));
        check(&[("", "b")], Err("looks for nothing"));
    }

    #[test]
    fn reaches_modules_beside_and_in_libraries() {
        let text =
            |name: &str, body: &str| (SpecPath::new(name), format!("---- MODULE X ----\n{body}\n====").into_bytes());
        let files = BTreeMap::from([
            text("m/A.tla", "EXTENDS Naturals, B\nI == INSTANCE C\nCONSTANT K"),
            text("m/B.tla", "EXTENDS A\nCONSTANT L\nDef == 1"),
            text("lib/C.tla", "CONSTANT M\nInC == 2"),
        ]);
        let modules = Modules::load(&SpecPath::new("m/A.tla"), &[SpecPath::new("lib")], &[], &files).unwrap();
        assert_eq!(modules.texts.keys().collect::<Vec<_>>(), ["A", "B", "C"]);
        assert_eq!(modules.constants.keys().collect::<Vec<_>>(), ["K", "L"]);
        assert!(modules.outside.contains("Naturals") && modules.defined.contains("InC"));
        let missing = Modules::load(&SpecPath::new("m/Z.tla"), &[], &[], &files);
        assert_eq!(missing, Err(PlanError::Missing(SpecPath::new("m/Z.tla"))));
    }
}
