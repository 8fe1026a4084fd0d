//! Stage *link*: the parent and the partner of every entry of the node stream.

use alloc::vec::Vec;

use crate::core::{Entry, EntryLink};

/// The links of each entry of the node stream.
///
/// The sequential algorithm of Levien 2022, Figure 1, finds the parent of each begin and the begin
/// of each end. Its stack also provides the parent of each end and the end of each begin.
///
/// # Panics
///
/// Panics if there are more entries than an `i32` can index.
pub fn link_entries(entries: &[Entry]) -> Vec<EntryLink> {
    let mut links = vec![EntryLink::NONE; entries.len()];
    let mut open: Vec<usize> = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        if entry.is_begin() {
            links[index].parent = index_or_none(open.last().copied());
            open.push(index);
        } else if let Some(begin) = open.pop() {
            links[begin].partner = index_or_none(Some(index));
            links[index] = EntryLink { parent: links[begin].parent, partner: index_or_none(Some(begin)) };
        }
    }
    links
}

/// The parentheses matching problem: for each entry, the top of the stack before it, or −1 if the
/// stack is empty.
///
/// At a begin, that is the parent. At an end, it is the begin of the same node.
///
/// Source: Levien 2022, Figure 1, without changes.
///
/// # Panics
///
/// Panics if there are more entries than an `i32` can index.
pub fn match_parentheses(is_begin: &[bool]) -> Vec<i32> {
    let mut matches = Vec::with_capacity(is_begin.len());
    let mut stack: Vec<usize> = Vec::new();
    for (index, &begins) in is_begin.iter().enumerate() {
        matches.push(index_or_none(stack.last().copied()));
        if begins {
            stack.push(index);
        } else {
            stack.pop();
        }
    }
    matches
}

/// An index as an `i32`, −1 for none.
pub(crate) fn index_or_none(index: Option<usize>) -> i32 {
    index.map_or(-1, |i| i32::try_from(i).expect("the index of an entry fits in an i32"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(stream: &str) -> Vec<(i32, i32)> {
        let entries: Vec<Entry> = stream
            .chars()
            .enumerate()
            .map(|(i, c)| if c == '(' { Entry::begin(i) } else { Entry::end(i) })
            .collect();
        link_entries(&entries).into_iter().map(|l| (l.parent, l.partner)).collect()
    }

    #[test]
    fn links_of_a_balanced_stream() {
        assert_eq!(links("(()())"), [(-1, 5), (0, 2), (0, 1), (0, 4), (0, 3), (-1, 0)]);
    }

    #[test]
    fn links_of_unbalanced_streams() {
        assert_eq!(links(")()"), [(-1, -1), (-1, 2), (-1, 1)]);
        assert_eq!(links("(()"), [(-1, -1), (0, 2), (0, 1)]);
        assert_eq!(links("))(("), [(-1, -1), (-1, -1), (-1, -1), (2, -1)]);
        assert_eq!(links(""), []);
    }
}
