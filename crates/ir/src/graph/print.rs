//! Prints a graph: each point on a line, in the order of reaching it, with a number of its own for this listing.

use super::{Action, Ending, Frame, FrameId, Graph, PointId};
use crate::World;
use crate::print::{Printer, atom, body_name, exit_name, value_name};
use std::collections::BTreeMap;
use std::fmt::Write as _;

impl Graph<'_> {
    /// The graph as text: `3 f1 read m.ok -> 4, raise 9`. Points that only join are left out.
    pub fn print(&self, world: &dyn World) -> String {
        let mut out = String::new();
        let order = self.in_order();
        let numbers: BTreeMap<PointId, usize> = order.iter().enumerate().map(|(number, &id)| (id, number)).collect();
        for &id in &order {
            let point = self.point(id);
            let mut next: Vec<String> = Vec::new();
            for target in point.next().map(|next| self.shown(next)) {
                next.push(numbers[&target].to_string());
            }
            next.dedup();
            let text = self.action(world, point.frame, &point.action);
            let _ = write!(out, "{} {text}", numbers[&id]);
            if !next.is_empty() {
                let _ = write!(out, " -> {}", next.join(" "));
            }
            if let Some(raise) = point.raise {
                let _ = write!(out, " raise {}", numbers[&self.shown(raise)]);
            }
            out.push('\n');
        }
        out
    }

    /// The point itself, or when it only passes on to one, that one.
    fn shown(&self, id: PointId) -> PointId {
        let mut shown = id;
        for _ in 0..self.points.len() {
            let point = self.point(shown);
            let mut next = point.next();
            match (&point.action, next.next(), next.next()) {
                (Action::Pass, Some(only), None) => shown = only,
                _ => break,
            }
        }
        shown
    }

    fn in_order(&self) -> Vec<PointId> {
        let mut order = Vec::new();
        let mut seen = vec![false; self.points.len()];
        for root in &self.roots {
            let mut open = vec![root.entry];
            while let Some(id) = open.pop().map(|id| self.shown(id)) {
                if std::mem::replace(&mut seen[id.index()], true) {
                    continue;
                }
                order.push(id);
                let next: Vec<PointId> = self.point(id).all_next().collect();
                open.extend(next.into_iter().rev());
            }
        }
        order
    }

    fn action(&self, world: &dyn World, frame: FrameId, action: &Action<'_>) -> String {
        let printer = Printer { unit: world.unit(self.unit(frame)), node: &|node| format!("#{}", node.index()) };
        let frames = |frame: FrameId| {
            let Frame { body, role, .. } = self.frame(frame);
            format!("{} as {role:?} {}", body_name(body.body), frame.0)
        };
        let text = match action {
            Action::Pass => "fork".to_owned(),
            Action::Op(op) if op.does == crate::Does::Mark => format!("mark #{}", op.node.index()),
            Action::Op(op) => printer.op(op),
            Action::Call(op) => format!("ways of {}", printer.op(op)),
            Action::Rest { op, left, unread } => {
                let left: String = left.iter().map(|body| format!(" {}", body_name(body.body))).collect();
                format!("rest of {},{left}{}", printer.op(op), if *unread { " unread" } else { "" })
            }
            Action::Enter(frame) => format!("enter {}", frames(*frame)),
            Action::Back(frame) => format!("back from {}", frames(*frame)),
            Action::Assume { atom: asked, outcome, .. } => {
                format!("{}{}", if *outcome { "assume " } else { "assume not " }, atom(asked))
            }
            Action::Caught(value) => format!("caught {}", value.map(value_name).unwrap_or_default()),
            Action::Leave(to, value) => {
                format!("{} {}", exit_name(*to), value.map(value_name).unwrap_or_default())
            }
            Action::Exit(ending) => {
                return match ending {
                    Ending::Return => "RETURNED",
                    Ending::ErrorReturn => "RETURNED ERROR",
                    Ending::Raise => "RAISED",
                    Ending::Never => "NEVER",
                }
                .to_owned();
            }
        };
        format!("[{}] {}", frame.0, text.trim_end())
    }
}
