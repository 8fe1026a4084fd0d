//! Work of the CPU beside that of the device, on every core.

use std::num::NonZero;
use std::ops::Range;
use std::thread;

/// Shares that are smaller than this, in items, cost more than they save.
const LEAST_SHARE: usize = 1 << 16;

/// How many cores there are.
pub(crate) fn n_cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Fills a stream by shares: `fill` gets the index of the first item of its share, and the share.
pub(crate) fn fill<T: Send>(items: &mut [T], fill: impl Fn(usize, &mut [T]) + Sync) {
    let share = share(items.len());
    thread::scope(|scope| {
        let mut shares = items.chunks_mut(share).enumerate();
        let own = shares.next();
        for (index, items) in shares {
            let fill = &fill;
            scope.spawn(move || fill(index * share, items));
        }
        if let Some((_, items)) = own {
            fill(0, items);
        }
    });
}

/// The least of what `find` finds in shares of `0..n`.
pub(crate) fn find_first(n: usize, find: impl Fn(Range<usize>) -> Option<usize> + Sync) -> Option<usize> {
    let share = share(n);
    if share >= n {
        return find(0..n);
    }
    thread::scope(|scope| {
        let find = &find;
        let share_at = |first| scope.spawn(move || find(first..(first + share).min(n)));
        let shares: Vec<_> = (0..n).step_by(share).map(share_at).collect();
        // All are waited for, so that a panic of any of them is not lost.
        let found: Vec<_> =
            shares.into_iter().map(|s| s.join().expect("a comparison does not panic")).collect();
        found.into_iter().flatten().next()
    })
}

fn share(n: usize) -> usize {
    n.div_ceil(n_cores()).max(LEAST_SHARE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_filled_and_the_first_is_found() {
        for n in [0, 1, LEAST_SHARE - 1, LEAST_SHARE, 3 * LEAST_SHARE + 7] {
            let mut items = vec![0; n];
            fill(&mut items, |first, share| share.iter_mut().zip(first..).for_each(|(item, i)| *item = i));
            assert!(items.iter().copied().eq(0..n));
            assert_eq!(find_first(n, |mut range| range.find(|_| false)), None);
            for wanted in [0, n / 2, n.saturating_sub(1)] {
                let found = find_first(n, |mut range| range.find(|&i| i >= wanted));
                assert_eq!(found, (wanted < n).then_some(wanted));
            }
        }
    }
}
