//! Faults in the shaders of the sweep over clusters are noticed.

use boxwood_tests::{Fault, assert_all_caught, bounded_source};

use super::*;

/// Planted faults: a shader, a text in it, and the text that replaces each occurrence.
const FAULTS: &[Fault] = &[
    ("cluster_bounds", "if !is_empty(box)", "if true"),
    ("cluster_bounds", "inside.xy + inside.zw", "inside.xy + inside.xy"),
    ("cluster_bounds", "item += stride", "item += 2u * stride"),
    ("cluster_bounds", "share * WORKGROUP_SIZE + local", "local"),
    ("cluster_bounds", "unions[share] = all", "unions[0] = all"),
    ("cluster_bounds", "clamp(v, vec4(-LIMIT), vec4(LIMIT))", "v"),
    ("cluster_centers", "local < config.n_shares", "local + 1u < config.n_shares"),
    ("cluster_centers", "max(extents.x, extents.y)", "extents.x"),
    ("cluster_centers", "max(extents.x, extents.y)", "min(extents.x, extents.y)"),
    ("cluster_centers", "bounds.xy, bounds.zw)", "bounds.xy, vec2(LIMIT))"),
    ("cluster_centers", "inside - bounds.xy", "inside"),
    ("cluster_centers", "PLACE_BITS - 21u", "PLACE_BITS - 22u"),
    ("cluster_centers", "CENTER_SHIFT = 6u", "CENTER_SHIFT = 7u"),
    ("cluster_centers", "half * (n % n_halves) / n_halves", "0u"),
    ("cluster_centers", "2u * cluster + 1u", "2u * cluster"),
    ("cluster_centers", "vec2<u32>(16384u)", "vec2<u32>(0u)"),
    ("cluster_centers", "NO_CENTER, is_empty(box)", "NO_CENTER, false"),
    ("cluster_centers", "place_of(box.xy), place_of(box.zw)", "place_of(box.zw), place_of(box.xy)"),
    ("cluster_centers", "cluster_bounds[local] = NO_BOUNDS;", ""),
    ("cluster_centers", "if item < n", "if item + 1u < n"),
    ("cluster_weights", "<< SHARE_BITS) / (square", "<< (SHARE_BITS - 1u)) / (square"),
    ("cluster_weights", "square >> shift", "square"),
    ("cluster_weights", "least = min(least,", "least = max(1u,"),
    ("cluster_weights", "DIVISOR_BITS = 16u", "DIVISOR_BITS = 15u"),
    ("cluster_weights", "WEIGHT_SHIFT = 14u", "WEIGHT_SHIFT = 15u"),
    ("cluster_weights", "own_share * own_share", "own_share"),
    ("cluster_weights", "at += n_slices", "at += 2u * n_slices"),
    ("cluster_weights", "2u * config.n_clusters - 1u", "config.n_clusters"),
    ("cluster_weights", "first += config.n_shares", "first += 2u * config.n_shares"),
    ("cluster_weights", "first + local < n", "first + local + 1u < n"),
    ("cluster_weights", "added(y_sum, weight * point.y)", "added(y_sum, weight * point.x)"),
    ("cluster_weights", "u32(low < sum.x)", "0u"),
    ("cluster_weights", "u32(before + sum.x < before)", "0u"),
    ("cluster_weights", "u32(before0u + low0u < before0u)", "0u"),
    ("cluster_weights", "high0u +", ""),
    (
        "cluster_weights",
        "atomicStore(&own_sums[2u * MAX_CLUSTERS + local], 0u)",
        "atomicStore(&own_sums[2u * MAX_CLUSTERS + local], 1u)",
    ),
    ("cluster_means", "DIVISOR_BITS = 16u", "DIVISOR_BITS = 15u"),
    ("cluster_means", "if divisor != 0u", "if true"),
    ("cluster_directions", "firstLeadingBit(v.y) + 33u", "firstLeadingBit(v.y) + 43u"),
    ("cluster_means", "(v.y << 1u) << (31u - shift)", "0u"),
    ("cluster_means", "sums[3u * cluster + 1u], shift)", "sums[3u * cluster], shift)"),
    ("cluster_means", "sums[3u * cluster + 2u] = vec2(0u)", "sums[3u * cluster + 2u] = vec2(1u)"),
    ("cluster_means", "point.y << 16u", "point.y << 15u"),
    ("cluster_means", "cluster >= config.n_clusters", "cluster + 1u >= config.n_clusters"),
    ("cluster_assign", "square < least", "square <= least"),
    ("cluster_assign", "nearest = select(nearest, cluster,", "nearest = select(nearest, 0u,"),
    ("cluster_assign", "offset.x * offset.y),", "-offset.x * offset.y),"),
    ("cluster_assign", "bitcast<u32>(term >> 31u)", "0u"),
    (
        "cluster_assign",
        "atomicMin(&own_bounds[4u * cluster], keys.x)",
        "atomicMin(&own_bounds[4u * cluster], keys.z)",
    ),
    (
        "cluster_assign",
        "atomicMax(&own_bounds[4u * cluster + 3u]",
        "atomicMin(&own_bounds[4u * cluster + 3u]",
    ),
    ("cluster_assign", "local % 4u < 2u", "local % 4u < 3u"),
    ("cluster_assign", "if packed != NO_CENTER", "if true"),
    ("cluster_assign", "item += stride", "item += 2u * stride"),
    ("cluster_assign", "u32(before2u + low2u < before2u)", "0u"),
    ("cluster_directions", "MOMENT_BITS = 14u", "MOMENT_BITS = 12u"),
    ("cluster_directions", "DIRECTION_LENGTH = 1024u", "DIRECTION_LENGTH = 1000u"),
    ("cluster_directions", "bit != 0u", "bit > 1u"),
    ("cluster_directions", "larger * larger <= v", "larger <= v"),
    ("cluster_directions", "2 * xy", "xy"),
    ("cluster_directions", "difference >= 0", "difference > 0"),
    ("cluster_directions", "root - difference", "root + difference"),
    ("cluster_directions", "longest == 0u", "false"),
    ("cluster_directions", "longest / 2u", "0u"),
    ("cluster_directions", "sign(vector) *", ""),
    ("cluster_directions", "shift >= 32u", "shift >= 64u"),
    ("cluster_directions", "sums[3u * cluster + 1u] = vec2(0u)", "sums[3u * cluster + 1u] = vec2(1000u)"),
    ("cluster_members", "< min(keys.zw", "<= min(keys.zw"),
    ("cluster_members", "cluster >= 32u", "cluster > 32u"),
    ("cluster_members", "bits |= select", "bits = select"),
    ("cluster_members", "countOneBits(bits.x) + countOneBits(bits.y)", "countOneBits(bits.x)"),
    ("cluster_members", "item >= n_items()", "item + 1u >= n_items()"),
    ("cluster_members", "bits | vec4(0x80000000u)", "bits"),
    ("cluster_entries", "entry - sums[item]", "0u"),
    ("cluster_entries", "rest.x & (rest.x - 1u)", "rest.x & (rest.x - 2u)"),
    ("cluster_entries", "32u + firstTrailingBit", "31u + firstTrailingBit"),
    ("cluster_entries", "directions[cluster]).x", "directions[cluster]).y"),
    ("cluster_entries", "items[entry] = item", "items[entry] = entry"),
    ("cluster_entries", "component < 0", "false"),
    ("cluster_entries", "LAST_GRID_PLACE - vec2(high, low)", "LAST_GRID_PLACE - vec2(low, high)"),
    ("cluster_entries", "cluster << (32u - CLUSTER_BITS)", "cluster << (31u - CLUSTER_BITS)"),
    ("cluster_entries", "places.y, places.w", "places.x, places.z"),
    ("cluster_entries", "entry < n_entries", "entry + 1u < n_entries"),
    ("cluster_candidates", "item_counts[config.count_word] > config.capacity", "false"),
    ("cluster_candidates", "key <= query", "key < query"),
    ("cluster_candidates", "directions[cluster]).y", "directions[cluster]).x"),
    ("cluster_candidates", "entry + 1u) - entry - 1u", "entry + 1u) - entry"),
    ("cluster_candidates", "box_places[items[entry]]", "box_places[entry]"),
    ("cluster_candidates", "entry >= n", "entry + 1u >= n"),
    ("cluster_entry_sums", "(1u << (cluster % 32u)) - 1u", "1u << (cluster % 32u)"),
    ("cluster_entry_sums", "vec2(0xffffffffu, below)", "vec2(0u, below)"),
    ("cluster_entry_sums", "members[item]", "members[entry]"),
    ("cluster_entry_sums", "sums[entry])", "sums[0u])"),
    ("cluster_entry_sums", "entry >= n_items()", "entry + 1u >= n_items()"),
    ("cluster_sweep_count", "all((own.yz & other.yz) == vec2(0u))", "true"),
    ("cluster_sweep_count", "(own.yz & other.yz)", "own.yz"),
    ("cluster_sweep_count", "!is_empty(meet(boxes[own.x], boxes[other.x]))", "true"),
    ("cluster_sweep_count", "a.x >= a.z", "a.x > a.z"),
    ("cluster_sweep_count", "local <= last", "local < last"),
    ("cluster_sweep_count", "0xffffffffu, atomicLoad", "0u, atomicLoad"),
    ("cluster_sweep_list", "all((own.yz & other.yz) == vec2(0u))", "true"),
    ("cluster_sweep_list", "n_before = first_pair", "n_before = 0u"),
    ("cluster_sweep_list", "vec2(min(items.x, items.y), max(items.x, items.y))", "items"),
];

