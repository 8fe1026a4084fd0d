//! Stages *scan* and *expand* against their specifications.

use boxwood::Context;
use boxwood::spatial::{Count, Expand, Items, Scan, SpatialError};
use boxwood_cpu::specification::spatial as cpu;
use boxwood_tests::{Fault, Mutants, Random, Survivor, assert_all_caught, bounded_source, gpu};

use super::{buffer, read, record};

/// The number of items, or of outputs, of a partition.
const PARTITION: usize = 2048;

/// The number of items after which an output searches its owner.
const MARKING: usize = 4096;

/// Around every border of words, rounds, partitions, and tiles of partitions.
const SIZES: [usize; 16] = [
    0,
    1,
    2,
    31,
    33,
    255,
    256,
    257,
    PARTITION - 1,
    PARTITION,
    PARTITION + 1,
    MARKING - 1,
    MARKING + 1,
    7 * PARTITION + 5,
    255 * PARTITION + 99,
    256 * PARTITION + 33,
];

fn count(n: usize) -> u32 {
    u32::try_from(n).expect("it is small")
}

/// Counts of every kind that is special for some step.
fn families(n: usize) -> Vec<Vec<u32>> {
    let mut random = Random::new(n as u64);
    let mut below = |limit: usize| -> Vec<u32> { (0..n).map(|_| count(random.below(limit))).collect() };
    let one = |place: usize, value: u32| (0..n).map(|i| if i == place { value } else { 0 }).collect();
    vec![
        vec![1; n],
        vec![0; n],
        below(3),
        below(17).into_iter().map(|count| count / 15).collect(),
        // Few items have outputs, so that there are thousands without outputs in a row.
        below(9 * MARKING).into_iter().map(|count| count.saturating_sub(36_840)).collect(),
        one(n / 2, 5 * count(PARTITION) + 1),
        one(n.saturating_sub(1), 2),
        // The sums leave the range of a u32, in a partition or from one to the next.
        below(1 << 31).into_iter().enumerate().map(|(i, count)| count >> (i % 24)).collect(),
        vec![0x8000_7fff; n],
        (0..n).map(|i| if i == 0 { 70 } else { 0x000f_ffff }).collect(),
    ]
}

/// What differs from the specification, if anything does.
fn scan_difference(context: &Context, counts: &[u32]) -> Option<String> {
    let n = counts.len();
    // There is room for a few more, which must stay as they are.
    let input = buffer(&[counts, &[3; 70]].concat());
    let items = Items { buffer: &input, count: Count::Host(count(n)), capacity: count(n) + 70 };
    let scan = Scan::new(context, items).expect("the input is within the limits");
    record(|pass| scan.record(pass));
    let mut expected = cpu::scan(counts);
    let total = [expected[n]];
    expected.extend([0; 70]);
    let found: Vec<u32> = read(scan.sums(), n + 71);
    if let Some(place) = (0..n + 71).find(|place| expected[*place] != found[*place]) {
        let [expected, found] = [expected[place], found[place]];
        return Some(format!("sum {place} of {n}: {expected} expected, {found} found"));
    }
    let found: Vec<u32> = read(scan.total(), 1);
    (found != total).then(|| format!("n = {n}: {total:?} expected, {found:?} found"))
}

/// What differs from the specification, if there is room for so many outputs.
fn expand_difference(context: &Context, counts: &[u32], output_capacity: usize) -> Option<String> {
    let n = count(counts.len());
    let input = buffer(counts);
    let expand = Expand::new(context, Items::new(&input, n), count(output_capacity));
    let expand = expand.expect("the input is within the limits");
    record(|pass| expand.record(pass));
    let mut expected = cpu::expand(counts, output_capacity);
    let needed: Vec<u32> = read(expand.needed(), 1);
    if needed != [expected.needed] {
        return Some(format!("{n} items need {}, {needed:?} found", expected.needed));
    }
    // The places after the last output stay as they are.
    expected.owners.resize(output_capacity, 0);
    expected.ranks.resize(output_capacity, 0);
    let results = [("owner", expand.owners(), &expected.owners), ("rank", expand.ranks(), &expected.ranks)];
    results.into_iter().find_map(|(name, found, expected)| {
        let found: Vec<u32> = read(found, output_capacity);
        let output = (0..output_capacity).find(|output| expected[*output] != found[*output])?;
        let [expected, found] = [expected[output], found[output]];
        Some(format!("{name} of output {output} of {n} items: {expected} expected, {found} found"))
    })
}

