//! Every sorter returns what the specification returns.

use boxwood::Context;
use boxwood::spatial::{Count, Items, Sort, Sorter, SpatialError};
use boxwood_cpu::specification::spatial as cpu;
use boxwood_tests::{Fault, Mutants, Random, Survivor, assert_all_caught, bounded_source, gpu, sampled};

use super::{buffer, read, record};

/// The number of items that a workgroup of the radix sort sorts at a time.
const TILE: usize = 2048;

/// Around every border of workgroups, networks, and tiles.
const SIZES: [usize; 22] = [
    0,
    1,
    2,
    3,
    7,
    8,
    9,
    31,
    33,
    255,
    256,
    257,
    1023,
    1024,
    1025,
    TILE - 1,
    TILE,
    TILE + 1,
    2 * TILE,
    2 * TILE + 1,
    5 * TILE - 3,
    21 * TILE + 100,
];

/// What differs from the specification, if anything does. The values are the squares of the indices
/// if `has_values`.
fn difference(
    context: &Context,
    sorter: Sorter,
    keys: &[u32],
    bits: u32,
    has_values: bool,
) -> Option<String> {
    let n = u32::try_from(keys.len()).expect("it is small");
    // There is room for a few more, which must stay as they are.
    let capacity = (n + 70).min(sorter.max_items());
    let value = |index: u32| if has_values { index.wrapping_mul(index) } else { index };
    let padded = keys.iter().copied().chain([1; 70]);
    let key_buffer = buffer(&padded.collect::<Vec<_>>());
    let value_buffer = buffer(&(0..n + 70).map(value).collect::<Vec<_>>());
    let values = has_values.then_some(&value_buffer);
    let items = Items { buffer: &key_buffer, count: Count::Host(n), capacity };
    let sort = Sort::with_sorter(context, items, values, bits, sorter);
    let sort = sort.expect("the input is within the limits");
    record(|pass| sort.record(pass));
    let order = cpu::sort(keys, bits);
    let sorted = |buffer| read::<u32>(buffer, capacity as usize);
    let (sorted_keys, sorted_values) = (sorted(sort.sorted_keys()), sorted(sort.sorted_values()));
    if sorted_keys[keys.len()..].iter().any(|key| *key != 0) {
        return Some(format!("{sorter:?}, n = {n}: something is written after the last place"));
    }
    let place = (0..keys.len()).find(|place| {
        let index = order[*place];
        sorted_keys[*place] != keys[index as usize] || sorted_values[*place] != value(index)
    })?;
    Some(format!("{sorter:?}, n = {n}, {bits} bits, values: {has_values}: another item at place {place}"))
}

/// Keys of every kind that is special for some sorter.
fn families(n: usize) -> Vec<Vec<u32>> {
    let mut random = Random::new(n as u64);
    let mut words = |mask: u32| -> Vec<u32> {
        (0..n)
            .map(|_| u32::try_from(random.bits() >> 32).expect("the upper half has 32 bits") & mask)
            .collect()
    };
    let index = |i: usize| u32::try_from(i).expect("it is small");
    vec![
        words(u32::MAX),
        words(0xff),
        words(0x0100_0001),
        words(0).into_iter().map(|_| u32::MAX).collect(),
        (0..n).map(index).collect(),
        (0..n).rev().map(index).collect(),
        // Only the upper bits differ.
        words(0xff00_0000).into_iter().map(|key| key | 0xff).collect(),
        // Every second tile has one digit, which others come before in the tile before it.
        words(u32::MAX)
            .into_iter()
            .enumerate()
            .map(|(i, key)| if i / TILE % 2 == 1 { 0x7070_7070 } else { key })
            .collect(),
        // One key is out of place at each border of a tile.
        (0..n).map(|i| if i % TILE == 0 { 5 } else { index(i) + 10 }).collect(),
    ]
}

