//! Scans over a tree of values of any monoid: the specification of `boxwood::tree_scan`.

use boxwood_layout::Node;

/// A monoid, whose values are scanned over a tree.
///
/// # Laws
///
/// - associative: `x.combine(y).combine(z) == x.combine(y.combine(z))`;
/// - identity: `x.combine(M::identity()) == x` and `M::identity().combine(x) == x`.
///
/// It need be neither commutative nor idempotent. Where a law holds only up to rounding, as for products of floating-point
/// matrices, so does the agreement of any two ways to compute a product.
pub trait Monoid: Copy {
    /// The product of nothing.
    fn identity() -> Self;

    /// The product of this value and then `next`.
    #[must_use]
    fn combine(self, next: Self) -> Self;
}

/// Down the tree: at each begin, the product of the values of the begins that enclose it, from the root on, and then its own. At
/// an end, the product that holds after it: that of the begins still open.
///
/// `values` has one value an entry of the node stream; those at ends do not count. An end without a begin changes nothing.
pub fn scan_down<M: Monoid>(nodes: &[Node], values: &[M]) -> Vec<M> {
    let mut open: Vec<M> = Vec::new();
    let top = |open: &[M]| open.last().copied().unwrap_or_else(M::identity);
    let entries = nodes.iter().zip(values);
    entries
        .map(|(node, &value)| {
            if node.is_begin() {
                open.push(top(&open).combine(value));
            } else {
                open.pop();
            }
            top(&open)
        })
        .collect()
}

/// Up the tree: at each begin, the product of its value and those of all begins inside it, in the order of the node stream; the
/// same at its end.
///
/// `values` has one value an entry of the node stream; those at ends do not count. A begin without an end holds all that follows;
/// an end without a begin holds nothing.
pub fn scan_up<M: Monoid>(nodes: &[Node], values: &[M]) -> Vec<M> {
    let mut products = vec![M::identity(); nodes.len()];
    let mut open: Vec<usize> = Vec::new();
    let close = |open: &mut Vec<usize>, products: &mut [M]| -> Option<M> {
        let product = products[open.pop()?];
        if let Some(&parent) = open.last() {
            products[parent] = products[parent].combine(product);
        }
        Some(product)
    };
    for (index, (node, &value)) in nodes.iter().zip(values).enumerate() {
        if node.is_begin() {
            open.push(index);
            products[index] = value;
        } else if let Some(product) = close(&mut open, &mut products) {
            products[index] = product;
        }
    }
    while close(&mut open, &mut products).is_some() {}
    products
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Strings of up to eight letters, as a number in base 16 with their length: concatenation is not commutative.
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

    fn scanned(scan: fn(&[Node], &[Word]) -> Vec<Word>, stream: &str) -> Vec<String> {
        let nodes: Vec<Node> = stream
            .chars()
            .enumerate()
            .map(|(i, c)| if c == ')' { Node::end(i) } else { Node::begin(i) })
            .collect();
        let letter = |c: char| Word(c.to_digit(16).unwrap_or(0), 1);
        let values: Vec<Word> = stream.chars().map(letter).collect();
        let text =
            |word: Word| (0..word.1).rev().map(|i| format!("{:x}", (word.0 >> (4 * i)) & 15)).collect();
        scan(&nodes, &values).into_iter().map(text).collect()
    }

    // Begins are letters here.
    #[test]
    fn down_is_the_path_from_the_root() {
        assert_eq!(scanned(scan_down, "ab)c))"), ["a", "ab", "a", "ac", "a", ""]);
        assert_eq!(scanned(scan_down, ")ab)"), ["", "a", "ab", "a"]);
    }

    #[test]
    fn up_is_all_inside_in_order() {
        assert_eq!(scanned(scan_up, "ab)cd)))"), ["abcd", "b", "b", "cd", "d", "d", "cd", "abcd"]);
        assert_eq!(scanned(scan_up, ")ab)c"), ["", "abc", "b", "b", "c"]);
    }
}
