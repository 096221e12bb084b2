//! Worktree, index and commit views, sync commit and history; the only user of git2.
