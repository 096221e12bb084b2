//! Which difference follows from which: a fact from the item that it is read in, a call site from the item around it, a
//! verdict from the fact or file that it rests on.
//!
//! What has several causes names one of them: the one that shows where it is read, else the first.

use crate::config::Model;
use crate::pipeline::moved::scopes;
use crate::report::StaleReport;
use factgate_facts::program::Program;
use factgate_record::{Current, Place, Record, StaleKind, is_inside};
use factgate_syntax::Selector;

/// Says of each difference what it follows from, if from another one.
pub fn attribute(model: &Model, program: &Program<'_>, record: &Record, current: &Current, stale: &mut [StaleReport]) {
    let known = Known { model, program, record, current };
    let items: Vec<Item> = stale.iter().filter_map(|report| Item::of(report, current)).collect();
    for report in &mut *stale {
        report.because = match report.stale.kind {
            StaleKind::Fact => known.of_fact(&items, report),
            StaleKind::CallAdded | StaleKind::CallRemoved => known.of_site(&items, report),
            StaleKind::Removed if !record.items.contains_key(&report.stale.item) => known.of_place(&items, report),
            // What moved and is not the same any more has moved first.
            StaleKind::Changed if report.stale.to.is_some() => Some(report.stale.item.clone()),
            _ => None,
        };
    }
    let basis = basis(stale);
    let verdicts = stale.iter_mut().filter(|report| report.stale.kind == StaleKind::Unverified);
    verdicts.for_each(|report| report.because.clone_from(&basis));
}

/// A STALE item, and where it stands now.
struct Item {
    name: String,
    /// Its selector now.
    now: String,
    kind: StaleKind,
    extent: Option<(Place, Place)>,
}

impl Item {
    fn of(report: &StaleReport, current: &Current) -> Option<Item> {
        use StaleKind::{Changed, Moved, Removed, Uncovered, Unrecorded};
        let kind = report.stale.kind;
        if !matches!(kind, Changed | Moved | Removed | Uncovered | Unrecorded) {
            return None;
        }
        let name = report.stale.item.clone();
        let now = report.stale.to.clone().unwrap_or_else(|| name.clone());
        let extent = current.items.get(&name).map(|item| item.at.clone()).zip(current.ends.get(&name).cloned());
        Some(Item { name, now, kind, extent })
    }

    fn holds(&self, place: &Place) -> bool {
        self.extent.as_ref().is_some_and(|(start, end)| place.file == start.file && start <= place && place <= end)
    }
}

/// What there is to tell a cause by.
struct Known<'a> {
    model: &'a Model,
    program: &'a Program<'a>,
    record: &'a Record,
    current: &'a Current,
}

impl Known<'_> {
    /// A fact follows from the item that it is read in, else from a helper that it is shown by. One that means something
    /// else now has changed by itself.
    fn of_fact(&self, items: &[Item], report: &StaleReport) -> Option<String> {
        let name = &report.stale.item;
        let scopes = scopes(&self.model.facts.get(name)?.table);
        let recorded = self.record.facts.get(name);
        let definitions = recorded.and_then(|recorded| recorded.of.as_ref()).zip(self.current.definitions.get(name));
        if definitions.is_some_and(|(before, after)| before != after) {
            return None;
        }
        // A fact that is new was written now, and follows only from an item that is new as well.
        let may = |item: &&Item| recorded.is_some() || item.kind == StaleKind::Unrecorded;
        let is_read_in =
            |item: &&Item| scopes.iter().any(|scope| is_inside(scope, &item.name) || is_inside(&item.name, scope));
        let evidence = self.current.facts.get(name).map(|fact| fact.evidence.as_slice()).unwrap_or_default();
        let shows = |item: &&Item| evidence.iter().any(|evidence| item.holds(&evidence.place));
        let candidates: Vec<&Item> = items.iter().filter(may).collect();
        let read: Vec<&Item> = candidates.iter().copied().filter(is_read_in).collect();
        let helper = || candidates.iter().copied().find(|item| scopes.iter().any(|scope| self.says(scope, item)));
        let shown = candidates.iter().copied().find(shows);
        let found = read.iter().copied().find(shows).or(read.first().copied()).or(shown).or_else(helper);
        found.map(|item| item.name.clone())
    }

    /// A place that an action stands for follows from the item that it is gone from.
    fn of_place(&self, items: &[Item], report: &StaleReport) -> Option<String> {
        let is_tied =
            self.model.actions.values().flat_map(|action| &action.code).any(|code| code.text == report.stale.item);
        let around =
            items.iter().filter(|item| item.name != report.stale.item && is_inside(&report.stale.item, &item.name));
        around.filter(|_| is_tied).max_by_key(|item| item.name.len()).map(|item| item.name.clone())
    }

    /// Whether the code of a scope says the last name of an item: it may call it.
    fn says(&self, scope: &str, item: &Item) -> bool {
        let last = item.name.rsplit(['#', '.', '/']).next().unwrap_or_default();
        let found = Selector::parse(scope).ok().and_then(|selector| self.program.scope(&selector).ok());
        let code = found.as_ref().and_then(|scope| scope.source.text().get(scope.span.range())).unwrap_or_default();
        let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
        !last.is_empty() && code.split(|letter| !is_letter(letter)).any(|word| word == last)
    }

    /// A site follows from the item around it, or from the entry that is new or gone.
    fn of_site(&self, items: &[Item], report: &StaleReport) -> Option<String> {
        let (site, callee) = (report.stale.item.as_str(), report.stale.callee.as_deref()?);
        if !self.record.calls.contains_key(callee) || !self.current.calls.contains_key(callee) {
            return Some(format!("[[calls]] {callee}"));
        }
        let named = items.iter().filter(|item| is_inside(site, &item.name) || is_inside(site, &item.now));
        let named = named.max_by_key(|item| item.name.len());
        let around = || items.iter().find(|item| report.stale.at.as_ref().is_some_and(|place| item.holds(place)));
        // A handler has no name that a site could bear: it counts in the item around it.
        let is_handler = |item: &&Item| item.name.strip_prefix(site).is_some_and(|rest| rest.starts_with('/'));
        named.or_else(around).or_else(|| items.iter().find(is_handler)).map(|item| item.name.clone())
    }
}

/// What the verdicts of the runs rest on and is STALE: a fact before a file.
fn basis(stale: &[StaleReport]) -> Option<String> {
    let of_kind = |kind| stale.iter().find(|report| report.stale.kind == kind);
    let found = of_kind(StaleKind::Fact).or_else(|| of_kind(StaleKind::File))?;
    Some(found.because.clone().unwrap_or_else(|| found.stale.item.clone()))
}