fn first_difference(context: &Context, sizes: &[usize]) -> Option<String> {
    sizes.iter().find_map(|n| {
        families(*n).iter().enumerate().find_map(|(family, counts)| {
            let needed = cpu::scan(counts)[*n] as usize;
            let capacities = [needed.min(64 * PARTITION) + 3, needed.min(5 * PARTITION + 1) / 2, 0];
            let expanded = |capacity: &usize| expand_difference(context, counts, *capacity);
            let found = scan_difference(context, counts).or_else(|| capacities.iter().find_map(expanded));
            found.map(|found| format!("family {family}: {found}"))
        })
    })
}

#[test]
fn owners_and_ranks_are_those_of_the_specification() {
    let context = Context::new(&gpu().device);
    assert_eq!(first_difference(&context, &SIZES), None);
}

/// Counts of more partitions than the second dispatch of the scan adds up at a time.
fn many_counts() -> Vec<u32> {
    (0..8192 * PARTITION + 5).map(|i| u32::from(i.is_multiple_of(5)) + count(i % 3)).collect()
}

#[test]
fn a_scan_can_have_many_partitions() {
    assert_eq!(scan_difference(&Context::new(&gpu().device), &many_counts()), None);
}

#[test]
fn the_only_output_of_many_items_is_found() {
    let context = Context::new(&gpu().device);
    let mut counts = vec![0; 1 << 20];
    for place in [0, 77_777, (1 << 20) - 1] {
        counts[place] = 1;
        assert_eq!(expand_difference(&context, &counts, 5), None);
    }
}

/// What differs if fewer items follow more in the same buffers.
fn difference_after_a_longer_input(context: &Context, n: usize) -> Option<String> {
    let counts = vec![2_u32; n];
    let input = buffer(&counts);
    let expand = Expand::new(context, Items::new(&input, count(n)), count(2 * n));
    let expand = expand.expect("the input is within the limits");
    record(|pass| expand.record(pass));
    [n, n / 2, 2049, 2048, 1, 0].into_iter().find_map(|n| {
        expand.set_count(&gpu().queue, count(n)).expect("it is within the capacity");
        record(|pass| expand.record(pass));
        let expected: Vec<u32> = (0..2 * count(n)).map(|output| output / 2).collect();
        let is_right = read::<u32>(expand.needed(), 1) == [2 * count(n)]
            && read::<u32>(expand.owners(), 2 * n) == expected;
        (!is_right).then(|| format!("{n} items after more"))
    })
}

#[test]
fn a_shorter_input_after_a_longer_one_counts_alone() {
    let context = Context::new(&gpu().device);
    assert_eq!(difference_after_a_longer_input(&context, 9 * PARTITION), None);
    assert_eq!(difference_after_a_longer_input(&context, 300 * PARTITION), None);
}

#[test]
fn outputs_are_the_items_of_the_next_stage() {
    let context = Context::new(&gpu().device);
    let (input, n) = (buffer(&[3_u32, 0, 2]), buffer(&[9_u32, 3]));
    let on_gpu = Count::Gpu { buffer: &n, word: 1 };
    let items = Items { buffer: &input, count: on_gpu, capacity: 3 };
    let expand = Expand::new(&context, items, 4).expect("the input is within the limits");
    let owners = Items { buffer: expand.owners(), count: expand.n_outputs(), capacity: 4 };
    let scan = Scan::new(&context, owners).expect("the input is within the limits");
    record(|pass| expand.record(pass));
    record(|pass| scan.record(pass));
    assert_eq!(read::<u32>(expand.starts(), 4), [0, 3, 3, 5]);
    assert_eq!(read::<u32>(expand.needed(), 1), [5]);
    assert_eq!(read::<u32>(scan.sums(), 5), [0, 0, 0, 0, 2]);
    assert_eq!(expand.set_count(&gpu().queue, 1), Err(SpatialError::CountOfCaller));
}

#[test]
fn a_buffer_without_room_is_refused() {
    let context = Context::new(&gpu().device);
    let input = buffer(&[0_u32; 4]);
    let too_large = |buffer, need, limit| SpatialError::TooLarge { buffer, need, limit };
    let error = |n, output_capacity| {
        Expand::new(&context, Items::new(&input, n), output_capacity).expect_err("it is too large")
    };
    assert_eq!(error(5, 4), too_large("counts", 5, 4));
    let limits = gpu().device.limits();
    let binding = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
    let most = u32::MAX / 2;
    assert_eq!(error(4, most), too_large("owners", most.into(), binding / 4));
    let limit = most.into();
    assert_eq!(error(4, most + 1), SpatialError::TooManyItems { need: limit + 1, limit });
}

