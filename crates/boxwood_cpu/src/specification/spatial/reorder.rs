//! Stage *reorder*: an order of queries in which neighbours are close to each other.

use alloc::vec::Vec;

use super::index::hilbert_key_within;
use super::{Expanded, Predicate, expand, scan, select, sort};
use crate::core::Aabb;

/// The number of bits of the keys of queries: a grid of 256 by 256 cells.
const KEY_BITS: u32 = 16;

/// The maximum number of queries of a packet: those of a workgroup.
pub const PACKET_LENGTH: usize = 256;

/// The place of the center of each query along Hilbert's curve through `bounds`, in 16 bits.
/// Queries are rectangles or, if `is_point`, points (x0, y0).
pub fn query_keys(queries: &[Aabb], is_point: bool, bounds: Aabb) -> Vec<u32> {
    let place = |query: &Aabb| {
        let Aabb { x0, y0, x1, y1 } = *query;
        let [x1, y1] = if is_point { [x0, y0] } else { [x1, y1] };
        hilbert_key_within(bounds, Aabb { x0, y0, x1, y1 }) >> (u32::BITS - KEY_BITS)
    };
    queries.iter().map(place).collect()
}

/// The indices of queries in the order of their [keys](query_keys). Those of equal keys stay in
/// their order.
///
/// # Panics
///
/// Panics if there are more queries than a `u32` can count.
pub fn reorder(keys: &[u32]) -> Vec<u32> {
    sort(keys, KEY_BITS)
}

/// The same as [`reorder`], in fewer steps if neighbours often have equal keys: runs of equal keys
/// are compressed to an item each, which are sorted and unpacked.
///
/// # Source
///
/// Garanzha, Loop, *Fast Ray Sorting and Breadth-First Packet Traversal for GPU Ray Tracing*
/// (2010).
///
/// # Panics
///
/// Panics if there are more queries than a `u32` can count.
pub fn reorder_by_runs(keys: &[u32]) -> Vec<u32> {
    let starts = select(keys.len(), &Predicate::RunStarts(keys));
    let end = u32::try_from(keys.len()).expect("a query has a u32 as its index");
    let ends: Vec<u32> = starts.iter().skip(1).copied().chain([end]).collect();
    let run_keys: Vec<u32> = starts.iter().map(|start| keys[*start as usize]).collect();
    let order = sort(&run_keys, KEY_BITS);
    let lengths: Vec<u32> = order.iter().map(|run| ends[*run as usize] - starts[*run as usize]).collect();
    let Expanded { owners, ranks, .. } = expand(&lengths, scan(&lengths)[lengths.len()] as usize);
    owners.iter().zip(ranks).map(|(run, rank)| starts[order[*run as usize] as usize] + rank).collect()
}

/// The packets of queries with these [keys](query_keys): ranges of places in the new order, each
/// with its first place and the one after its last. The queries of a packet have the same key.
/// The packets of a key have [`PACKET_LENGTH`] queries each, and the last one has the rest.
///
/// A caller that runs a workgroup per packet runs queries together that are close to each other.
///
/// # Source
///
/// As for [`reorder_by_runs`].
///
/// # Panics
///
/// Panics if there are more queries than a `u32` can count.
pub fn packets(keys: &[u32]) -> Vec<[u32; 2]> {
    let sorted: Vec<u32> = reorder(keys).iter().map(|item| keys[*item as usize]).collect();
    let packets = sorted.chunk_by(|a, b| a == b).flat_map(|of_key| of_key.chunks(PACKET_LENGTH));
    let range = |end: &mut u32, packet: &[u32]| {
        let first = *end;
        *end += u32::try_from(packet.len()).expect("a packet is short");
        Some([first, *end])
    };
    packets.scan(0, range).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sorting_runs_sorts_all(runs in proptest::collection::vec((0_u32..9, 1_usize..5), 0..60)) {
            let keys: Vec<u32> = runs.into_iter().flat_map(|(key, n)| std::iter::repeat_n(key, n)).collect();
            prop_assert_eq!(reorder_by_runs(&keys), reorder(&keys));
        }
    }

    #[test]
    fn packets_divide_the_queries_of_each_key() {
        assert_eq!(packets(&[]), [[0; 2]; 0]);
        let keys = |of: &[(u32, usize)]| -> Vec<u32> {
            of.iter().flat_map(|(key, n)| std::iter::repeat_n(*key, *n)).collect()
        };
        assert_eq!(
            packets(&keys(&[(7, 256), (3, 2), (9, 1), (7, 1)])),
            [[0, 2], [2, 258], [258, 259], [259, 260]]
        );
        let one = keys(&[(5, 600)]);
        assert_eq!(packets(&one), [[0, 256], [256, 512], [512, 600]]);
    }

    #[test]
    fn queries_have_the_keys_of_their_centers() -> Result<(), crate::NotABox> {
        let bounds = Aabb::new(0.0, 0.0, 256.0, 256.0)?;
        let rectangle = Aabb::new(10.0, 20.0, 30.0, 40.0)?;
        let center = Aabb { x0: 20.0, y0: 30.0, x1: f32::MAX, y1: 0.0 };
        assert_eq!(query_keys(&[rectangle], false, bounds), query_keys(&[center], true, bounds));
        assert_ne!(query_keys(&[rectangle], false, bounds), query_keys(&[rectangle], true, bounds));
        // Queries outside have the keys of the border.
        let [outside, corner] = [-1.0, 0.0].map(|x0| Aabb { x0, y0: x0, x1: 0.0, y1: 0.0 });
        assert_eq!(query_keys(&[outside], true, bounds), query_keys(&[corner], true, bounds));
        Ok(())
    }
}
