//! The sweep: from the watched definitions to the files that can matter, to the sites in them.

use super::join::Join;
use super::judge::{Judge, Judged};
use super::outside::{self, Outside, Stand};
use super::resolve::Resolver;
use super::search::{self, Defined, Search};
use super::shelf::Shelf;
use super::sites::{Found, count};
use super::target::Target;
use super::{SweepProblem, Swept, Watch, Watched, shape, unread};
use crate::files::FileError;
use crate::program::Program;
use factgate_record::RepoPath;
use rayon::prelude::*;

/// Finds the sites of every watch.
pub fn sweep(program: &Program<'_>, watches: &[Watch]) -> Swept {
    let mut swept = Swept::default();
    let (mut resolver, shelf) = match open(program) {
        Ok(opened) => opened,
        Err(error) => {
            let (file, message) = (error.path.clone(), error.to_string());
            swept.problems.push(SweepProblem { code: error.code, message, file, key: None, at: None });
            return swept;
        }
    };
    let outside = watches.iter().filter_map(|watch| match &watch.of {
        Watched::Outside(outside) => Some(outside),
        _ => None,
    });
    resolver.stand = Stand::of(outside);
    let mut defined = Vec::new();
    let mut definitions = Vec::new();
    for watch in watches {
        match &watch.of {
            Watched::Definition(selector) => definitions.push((watch, selector)),
            Watched::Outside(outside) => match resolver.outside(watch, outside) {
                Ok(target) => defined.push((watch, target)),
                Err(problem) => swept.problems.push(problem),
            },
            Watched::Shape { patterns, matching } => {
                let (found, problems) = shape::find(program, watch, patterns, matching);
                swept.problems.extend(problems);
                finish(program, watch, found, Vec::new(), &mut swept);
            }
        }
    }
    let targets: Vec<Result<Defined<'_>, SweepProblem>> = definitions
        .into_par_iter()
        .map(|(watch, selector)| Ok((watch, Target::find(program, watch, selector)?)))
        .collect();
    for target in targets {
        match target {
            Ok(target) => defined.push(target),
            Err(problem) => swept.problems.push(problem),
        }
    }
    sweep_defined(program, &shelf, resolver, &defined, &mut swept);
    swept.problems.sort_by(|a, b| (&a.file, &a.message).cmp(&(&b.file, &b.message)));
    swept.problems.dedup();
    swept
}

fn open<'f>(program: &Program<'f>) -> Result<(Resolver, Shelf<'f>), FileError> {
    Ok((Resolver::new(program.files())?, Shelf::new(program.files())?))
}

fn finish(program: &Program<'_>, watch: &Watch, found: Vec<Found>, unresolved: Vec<String>, swept: &mut Swept) {
    let (mut sites, problems) = count(program, found);
    sites.record.unresolved = unresolved;
    swept.problems.extend(problems);
    swept.calls.insert(watch.key.clone(), sites);
}

impl Resolver {
    /// The watched function of a module outside of the repository.
    fn outside(&self, watch: &Watch, outside: &Outside) -> Result<Target, SweepProblem> {
        let names = self.disk.zig_names();
        match (outside::wrong(outside, &self.manifests, &names), self.stand.file(outside)) {
            (None, Some(file)) => Ok(Target::outside(file, outside)),
            (wrong, _) => {
                let why = wrong.unwrap_or_default();
                let message = format!("the calls of `{}` cannot be found: {why}", watch.key);
                let (file, key) = (RepoPath::default(), Some(watch.key.clone()));
                Err(SweepProblem { code: "selector", message, file, key, at: None })
            }
        }
    }
}

/// Definitions are swept together: each file is read and parsed once, whatever the number of watched functions.
fn sweep_defined(
    program: &Program<'_>,
    shelf: &Shelf<'_>,
    resolver: Resolver,
    defined: &[Defined<'_>],
    swept: &mut Swept,
) {
    if defined.is_empty() {
        return;
    }
    let mut join = Join::new(shelf, resolver);
    let mut search = Search::new(program, shelf, defined);
    let owners = search.run(&mut join, &mut swept.problems);
    swept.problems.extend(defined.iter().filter_map(|(watch, target)| target.lost(watch, &join)));
    let words: Vec<&str> = defined.iter().map(|(_, target)| target.word.as_str()).collect();
    let judge = Judge::new(&join, &owners, &search, &words);
    let stand = &join.resolver().stand;
    let files: Vec<&RepoPath> = search.files.iter().filter(|path| stand.text(path).is_none()).collect();
    let judged: Vec<Judged> =
        files.par_iter().map(|path| judge.file(path, path.below(program.root()).unwrap_or(path.as_str()))).collect();
    let mut found: Vec<(Vec<Found>, Vec<String>)> = vec![Default::default(); defined.len()];
    for (path, one) in files.iter().zip(judged) {
        let within = |number: usize| is_within(program, defined[number].0, path);
        one.sites
            .into_iter()
            .filter(|(number, _)| within(*number))
            .for_each(|(number, site)| found[number].0.push(site));
        let lines = one.unresolved.into_iter().filter(|(number, _)| within(*number));
        lines.for_each(|(number, line)| found[number].1.push(line));
        let links = join.links(path).filter(|links| links.broken.is_some());
        if let Some(links) = links
            && search.is_within_any(path)
        {
            swept.problems.extend(search::broken(program, &links, path));
        }
    }
    swept.unread = unread::find(program, defined, &search.names);
    let mut hidden = join.hidden();
    hidden.unread.extend(search.broken_imports(&join));
    for path in &hidden.unread {
        swept.problems.push(not_read(program, &join, path));
    }
    for (name, path, from) in &hidden.lost {
        let line = format!("{}: {from}", path.below(program.root()).unwrap_or(path.as_str()));
        let said = search.names.iter().enumerate().filter(|(_, names)| names.contains(name));
        said.for_each(|(number, _)| found[number].1.push(line.clone()));
    }
    program.load_all(found.iter().flat_map(|(sites, _)| sites).map(|site| &site.file));
    for ((watch, _), (sites, mut unresolved)) in defined.iter().zip(found) {
        unresolved.sort();
        unresolved.dedup();
        finish(program, watch, sites, unresolved, swept);
    }
}

/// A file that a watched name was looked for in, and that could not be read.
fn not_read(program: &Program<'_>, join: &Join<'_>, path: &RepoPath) -> SweepProblem {
    if let Some(problem) = join.links(path).and_then(|links| search::broken(program, &links, path)) {
        return problem;
    }
    let (code, message) = match program.source(path) {
        Ok(_) => ("io", format!("{path} cannot be read")),
        Err(error) => (error.code(), error.to_string()),
    };
    let message = format!("{message}, and a watched name may be imported through it");
    SweepProblem { code, message, file: path.clone(), key: None, at: None }
}

pub(super) fn is_within(program: &Program<'_>, watch: &Watch, path: &RepoPath) -> bool {
    path.below(program.root()).is_some_and(|below| watch.within.is_match(below))
}
