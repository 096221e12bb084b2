//! Arguments that stand for object literals: `const OPTIONS = { recursive: true }; rm(dir, OPTIONS)` is the call that its
//! author could have written out, and a shape finds it as that.

use factgate_syntax::languages::Rules;
use factgate_syntax::tree::TreeBuilder;
use factgate_syntax::{NodeId, Tree};
use std::collections::HashMap;
use std::sync::Arc;

/// The tree with such arguments written out, once for each of the objects that they may be.
pub(super) fn written_out(tree: &Tree, rules: &dyn Rules) -> Vec<Arc<Tree>> {
    let scopes = rules.scopes(tree);
    let mut objects: HashMap<NodeId, Vec<Tree>> = HashMap::new();
    for call in tree.subtree(NodeId::ROOT).filter_map(|node| rules.call(tree, node)) {
        for argument in call.arguments {
            let found = rules.objects(tree, &scopes, argument);
            if !found.is_empty() {
                objects.insert(argument, found);
            }
        }
    }
    let ways = objects.values().map(Vec::len).max().unwrap_or(0);
    let written = (0..ways).map(|way| {
        let mut builder = TreeBuilder::default();
        builder.copy_replacing(tree, NodeId::ROOT, &|node| {
            let found = objects.get(&node)?;
            Some((&found[way.min(found.len() - 1)], NodeId::ROOT))
        });
        Arc::new(builder.finish())
    });
    written.collect()
}
