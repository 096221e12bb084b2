//! The matrix: all runs of a model, carried out side by side within the machine's cores and memory, or joined from
//! what several machines came to.

use crate::cache::VerdictFolder;
use crate::command::{self, Coverage, Setup, Size};
use crate::engine::Engine;
use crate::execute::{self, Means};
use crate::judge::{Judgement, Report, judge};
use crate::outcome::Outcome;
use crate::plain;
use crate::plan::{Planned, Prepared};
use crate::process;
use crate::run::{Deadlock, Expectation, RunName, RunSpec};
use crate::verdict::Verdict;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Hears how the matrix comes along.
pub trait Progress: Sync {
    /// A run begins.
    fn started(&self, _run: &RunName) {}
    /// A run has found this many distinct states.
    fn states(&self, _run: &RunName, _states: u64) {}
    /// A run is judged.
    fn finished(&self, _report: &Report) {}
}

/// Nobody listens.
impl Progress for () {}

/// How the matrix is carried out.
pub struct Matrix<'a> {
    /// The engine.
    pub engine: &'a Engine,
    /// factgate's own folder inside git's directory: verdicts, the class archive, what failed runs leave.
    pub cache: Option<PathBuf>,
    /// Whether kept verdicts are used.
    pub known: Known,
    /// How many runs at once.
    pub jobs: usize,
    /// Whose runs they are: two models may each have one of the same name.
    pub model: &'a str,
    /// Where every verdict is written besides, for another machine to join.
    pub verdicts: Option<VerdictFolder>,
    /// Who hears of it.
    pub progress: &'a dyn Progress,
}

/// Whether verdicts that are known from before are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// They are.
    Used,
    /// Everything is computed again.
    Ignored,
}

/// The heap of one run, when nothing is said: enough for millions of small states.
const MEMORY_MB: u64 = 2048;
/// The least that TLC is given.
const LEAST_MB: u64 = 256;
/// Where factgate's folder keeps the verdicts.
const VERDICTS: &str = "verdicts";

