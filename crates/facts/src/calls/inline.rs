//! Arguments that are names of constant objects: `const OPTIONS = { recursive: true }; rm(dir, OPTIONS)` is the call
//! that its author could have written out, and a shape finds it as that.

use factgate_syntax::languages::Rules;
use factgate_syntax::scope::BindingKind;
use factgate_syntax::tree::TreeBuilder;
use factgate_syntax::{NodeId, Tree};
use std::collections::HashMap;
use std::sync::Arc;

/// The tree with such arguments written out; `None` when it has none.
pub(super) fn written_out(tree: &Tree, rules: &dyn Rules) -> Option<Arc<Tree>> {
    let scopes = rules.scopes(tree);
    let mut objects: HashMap<NodeId, NodeId> = HashMap::new();
    for call in tree.subtree(NodeId::ROOT).filter_map(|node| rules.call(tree, node)) {
        for argument in call.arguments {
            let Some(binding) = scopes.binding(argument).map(|id| scopes.get(id)) else { continue };
            let is_constant = binding.kind == BindingKind::Constant && binding.writes.is_empty();
            let object = rules.object(tree, binding.declared).filter(|_| is_constant);
            if let Some(object) = object.filter(|&object| !tree.is_within(argument, object)) {
                objects.insert(argument, object);
            }
        }
    }
    if objects.is_empty() {
        return None;
    }
    let mut builder = TreeBuilder::default();
    builder.copy_replacing(tree, NodeId::ROOT, &|node| objects.get(&node).map(|&object| (tree, object)));
    Some(Arc::new(builder.finish()))
}
