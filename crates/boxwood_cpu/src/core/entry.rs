//! Entries of the node stream, and the links between them.

use bytemuck::{Pod, Zeroable};

/// An entry of the node stream: the index of its element, and whether that element begins or ends a
/// node.
///
/// # Layout
///
/// One `i32`: the index of the element for a begin, and the bitwise complement of the index for an
/// end. The sign distinguishes the two. Vello's `clip_inp` has the same encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub struct Entry(pub i32);

impl Entry {
    /// The entry for a begin, which is element `element` of the scene.
    ///
    /// # Panics
    ///
    /// Panics if the index does not fit in an `i32`.
    pub fn begin(element: usize) -> Self {
        Self(i32::try_from(element).expect("an element index fits in an i32"))
    }

    /// The entry for an end, which is element `element` of the scene.
    ///
    /// # Panics
    ///
    /// Panics if the index does not fit in an `i32`.
    pub fn end(element: usize) -> Self {
        Self(!Self::begin(element).0)
    }

    /// Whether the entry begins a node.
    pub fn is_begin(self) -> bool {
        self.0 >= 0
    }

    /// The index of the entry's element in the scene.
    pub fn element(self) -> usize {
        (if self.is_begin() { self.0 } else { !self.0 }).unsigned_abs() as usize
    }
}

/// The links from an entry of the node stream to its parent and partner. Both are indices into the
/// node stream, or −1 for none.
///
/// # Layout
///
/// Two `i32` at offsets 0 and 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct EntryLink {
    /// The begin of the innermost node that encloses this entry's node. The begin and the end of a
    /// node have the same parent.
    pub parent: i32,
    /// For an end: its begin, or −1 if it has none. For a begin: its end, or −1 if the node extends
    /// to the end of the scene.
    pub partner: i32,
}

impl EntryLink {
    /// Neither a parent nor a partner.
    pub const NONE: Self = Self { parent: -1, partner: -1 };
}