/// The first difference over all families, for the sorters that can hold them.
fn first_difference(context: &Context, sorters: &[Sorter], sizes: &[usize]) -> Option<String> {
    sizes.iter().find_map(|n| {
        let able = || sorters.iter().filter(|sorter| *n as u64 <= sorter.max_items().into());
        families(*n).iter().enumerate().find_map(|(family, keys)| {
            able().find_map(|sorter| {
                let different = |bits, has_values| difference(context, *sorter, keys, bits, has_values);
                let found = different(32, false).or_else(|| different(32, true));
                let found = found.or_else(|| different(24, true)).or_else(|| different(13, false))?;
                Some(format!("family {family}: {found}"))
            })
        })
    })
}

#[test]
fn every_sorter_is_right_at_every_border() {
    let context = Context::new(&gpu().device);
    let sizes: Vec<usize> = sampled(SIZES).collect();
    assert_eq!(first_difference(&context, Sorter::ALL, &sizes), None);
}

#[test]
fn keys_without_bits_stay_in_order() {
    let context = Context::new(&gpu().device);
    for &sorter in Sorter::ALL {
        assert_eq!(difference(&context, sorter, &[3, 1, 2], 0, true), None);
        assert_eq!(difference(&context, sorter, &[3, 1, 2], 99, true), None);
    }
}

/// The number of tiles of an input with more tiles than chunks.
const MORE_TILES_THAN_CHUNKS: usize = 1027;

/// What differs for an input of so many whole tiles and an item. Most of the odd tiles have only
/// one digit.
fn difference_in_tiles(context: &Context, sorter: Sorter, n_tiles: usize) -> Option<String> {
    let mut random = Random::new(3);
    // The second tile of most chunks has one digit, which the first tile has too, in the middle or
    // last.
    let key = |i: usize| match i / TILE % 8 {
        1 => 0x70,
        3 | 7 => 0xff,
        _ => random.below(1 << 8),
    };
    let keys: Vec<u32> =
        (0..n_tiles * TILE + 1).map(key).map(|key| u32::try_from(key).expect("it is small")).collect();
    difference(context, sorter, &keys, 8, true)
}

#[test]
fn there_can_be_many_tiles() {
    let context = Context::new(&gpu().device);
    for sorter in [Sorter::Radix, Sorter::AdaptiveBitonic] {
        assert_eq!(difference_in_tiles(&context, sorter, MORE_TILES_THAN_CHUNKS), None);
    }
}

#[test]
fn a_shorter_input_after_a_longer_one_is_sorted_alone() {
    let context = Context::new(&gpu().device);
    let keys: Vec<u32> = (0..7000).rev().collect();
    let (input, count) = (buffer(&keys), buffer(&[0_u32, 5000]));
    for sorter in [Sorter::Radix, Sorter::AdaptiveBitonic] {
        let new = |count| {
            let items = Items { buffer: &input, count, capacity: 7000 };
            let sort = Sort::with_sorter(&context, items, None, 32, sorter);
            sort.expect("the input is within the limits")
        };
        let sort = new(Count::Host(7000));
        for n in [7000, 4097, 2048, 1, 0] {
            sort.set_count(&gpu().queue, n).expect("it is within the capacity");
            record(|pass| sort.record(pass));
            let expected: Vec<u32> = (7000 - n..7000).collect();
            assert_eq!(read::<u32>(sort.sorted_keys(), n as usize), expected);
        }
        let error = SpatialError::AboveCapacity { n: 7001, capacity: 7000 };
        assert_eq!(sort.set_count(&gpu().queue, 7001), Err(error));
        let sort = new(Count::Gpu { buffer: &count, word: 1 });
        record(|pass| sort.record(pass));
        assert_eq!(read::<u32>(sort.sorted_keys(), 5000), (2000..7000).collect::<Vec<_>>());
    }
}