impl Matrix<'_> {
    /// Carries out the runs; the reports are in the runs' order.
    pub fn verify(&self, planned: &[Planned], weights: &BTreeMap<RunName, u64>) -> Vec<Report> {
        let jobs = self.jobs.clamp(1, planned.len().max(1));
        let memory_mb = (available_mb() * 3 / 4 / jobs as u64).clamp(LEAST_MB, MEMORY_MB);
        let needed = planned.iter().any(|one| self.known(one).is_none());
        let archive = if needed && planned.len() > 1 { self.archive() } else { self.existing_archive() };
        let means = Means { engine: self.engine, archive: archive.as_deref(), memory_mb };
        let mut order = self.shared(planned);
        // The longest first, so that no long run is left for the end.
        order.sort_by_key(|group| std::cmp::Reverse(group.first().map(|index| weight(&planned[*index], weights))));
        let next = AtomicUsize::new(0);
        let reports: Mutex<Vec<Option<Report>>> = Mutex::new(vec![None; planned.len()]);
        std::thread::scope(|scope| {
            for _ in 0..jobs {
                scope.spawn(|| {
                    while let Some(group) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let runs: Vec<&Planned> = group.iter().map(|index| &planned[*index]).collect();
                        let found = self.together(&runs, means);
                        let found = found.unwrap_or_else(|| runs.iter().map(|one| self.one(one, means)).collect());
                        for (index, report) in group.iter().zip(found) {
                            self.progress.finished(&report);
                            let mut reports = reports.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                            reports[*index] = Some(report);
                        }
                    }
                });
            }
        });
        let reports = reports.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        reports.into_iter().flatten().collect()
    }

    /// The runs by their index, those together that explore one state space and are expected to pass: they are one
    /// exploration with all that is asked.
    fn shared(&self, planned: &[Planned]) -> Vec<Vec<usize>> {
        let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, one) in planned.iter().enumerate() {
            let passes = one.spec.expect == Expectation::Exactly(Outcome::Pass);
            let space = one.prepared.as_ref().ok().and_then(Prepared::space);
            let shared = space.filter(|_| passes && self.known(one).is_none());
            groups.entry(shared.unwrap_or_else(|| format!("alone {index}"))).or_default().push(index);
        }
        groups.into_values().collect()
    }

    /// Several runs as one exploration. `None` when there is one alone, or when they do not pass together: then each says
    /// for itself what breaks.
    fn together(&self, runs: &[&Planned], means: Means<'_>) -> Option<Vec<Report>> {
        let [first, others @ ..] = runs else { return None };
        let prepared = first.prepared.as_ref().ok().filter(|_| !others.is_empty())?;
        let others_prepared = others.iter().filter_map(|one| one.prepared.as_ref().ok());
        let joined = others_prepared.fold(prepared.clone(), |joined, other| joined.joined(other));
        let longest = runs.iter().max_by_key(|one| one.spec.timeout)?;
        let spec = RunSpec { mutant: None, ..longest.spec.clone() };
        runs.iter().for_each(|one| self.progress.started(&one.spec.name));
        let scratch = tempfile::Builder::new().prefix("factgate-run-").tempdir().ok()?;
        let folder = scratch.path().canonicalize().ok()?;
        let progress = |states| self.progress.states(&first.spec.name, states);
        let verdict = execute::execute(means, &spec, &joined, &folder, &progress).ok()?;
        if verdict.outcome != Outcome::Pass {
            return None;
        }
        let report = |(index, one): (usize, &&Planned)| {
            let key = one.key(Some(&self.engine.sha256), None).unwrap_or_default();
            // The time is that of all, and said once.
            let seconds = verdict.seconds.filter(|_| index == 0);
            let mut verdict = Verdict { seconds, ..verdict.clone() };
            let asks = |name: &String| one.prepared.as_ref().is_ok_and(|own| own.cfg.properties.contains(name));
            verdict.vacuous.retain(|name, _| asks(name));
            if let Some(cache) = self.folder() {
                // Where nothing can be written the verdict stands all the same.
                let _ = cache.put(&one.spec.name, &key, &verdict);
            }
            let report = judge(one, Some(key.clone()), verdict, false);
            self.hand_on(&report, &key);
            report
        };
        Some(runs.iter().enumerate().map(report).collect())
    }

    fn known(&self, planned: &Planned) -> Option<(String, Report)> {
        let key = planned.key(Some(&self.engine.sha256), None)?;
        if self.known == Known::Ignored {
            return None;
        }
        let verdict = self.folder()?.get(&key)?;
        Some((key.clone(), judge(planned, Some(key), verdict, true)))
    }

    fn folder(&self) -> Option<VerdictFolder> {
        self.cache.as_ref().map(|cache| VerdictFolder::new(cache.join(VERDICTS)))
    }

    fn one(&self, planned: &Planned, means: Means<'_>) -> Report {
        let spec = &planned.spec;
        let prepared = match &planned.prepared {
            Ok(prepared) => prepared,
            Err(error) => return Report::undecided(spec, error.to_string()),
        };
        if let Some((key, mut report)) = self.known(planned) {
            // Where nothing can be written the verdict stands all the same.
            report.kept = self.keep(&report, prepared).unwrap_or_default();
            self.hand_on(&report, &key);
            return report;
        }
        self.progress.started(&spec.name);
        let key = planned.key(Some(&self.engine.sha256), None).unwrap_or_default();
        let carried_out = || -> io::Result<Report> {
            let scratch = tempfile::Builder::new().prefix("factgate-run-").tempdir()?;
            // TLC prints canonical paths; they are taken out of its words.
            let folder = scratch.path().canonicalize()?;
            let progress = |states| self.progress.states(&spec.name, states);
            let verdict = execute::execute(means, spec, prepared, &folder, &progress)?;
            if let (Some(cache), true) = (self.folder(), verdict.outcome.is_verdict()) {
                cache.put(&spec.name, &key, &verdict)?;
            }
            let mut report = judge(planned, Some(key.clone()), verdict, false);
            report.kept = self.keep(&report, prepared)?;
            Ok(report)
        };
        let report = carried_out().unwrap_or_else(|error| Report::undecided(spec, error.to_string()));
        self.hand_on(&report, &key);
        report
    }

    /// Writes the verdict for another machine. A folder that cannot be written loses the verdict there, and the
    /// joining machine says so.
    fn hand_on(&self, report: &Report, key: &str) {
        if let Some(folder) = &self.verdicts {
            let _ = folder.put(&report.name, key, &report.verdict());
        }
    }

    /// Keeps the modules and configurations of a run that was not as expected; forgets those of one that was.
    fn keep(&self, report: &Report, prepared: &Prepared) -> io::Result<Option<PathBuf>> {
        let Some(cache) = &self.cache else { return Ok(None) };
        let folder = plain::place(&cache.join("failed"), self.model, report.name.as_str());
        if folder.exists() {
            std::fs::remove_dir_all(&folder)?;
        }
        if report.judgement == Judgement::Met {
            return Ok(None);
        }
        plain::lay(prepared, &folder)?;
        Ok(Some(folder))
    }

    fn existing_archive(&self) -> Option<PathBuf> {
        let path = command::archive_path(self.engine, self.cache.as_ref()?);
        path.is_file().then_some(path)
    }

    /// The class archive, made by a trivial run where there is none yet. Without one a run only starts slower.
    fn archive(&self) -> Option<PathBuf> {
        if let Some(path) = self.existing_archive() {
            return Some(path);
        }
        let path = command::archive_path(self.engine, self.cache.as_ref()?);
        let made = || -> io::Result<()> {
            let scratch = tempfile::Builder::new().prefix("factgate-classes-").tempdir()?;
            let folder = scratch.path();
            for name in command::FOLDERS {
                std::fs::create_dir_all(folder.join(name))?;
            }
            std::fs::write(folder.join("Warm.tla"), WARM)?;
            std::fs::write(folder.join("Warm.cfg"), "SPECIFICATION Spec\nINVARIANT Inv\nPROPERTY Live\n")?;
            let setup = Setup {
                engine: self.engine,
                archive: None,
                scratch: folder,
                root: "Warm",
                deadlock: Deadlock::Checked,
                workers: 1,
                memory_mb: LEAST_MB,
                size: Size::Small,
                coverage: Coverage::Counted,
            };
            let made = folder.join("classes.jsa");
            let mut arguments = command::arguments(&setup, "Warm.cfg");
            let mut dump = std::ffi::OsString::from("-XX:ArchiveClassesAtExit=");
            dump.push(&made);
            arguments.insert(0, dump);
            let deadline = Instant::now() + Duration::from_secs(60);
            process::run(&self.engine.java, &arguments, folder, deadline, |_| {})?;
            std::fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
            let part = path.with_extension(format!("part-{}", std::process::id()));
            std::fs::copy(&made, &part)?;
            std::fs::rename(&part, &path)
        };
        made().ok().map(|()| path)
    }
}

