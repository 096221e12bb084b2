//! What names mean in the bodies of a graph, and what a variable stands for: the value that it was given once, an argument
//! of a body that was put in.

use super::code::{Code, Means};
use super::sight::Files;
use crate::core::Objects;
use crate::core::sight::{Import, Sight, VarRef};
use factgate_ir::graph::{Action, FrameId, Graph, Role};
use factgate_ir::{
    BodyId, BodyRef, Call, Callee, Does, Given, How, Op, Path, Root, Sym, This, UnitRef, ValueId, VarId,
};
use factgate_syntax::{BindingId, Lowered, NodeId, Scopes, Tree};
use rustc_hash::FxHashMap as HashMap;
use std::sync::Arc;

/// A file as the engine sees it: its tree, its core, and which names mean which variables.
pub(crate) struct File {
    pub(crate) tree: Arc<Tree>,
    pub(crate) lowered: Arc<Lowered>,
    meant: HashMap<NodeId, Base>,
}

/// What a name means, whatever the frame.
#[derive(Clone, Copy)]
enum Base {
    Var(VarId),
    Name(BindingId),
    This(BodyId),
    Arguments(BodyId),
}

impl File {
    pub(crate) fn of(tree: Arc<Tree>, scopes: &Scopes, lowered: Arc<Lowered>, ops: &[(BodyId, &Op)]) -> File {
        let unit = &lowered.unit;
        let vars: HashMap<NodeId, VarId> =
            unit.vars.iter().enumerate().map(|(at, var)| (var.node, VarId(at as u32))).collect();
        let mut meant = HashMap::default();
        for node in tree.subtree(NodeId::ROOT) {
            if let Some(binding) = scopes.binding(node) {
                let declared = scopes.get(binding).declared;
                meant.insert(node, vars.get(&declared).map_or(Base::Name(binding), |&var| Base::Var(var)));
            }
        }
        for (body, op) in ops {
            if matches!(op.does, Does::Given(Given::This | Given::Arguments)) && tree.is_leaf(op.node) {
                let base = match op.does {
                    Does::Given(Given::This) => Base::This(unit.home(*body)),
                    _ => Base::Arguments(unit.home(*body)),
                };
                meant.entry(op.node).or_insert(base);
            }
        }
        File { tree, lowered, meant }
    }

    /// Whether a node names a variable that is not one of the file itself.
    pub(crate) fn is_local(&self, node: NodeId) -> bool {
        let unit = &self.lowered.unit;
        let is_local = |inner: NodeId| match self.meant.get(&inner) {
            Some(Base::Var(var)) => unit.var(*var).owner != unit.top,
            _ => false,
        };
        self.tree.subtree(node).any(is_local)
    }
}

/// What a variable, or the `this` of a body, stands for: a value of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stand {
    pub(super) frame: FrameId,
    pub(super) value: ValueId,
}

/// The names of a graph.
pub(super) struct Names<'n> {
    pub(super) graph: &'n Graph<'n>,
    pub(super) sight: &'n Sight<'n>,
    objects: &'n Objects<'n>,
    pub(super) files: &'n Files<'n>,
    /// The graph's frames by number.
    pub(super) frames: Vec<FrameId>,
}