#[test]
fn too_many_items_are_refused() {
    let context = Context::new(&gpu().device);
    let input = buffer(&vec![0_u32; 2049]);
    let network = Sort::with_sorter(&context, Items::new(&input, 2049), None, 32, Sorter::BaseBitonic);
    let too_many = SpatialError::TooManyItems { need: 2049, limit: 2048 };
    assert_eq!(network.expect_err("it is too large"), too_many);
    let error =
        |n, values| Sort::new(&context, Items::new(&input, n), values, 32).expect_err("it is too large");
    let too_large = |buffer, need, limit| SpatialError::TooLarge { buffer, need, limit };
    assert_eq!(error(2050, None), too_large("keys", 2050, 2049));
    assert_eq!(error(9, Some(&buffer(&[0_u32; 8]))), too_large("values", 9, 8));
}

/// The shaders of the networks on zeros and ones: a word is a wire of 32 inputs, the smaller item
/// is their conjunction, and the larger one their disjunction. That is exact because the
/// comparators do not depend on the items. All 128 blocks of 16 wires are sorted at once.
#[test]
fn the_shaders_sort_all_inputs_of_zeros_and_ones_of_16_wires() {
    let n_blocks = TILE / 16;
    let context = Context::new(&gpu().device).with_changes(|shader| {
        let changes = [
            // The odd-even merge sort.
            ("if low.x > high.x || (low.x == high.x && low.y > high.y)", "if true"),
            ("wire_keys[lower] = high.x", "wire_keys[lower] = low.x & high.x"),
            ("wire_keys[upper] = low.x", "wire_keys[upper] = low.x | high.x"),
            // The bitonic sorts.
            ("select(low.x, high.x, is_swapped)", "low.x & high.x"),
            ("select(high.x, low.x, is_swapped)", "low.x | high.x"),
            // All.
            ("merged < n;", "merged < 16u;"),
        ];
        let source = shader.source.replace(
            "sorted_keys[first + wire] = keys[place]",
            "sorted_keys[wire] = wire_keys[swizzled(wire)]",
        );
        let sorted =
            if shader.name.starts_with("sort_base") { "own_keys[wire % 16u]" } else { "wire_keys[wire]" };
        let source =
            source.replace("sorted_keys[wire] = keys[place]", &format!("sorted_keys[wire] = {sorted}"));
        changes.iter().fold(source, |source, (from, to)| source.replace(from, to))
    });
    for sorter in [Sorter::OddEvenMerge, Sorter::AdaptiveBitonic, Sorter::BaseBitonic, Sorter::BaseOptimal] {
        // Input i has the bits of i on its wires.
        for first in (0..1 << 16).step_by(32 * n_blocks) {
            let word = |index: usize| {
                let (input, wire) = (first + 32 * (index / 16), index % 16);
                (0..32).fold(0_u32, |word, bit| word | (u32::from(((input + bit) >> wire) & 1 == 1) << bit))
            };
            let keys: Vec<u32> = (0..TILE).map(word).collect();
            let input = buffer(&keys);
            let sort = Sort::with_sorter(&context, Items::new(&input, 2048), None, 32, sorter);
            let sort = sort.expect("the input is within the limits");
            record(|pass| sort.record(pass));
            let sorted: Vec<u32> = read(sort.sorted_keys(), TILE);
            for (block, (wires, inputs)) in sorted.chunks(16).zip(keys.chunks(16)).enumerate() {
                let is_sorted = wires.windows(2).all(|pair| pair[0] & !pair[1] == 0);
                let ones = |words: &[u32]| words.iter().map(|word| word.count_ones()).sum::<u32>();
                assert!(
                    is_sorted && ones(wires) == ones(inputs),
                    "{sorter:?}, inputs from {first}, block {block}"
                );
            }
        }
    }
}

#[test]
fn the_shader_has_the_comparators_of_the_optimal_network() {
    let source = boxwood_shaders::papers::SORT_BASE_OPTIMAL.source;
    let body = source.split("fn sort_own() {").nth(1).and_then(|rest| rest.split('}').next());
    let body = body.expect("the shader has the function");
    let calls = body.split("compare_and_exchange(").skip(1).map(|call| {
        let (wires, _) = call.split_once(')').expect("a call ends");
        wires.split(", ").map(|wire| wire.trim_end_matches('u').parse().expect("a number")).collect()
    });
    let expected: Vec<Vec<usize>> =
        boxwood_cpu::specification::papers::OPTIMAL_16.concat().iter().map(|wires| wires.to_vec()).collect();
    assert_eq!(calls.collect::<Vec<Vec<usize>>>(), expected);
}