/// Boxes and numbers of clusters.
fn inputs() -> Vec<(Vec<Aabb>, u32)> {
    let falling = falling_staircase(90);
    let tall = falling.iter().map(|aabb| Aabb { y0: 5.0 * aabb.y0, y1: 5.0 * aabb.y1, ..*aabb }).collect();
    // Empty boxes are not at the border of the others, and one of them is a first mean.
    let moved =
        |aabb: Aabb| Aabb { x0: aabb.x0 + 2e4, x1: aabb.x1 + 2e4, y0: aabb.y0 - 3e4, y1: aabb.y1 - 3e4 };
    let with_empty = family("every ninth empty", 310);
    let with_empty =
        with_empty.into_iter().map(|aabb| if aabb.is_empty() { Aabb::EMPTY } else { moved(aabb) }).collect();
    // The first of three means has no weight. The second one is far from the corner, where a mean
    // of nothing could be.
    let square = |place: f32| Aabb { x0: place, y0: place, x1: place + 1.0, y1: place + 1.0 };
    let without_weight = [[Aabb::EMPTY; 3], [square(1000.0); 3], [square(0.0); 3]].concat();
    // The center of a box is not in its middle if its coordinates are clamped.
    let huge = Aabb { x0: -1e30, y0: -1e31, x1: f32::MAX / 2.0, y1: f32::MAX };
    let with_huge = [family("small boxes", 100), vec![huge]].concat();
    let own = [(falling, 2), (tall, 1), (with_empty, 5), (without_weight, 3), (with_huge, 3)];
    let of = |(name, n, n_clusters): (&str, usize, u32)| (family(name, n), n_clusters);
    let families = [
        ("drawing", 270, 64),
        ("the plane among small boxes", 600, 37),
        ("windows", 530, 4),
        ("few centers", 100, 20),
        ("touching tiles", 64, 1),
        ("limits of f32", 60, 3),
        ("identical boxes", 65, 2),
        ("row", 300, 1),
    ];
    own.into_iter().chain(families.map(of)).collect()
}

