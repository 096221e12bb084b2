//! How the matrix comes along, on a terminal: a line a run that is under way. Anywhere else nothing is shown.

use factgate_checker::{Progress, Report, RunName};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The lines of the runs under way.
#[derive(Default)]
pub struct Lines {
    lines: MultiProgress,
    runs: Mutex<BTreeMap<RunName, ProgressBar>>,
}

impl Lines {
    fn change(&self, change: impl FnOnce(&mut BTreeMap<RunName, ProgressBar>)) {
        change(&mut self.runs.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Progress for Lines {
    fn started(&self, run: &RunName) {
        // One line each, cut at the window's edge.
        let style =
            ProgressStyle::with_template("{spinner} {wide_msg}").unwrap_or_else(|_| ProgressStyle::default_spinner());
        let line = self.lines.add(ProgressBar::new_spinner().with_style(style));
        line.set_message(run.as_str().to_owned());
        line.enable_steady_tick(Duration::from_millis(200));
        self.change(|runs| drop(runs.insert(run.clone(), line)));
    }

    fn states(&self, run: &RunName, states: u64) {
        self.change(|runs| {
            if let Some(line) = runs.get(run) {
                line.set_message(format!("{run}   {states} distinct states"));
            }
        });
    }

    fn finished(&self, report: &Report) {
        self.change(|runs| {
            if let Some(line) = runs.remove(&report.name) {
                line.finish_and_clear();
            }
        });
    }
}
