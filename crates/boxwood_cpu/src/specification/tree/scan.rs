//! Scans over a tree of values of any monoid.

use alloc::vec::Vec;

use crate::core::Entry;

/// A monoid whose values can be scanned over a tree.
///
/// # Laws
///
/// - Associativity: `x.combine(y).combine(z) == x.combine(y.combine(z))`.
/// - Identity: `x.combine(M::identity()) == x` and `M::identity().combine(x) == x`.
///
/// It need be neither commutative nor idempotent. If a law holds only up to rounding, as for
/// products of floating-point matrices, then two ways of computing a product also agree only up to
/// rounding.
pub trait Monoid: Copy {
    /// The identity: the product of no values.
    fn identity() -> Self;

    /// The product of this value and `next`, in this order.
    #[must_use]
    fn combine(self, next: Self) -> Self;
}

/// Scans down the tree, along the path from the root.
///
/// At a begin, the result is the product of the values of the begins that enclose it, outermost
/// first, and its own value. At an end, it is the product of the begins that are still open after
/// the end.
///
/// `values` has one value per entry of the node stream. The values at ends are ignored. An end
/// without a begin changes nothing.
pub fn scan_down<M: Monoid>(entries: &[Entry], values: &[M]) -> Vec<M> {
    let mut open: Vec<M> = Vec::new();
    let top = |open: &[M]| open.last().copied().unwrap_or_else(M::identity);
    let entries = entries.iter().zip(values);
    entries
        .map(|(entry, &value)| {
            if entry.is_begin() {
                open.push(top(&open).combine(value));
            } else {
                open.pop();
            }
            top(&open)
        })
        .collect()
}

/// Scans up the tree, over the subtree of each node.
///
/// At a begin, the result is the product of its value and the values of all begins inside its node,
/// in the order of the node stream. The end has the same result as its begin.
///
/// `values` has one value per entry of the node stream. The values at ends are ignored. A begin
/// without an end contains everything that follows. The result at an end without a begin is the
/// identity.
pub fn scan_up<M: Monoid>(entries: &[Entry], values: &[M]) -> Vec<M> {
    let mut products = vec![M::identity(); entries.len()];
    let mut open: Vec<usize> = Vec::new();
    for (index, (entry, &value)) in entries.iter().zip(values).enumerate() {
        if entry.is_begin() {
            open.push(index);
            products[index] = value;
        } else if let Some(product) = close(&mut open, &mut products, M::combine) {
            products[index] = product;
        }
    }
    while close(&mut open, &mut products, M::combine).is_some() {}
    products
}

/// Closes the innermost of the `open` nodes, and combines its product with that of the node around
/// it. Returns the product, or `None` if no node is open.
pub(crate) fn close<T: Copy>(
    open: &mut Vec<usize>,
    products: &mut [T],
    combine: impl Fn(T, T) -> T,
) -> Option<T> {
    let product = products[open.pop()?];
    if let Some(&parent) = open.last() {
        products[parent] = combine(products[parent], product);
    }
    Some(product)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A string of up to eight hexadecimal digits, with its length. Concatenation is not
    /// commutative.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Word(u32, u32);

    impl Monoid for Word {
        fn identity() -> Self {
            Self(0, 0)
        }

        fn combine(self, next: Self) -> Self {
            Self((self.0 << (4 * next.1)) | next.0, self.1 + next.1)
        }
    }

    fn scanned(scan: fn(&[Entry], &[Word]) -> Vec<Word>, stream: &str) -> Vec<String> {
        let entries: Vec<Entry> = stream
            .chars()
            .enumerate()
            .map(|(i, c)| if c == ')' { Entry::end(i) } else { Entry::begin(i) })
            .collect();
        let letter = |c: char| Word(c.to_digit(16).unwrap_or(0), 1);
        let values: Vec<Word> = stream.chars().map(letter).collect();
        let text =
            |word: Word| (0..word.1).rev().map(|i| format!("{:x}", (word.0 >> (4 * i)) & 15)).collect();
        scan(&entries, &values).into_iter().map(text).collect()
    }

    // In these streams, a letter is a begin with that value.
    #[test]
    fn scan_down_is_the_product_along_the_path_from_the_root() {
        assert_eq!(scanned(scan_down, "ab)c))"), ["a", "ab", "a", "ac", "a", ""]);
        assert_eq!(scanned(scan_down, ")ab)"), ["", "a", "ab", "a"]);
    }

    #[test]
    fn scan_up_is_the_product_of_the_subtree_in_order() {
        assert_eq!(scanned(scan_up, "ab)cd)))"), ["abcd", "b", "b", "cd", "d", "d", "cd", "abcd"]);
        assert_eq!(scanned(scan_up, ")ab)c"), ["", "abc", "b", "b", "c"]);
    }
}