/// Planted faults: a shader, a text in it, and the text that replaces each occurrence.
pub(super) const FAULTS: &[Fault] = &[
    ("sort_odd_even", "~(2u * merged - 1u)", "~(merged - 1u)"),
    ("sort_odd_even", "(distance & (merged - 1u)) + ", ""),
    ("sort_odd_even", "wires.y < n", "wires.y <= n"),
    ("sort_odd_even", "values[place]", "values[wire]"),
    ("sort_odd_even_indices", "low.y > high.y", "low.y < high.y"),
    ("sort_bitonic", "take(local, step, step - 1u)", "take(local, step, 0u)"),
    ("sort_bitonic", "swizzled((4u * step) ^ mirror)", "swizzled(4u * step)"),
    ("sort_bitonic", "fifth ^ near ^ far", "fifth ^ near"),
    ("sort_bitonic", "compare_and_exchange(2u, 7u - 2u)", "compare_and_exchange(2u, 4u)"),
    ("sort_bitonic", "merge_own(local, merged / 8u)", "merge_own(local, merged / 16u)"),
    ("sort_bitonic", "compare_and_exchange(5u, 6u)", "compare_and_exchange(4u, 6u)"),
    ("sort_bitonic", "merged < n;", "2u * merged < n;"),
    ("sort_bitonic", "if distance == 4u", "if distance == 8u"),
    ("sort_bitonic", "distance >= 2u", "distance > 2u"),
    ("sort_bitonic", "own_keys[3u] = 0xffffffffu", "own_keys[3u] = 0u"),
    ("sort_bitonic", "values[place]", "values[wire]"),
    ("sort_bitonic", "keys[first + wire]", "keys[wire]"),
    ("sort_bitonic", "n_items() - first, MAX_WIRES", "n_items(), MAX_WIRES"),
    ("sort_bitonic", "values[place]", "values[place - first]"),
    ("sort_bitonic_indices", "place = first + wire_places", "place = wire_places"),
    (
        "sort_bitonic_indices",
        "merge_own(local, merged / 8u);\n        store_own();",
        "merge_own(local, merged / 8u);",
    ),
    ("sort_bitonic_indices", "low.y > high.y", "low.y < high.y"),
    ("sort_bitonic_indices", " & config.key_mask", ""),
    ("sort_base_bitonic", "(wire & merged) != 0u", "(wire & merged) == 1u"),
    ("sort_base_bitonic", "compare_and_exchange(0u + 8u, 15u - 0u)", "compare_and_exchange(0u + 8u, 14u)"),
    ("sort_base_bitonic", "if distance == 8u", "if distance == 4u"),
    ("sort_base_bitonic", "distance >= 4u", "distance > 4u"),
    ("sort_base_bitonic", "distance >= 2u", "distance > 2u"),
    ("sort_base_bitonic", "distance >= 1u", "distance > 1u"),
    ("sort_base_bitonic", "own_keys[3u] = 0xffffffffu", "own_keys[3u] = 0u"),
    ("sort_base_bitonic", "values[place]", "values[wire]"),
    ("sort_base_bitonic_indices", " & config.key_mask", ""),
    ("sort_base_optimal", "compare_and_exchange(11u, 12u)", "compare_and_exchange(11u, 13u)"),
    ("sort_base_optimal", "compare_and_exchange(1u, 10u);", ""),
    ("sort_base_optimal_indices", "low.y > high.y", "low.y < high.y"),
    ("sort_splits", "left_key <= right_key", "left_key < right_key"),
    ("sort_splits", "tested < high && ", ""),
    ("sort_splits", "- n_right;", "- n_right + 1u;"),
    ("sort_splits", "n_before - 1u - left", "n_before - left"),
    ("sort_splits", "n_passed * step", "n_passed * (step - 1u)"),
    ("sort_splits", "min(step - 1u, high - low)", "min(step / 2u, high - low)"),
    ("sort_splits", "right_key = keys[runs.middle", "right_key = keys[runs.first"),
    (
        "sort_splits",
        "left_key = keys[runs.first + left] & config.key_mask",
        "left_key = keys[runs.first + left]",
    ),
    ("sort_splits", "min(first + config.run_length, n)", "first + config.run_length"),
    ("sort_merge", "end < runs.end", "end <= runs.end"),
    ("sort_merge", "MAX_WIRES - 1u - wire", "MAX_WIRES - wire"),
    ("sort_merge", "select(NO_KEY, key, is_item)", "key"),
    ("sort_merge", "const NO_PLACE = 0xffffffffu", "const NO_PLACE = 0u"),
    ("sort_merge", "low.y > high.y", "low.y < high.y"),
    ("sort_merge", "merge_own(local, WORKGROUP_SIZE / 2u)", "merge_own(local, WORKGROUP_SIZE / 4u)"),
    ("sort_merge", "place < n_left)", "place <= n_left)"),
    ("sort_merge", "own_places[6u] = values[source]", "own_places[6u] = values[min(item, n - 1u)]"),
    ("sort_merge", "target_item < end", "target_item < item + TILE_LENGTH"),
    ("radix_upsweep", "keys[min(tile + 4u * WORKGROUP_SIZE", "keys[min(4u * WORKGROUP_SIZE"),
    ("radix_upsweep", "4u * WORKGROUP_SIZE + local < items.y", "4u * WORKGROUP_SIZE + local <= items.y"),
    ("radix_upsweep", "n += atomicLoad(&counters[3u", "n += atomicLoad(&counters[2u"),
    ("radix_upsweep", "& config.key_mask", "& 0xffffffffu"),
    ("radix_spine", "end - own", "end"),
    ("radix_spine", "before += counts[2u]", "before += counts[1u]"),
    ("radix_spine", "digit_totals[digit] = end", "digit_totals[digit] = own"),
    ("radix_downsweep", "(prefix_sums[WORKGROUP_SIZE - 1u] << 16u)", "0u"),
    ("radix_downsweep", "(nibble >> 3u)", "(nibble >> 2u)"),
    ("radix_downsweep", "nibble > 7u", "nibble > 6u"),
    ("radix_downsweep", "low | (high << 16u)", "low"),
    ("radix_downsweep", "high_counts >> (4u * 5u)", "high_counts >> (4u * 4u)"),
    ("radix_downsweep", "low_counts += select(1u << shift, 0u, is_high)", "low_counts += 1u << shift"),
    ("radix_downsweep", "rank_by(local, 4u)", "rank_by(local, 0u)"),
    ("radix_downsweep", "place == 0u || ", ""),
    ("radix_downsweep", "next_places[digit] += place + 1u", "next_places[digit] += place"),
    ("radix_downsweep", "(place + 1u == n || ", "("),
    ("radix_downsweep", "digit_counts[local * config.n_chunks + chunk]", "0u"),
    ("radix_downsweep_indices", "own_values[0u] = item", "own_values[0u] = tile"),
    ("radix_downsweep", "tile + TILE_LENGTH >= items.y", "tile + 2u * TILE_LENGTH >= items.y"),
    ("radix_downsweep", "NO_KEY, keys[existing], item < items.y", "NO_KEY, keys[existing], true"),
    ("radix_downsweep", "own_values[2u] = values[existing]", "own_values[2u] = values[tile]"),
    ("radix_downsweep", "place < n && target_place", "target_place"),
    ("radix_downsweep", "const NO_KEY = 0xffffffffu", "const NO_KEY = 0x7fffffffu"),
];

