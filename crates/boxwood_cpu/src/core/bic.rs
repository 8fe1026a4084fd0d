//! The bicyclic monoid, which counts the unmatched parentheses of a string.

use bytemuck::{Pod, Zeroable};

/// The unmatched entries of a range of the node stream: `a` ends, followed by `b` begins.
///
/// # Algebra
///
/// A monoid with identity [`Bic::IDENTITY`], not commutative:
/// (a, b) ⊕ (c, d) = (a + c − min(b, c), b + d − min(b, c)).
///
/// As a range grows to the left, `b` never decreases. As it grows to the right, `a` never
/// decreases. Binary searches depend on both. Source: Levien, *Fast GPU bounding boxes on
/// tree-structured scenes*, 2022, section 3.
///
/// # Layout
///
/// Two `u32` at offsets 0 and 4.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Bic {
    /// Ends whose begin is not in the range.
    pub a: u32,
    /// Begins whose end is not in the range.
    pub b: u32,
}

impl Bic {
    /// The empty range.
    pub const IDENTITY: Self = Self { a: 0, b: 0 };
    /// A single begin.
    pub const BEGIN: Self = Self { a: 0, b: 1 };
    /// A single end.
    pub const END: Self = Self { a: 1, b: 0 };

    /// This range followed by `next`.
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        let matched = self.b.min(next.a);
        Self { a: self.a + next.a - matched, b: self.b + next.b - matched }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_bic() -> impl Strategy<Value = Bic> {
        (0_u32..9, 0_u32..9).prop_map(|(a, b)| Bic { a, b })
    }

    proptest! {
        #[test]
        fn is_a_monoid(x in any_bic(), y in any_bic(), z in any_bic()) {
            prop_assert_eq!(x.then(y).then(z), x.then(y.then(z)));
            prop_assert_eq!(x.then(Bic::IDENTITY), x);
            prop_assert_eq!(Bic::IDENTITY.then(x), x);
        }

        #[test]
        fn counts_grow_with_the_range(x in any_bic(), y in any_bic()) {
            prop_assert!(x.then(y).b >= y.b);
            prop_assert!(x.then(y).a >= x.a);
        }
    }

    /// The reverse scan of `)(()(` in section 7.1 of the paper.
    #[test]
    fn the_reverse_scan_equals_the_example_in_the_paper() {
        let mut suffix = Bic::IDENTITY;
        let mut scan = [Bic::END, Bic::BEGIN, Bic::BEGIN, Bic::END, Bic::BEGIN];
        for entry in scan.iter_mut().rev() {
            suffix = entry.then(suffix);
            *entry = suffix;
        }
        assert_eq!(scan.map(|bic| (bic.a, bic.b)), [(1, 2), (0, 2), (0, 1), (1, 1), (0, 1)]);
    }
}
