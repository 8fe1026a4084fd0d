//! The candidates of the sweep over clusters, compared with those of stage *pairs*.

use boxwood_cpu::specification::papers::ClusterSweep;
use boxwood_cpu::specification::spatial::{Axis, StripSweep, Sweep, pairs};
use boxwood_tests::box_family;

/// The number of boxes of each family.
const N: usize = 4096;

/// The logarithm of the number of clusters and strips.
const LG_PARTS: u32 = 4;

/// The numbers of pairs, and of candidates: of the sweep along the better of both axes, of the one
/// along the principal axis, of that in 16 clusters, and of the sweep along x in 16 strips. The
/// table in `docs/sources.md` has the same numbers.
const NUMBERS: [(&str, [usize; 5]); 6] = [
    ("small boxes", [144, 32_500, 37_118, 13_366, 2_223]),
    ("windows", [54_585, 447_628, 703_124, 897_317, 163_553]),
    ("nested panels", [32_704, 241_737, 241_821, 1_147_375, 142_985]),
    ("drawing", [136_187, 565_590, 988_290, 1_643_795, 245_322]),
    ("row", [32_966, 32_966, 32_967, 34_480, 32_966]),
    ("staircase", [4_095, 4_095, 4_095, 4_110, 4_095]),
];

#[test]
fn the_numbers_of_candidates_are_those_of_the_documentation() {
    let numbers = NUMBERS.map(|(name, _)| {
        let boxes = box_family(name).expect("it exists").generate(N, 1);
        let expected = pairs(&boxes);
        let [principal, clusters] = [1, 1 << LG_PARTS].map(|n| ClusterSweep::new(&boxes, n));
        assert!(principal.pairs(&boxes) == expected, "{name}, the principal axis");
        assert!(clusters.pairs(&boxes) == expected, "{name}, clusters");
        let strips = StripSweep::new(&boxes, Axis::X, LG_PARTS);
        let [best, strips] = [Sweep::best(&boxes).total(), strips.total()].map(|total| total as usize);
        (name, [expected.len(), best, principal.n_candidates(), clusters.n_candidates(), strips])
    });
    assert_eq!(numbers, NUMBERS);
}