/// The mutants that survive, with reasons.
const SURVIVORS: &[Survivor] = &[
    ("* / prefix_sum / < to <= / 1", "one more round, in which no invocation adds anything"),
    ("* / swizzled / << to >> / 1", "another order inside of each 32 words of workgroup memory"),
    ("* / swizzled / ^ to | / 1", "another order inside of each 32 words of workgroup memory"),
    ("sort_base_optimal / swizzled / & to | / 1", "another permutation of the wires in workgroup memory"),
    ("sort_odd_even / main / boolean negated / 1", "a comparator of a wire with itself changes nothing"),
    (
        "sort_base_optimal_indices / main / > to >= / 1",
        "the stages at the distances 8, 4, 2, and 1 are executed in the loop instead of after it",
    ),
    ("sort_merge / main / - to + / 14", "the value of an item after the last one is ignored"),
    ("radix_upsweep / main / store removed / 1", "wgpu fills workgroup memory with zeros"),
];

/// Whether an input reveals a fault of a shader.
fn is_caught(broken: &Context, shader: &str) -> bool {
    let sorters: &[Sorter] = match shader {
        "sort_odd_even" | "sort_odd_even_indices" => &[Sorter::OddEvenMerge],
        "sort_base_bitonic" | "sort_base_bitonic_indices" => &[Sorter::BaseBitonic],
        "sort_base_optimal" | "sort_base_optimal_indices" => &[Sorter::BaseOptimal],
        _ if shader.starts_with("radix") => &[Sorter::Radix],
        _ => &[Sorter::AdaptiveBitonic],
    };
    let sizes = [3, 33, 1025, TILE - 1, TILE, 6 * TILE - 3, 7 * TILE + 9];
    let find = |sizes: &[usize]| first_difference(broken, sorters, sizes).is_some();
    match sorters[0] {
        // The last item is each of those that an invocation has.
        Sorter::BaseBitonic | Sorter::BaseOptimal => find(&sizes) || find(&(16..32).collect::<Vec<_>>()),
        Sorter::Radix => {
            // In the second input, each chunk has items.
            let mut n_tiles = [MORE_TILES_THAN_CHUNKS, 1023].into_iter();
            find(&sizes)
                || n_tiles.any(|n_tiles| difference_in_tiles(broken, Sorter::Radix, n_tiles).is_some())
        }
        _ => find(&sizes),
    }
}

