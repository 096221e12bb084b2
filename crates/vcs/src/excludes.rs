//! What git ignores in a work tree. `[Bb]in/` in `.gitignore` with `!src/tool/bin/` behind it ignores every folder of
//! that name but one.
//!
//! Where git looks, in the order in which an answer counts (gitignore(5)): the `.gitignore` of the folder and of those
//! around it, `info/exclude`, the user's `core.excludesFile`; in each the last line that matches. A folder that is ignored
//! is not entered, so nothing in it can be excepted.

use crate::error::VcsError;
use crate::worktree::{self, Standing};
use gix_ignore::glob::pattern::Case;
use gix_ignore::glob::search::pattern::List;
use gix_ignore::search::{Ignore, pattern_matching_relative_path};
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Larger ignore files are not read, nor are they by git (`PATTERN_MAX_FILE_SIZE`).
const LIMIT: u64 = 100 << 20;

/// The text of a file that the index has and a sparse checkout left out.
pub(crate) type OfIndex<'w> = dyn Fn(&str) -> Result<Option<Vec<u8>>, VcsError> + 'w;

/// The rules for a whole work tree, and those of one folder after the other.
pub(crate) struct Excludes<'w> {
    root: &'w Path,
    case: Case,
    /// Those that stand in no folder of the work tree, the last first to count.
    everywhere: Vec<List<Ignore>>,
    /// Where ignore files are found that a sparse checkout left out.
    of_index: &'w OfIndex<'w>,
}

/// The rules that a folder and those around it hold.
#[derive(Clone, Default)]
pub(crate) struct OfFolder(Option<Rc<Lists>>);

struct Lists {
    list: List<Ignore>,
    around: OfFolder,
}

impl<'w> Excludes<'w> {
    /// Reads the files of rules that stand outside the work tree, the more important one last. A file that is not there
    /// holds none.
    pub(crate) fn new(
        root: &'w Path,
        files: impl IntoIterator<Item = PathBuf>,
        case: Case,
        of_index: &'w OfIndex<'w>,
    ) -> Excludes<'w> {
        // A pipe must not be opened.
        let texts = files.into_iter().filter(|file| file.is_file()).filter_map(|file| fs::read(file).ok());
        let everywhere = texts.filter_map(|text| list(&text, "")).collect();
        Excludes { root, case, everywhere, of_index }
    }

    /// The rules in force in a folder (`""` is the top, others end in no slash), given those of the one around it.
    pub(crate) fn enter(&self, folder: &str, around: OfFolder) -> Result<OfFolder, VcsError> {
        let file = if folder.is_empty() { ".gitignore".to_owned() } else { format!("{folder}/.gitignore") };
        let text = match worktree::read(self.root, &file, LIMIT) {
            Ok(Standing::File(text)) => Some(text),
            Ok(Standing::Absent) => (self.of_index)(&file)?,
            // Git follows no link here, and goes on past what it cannot read.
            _ => None,
        };
        let list = text.and_then(|text| list(&text, folder)).filter(|list| !list.patterns.is_empty());
        Ok(match list {
            Some(list) => OfFolder(Some(Rc::new(Lists { list, around }))),
            None => around,
        })
    }

    /// Whether git ignores a path whose folder it does not ignore.
    pub(crate) fn ignores(&self, rules: &OfFolder, path: &str, kind: PathKind) -> bool {
        let name_at = path.rfind('/').map(|slash| slash + 1);
        let is_folder = Some(kind == PathKind::Folder);
        let inside = std::iter::successors(rules.0.as_deref(), |lists| lists.around.0.as_deref());
        let lists = inside.map(|lists| &lists.list).chain(self.everywhere.iter().rev());
        let mut found =
            lists.filter_map(|list| pattern_matching_relative_path(list, path.into(), name_at, is_folder, self.case));
        found.next().is_some_and(|found| !found.pattern.is_negative())
    }
}

/// What a rule with a slash at its end asks of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PathKind {
    Folder,
    Other,
}

/// The rules of one ignore file in a folder.
fn list(text: &[u8], folder: &str) -> Option<List<Ignore>> {
    // The last line counts as if it ended in a line break: so does a carriage return before that.
    let text = [text, b"\n"].concat();
    let file = Path::new("/").join(folder).join(".gitignore");
    List::from_bytes(&text, file, Some(Path::new("/")), Ignore::default()).ok()
}