impl<'n> Names<'n> {
    pub(super) fn new(graph: &'n Graph<'n>, objects: &'n Objects<'n>, files: &'n Files<'n>) -> Names<'n> {
        let mut frames: Vec<FrameId> = graph.points.iter().map(|point| point.frame).collect();
        frames.extend(graph.roots.iter().map(|root| root.frame));
        frames.extend(graph.points.iter().filter_map(|point| match point.action {
            Action::Enter(frame) | Action::Back(frame) => Some(frame),
            _ => None,
        }));
        frames.sort();
        frames.dedup();
        Names { graph, sight: objects.sight(), objects, files, frames }
    }

    pub(super) fn file(&self, frame: FrameId) -> &'n File {
        self.files.get(self.graph.unit(frame))
    }

    /// The operation that gives a value.
    pub(super) fn def(&self, frame: FrameId, value: ValueId) -> Option<&'n Op> {
        self.sight.def(self.graph.frame(frame).body, value)
    }

    /// The operation that runs a frame's body, with its frame.
    pub(super) fn caller(&self, frame: FrameId) -> Option<(FrameId, &'n Op)> {
        let (caller, op) = self.graph.frame(frame).caller?;
        Some((caller, self.sight.index(self.graph.unit(caller)).op(op)?))
    }

    /// The code of a node as a frame sees it.
    pub(super) fn code(&self, frame: FrameId, node: NodeId) -> Code {
        let file = self.file(frame);
        let marks = file.tree.subtree(node).filter_map(|inner| Some((inner, self.means(frame, inner)?))).collect();
        Code { tree: file.tree.clone(), root: node, marks: Arc::new(marks) }
    }

    /// What a node means to a frame, when it is a name.
    pub(super) fn means(&self, frame: FrameId, node: NodeId) -> Option<Means> {
        let unit = self.graph.unit(frame);
        Some(match *self.file(frame).meant.get(&node)? {
            Base::Var(var) => self.var(frame, var),
            Base::Name(binding) => Means::Name(unit, binding),
            Base::This(home) => self.given_of(frame, home),
            Base::Arguments(home) => self.arguments(frame, home),
        })
    }

    /// A variable as a frame names it.
    pub(super) fn var(&self, frame: FrameId, var: VarId) -> Means {
        let unit = self.graph.unit(frame);
        let owner = self.sight.unit(unit).var(var).owner;
        Means::Var(unit, var, self.number(self.frame_of(frame, owner)))
    }

    /// The frame of a body around a frame, or its own.
    fn frame_of(&self, frame: FrameId, body: BodyId) -> Option<FrameId> {
        let mut here = Some(frame);
        while let Some(frame) = here {
            let known = self.graph.frame(frame);
            if known.body.body == body {
                return here;
            }
            here = known.outer;
        }
        None
    }

    /// What tells a frame's variables from those of other runs: nothing for a root, whose runs are looked at one by one.
    fn number(&self, frame: Option<FrameId>) -> Option<u32> {
        let frame = frame?;
        self.graph.frame(frame).caller.map(|_| frame.index() as u32)
    }

    /// The `this` (or `arguments`) of a body around a frame.
    pub(super) fn given_of(&self, frame: FrameId, home: BodyId) -> Means {
        let unit = self.graph.unit(frame);
        match self.frame_of(frame, home).or_else(|| self.bound_of(frame)) {
            Some(frame) => self.this(frame),
            None => Means::Given(unit, home, None),
        }
    }

    /// The frame around a frame, or its own, of an arrow function that is called on the object whose `this` it sees.
    fn bound_of(&self, frame: FrameId) -> Option<FrameId> {
        let mut around = std::iter::successors(Some(frame), |&frame| self.graph.frame(frame).outer);
        around.find(|&frame| self.is_bound(frame))
    }

    fn is_bound(&self, frame: FrameId) -> bool {
        let Some((caller, op)) = self.caller(frame) else { return false };
        let Does::Call(Call { callee: Callee::Member { name, .. }, this: Some(_), .. }) = &op.does else {
            return false;
        };
        let name = self.objects.name(self.graph.unit(caller), name);
        self.objects.bound(self.graph.frame(frame).body) == Some(name)
    }

    /// The `arguments` of a body around a frame.
    fn arguments(&self, frame: FrameId, home: BodyId) -> Means {
        Means::Given(self.graph.unit(frame), home, self.number(self.frame_of(frame, home)))
    }

    /// What a word that is no variable means in a frame: `this`, `arguments`.
    pub(super) fn word_at(&self, frame: FrameId, word: &str) -> Means {
        let file = self.file(frame);
        let is_it = |node: &NodeId| file.tree.text(*node) == word;
        let is_arguments = file.meant.iter().any(|(node, base)| matches!(base, Base::Arguments(_)) && is_it(node));
        if is_arguments {
            let body = self.graph.frame(frame).body;
            return self.arguments(frame, self.sight.home(body).body);
        }
        self.this_at(frame)
    }

    /// The `this` that code of a frame sees.
    pub(super) fn this_at(&self, frame: FrameId) -> Means {
        let body = self.graph.frame(frame).body;
        self.given_of(frame, self.sight.home(body).body)
    }

    /// The `this` that a frame's own call gives.
    pub(super) fn own_this(&self, frame: FrameId) -> Means {
        let body = self.graph.frame(frame).body;
        Means::Given(body.unit, body.body, self.number(Some(frame)))
    }

    /// The `this` of a frame. Where a call hands its own on, it is the same.
    fn this(&self, frame: FrameId) -> Means {
        let body = self.graph.frame(frame).body;
        let own = Means::Given(body.unit, body.body, self.number(Some(frame)));
        let Some((caller, op)) = self.caller(frame) else { return own };
        let is_same = match &op.does {
            Does::Call(call) => match call.callee {
                Callee::Super(_) | Callee::Make | Callee::Fields => true,
                _ => call.this.and_then(|this| self.def(caller, this)).is_some_and(is_this),
            },
            Does::Read(place) | Does::Write { place, .. } => match place.root {
                Root::Value(object) => self.def(caller, object).is_some_and(is_this),
                Root::Super => true,
                _ => false,
            },
            _ => false,
        };
        let unit = self.sight.unit(self.graph.unit(caller));
        let home = unit.home(self.graph.frame(caller).body.body);
        if is_same { self.given_of(caller, home) } else { own }
    }

    /// The value that a name has, when it is given one once. `frame` is the one that the name was met in.
    pub(super) fn stand(&self, frame: FrameId, means: Means) -> Option<Stand> {
        match means {
            Means::Var(unit, var, number) => {
                let (index, owner) = (self.sight.index(unit), self.sight.unit(unit).var(var).owner);
                let known = &index.vars[var.index()];
                let frame = self.run(frame, number, BodyRef { unit, body: owner })?;
                match (known.param, &known.writes[..]) {
                    _ if known.is_addressed => None,
                    (Some((_, at)), []) => self.argument(frame, at as usize),
                    (None, &[write]) if index.owner(write) == owner => self.given_once(frame, index.op(write)?),
                    _ => None,
                }
            }
            Means::Given(unit, home, Some(number)) => {
                self.receiver(self.run(frame, Some(number), BodyRef { unit, body: home })?)
            }
            Means::Given(..) | Means::Name(..) => None,
        }
    }

    /// The frame of a number; without one, the root that a frame is below, when it runs this body.
    fn run(&self, frame: FrameId, number: Option<u32>, body: BodyRef) -> Option<FrameId> {
        let frame = match number {
            Some(number) => *self.frames.get(number as usize)?,
            None => self.root(frame),
        };
        (self.graph.frame(frame).body == body).then_some(frame)
    }

    /// The root that a frame is below.
    pub(super) fn root(&self, mut frame: FrameId) -> FrameId {
        while let Some((caller, _)) = self.graph.frame(frame).caller {
            frame = caller;
        }
        frame
    }

    /// The value of a variable that is written once, when that is a member of something or another variable.
    fn given_once(&self, frame: FrameId, write: &Op) -> Option<Stand> {
        let Does::Write { value: Some(value), how: How::Declare | How::Assign, .. } = &write.does else { return None };
        match &self.def(frame, *value)?.does {
            Does::Read(place) if !matches!(place.root, Root::Slot(_)) => Some(Stand { frame, value: *value }),
            _ => None,
        }
    }

    /// The argument that a parameter of a frame gets.
    pub(super) fn argument(&self, frame: FrameId, at: usize) -> Option<Stand> {
        let (caller, op) = self.caller(frame)?;
        let value = match (self.graph.frame(frame).role, &op.does) {
            (Role::Callee, Does::Call(call)) => {
                let plain = call.args.iter().take(at + 1).all(|arg| !arg.spread);
                call.args.get(at).filter(|_| plain)?.value
            }
            (Role::Setter, Does::Write { value, .. }) if at == 0 => (*value)?,
            _ => return None,
        };
        Some(Stand { frame: caller, value })
    }

    /// The object that a frame's body is called on.
    fn receiver(&self, frame: FrameId) -> Option<Stand> {
        let (caller, op) = self.caller(frame)?;
        let body = self.graph.frame(frame).body;
        if self.sight.unit(body.unit).body(body.body).this != This::Given && !self.is_bound(frame) {
            return None;
        }
        let value = match (self.graph.frame(frame).role, &op.does) {
            (Role::Callee, Does::Call(call)) => call.this?,
            (Role::Getter | Role::Setter, Does::Read(place) | Does::Write { place, .. }) => match place.root {
                Root::Value(object) => object,
                _ => return None,
            },
            _ => return None,
        };
        Some(Stand { frame: caller, value })
    }

    /// What a name that the unit does not declare leads to, and what is left of its path.
    pub(super) fn import(&self, unit: UnitRef, path: &Path) -> Option<(VarRef, Vec<Sym>)> {
        match self.sight.import(unit, path)? {
            (Import::Var(var), rest) => Some((var, rest)),
            (Import::Module(_) | Import::Function(_), _) => None,
        }
    }
}

pub(super) fn is_this(op: &Op) -> bool {
    op.does == Does::Given(Given::This)
}
