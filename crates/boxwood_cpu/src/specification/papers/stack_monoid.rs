//! The stack monoid: the unmatched parentheses of a string, with their values.

use alloc::vec::Vec;

use crate::core::Bic;

/// The effect of a range of the node stream on a stack: it pops `ends` values, then pushes
/// `begins`.
///
/// # Algebra
///
/// A monoid with identity [`Stack::IDENTITY`], not commutative:
/// (a₀, l₀) ⊕ (a₁, l₁) = (a₀ + a₁ − min(|l₀|, a₁), l₀[.. max(0, |l₀| − a₁)] + l₁).
///
/// It is a hybrid of the bicyclic monoid and the free monoid, and [`Stack::bic`] is a homomorphism
/// to the former. The sum of all entries before an entry is the stack of the sequential algorithm
/// at that entry. Its [`top`](Stack::top) is the match of the entry.
///
/// The GPU never stores a value of this type. A slice contains the `begins` of a partition, and a
/// [`Bic`] the number of its `ends` and `begins`. [`Stack::behind`] is the formula for an index
/// into a slice.
///
/// Source: Levien, *Fast GPU bounding boxes on tree-structured scenes*, 2022, section 4.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stack<T> {
    /// The number of ends whose begin is not in the range.
    pub ends: usize,
    /// The values of the begins whose end is not in the range, the top of the stack last.
    pub begins: Vec<T>,
}

impl<T> Stack<T> {
    /// The empty range.
    pub const IDENTITY: Self = Self { ends: 0, begins: Vec::new() };
    /// A single end.
    pub const END: Self = Self { ends: 1, begins: Vec::new() };

    /// A single begin.
    pub fn begin(value: T) -> Self {
        Self { ends: 0, begins: vec![value] }
    }

    /// This range followed by `next`.
    #[must_use]
    pub fn then(mut self, next: Self) -> Self {
        let matched = self.begins.len().min(next.ends);
        self.begins.truncate(self.begins.len() - matched);
        self.begins.extend(next.begins);
        Self { ends: self.ends + next.ends - matched, begins: self.begins }
    }

    /// The `k` values nearest to the top, or all of them if there are fewer. A range of `k` entries
    /// can pop no others.
    pub fn suffix(&self, k: usize) -> &[T] {
        &self.begins[self.begins.len().saturating_sub(k)..]
    }

    /// The top of the stack, if the range leaves a begin open.
    pub fn top(&self) -> Option<&T> {
        self.begins.last()
    }

    /// The number of ends and the number of begins.
    ///
    /// # Panics
    ///
    /// Panics if they do not fit in a `u32`.
    pub fn bic(&self) -> Bic {
        let count = |n: usize| u32::try_from(n).expect("the number of entries fits in a u32");
        Bic { a: count(self.ends), b: count(self.begins.len()) }
    }

    /// The value `depth` levels below the top after a further range with the sum `next`, in
    /// constant time and without the values of that range. `None` if the value belongs to that
    /// range, or if the stack is not that deep.
    ///
    /// This is the relation of section 4: for Bic(s\[i₁..i₂\]) = (j, 0), rev(Stk(s\[i₀..i₂\]))\[k\]
    /// = rev(Stk(s\[i₀..i₁\]))\[k + j\]. If s\[i₁..i₂\] leaves begins open, they are on top, and
    /// all values below move down by their number.
    pub fn behind(&self, next: Bic, depth: usize) -> Option<&T> {
        let below_next = depth.checked_sub(next.b as usize)?;
        self.begins.iter().rev().nth(below_next.checked_add(next.a as usize)?)
    }
}

impl<T> Default for Stack<T> {
    fn default() -> Self {
        Self::IDENTITY
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_stack() -> impl Strategy<Value = Stack<u8>> {
        (0_usize..7, proptest::collection::vec(any::<u8>(), 0..7))
            .prop_map(|(ends, begins)| Stack { ends, begins })
    }

    /// The sum of a string whose values are its indices.
    fn sum(first: usize, entries: &[bool]) -> Stack<usize> {
        let entries = entries.iter().enumerate();
        entries.fold(Stack::IDENTITY, |stack, (i, &begins)| {
            stack.then(if begins { Stack::begin(first + i) } else { Stack::END })
        })
    }

    proptest! {
        #[test]
        fn is_a_monoid(x in any_stack(), y in any_stack(), z in any_stack()) {
            let left = x.clone().then(y.clone()).then(z.clone());
            prop_assert_eq!(left, x.clone().then(y.then(z)));
            prop_assert_eq!(x.clone().then(Stack::IDENTITY), x.clone());
            prop_assert_eq!(Stack::IDENTITY.then(x.clone()), x);
        }

        #[test]
        fn bic_is_a_homomorphism(x in any_stack(), y in any_stack()) {
            prop_assert_eq!(x.clone().then(y.clone()).bic(), x.bic().then(y.bic()));
        }

        /// A suffix of length k depends on bounded suffixes of both parts, so slices can have
        /// bounded length.
        #[test]
        fn a_suffix_depends_on_suffixes(x in any_stack(), y in any_stack(), k in 0_usize..9) {
            let kept = Stack { ends: x.ends, begins: x.suffix(k + y.ends).to_vec() };
            let (short, whole) = (kept.then(y.clone()), x.then(y));
            prop_assert_eq!(short.suffix(k), whole.suffix(k));
        }

        /// The relation of section 4, and its form for a range that leaves begins open.
        #[test]
        fn values_behind_a_range_are_found_by_its_counts(x in any_stack(), y in any_stack(), depth in 0_usize..16) {
            let whole = x.clone().then(y.clone());
            let expected = whole.begins.iter().rev().nth(depth);
            prop_assert_eq!(y.begins.iter().rev().nth(depth).or(x.behind(y.bic(), depth)), expected);
        }

        #[test]
        fn a_string_is_the_sum_of_its_parts(entries in proptest::collection::vec(any::<bool>(), 0..40), at in 0_usize..40) {
            let at = at.min(entries.len());
            prop_assert_eq!(sum(0, &entries[..at]).then(sum(at, &entries[at..])), sum(0, &entries));
        }

        /// Section 4: the match of an entry is the top of the sum of all entries before it.
        #[test]
        fn the_top_equals_that_of_the_sequential_stack(entries in proptest::collection::vec(any::<bool>(), 0..40)) {
            let mut stack = Vec::new();
            for (i, &begins) in entries.iter().enumerate() {
                let before = sum(0, &entries[..i]);
                prop_assert_eq!(before.top(), stack.last());
                if begins {
                    stack.push(i);
                } else {
                    stack.pop();
                }
            }
        }
    }

    /// `)(()(`, the example of section 7.1, leaves the begins at 1 and 4 open.
    #[test]
    fn the_stack_equals_the_example_in_the_paper() {
        let stack = sum(0, &[false, true, true, false, true]);
        assert_eq!(stack, Stack { ends: 1, begins: vec![1, 4] });
        assert_eq!(stack.bic(), Bic { a: 1, b: 2 });
        assert_eq!((stack.suffix(1), stack.suffix(9)), (&[4][..], &[1, 4][..]));
        assert_eq!(stack.behind(Bic { a: 1, b: 0 }, 0), Some(&1));
        assert_eq!(stack.behind(Bic { a: 1, b: 1 }, 0), None);
        assert_eq!(stack.behind(Bic { a: 2, b: 0 }, 0), None);
    }
}
