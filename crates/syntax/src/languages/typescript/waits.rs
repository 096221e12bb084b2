//! Which `await` waits for a call, or for the functions that are handed to a `map`.

use super::shape;
use crate::tree::{NodeId, Tree};

/// How the code around a call waits for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Waits {
    /// It goes on behind this node only when what was started has ended.
    At(NodeId),
    /// The same, unless something else that is waited for with it raises an error.
    UnlessAnother(NodeId),
    /// The function around has no value before.
    Returned,
    /// It goes on at once.
    Not,
}

/// See [`Waits`].
pub(super) fn waits(tree: &Tree, node: NodeId) -> Waits {
    let mut here = node;
    // What stands in a list is waited for only with `Promise.all` and its like around the list.
    let mut in_list = false;
    let mut among_others = false;
    loop {
        let Some(above) = tree.parent(here) else { return Waits::Not };
        let field = tree.field(here);
        here = match tree.kind(above) {
            kind if shape::is_wrapper(kind) => above,
            "ternary_expression" if field != Some("condition") => above,
            "logical_expression" => above,
            "array" if !in_list => {
                in_list = true;
                above
            }
            "arguments" => {
                let Some((call, takes)) = taken(tree, above, here == node) else { return Waits::Not };
                match takes {
                    Takes::Each => in_list = true,
                    Takes::Settled => in_list = false,
                    Takes::All => (in_list, among_others) = (false, true),
                }
                call
            }
            _ if in_list => return Waits::Not,
            "await_expression" if among_others => return Waits::UnlessAnother(above),
            "await_expression" => return Waits::At(above),
            "yield_expression" if tree.has_child(above, "*") => return Waits::At(above),
            "return_statement" => return Waits::Returned,
            "arrow_function" if field == Some("body") => return Waits::Returned,
            // `p.catch(…)` is there when `p` is.
            "member_expression" if field == Some("object") => match followed(tree, above) {
                Some(call) => call,
                None => return Waits::Not,
            },
            _ => return Waits::Not,
        };
    }
}

/// How a call uses its argument.
enum Takes {
    /// It waits for all of them, or stops at the first error.
    All,
    /// It waits for all of them.
    Settled,
    /// It calls a function for each of a list, and gives what that gives.
    Each,
}

fn taken(tree: &Tree, arguments: NodeId, is_start: bool) -> Option<(NodeId, Takes)> {
    let call = tree.parent(arguments)?;
    let callee = shape::bare(tree, tree.child(call, "function")?);
    let method = tree.child(callee, "property").map(|property| tree.text(property))?;
    let object = tree.child(callee, "object").map(|object| tree.text(shape::bare(tree, object)));
    let takes = match (object, method) {
        (Some("Promise"), "all") => Takes::All,
        (Some("Promise"), "allSettled") => Takes::Settled,
        (_, "map") if is_start => Takes::Each,
        _ => return None,
    };
    Some((call, takes))
}

/// The call in `p.then(…)`.
fn followed(tree: &Tree, member: NodeId) -> Option<NodeId> {
    let property = tree.child(member, "property")?;
    let call = tree.parent(member).filter(|&call| tree.child(call, "function") == Some(member))?;
    matches!(tree.text(property), "then" | "catch" | "finally").then_some(call)
}
