//! The bicyclic semigroup, which counts what is left of a string of parentheses.

use bytemuck::{Pod, Zeroable};

/// What remains of a stretch of the node stream after all that match within it: `a` ends, then `b` begins.
///
/// # Algebra
///
/// A monoid with identity [`Bic::IDENTITY`], not commutative; (a, b) ⊕ (c, d) = (a + c − min(b, c), b + d − min(b, c)).
/// Source: Levien, *Fast GPU bounding boxes on tree-structured scenes*, 2022, section 3. As a stretch grows to the
/// left, `b` never decreases; as it grows to the right, `a` never decreases: searches rest on this.
///
/// Layout: two `u32` at offsets 0 and 4.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Bic {
    /// Ends without a begin in the stretch.
    pub a: u32,
    /// Begins without an end in the stretch.
    pub b: u32,
}

impl Bic {
    /// The empty stretch.
    pub const IDENTITY: Self = Self { a: 0, b: 0 };
    /// A begin alone.
    pub const BEGIN: Self = Self { a: 0, b: 1 };
    /// An end alone.
    pub const END: Self = Self { a: 1, b: 0 };

    /// This stretch, then `next`.
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
        fn grows_as_its_stretch_grows(x in any_bic(), y in any_bic()) {
            prop_assert!(x.then(y).b >= y.b);
            prop_assert!(x.then(y).a >= x.a);
        }
    }

    /// The reverse scan of `)(()(`, worked out in section 7.1 of the paper.
    #[test]
    fn reverse_scan_of_the_example_in_the_paper() {
        let mut stretch = Bic::IDENTITY;
        let mut scan = [Bic::END, Bic::BEGIN, Bic::BEGIN, Bic::END, Bic::BEGIN];
        for entry in scan.iter_mut().rev() {
            stretch = entry.then(stretch);
            *entry = stretch;
        }
        assert_eq!(scan.map(|bic| (bic.a, bic.b)), [(1, 2), (0, 2), (0, 1), (1, 1), (0, 1)]);
    }
}
