//! The final names of the items: overloads joined, accessors and static members with their words, bare names as aliases.

use super::items::{Found, Placing, join};
use crate::item::{Item, ItemKind, Text};
use std::collections::{BTreeMap, BTreeSet};

/// Items from what was found, in source order.
pub(super) fn finish(found: Vec<Found>) -> Vec<Item> {
    let mut found = without_shadowed(found);
    found.sort_by_key(|one| one.span.start);
    let instance: BTreeSet<(String, String)> =
        found.iter().filter(|one| !is_static(one)).map(|one| (one.path.clone(), one.name.clone())).collect();
    let is_value = |one: &&Found| one.part.0 == Text::Runs && !one.word.is_empty();
    let values: BTreeSet<(String, String)> =
        found.iter().filter(is_value).map(|one| (one.path.clone(), one.name.clone())).collect();
    let is_beside = |one: &Found| is_type_space(one) && values.contains(&(one.path.clone(), one.name.clone()));
    let spaces = spaces(found.iter().filter(|one| !is_beside(one)));
    let mut items: Vec<Item> = Vec::new();
    let mut open: Option<(String, Placing)> = None;
    for one in found {
        let place = one.place;
        let (name, aliases) = match is_beside(&one) {
            true => (join(&one.path, &format!("namespace {}", one.name)), one.aliases.clone()),
            false => name(&one, &instance, &spaces),
        };
        let continues = open.as_ref().is_some_and(|(known, signature)| {
            *known == name && one.kind == ItemKind::Function && is_static_place(*signature) == is_static_place(place)
        });
        open = signature(place).then(|| (name.clone(), place));
        if continues && let Some(last) = items.iter_mut().rev().find(|item| item.name == name) {
            last.span.end = one.span.end;
            last.parts.push(one.part);
            continue;
        }
        items.push(Item { name, kind: one.kind, span: one.span, parts: vec![one.part], aliases });
    }
    items.sort_by_key(|item| item.span);
    items
}

fn is_static(one: &Found) -> bool {
    is_static_place(one.place)
}

fn is_static_place(place: Placing) -> bool {
    matches!(place, Placing::Static | Placing::StaticSignature)
}

fn signature(place: Placing) -> bool {
    matches!(place, Placing::Signature | Placing::StaticSignature)
}

/// A function of a nameless object gives way to a declared thing of the same name.
fn without_shadowed(found: Vec<Found>) -> Vec<Found> {
    let declared: BTreeSet<(String, String)> = found
        .iter()
        .filter(|one| one.place != Placing::Anonymous)
        .map(|one| (one.path.clone(), one.name.clone()))
        .collect();
    let shadowed =
        |one: &Found| one.place == Placing::Anonymous && declared.contains(&(one.path.clone(), one.name.clone()));
    found.into_iter().filter(|one| !shadowed(one)).collect()
}

/// For each name, the words by which it is declared: a value and a type of one name are told apart by them.
fn spaces<'f>(found: impl Iterator<Item = &'f Found>) -> BTreeMap<(String, String), BTreeSet<&'static str>> {
    let mut spaces: BTreeMap<_, BTreeSet<&'static str>> = BTreeMap::new();
    for one in found.filter(|one| !one.word.is_empty() && one.word != "default") {
        spaces.entry((one.path.clone(), one.name.clone())).or_default().insert(one.word);
    }
    spaces
}

/// Whether a thing is a namespace that holds types alone. A function of its name is what the name means.
fn is_type_space(one: &Found) -> bool {
    one.word == "namespace" && one.part.0 == Text::Types
}

/// Whether declarations of one name live side by side: types and namespaces do so with values.
fn clash(words: &BTreeSet<&'static str>) -> bool {
    words.len() > 1 && ["interface", "type", "namespace"].iter().any(|word| words.contains(word))
}

fn name(
    one: &Found,
    instance: &BTreeSet<(String, String)>,
    spaces: &BTreeMap<(String, String), BTreeSet<&'static str>>,
) -> (String, Vec<String>) {
    let key = (one.path.clone(), one.name.clone());
    let bare = join(&one.path, &one.name);
    let mut aliases = one.aliases.clone();
    if spaces.get(&key).is_some_and(|words| words.contains(one.word) && clash(words)) {
        aliases.push(bare);
        return (join(&one.path, &format!("{} {}", one.word, one.name)), aliases);
    }
    let word = if one.accessor.is_empty() { one.name.clone() } else { format!("{} {}", one.accessor, one.name) };
    let plain = join(&one.path, &word);
    let with_static = join(&one.path, &format!("static {word}"));
    if !is_static(one) {
        if !one.accessor.is_empty() {
            aliases.push(bare);
        }
        return (plain, aliases);
    }
    if instance.contains(&key) {
        return (with_static, aliases);
    }
    aliases.push(with_static);
    if !one.accessor.is_empty() {
        aliases.push(bare);
        aliases.push(join(&one.path, &format!("static {}", one.name)));
    }
    (plain, aliases)
}
