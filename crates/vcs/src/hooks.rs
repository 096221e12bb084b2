//! Where git looks for hooks: `core.hooksPath`, else the `hooks` folder that linked worktrees share (`githooks(5)`).

use crate::error::VcsError;
use crate::repository::Repository;
use std::path::PathBuf;

impl Repository {
    /// The folder of the hooks; a relative `core.hooksPath` starts at the top of the work tree, where hooks run.
    pub fn hooks_dir(&self) -> Result<PathBuf, VcsError> {
        let common = self.backend().places().common.clone();
        // Read without opening the repository, whose format the library may not know.
        let mut config = git2::Config::open_default()?;
        let local = common.join("config");
        if local.exists() {
            config.add_file(&local, git2::ConfigLevel::Local, false)?;
        }
        match config.get_path("core.hooksPath") {
            Ok(path) if !path.as_os_str().is_empty() => Ok(self.worktree_root().join(path)),
            Ok(_) => Ok(common.join("hooks")),
            Err(error) if error.code() == git2::ErrorCode::NotFound => Ok(common.join("hooks")),
            Err(error) => Err(error.into()),
        }
    }
}