const WARM: &str = "---- MODULE Warm ----\nEXTENDS Integers, Sequences, FiniteSets, TLC\nVARIABLES x, log\n\
    Init == x = 0 /\\ log = <<>>\nUp == x < 3 /\\ x' = x + 1 /\\ log' = Append(log, [at |-> x, set |-> {x}])\n\
    Down == x = 3 /\\ x' = 0 /\\ log' = <<>>\nNext == Up \\/ Down\nSpec == Init /\\ [][Next]_<<x, log>> /\\ WF_<<x, log>>(Next)\n\
    Inv == Cardinality({x}) = 1 /\\ Len(log) <= 3\nLive == []<>(x = 0)\n====\n";

/// What a run weighs: its last known count of states.
fn weight(planned: &Planned, weights: &BTreeMap<RunName, u64>) -> u64 {
    let stated = planned.spec.states.and_then(|count| count.max.or(count.min));
    weights.get(&planned.spec.name).copied().or(stated).unwrap_or(1000)
}

/// The K-th of N parts of a matrix (K from 1), the same on every machine: the heaviest runs first, each to the part
/// that is lightest so far.
pub fn shard(planned: Vec<Planned>, weights: &BTreeMap<RunName, u64>, part: usize, parts: usize) -> Vec<Planned> {
    let mut order: Vec<usize> = (0..planned.len()).collect();
    order.sort_by_key(|index| (std::cmp::Reverse(weight(&planned[*index], weights)), *index));
    let mut loads = vec![0u64; parts.max(1)];
    let mut mine = vec![false; planned.len()];
    for index in order {
        let lightest = (0..loads.len()).min_by_key(|part| loads[*part]).unwrap_or(0);
        loads[lightest] += weight(&planned[index], weights) + 200;
        mine[index] = lightest + 1 == part;
    }
    planned.into_iter().zip(mine).filter_map(|(one, mine)| mine.then_some(one)).collect()
}

/// Joins what several machines came to: no engine is run. A run without a verdict under its key is undecided. The
/// verdicts are kept in factgate's folder `cache`, as if this machine had come to them.
pub fn merge(
    planned: &[Planned],
    digest: Option<&str>,
    folders: &[VerdictFolder],
    cache: &Path,
) -> io::Result<Vec<Report>> {
    let mut verdicts: BTreeMap<String, Vec<Verdict>> = BTreeMap::new();
    for folder in folders {
        for (key, several) in folder.all()? {
            verdicts.entry(key).or_default().extend(several);
        }
    }
    let kept = VerdictFolder::new(cache.join(VERDICTS));
    let report = |one: &Planned| {
        if let Err(error) = &one.prepared {
            return Report::undecided(&one.spec, error.to_string());
        }
        let found = verdicts.iter().find(|(key, _)| one.key(digest, Some(key)).as_ref() == Some(*key));
        let Some((key, verdict)) = found.and_then(|(key, several)| Some((key, agreed(several)?))) else {
            return Report::undecided(&one.spec, "no machine handed in a verdict for it as it is now".to_owned());
        };
        let verdict = match verdict {
            Ok(verdict) => verdict,
            Err(why) => return Report::undecided(&one.spec, why),
        };
        if verdict.outcome.is_verdict() {
            // Where nothing can be written the verdict stands all the same.
            let _ = kept.put(&one.spec.name, key, verdict);
        }
        judge(one, Some(key.clone()), verdict.clone(), true)
    };
    Ok(planned.iter().map(report).collect())
}

