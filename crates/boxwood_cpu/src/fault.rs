//! Faults that tests plant, to show that they would find them.

/// A fault in one of the workspaces of this crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Boxes that touch overlap.
    TouchingOverlaps,
    /// A search stops one level too early.
    StopsBelowTheTop,
    /// A full block is not carried into the level above.
    DoesNotCarry,
    /// The block above has the key of its last item instead of the largest.
    CarriesTheLastKey,
    /// A search visits only the first child.
    VisitsOneChild,
    /// The container of the item before stays, even if it does not contain the item.
    KeepsContainers,
    /// The items before the change of trees are not in the second tree.
    ForgetsOnChange,
    /// A node that has a box already is not extended by another.
    DoesNotExtend,
    /// What is in a tree stays for the next frame.
    KeepsTheTree,
    /// Items of all scopes are compared.
    IgnoresScopes,
    /// Batches ignore keys.
    IgnoresKeys,
    /// Elements that changed their order are not changed.
    IgnoresOrder,
    /// The box of the partner is not damaged.
    IgnoresPartners,
    /// Elements that vanished are not damaged.
    IgnoresVanished,
    /// Bits of the frame before stay.
    KeepsBits,
    /// A span of bits that begins in one word and ends in another lacks the words between.
    SkipsInnerWords,
    /// Runs are continued if they begin in the same column.
    ComparesStarts,
    /// A coarser row lacks the odd columns.
    DropsOddColumns,
    /// A coarser row lacks the odd rows.
    DropsOddRows,
    /// The second element with a number has the first partner.
    RepeatsPartners,
    /// An element hides itself.
    HidesItself,
    /// The tiles that an inner box touches are covered.
    CoversTouched,
    /// The last result of occlusion is tried for elements outside of its scope.
    TriesTheLast,
    /// An inner box that is inside of another is left out, even if its scope is larger.
    LeavesOutOthers,
}

#[cfg(not(test))]
pub(crate) const fn is_planted(_: Fault) -> bool {
    false
}

#[cfg(test)]
pub(crate) use planted::{is_planted, with};

#[cfg(test)]
mod planted {
    use core::cell::Cell;

    use super::Fault;

    std::thread_local! {
        static PLANTED: Cell<Option<Fault>> = const { Cell::new(None) };
    }

    pub(crate) fn is_planted(fault: Fault) -> bool {
        PLANTED.get() == Some(fault)
    }

    /// The result of a function while a fault is planted, in this thread.
    pub(crate) fn with<T>(fault: Option<Fault>, f: impl FnOnce() -> T) -> T {
        PLANTED.set(fault);
        let result = f();
        PLANTED.set(None);
        result
    }
}
