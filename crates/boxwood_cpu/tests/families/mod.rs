//! Families of boxes for tests and measurements: those of the benchmark, and some more.

use boxwood_cpu::Aabb;

#[path = "../../../../tests/inputs/src/boxes.rs"]
mod boxes;
#[path = "../../../../tests/inputs/src/random.rs"]
mod random;

pub(crate) use boxes::{BoxFamily, SIDE};
use boxes::{SMALL, aabb, each, float, small, tiles};
pub(crate) use random::Random;

/// Every family of the benchmark, and families that are hard for trees of boxes alone.
pub(crate) fn families() -> Vec<BoxFamily> {
    let more = [
        BoxFamily::new("each box around the one before", |n, _| {
            each(n, |i| aabb(-float(i), -float(i), float(i + 1), float(i + 1)))
        }),
        BoxFamily::new("overlapping tiles", |n, _| tiles(n, 1.5)),
        BoxFamily::new("bars in both directions", |n, r| {
            each(n, |i| {
                let [a, b] = [SIDE * r.unit(), SMALL * r.unit() + 1e-3];
                if i % 2 == 0 { aabb(a, 0.0, a + b, SIDE) } else { aabb(0.0, a, SIDE, a + b) }
            })
        }),
        // The other families have canonical boxes only, as all results of stages do. The fields of
        // a box are public, so a caller can invert one.
        BoxFamily::new("inverted boxes", |n, r| {
            let inverted = Aabb { x0: 9.0, y0: 9.0, x1: 1.0, y1: 1.0 };
            each(n, |i| if i % 3 == 0 { inverted } else { small(r) })
        }),
    ];
    boxes::box_families().into_iter().chain(more).collect()
}

/// The first `n` boxes of the family with this name.
pub(crate) fn family(name: &str, n: usize, seed: u64) -> Vec<Aabb> {
    let family = families().into_iter().find(|family| family.name == name);
    family.expect("there is such a family").generate(n, seed)
}
