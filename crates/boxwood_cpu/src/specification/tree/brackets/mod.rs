//! From a text to the tree of its brackets, by a table of its syntax: the specification of stage
//! *brackets*.

mod error;
mod syntax;
mod syntaxes;

use alloc::vec::Vec;

pub use error::{BracketError, BracketReason};
pub use syntax::{BracketRole, BracketSyntax};

use super::link::index_or_none;
use crate::core::EntryLink;

/// A bracket of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BracketRow {
    /// Whether it opens or closes, and its kind.
    pub role: BracketRole,
    /// The offset of its byte.
    pub position: u32,
    /// The row of the innermost pair of brackets that encloses it, or −1, and the row of the other
    /// bracket of its pair. The parent is the row that opens.
    pub link: EntryLink,
}

/// The brackets of a text, in the order of their positions.
///
/// # Errors
///
/// The first byte that is not allowed, or that closes nothing or a bracket of another kind. If
/// there is none, what the text leaves unfinished or open.
///
/// # Panics
///
/// Panics if the text has more bytes than a `u32` can count, or more brackets than an `i32` can
/// index.
pub fn brackets(text: &[u8], syntax: &BracketSyntax) -> Result<Vec<BracketRow>, BracketError> {
    let mut rows: Vec<BracketRow> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut state = 0;
    for (position, &byte) in text.iter().enumerate() {
        let (next, role) = syntax.step(state, byte);
        state = next;
        let Some(role) = role else { continue };
        let error = |reason| Err(BracketError { offset: offset_of(position), reason });
        let row = rows.len();
        let mut link = EntryLink { parent: index_or_none(open.last().copied()), ..EntryLink::NONE };
        match role {
            BracketRole::Invalid => return error(BracketReason::InvalidByte),
            BracketRole::Open(_) => open.push(row),
            BracketRole::Close(kind) => {
                let Some(begin) = open.pop() else { return error(BracketReason::Unopened) };
                if rows[begin].role != BracketRole::Open(kind) {
                    return error(BracketReason::Mismatched);
                }
                rows[begin].link.partner = index_or_none(Some(row));
                link = EntryLink { parent: rows[begin].link.parent, partner: index_or_none(Some(begin)) };
            }
        }
        rows.push(BracketRow { role, position: offset_of(position), link });
    }
    if !syntax.may_end_in(state) {
        return Err(BracketError { offset: offset_of(text.len()), reason: BracketReason::Unfinished });
    }
    match open.last() {
        Some(&row) => Err(BracketError { offset: rows[row].position, reason: BracketReason::Unclosed }),
        None => Ok(rows),
    }
}

fn offset_of(position: usize) -> u32 {
    u32::try_from(position).expect("the offset of a byte fits in a u32")
}