/// Planted faults: a shader, a text in it, and the text that replaces each occurrence.
pub(super) const FAULTS: &[Fault] = &[
    ("scan_reduce", "n_items() / PARTITION_LENGTH", "n_items() / PARTITION_LENGTH - 1u"),
    ("scan_reduce", "+ 7u * WORKGROUP_SIZE", "+ 6u * WORKGROUP_SIZE"),
    ("scan_reduce", "a + min(b, ~a)", "a + b"),
    ("scan_reduce", "halves.y + (halves.x >> 16u)", "halves.y"),
    ("scan_spine", "high <= 0xffffu", "high <= 0xfffffu"),
    ("scan_spine", "saturating_add(earlier, saturating_total())", "earlier"),
    ("scan_spine", "vec4(before, ends.xyz)", "ends"),
    ("scan_spine", "before = ends.w", "before = ends.z"),
    ("scan_spine", "saturating_add(z, sums.w)", "z + sums.w"),
    ("scan_apply", "before = partition_sums[part]", "before = 0u"),
    ("scan_apply", "min(first + at, last)", "min(first + at, last - 1u)"),
    ("scan_apply", "own = saturating_add(own, pool", "own = max(own, pool"),
    ("scan_apply", "first + at <= n", "first + at < n"),
    ("scan_apply_few", "first + at <= n", "first + at <= config.capacity"),
    ("scan_apply_few", "first + at == n", "first + at + 1u == n"),
    ("scan_apply_few", "local < part", "local <= part"),
    ("scan_apply_few", "before = saturating_add(before, count)", "before = before + count"),
    ("scan_apply_few", "prefix_sum(local, halves) - halves", "prefix_sum(local, halves)"),
    ("expand", "sums[item] <= first_output", "sums[item] <= first_output + 1u"),
    ("expand", "item = first_owner + 1u + local", "item = first_owner + local"),
    ("expand", "item += MARKING_ITEMS_PER_ROUND", "item += n_owners"),
    ("expand", "- output >= OUTPUTS_PER_PARTITION;", "- output >= 0u;"),
    ("expand", "outputs[3] >= OUTPUTS_PER_PARTITION", "outputs[3] >= 1024u"),
    ("expand", "outputs[3u] < OUTPUTS_PER_PARTITION", "outputs[3u] < OUTPUTS_PER_PARTITION - 1u"),
    ("expand", "WORKGROUP_SIZE + local], 0u)", "WORKGROUP_SIZE + local], 1u)"),
    ("expand", "prefix_sum(local, own) - own", "prefix_sum(local, own)"),
    ("expand", "sums[middle] <= output", "sums[middle] < output"),
    ("expand", "high = middle;", "high = middle - 1u;"),
    ("expand", "output - sums[owners[5u]]", "output"),
    ("expand", "if output < n_outputs", "if output < config.output_capacity"),
];

/// The mutants that survive, with reasons.
const SURVIVORS: &[Survivor] = &[
    ("* / prefix_sum / < to <= / 1", "one more round, in which no invocation adds anything"),
    ("* / swizzled / >> to << / 1", "another order inside of each 32 words of workgroup memory"),
    ("scan_reduce / saturating_sum_before / - to + / 1", "the shader only uses the total"),
    ("scan_reduce / n_items / min to max / 1", "nothing reads the sums of the additional partitions"),
    (
        "scan_spine / prefix_sum / barrier removed / 1",
        "lavapipe runs the invocations in order up to the next barrier, and each reads from earlier ones",
    ),
    ("scan_spine / n_partitions / / to * / 1", "nothing reads the sums of the additional partitions"),
    ("expand / owner_of / n to n + 1 / 2", "the bisection tests another place between the same ends"),
];

/// Whether an input reveals a fault of a shader.
fn is_caught(broken: &Context, shader: &str) -> bool {
    let sizes = [1, 257, PARTITION - 1, 7 * PARTITION + 5, 257 * PARTITION + 33];
    first_difference(broken, &sizes).is_some()
        || shader == "scan_spine" && scan_difference(broken, &many_counts()).is_some()
}

#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "Tint refuses barriers in loops with a limit")]
fn planted_faults_are_caught() {
    let unbroken = Context::new(&gpu().device).with_changes(bounded_source);
    assert!(!is_caught(&unbroken, "scan_spine"), "the shaders pass without a fault");
    assert_all_caught(FAULTS, |source| unbroken.with_changes(source), is_caught);
}

#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "Tint refuses barriers in loops with a limit")]
fn every_mutant_is_caught() {
    let unbroken = Context::new(&gpu().device).with_changes(bounded_source);
    let shaders = &["scan_reduce", "scan_spine", "scan_apply", "scan_apply_few", "expand"];
    let mutants = Mutants { shaders, per_shader: 8, accepted: SURVIVORS };
    mutants.assert_all_caught(|source| unbroken.with_changes(source), is_caught);
}