#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "Tint refuses barriers in loops with a limit")]
fn planted_faults_in_clusters_are_caught() {
    let unbroken = Context::new(&gpu().device).with_changes(bounded_source);
    let inputs = inputs();
    // Some faults need sums that are larger than those of a few boxes.
    let has_shares = |shader: &str| {
        ["cluster_bounds", "cluster_weights", "cluster_assign", "cluster_directions"].contains(&shader)
    };
    let first_difference = |context: &Context, shader: &str| {
        let found = inputs.iter().find_map(|(boxes, n_clusters)| difference(context, boxes, *n_clusters));
        let found = found.or_else(|| difference_with_few_entries(context));
        found.or_else(|| has_shares(shader).then(|| difference_in_long_shares(context)).flatten())
    };
    assert_eq!(first_difference(&unbroken, "cluster_weights"), None);
    assert_all_caught(
        FAULTS,
        |source| unbroken.with_changes(source),
        |broken, shader| first_difference(broken, shader).is_some(),
    );
}

#[test]
fn every_shader_of_clusters_has_a_fault() {
    let shaders =
        boxwood_shaders::papers::all().into_iter().filter(|shader| shader.name.starts_with("cluster_"));
    for shader in shaders {
        assert!(FAULTS.iter().any(|fault| fault.0 == shader.name), "{} has no fault", shader.name);
    }
}