#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "Tint refuses barriers in loops with a limit")]
fn planted_faults_are_caught() {
    let unbroken = Context::new(&gpu().device).with_changes(bounded_source);
    let shader_of_each_sorter =
        ["sort_odd_even", "sort_base_bitonic", "sort_base_optimal", "radix", "sort_bitonic"];
    assert!(!shader_of_each_sorter.into_iter().any(|shader| is_caught(&unbroken, shader)));
    assert_all_caught(FAULTS, |source| unbroken.with_changes(source), is_caught);
}

#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "Tint refuses barriers in loops with a limit")]
fn every_mutant_is_caught() {
    let unbroken = Context::new(&gpu().device).with_changes(bounded_source);
    let shaders = &[
        "sort_odd_even",
        "sort_odd_even_indices",
        "sort_bitonic",
        "sort_bitonic_indices",
        "sort_base_bitonic",
        "sort_base_bitonic_indices",
        "sort_base_optimal",
        "sort_base_optimal_indices",
        "sort_splits",
        "sort_merge",
        "radix_upsweep",
        "radix_spine",
        "radix_downsweep",
        "radix_downsweep_indices",
    ];
    let mutants = Mutants { shaders, per_shader: 5, accepted: SURVIVORS };
    mutants.assert_all_caught(|source| unbroken.with_changes(source), is_caught);
}

#[test]
fn the_sort_with_the_fewest_passes_is_chosen() {
    let chosen =
        |bits| [1, 2048, 2049, 4096, 4097, 1 << 14, (1 << 14) + 1].map(|n| Sorter::for_items(n, bits));
    use Sorter::{AdaptiveBitonic as A, Radix as R};
    assert_eq!(chosen(32), [A, A, A, A, A, A, R]);
    assert_eq!(chosen(16), [A, A, A, A, R, R, R]);
    assert_eq!(chosen(8), [A, A, R, R, R, R, R]);
}
