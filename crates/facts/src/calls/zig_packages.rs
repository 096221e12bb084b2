//! Zig packages that are files of the repository: names that `build.zig.zon` gives a `.path`, and module names that
//! `build.zig` gives a root source file. Both files are read as text: running a build script is out of the question.

use super::disk::Disk;
use factgate_record::RepoPath;

/// The root file of a package or module that a file can import by name, from the nearest build files upwards.
pub(super) fn find(disk: &Disk, from: &RepoPath, name: &str) -> Option<RepoPath> {
    let mut folder = from.parent();
    loop {
        if let Some(found) = in_folder(disk, &folder, name) {
            return Some(found);
        }
        if folder.as_str().is_empty() {
            return None;
        }
        folder = folder.parent();
    }
}

fn in_folder(disk: &Disk, folder: &RepoPath, name: &str) -> Option<RepoPath> {
    if let Some(text) = folder.join("build.zig.zon").ok().and_then(|path| disk.text(&path).map(str::to_owned))
        && let Some(path) = dependency_path(&text, name)
    {
        let package = folder.join(&path).ok()?;
        for root in [format!("src/{name}.zig"), "src/root.zig".into(), "src/main.zig".into(), format!("{name}.zig")] {
            if let Some(file) = package.join(&root).ok().filter(|file| disk.has(file)) {
                return Some(file);
            }
        }
    }
    let text = folder.join("build.zig").ok().and_then(|path| disk.text(&path).map(str::to_owned))?;
    let file = folder.join(&module_root(&text, name)?).ok()?;
    disk.has(&file).then_some(file)
}

/// `.name = .{ … .path = "…" … }` in a `build.zig.zon`.
fn dependency_path(text: &str, name: &str) -> Option<String> {
    let entry = [format!(".{name} ="), format!(".@\"{name}\" =")].iter().find_map(|key| text.find(key.as_str()))?;
    let body = &text[entry..];
    let body = &body[..body.find('}')?];
    let path = &body[body.find(".path")?..];
    path.split('"').nth(1).map(str::to_owned)
}

/// The root source file behind `addModule("name", …)`, or behind `addImport("name", variable)` and the variable's own
/// declaration.
fn module_root(text: &str, name: &str) -> Option<String> {
    let quoted = format!("\"{name}\"");
    for call in ["addModule(", "createModule(", "addImport("] {
        for (at, _) in text.match_indices(call) {
            let rest = &text[at + call.len()..];
            if !rest.trim_start().starts_with(&quoted) {
                continue;
            }
            let end = rest.find(';').unwrap_or(rest.len());
            if let Some(root) = root_source(&rest[..end]) {
                return Some(root);
            }
            let variable = rest[..end].split([',', ')']).nth(1)?.trim();
            let declared = text.find(&format!("const {variable} ="))?;
            let body = &text[declared..];
            return root_source(&body[..body.find(';').unwrap_or(body.len())]);
        }
    }
    None
}

/// `root_source_file = b.path("…")` in a call's text.
fn root_source(text: &str) -> Option<String> {
    let at = text.find("root_source_file")?;
    text[at..].split('"').nth(1).map(str::to_owned)
}
