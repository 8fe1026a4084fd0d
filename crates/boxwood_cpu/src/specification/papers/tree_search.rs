//! Matching by a search of a tree of bicyclic sums: the core of the GPU algorithm, for one
//! processor per entry.

use alloc::vec::Vec;

use crate::core::Bic;
use crate::specification::tree::index_or_none;

/// A binary tree of the bicyclic sums of a string of parentheses.
///
/// Level 0 contains the entries, and level j + 1 the sums of the pairs of level j: `tree[j + 1][i]
/// = tree[j][2i] ⊕ tree[j][2i + 1]`. So `tree[j][i]` is the sum of the 2ʲ entries starting at 2ʲi.
/// Building the tree is the up-sweep of a parallel prefix sum.
///
/// Source: Levien, *Fast GPU bounding boxes on tree-structured scenes*, 2022, section 5. There the
/// length is a power of two. Here it is arbitrary, and sums that would extend beyond the end are
/// omitted, since no search needs them.
#[derive(Clone, Debug)]
pub struct BicTree {
    levels: Vec<Vec<Bic>>,
}

impl BicTree {
    /// The tree over these entries, true for a begin.
    pub fn new(is_begin: &[bool]) -> Self {
        let entries = is_begin.iter().map(|&begins| if begins { Bic::BEGIN } else { Bic::END }).collect();
        let mut levels: Vec<Vec<Bic>> = vec![entries];
        while let Some(level) = levels.last().filter(|level| level.len() > 1) {
            levels.push(level.chunks_exact(2).map(|pair| pair[0].then(pair[1])).collect());
        }
        Self { levels }
    }

    /// The match of the entry at `index`: the last i such that Bic(s\[i..index\]).b = 1 (section
    /// 3). That is the top of the stack before the entry, or `None` if the stack is empty. An
    /// `index` equal to the length means the stack after all entries.
    ///
    /// # Panics
    ///
    /// Panics if `index` is greater than the length.
    pub fn top_before(&self, index: usize) -> Option<usize> {
        self.top_after_ends(index, 0).ok()
    }

    /// The top of the stack before the entry at `index` after `n_ends` further ends. Section 8.2,
    /// step 3, needs this for a sequence of entries that closes that many begins before it.
    ///
    /// # Errors
    ///
    /// If the top lies before the first entry: the number of ends that remain to be applied there.
    ///
    /// # Panics
    ///
    /// Panics if `index` is greater than the length.
    pub fn top_after_ends(&self, index: usize, n_ends: u32) -> Result<usize, u32> {
        assert!(index <= self.levels[0].len(), "there is no entry {index}");
        // The entry before the range found by the search is a begin that no end closes.
        let (first, sum) = self.search(index, Bic { a: n_ends, b: 0 });
        first.checked_sub(1).ok_or(sum.a)
    }

    /// The search of Figure 2: the least i such that Bic(s\[i..end\]) ⊕ `following` leaves no begin
    /// open, and that sum.
    ///
    /// The b of the sum never decreases as i decreases, so a binary search finds i. The search
    /// climbs the tree from the leaf before `end`, over ever longer ranges to the left, until a
    /// range leaves a begin open. Then it descends into that range (Figure 3). It adds each range
    /// that leaves no begin open to the sum, and moves i to the start of that range. It inspects at
    /// most two ranges per level.
    fn search(&self, end: usize, following: Bic) -> (usize, Bic) {
        let mut i = end;
        let mut sum = following;
        let mut j = 0;
        while j < self.levels.len() {
            if i & (1 << j) != 0 {
                let longer = self.levels[j][(i >> j) - 1].then(sum);
                if longer.b != 0 {
                    break;
                }
                sum = longer;
                i -= 1 << j;
            }
            j += 1;
        }
        if i > 0 {
            while j > 0 {
                j -= 1;
                let longer = self.levels[j][(i >> j) - 1].then(sum);
                if longer.b == 0 {
                    sum = longer;
                    i -= 1 << j;
                }
            }
        }
        (i, sum)
    }
}

