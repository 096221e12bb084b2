//! The units in sight of a scope: its own file first, then the files that its imports lead to, in a fixed order. Each is
//! lowered when something is asked of it.

use super::index::Index;
use crate::program::{CoreFile, Led, Program};
use factgate_ir::{BodyId, BodyRef, ClassId, NodeId, Op, OpId, OpRef, Path, Sym, Unit, UnitRef, ValueId, VarId};
use factgate_record::RepoPath;
use factgate_syntax::Lowered;
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::sync::Arc;

/// A class of some unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ClassRef {
    pub(crate) unit: UnitRef,
    pub(crate) class: ClassId,
}

/// A variable of some unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct VarRef {
    pub(crate) unit: UnitRef,
    pub(crate) var: VarId,
}

/// What a name that a unit does not declare leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Import {
    /// A variable of another unit.
    Var(VarRef),
    /// A function of another unit that has no name there.
    Function(BodyRef),
    /// All that another unit exports.
    Module(UnitRef),
}

/// A unit, lowered when it is asked for.
pub(crate) struct Seen {
    file: Option<RepoPath>,
    core: OnceCell<Core>,
}

/// What is known of a unit.
struct Core {
    lowered: Arc<Lowered>,
    index: Arc<Index>,
    /// The file, when there is one.
    file: Option<Arc<CoreFile>>,
}

/// The units in sight.
pub(crate) struct Sight<'p> {
    program: Option<&'p Program<'p>>,
    units: Vec<Seen>,
    by_file: FxHashMap<RepoPath, UnitRef>,
    /// The units that the scope's own file names; what lies behind is only found by way of names.
    near: usize,
}

/// The unit of the scope.
pub(crate) const HOME: UnitRef = UnitRef(0);

impl Seen {
    /// A unit that neither imports nor exports.
    #[cfg(test)]
    pub(crate) fn of(unit: Unit) -> Seen {
        let index = Arc::new(Index::of(&unit));
        let lowered = Arc::new(Lowered { unit, spellings: Vec::new() });
        Seen { file: None, core: OnceCell::from(Core { lowered, index, file: None }) }
    }
}

