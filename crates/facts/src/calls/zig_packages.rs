//! Zig packages that are files of the repository: names that `build.zig.zon` gives a `.path`, and module names that
//! `build.zig` gives a root source file. Both files are read as text: running a build script is out of the question.

use super::disk::Disk;
use factgate_record::RepoPath;

/// The root files of a package or module that a file can import by name, from the nearest build files upwards: a
/// script may give one name to several, for several programs.
pub(super) fn find(disk: &Disk, from: &RepoPath, name: &str) -> Vec<RepoPath> {
    let mut folder = from.parent();
    loop {
        let found = in_folder(disk, &folder, name);
        if !found.is_empty() || folder.as_str().is_empty() {
            return found;
        }
        folder = folder.parent();
    }
}

fn in_folder(disk: &Disk, folder: &RepoPath, name: &str) -> Vec<RepoPath> {
    let text = |file: &str| folder.join(file).ok().and_then(|path| disk.text(&path));
    let package = text("build.zig.zon").and_then(|text| dependency_path(text, name));
    let package = package.and_then(|path| folder.join(&path).ok());
    let roots = [format!("src/{name}.zig"), "src/root.zig".into(), "src/main.zig".into(), format!("{name}.zig")];
    let has = |file: &RepoPath| disk.has(file);
    let root = package.and_then(|package| roots.iter().find_map(|root| package.join(root).ok().filter(has)));
    let modules = text("build.zig").map(|text| module_roots(text, name)).unwrap_or_default();
    let modules = modules.iter().filter_map(|path| folder.join(path).ok().filter(has));
    root.into_iter().chain(modules).collect()
}

/// `.name = .{ … .path = "…" … }` in a `build.zig.zon`.
fn dependency_path(text: &str, name: &str) -> Option<String> {
    let entry = [format!(".{name} ="), format!(".@\"{name}\" =")].iter().find_map(|key| text.find(key.as_str()))?;
    let body = &text[entry..];
    let body = &body[..body.find('}')?];
    let path = &body[body.find(".path")?..];
    path.split('"').nth(1).map(str::to_owned)
}

/// The root source files behind `addModule("name", …)`, or behind `addImport("name", variable)` or an entry of `.imports`,
/// and the variable's own declaration.
fn module_roots(text: &str, name: &str) -> Vec<String> {
    let quoted = format!("\"{name}\"");
    let mut roots = Vec::new();
    for call in ["addModule(", "createModule(", "addImport("] {
        for (at, _) in text.match_indices(call) {
            let rest = &text[at + call.len()..];
            if !rest.trim_start().starts_with(&quoted) {
                continue;
            }
            let said = &rest[..rest.find(';').unwrap_or(rest.len())];
            let found = root_sources(said);
            if !found.is_empty() {
                roots.extend(found);
                continue;
            }
            let Some(variable) = said.split([',', ')']).nth(1).map(str::trim) else { continue };
            roots.extend(declared_sources(text, variable));
        }
    }
    for (at, _) in text.match_indices(&quoted) {
        roots.extend(listed_sources(text, at, at + quoted.len()));
    }
    roots.dedup();
    roots
}

/// The root source files of the variable that is a module.
fn declared_sources(text: &str, variable: &str) -> Vec<String> {
    let Some(declared) = text.find(&format!("const {variable} =")) else { return Vec::new() };
    let body = &text[declared..];
    root_sources(&body[..body.find(';').unwrap_or(body.len())])
}

/// The root source files in `.imports = &.{ .{ .name = "name", .module = m } }`, by where the name stands.
fn listed_sources(text: &str, start: usize, end: usize) -> Vec<String> {
    let is_name = text[..start].trim_end().strip_suffix('=').is_some_and(|key| key.trim_end().ends_with(".name"));
    let module = text[end..].trim_start().strip_prefix(',').map(str::trim_start);
    let module = module.and_then(|rest| rest.strip_prefix(".module")?.trim_start().strip_prefix('='));
    let Some(value) = module.filter(|_| is_name).map(str::trim_start) else { return Vec::new() };
    let whole = &value[..value.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(value.len())];
    match value[whole.len()..].trim_start().starts_with(['}', ',']) {
        true => declared_sources(text, whole),
        // A module that is made there.
        false => root_sources(&value[..value.find(';').unwrap_or(value.len())]),
    }
}

/// The files in `root_source_file = b.path("…")` of a call's text, both of a choice.
fn root_sources(text: &str) -> Vec<String> {
    let Some(at) = text.find("root_source_file") else { return Vec::new() };
    let mut depth = 0_i32;
    let end = text[at..].find(|letter: char| {
        depth += i32::from(letter == '(') - i32::from(letter == ')');
        letter == ',' && depth == 0
    });
    let value = &text[at..at + end.unwrap_or(text.len() - at)];
    let quoted = value.split('"').skip(1).step_by(2);
    quoted.filter(|path| path.ends_with(".zig")).map(str::to_owned).collect()
}