/// Solves the parentheses matching problem with one search of the tree per entry. The result equals
/// that of [`match_parentheses`](crate::specification::tree::match_parentheses).
///
/// The searches are independent of each other. Each takes O(log n) steps, so in total they do more
/// work than the sequential algorithm (section 5).
///
/// # Panics
///
/// Panics if there are more entries than an `i32` can index.
pub fn search_parentheses(is_begin: &[bool]) -> Vec<i32> {
    let tree = BicTree::new(is_begin);
    (0..is_begin.len()).map(|index| index_or_none(tree.top_before(index))).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::specification::tree::match_parentheses;

    fn begins(string: &str) -> Vec<bool> {
        string.chars().map(|c| c == '(').collect()
    }

    /// Strings that are hard for such algorithms: runs of begins and ends with lengths around
    /// powers of two.
    fn runs() -> impl Strategy<Value = Vec<bool>> {
        let length = prop_oneof![1_usize..4, (0_u32..7, 0_usize..3).prop_map(|(lg, d)| (1 << lg) + d - 1)];
        proptest::collection::vec((any::<bool>(), length), 0..12).prop_map(|runs| {
            runs.into_iter().flat_map(|(begins, length)| std::iter::repeat_n(begins, length)).collect()
        })
    }

    fn combs() -> impl Strategy<Value = Vec<bool>> {
        (0_usize..70, 0_usize..70, 0_usize..70).prop_map(|(depth, teeth, n_ends)| {
            begins(&("(".repeat(depth) + &"()".repeat(teeth) + &")".repeat(n_ends)))
        })
    }

    #[test]
    fn every_short_string_is_matched() {
        for n in 0..13 {
            for bits in 0_u32..1 << n {
                let string: Vec<bool> = (0..n).map(|i| bits & (1 << i) != 0).collect();
                assert_eq!(search_parentheses(&string), match_parentheses(&string), "{string:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn random_strings_are_matched(string in proptest::collection::vec(any::<bool>(), 0..600)) {
            prop_assert_eq!(search_parentheses(&string), match_parentheses(&string));
        }

        #[test]
        fn runs_are_matched(string in runs()) {
            prop_assert_eq!(search_parentheses(&string), match_parentheses(&string));
        }

        #[test]
        fn combs_are_matched(string in combs()) {
            prop_assert_eq!(search_parentheses(&string), match_parentheses(&string));
        }

        /// `n_ends` further ends have the same effect as ends in the string.
        #[test]
        fn further_ends_are_equivalent_to_entries(string in runs(), n_ends in 0_u32..40) {
            let mut longer = string.clone();
            longer.extend((0..=n_ends).map(|_| false));
            let expected = match_parentheses(&longer)[longer.len() - 1];
            let tree = BicTree::new(&string);
            prop_assert_eq!(index_or_none(tree.top_after_ends(string.len(), n_ends).ok()), expected);
            // The remaining ends apply to the stack before the string.
            let n_before = n_ends + 1;
            let mut before = vec![true; n_before as usize];
            before.extend(&longer);
            let whole = match_parentheses(&before)[before.len() - 1];
            if let Err(left) = tree.top_after_ends(string.len(), n_ends) && left < n_before {
                prop_assert_eq!(whole, index_or_none(Some((n_before - 1 - left) as usize)));
            }
        }
    }

    /// Figure 3: the search from entry 14 of 16 stops at 4, because s[4..14] leaves no begin open
    /// and s[3..14] leaves one.
    #[test]
    fn the_search_equals_the_figure() {
        let string = begins("()((()(())()()))");
        let sum = |from: usize| {
            let entries = string[from..14].iter().map(|&begins| if begins { Bic::BEGIN } else { Bic::END });
            entries.fold(Bic::IDENTITY, Bic::then)
        };
        assert_eq!((sum(4).b, sum(3).b), (0, 1));
        let tree = BicTree::new(&string);
        assert_eq!(tree.search(14, Bic::IDENTITY), (4, sum(4)));
        assert_eq!(tree.top_before(14), Some(3));
        assert_eq!(tree.top_before(16), None);
    }

    #[test]
    #[should_panic(expected = "there is no entry 3")]
    fn an_index_beyond_the_end_is_refused() {
        BicTree::new(&begins("()")).top_before(3);
    }
}