impl<'p> Sight<'p> {
    /// These units, that of the scope first.
    #[cfg(test)]
    pub(crate) fn new(units: Vec<Seen>) -> Sight<'p> {
        Sight { program: None, near: units.len(), units, by_file: FxHashMap::default() }
    }

    /// What is in sight of a file.
    pub(crate) fn of(program: &'p Program<'p>, file: &RepoPath) -> Sight<'p> {
        let (files, near) = program.in_sight(file);
        let by_file = files.iter().enumerate().map(|(at, file)| (file.clone(), UnitRef(at as u32))).collect();
        let units = files.into_iter().map(|file| Seen { file: Some(file), core: OnceCell::new() }).collect();
        Sight { program: Some(program), units, by_file, near }
    }

    /// How many units there are.
    pub(crate) fn count(&self) -> usize {
        self.units.len()
    }

    /// The units that the scope's own file names, itself first.
    pub(crate) fn units(&self) -> impl Iterator<Item = UnitRef> + use<> {
        (0..self.near as u32).map(UnitRef)
    }

    /// Those of them whose text holds a word.
    pub(crate) fn saying<'s>(&'s self, word: &'s str) -> impl Iterator<Item = UnitRef> + 's {
        self.units().filter(move |&unit| self.says(unit, word))
    }

    fn says(&self, unit: UnitRef, word: &str) -> bool {
        let (Some(program), Some(file)) = (self.program, &self.units[unit.index()].file) else { return true };
        let word = word.trim_start_matches('@');
        unit == HOME || program.linked(file).is_some_and(|linked| linked.text.contains(word))
    }

    fn core(&self, unit: UnitRef) -> &Core {
        let seen = &self.units[unit.index()];
        seen.core.get_or_init(|| {
            let file = seen.file.as_ref().and_then(|file| self.program?.core(file));
            match file {
                Some(file) => Core { lowered: file.lowered.clone(), index: file.index.clone(), file: Some(file) },
                None => {
                    let unit = factgate_ir::Builder::new(NodeId::ROOT).finish();
                    let index = Arc::new(Index::of(&unit));
                    Core { lowered: Arc::new(Lowered { unit, spellings: Vec::new() }), index, file: None }
                }
            }
        })
    }

    /// The file of a unit, with its tree and variables; none in tests without files.
    pub(crate) fn file(&self, unit: UnitRef) -> Option<&Arc<CoreFile>> {
        self.core(unit).file.as_ref()
    }

    pub(crate) fn lowered(&self, unit: UnitRef) -> &Arc<Lowered> {
        &self.core(unit).lowered
    }

    pub(crate) fn unit(&self, unit: UnitRef) -> &Unit {
        &self.core(unit).lowered.unit
    }

    pub(crate) fn index(&self, unit: UnitRef) -> &Index {
        &self.core(unit).index
    }

    /// Whether the written return type of a function is `never`.
    pub(crate) fn never_returns(&self, body: BodyRef) -> bool {
        let node = self.unit(body.unit).body(body.body).node;
        self.file(body.unit).is_some_and(|file| file.never.contains(&node))
    }

    /// The operation behind a reference.
    pub(crate) fn op(&self, op: OpRef) -> Option<&Op> {
        self.index(op.unit).op(op.op)
    }

    /// The body that an operation stands in.
    pub(crate) fn owner(&self, op: OpRef) -> BodyRef {
        BodyRef { unit: op.unit, body: self.index(op.unit).owner(op.op) }
    }

    /// The operation that gives a value.
    pub(crate) fn def(&self, body: BodyRef, value: ValueId) -> Option<&Op> {
        self.index(body.unit).def(body.body, value)
    }

    /// The operations of a body, with their places.
    pub(crate) fn ops_of(&self, body: BodyRef) -> impl Iterator<Item = &Op> {
        self.index(body.unit).ops_of(body.body)
    }

    /// The body whose `this` a body sees.
    pub(crate) fn home(&self, body: BodyRef) -> BodyRef {
        BodyRef { unit: body.unit, body: self.unit(body.unit).home(body.body) }
    }

    /// What a name that the unit does not declare leads to, and what is left of it.
    pub(crate) fn import(&self, unit: UnitRef, path: &Path) -> Option<(Import, Vec<Sym>)> {
        let (first, rest) = path.0.split_first()?;
        let file = self.units[unit.index()].file.as_ref()?;
        let mut led = self.program?.led(file, first.as_str())?;
        let mut rest = rest.iter();
        while let (None, Some(next)) = (led.declared, rest.as_slice().first()) {
            led = self.program?.exported(&led.file, next.as_str())?;
            rest.next();
        }
        let mut left: Vec<Sym> = led.rest.iter().map(|name| Sym::from(name.as_str())).collect();
        left.extend(rest.cloned());
        Some((self.led(&led)?, left))
    }

    /// Whether a name comes from a file of the view, whatever it is there.
    pub(crate) fn is_imported(&self, unit: UnitRef, path: &Path) -> bool {
        let file = self.units[unit.index()].file.as_ref();
        let named = path.0.first().zip(file).zip(self.program);
        named.is_some_and(|((name, file), program)| program.imports(file, name.as_str()))
    }

    /// Whether a name is imported, from wherever.
    pub(crate) fn is_foreign(&self, unit: UnitRef, path: &Path) -> bool {
        let file = self.units[unit.index()].file.as_ref();
        let named = path.0.first().zip(file.and_then(|file| self.program?.linked(file)));
        named.is_some_and(|(name, linked)| linked.links.symbols.iter().any(|symbol| symbol.name == name.as_str()))
    }

    /// What a unit exports under a name.
    pub(crate) fn exported(&self, unit: UnitRef, name: &str) -> Option<Import> {
        let led = self.program?.exported(self.units[unit.index()].file.as_ref()?, name)?;
        if led.rest.is_empty() { self.led(&led) } else { None }
    }

    fn led(&self, led: &Led) -> Option<Import> {
        let &unit = self.by_file.get(&led.file)?;
        match led.declared {
            None => Some(Import::Module(unit)),
            Some(declared) => {
                let file = self.file(unit)?;
                let named = file.variable(declared).map(|var| Import::Var(VarRef { unit, var }));
                named.or_else(|| Some(Import::Function(body_ref(unit, file.function(declared)?))))
            }
        }
    }
}

/// An operation of a unit.
pub(crate) fn op_ref(unit: UnitRef, op: OpId) -> OpRef {
    OpRef { unit, op }
}

/// A body of a unit.
pub(crate) fn body_ref(unit: UnitRef, body: BodyId) -> BodyRef {
    BodyRef { unit, body }
}
