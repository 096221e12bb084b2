//! What can be reached from where.

use super::{Graph, PointId};

/// For every point, whether some path from one of `from` leads to it (the starts included).
pub fn reachable(graph: &Graph<'_>, from: impl IntoIterator<Item = PointId>) -> Vec<bool> {
    let mut seen = vec![false; graph.points.len()];
    let mut open: Vec<PointId> = from.into_iter().collect();
    while let Some(id) = open.pop() {
        if !std::mem::replace(&mut seen[id.index()], true) {
            open.extend(graph.point(id).all_next());
        }
    }
    seen
}

/// For every point, whether some path from it leads to one of `to` (those included).
pub fn reaches(graph: &Graph<'_>, to: impl IntoIterator<Item = PointId>) -> Vec<bool> {
    let mut before: Vec<Vec<PointId>> = vec![Vec::new(); graph.points.len()];
    for id in graph.ids() {
        graph.point(id).all_next().for_each(|next| before[next.index()].push(id));
    }
    let mut seen = vec![false; graph.points.len()];
    let mut open: Vec<PointId> = to.into_iter().collect();
    while let Some(id) = open.pop() {
        if !std::mem::replace(&mut seen[id.index()], true) {
            open.extend(&before[id.index()]);
        }
    }
    seen
}
