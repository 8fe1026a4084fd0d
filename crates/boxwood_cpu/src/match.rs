//! Stage *match*: the parent and the partner of every entry of the node stream.

use boxwood_layout::{Node, NodeLink};

/// Where each entry of the node stream hangs in the tree.
///
/// The sequential algorithm of Levien 2022, Figure 1, which yields the parent of each begin and the begin of each end;
/// the stack then also tells the parent of that begin, and the end of each begin.
///
/// # Panics
///
/// If there are more entries than an `i32` can index.
pub fn match_nodes(nodes: &[Node]) -> Vec<NodeLink> {
    let mut links = vec![NodeLink::NONE; nodes.len()];
    let mut open: Vec<usize> = Vec::new();
    for (index, node) in nodes.iter().enumerate() {
        if node.is_begin() {
            links[index].parent = link(open.last().copied());
            open.push(index);
        } else if let Some(begin) = open.pop() {
            links[begin].partner = link(Some(index));
            links[index] = NodeLink { parent: links[begin].parent, partner: link(Some(begin)) };
        }
    }
    links
}

/// The parentheses matching problem alone: at each entry, the top of the stack before it, −1 where that is empty. At a begin
/// this is its parent, at an end its begin.
///
/// Source: Levien 2022, Figure 1, to the letter.
///
/// # Panics
///
/// If there are more entries than an `i32` can index.
pub fn match_parentheses(is_begin: &[bool]) -> Vec<i32> {
    let mut matches = Vec::with_capacity(is_begin.len());
    let mut stack: Vec<usize> = Vec::new();
    for (index, &begins) in is_begin.iter().enumerate() {
        matches.push(link(stack.last().copied()));
        if begins {
            stack.push(index);
        } else {
            stack.pop();
        }
    }
    matches
}

pub(crate) fn link(index: Option<usize>) -> i32 {
    index.map_or(-1, |i| i32::try_from(i).expect("the limits keep node indices within i32"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(stream: &str) -> Vec<(i32, i32)> {
        let nodes: Vec<Node> = stream
            .chars()
            .enumerate()
            .map(|(i, c)| if c == '(' { Node::begin(i) } else { Node::end(i) })
            .collect();
        match_nodes(&nodes).into_iter().map(|l| (l.parent, l.partner)).collect()
    }

    #[test]
    fn of_a_balanced_stream() {
        assert_eq!(links("(()())"), [(-1, 5), (0, 2), (0, 1), (0, 4), (0, 3), (-1, 0)]);
    }

    #[test]
    fn of_unbalanced_streams() {
        assert_eq!(links(")()"), [(-1, -1), (-1, 2), (-1, 1)]);
        assert_eq!(links("(()"), [(-1, -1), (0, 2), (0, 1)]);
        assert_eq!(links("))(("), [(-1, -1), (-1, -1), (-1, -1), (2, -1)]);
        assert_eq!(links(""), []);
    }
}