/// What several machines came to on the same inputs: one that came to nothing gives way, and two verdicts are none.
fn agreed(several: &[Verdict]) -> Option<Result<&Verdict, String>> {
    let decided: Vec<&Verdict> = several.iter().filter(|verdict| verdict.outcome.is_verdict()).collect();
    let first = decided.first().copied().or(several.first())?;
    Some(match decided.iter().find(|other| other.outcome != first.outcome) {
        Some(other) => Err(format!("two machines came to different verdicts: {} and {}", first.outcome, other.outcome)),
        None => Ok(first),
    })
}

/// The judged verdict of every run that is known in factgate's folder `cache`; runs that are not known are left out.
pub fn known(
    planned: &[Planned],
    digest: Option<&str>,
    recorded: &BTreeMap<String, String>,
    cache: &Path,
) -> Vec<Report> {
    let folder = VerdictFolder::new(cache.join(VERDICTS));
    // Without a digest a verdict of any engine will do: it was handed in by a machine that has one.
    let of_any = if digest.is_none() { folder.all().unwrap_or_default() } else { BTreeMap::new() };
    let report = |one: &Planned| {
        let key = one.key(digest, recorded.get(one.spec.name.as_str()).map(String::as_str))?;
        if let Some(verdict) = folder.get(&key) {
            return Some(judge(one, Some(key), verdict, true));
        }
        let fits = |key: &&String| one.key(None, Some(key)).as_ref() == Some(*key);
        let key = of_any.keys().find(fits)?;
        Some(judge(one, Some(key.clone()), folder.get(key)?, true))
    };
    planned.iter().filter_map(report).collect()
}

/// Every run without a verdict, for one reason: there is no engine. A run that could not be made says so all the same.
pub fn undecided(planned: &[Planned], why: &str) -> Vec<Report> {
    let own = |one: &Planned| one.prepared.as_ref().err().map_or_else(|| why.to_owned(), ToString::to_string);
    planned.iter().map(|one| Report::undecided(&one.spec, own(one))).collect()
}

/// How many runs the machine takes at once: one a core, as far as memory goes.
pub fn default_jobs() -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    cores.min(usize::try_from(available_mb() / 1024).unwrap_or(1)).max(1)
}

/// Free memory in MiB; a guess where the system does not say.
fn available_mb() -> u64 {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()).and_then(|number| number.parse::<u64>().ok());
    kilobytes.map_or(4096, |kilobytes| kilobytes / 1024)
}

impl Report {
    /// The verdict inside the report.
    fn verdict(&self) -> Verdict {
        Verdict {
            outcome: self.outcome.clone(),
            states: self.states,
            depth: self.depth,
            counterexample: self.counterexample.clone(),
            actions_taken: self.actions_taken.clone(),
            detail: self.detail.clone().filter(|_| self.judgement != Judgement::Unexpected),
            broken: self.broken.clone(),
            seconds: self.seconds,
            strayed: self.strayed.clone(),
            vacuous: self.vacuous.clone(),
            cautions: self.cautions.clone(),
            rejected: self.rejected.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::SpecPath;
    use crate::modules::PlanError;
    use crate::run::RunSpec;

    fn runs(count: usize) -> Vec<Planned> {
        let run = |index: usize| {
            let path = SpecPath::new("A.tla");
            let spec = RunSpec::new(format!("run-{index:02}"), path.clone());
            Planned { spec, prepared: Err(PlanError::Missing(path)) }
        };
        (0..count).map(run).collect()
    }

    #[test]
    fn every_run_is_in_exactly_one_part() {
        let weights = BTreeMap::from([(RunName::new("run-03"), 90_000), (RunName::new("run-05"), 80_000)]);
        for parts in 1..5 {
            let mut all = Vec::new();
            for part in 1..=parts {
                let mine = shard(runs(9), &weights, part, parts);
                assert_eq!(mine.iter().filter(|one| weights.contains_key(&one.spec.name)).count() > 1, parts == 1);
                all.extend(mine.into_iter().map(|one| one.spec.name));
            }
            all.sort();
            assert_eq!(all, runs(9).into_iter().map(|one| one.spec.name).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_run_that_no_machine_judged_is_undecided() {
        let folder = tempfile::tempdir().unwrap();
        let merge = |of: &Path| merge(&runs(1), None, &[VerdictFolder::new(of)], folder.path());
        assert_eq!(merge(folder.path()).unwrap()[0].judgement, Judgement::Undecided);
        assert!(merge(&folder.path().join("none")).is_err());
    }
}
