//! Stage *select* keeps what the specification keeps, in the same order.

use boxwood::Aabb;
use boxwood::Context;
use boxwood::spatial::{Count, Items, Predicate, Select, SpatialError};
use boxwood_cpu::specification::spatial::{self as cpu, Predicate as Spec};
use boxwood_tests::{Fault, Mutants, Random, Survivor, assert_all_caught, bounded_source, gpu};

use super::{buffer, read, record};

/// The number of items of a partition.
const PARTITION: usize = 2048;

/// Around every border of words, rounds, partitions, and tiles of partitions.
const SIZES: [usize; 19] = [
    0,
    1,
    2,
    31,
    32,
    33,
    255,
    256,
    257,
    PARTITION - 1,
    PARTITION,
    PARTITION + 1,
    4 * PARTITION,
    4 * PARTITION + 1,
    5 * PARTITION - 31,
    32 * PARTITION,
    33 * PARTITION + 1,
    256 * PARTITION - 1,
    256 * PARTITION + 33,
];

/// The predicate on the GPU.
fn on_gpu(predicate: &Spec<'_>) -> Predicate {
    match predicate {
        Spec::Mask(_) => Predicate::Mask,
        Spec::Overlapping(..) => Predicate::Overlapping,
        Spec::NotEmpty(_) => Predicate::NotEmpty,
        Spec::InRange(..) => Predicate::InRange,
        Spec::RunStarts(_) => Predicate::RunStarts,
    }
}

fn input_of(predicate: &Spec<'_>) -> wgpu::Buffer {
    match predicate {
        Spec::Mask(words) | Spec::InRange(words, _) | Spec::RunStarts(words) => buffer(words),
        Spec::Overlapping(boxes, _) | Spec::NotEmpty(boxes) => buffer(boxes),
    }
}

fn set_parameters(select: &Select, predicate: &Spec<'_>) {
    match *predicate {
        Spec::Overlapping(_, region) => select.set_region(&gpu().queue, region),
        Spec::InRange(_, range) => select.set_range(&gpu().queue, range),
        Spec::Mask(_) | Spec::NotEmpty(_) | Spec::RunStarts(_) => {}
    }
}

/// The number of items after those that count. They must not change the results.
const PADDING: usize = 70;

/// What differs from the specification for the first `n` items, if anything does. The predicate has
/// [`PADDING`] more. `boxes` are returned for the kept items.
fn difference(context: &Context, n: usize, predicate: &Spec<'_>, boxes: Option<&[Aabb]>) -> Option<String> {
    let expected = cpu::select(n, predicate);
    let (input, box_buffer) = (input_of(predicate), boxes.map(buffer));
    let [count, capacity] = [n, n + PADDING].map(|n| u32::try_from(n).expect("it is small"));
    let items = Items { buffer: &input, count: Count::Host(count), capacity };
    let select = match &box_buffer {
        Some(boxes) => Select::with_boxes(context, on_gpu(predicate), items, boxes),
        None => Select::new(context, on_gpu(predicate), items),
    };
    let select = select.expect("the input is within the limits");
    set_parameters(&select, predicate);
    select.set_n_vertices(&gpu().queue, 6);
    record(|pass| select.record(pass));
    let arguments: Vec<u32> = read(select.draw_arguments(), 4);
    if arguments != [6, u32::try_from(expected.len()).expect("it is small"), 0, 0] {
        return Some(format!("n = {n}: {} expected, {arguments:?} found", expected.len()));
    }
    let found: Vec<u32> = read(select.selected(), n + PADDING);
    if found[expected.len()..].iter().any(|item| *item != 0) {
        return Some(format!("n = {n}: something is written after the last place"));
    }
    if let Some(place) = (0..expected.len()).find(|place| expected[*place] != found[*place]) {
        let [expected, found] = [expected[place], found[place]];
        return Some(format!("n = {n}, place {place}: {expected} expected, {found} found"));
    }
    if let Some(boxes) = boxes {
        let found: Vec<Aabb> = read(select.selected_boxes().expect("they were asked for"), expected.len());
        let place = expected.iter().zip(&found).position(|(item, found)| boxes[*item as usize] != *found);
        if let Some(place) = place {
            return Some(format!("n = {n}: another box at place {place}"));
        }
    }
    if !matches!(predicate, Spec::Mask(_))
        && read::<u32>(select.mask(), n.div_ceil(32)) != cpu::mask(n, predicate)
    {
        return Some(format!("n = {n}: the mask differs"));
    }
    None
}

/// A mask in which about this share of the bits, in percent, is 1.
fn random_mask(random: &mut Random, n: usize, percent: usize) -> Vec<u32> {
    let word =
        |random: &mut Random| (0..32).fold(0, |word, i| word | (u32::from(random.percent(percent)) << i));
    (0..n.div_ceil(32)).map(|_| word(random)).collect()
}

/// Boxes of which every ninth is empty, and some are the plane or at the limits of `f32`.
fn random_boxes(random: &mut Random, n: usize) -> Vec<Aabb> {
    let coordinate = |random: &mut Random| f64::from(u16::try_from(random.below(1000)).expect("it is small"));
    let mut one = |i: usize| {
        let [x, y] = [coordinate(random), coordinate(random)];
        match i % 9 {
            0 => Aabb::EMPTY,
            1 if i.is_multiple_of(7) => Aabb::PLANE,
            2 if i.is_multiple_of(5) => {
                Aabb::new(f64::from(-f32::MAX), y, x, f64::from(f32::MAX)).expect("no NaN")
            }
            _ => Aabb::new(x, y, x + coordinate(random) + 1.0, y + coordinate(random) + 1.0).expect("no NaN"),
        }
    };
    (0..n).map(&mut one).collect()
}

fn region() -> Aabb {
    Aabb::new(200.0, 300.0, 600.0, 500.0).expect("no NaN")
}

/// The first difference over all predicates, at sizes around every border.
fn first_difference(context: &Context, sizes: &[usize]) -> Option<String> {
    let random = &mut Random::new(1);
    for &n in sizes {
        let mut boxes = random_boxes(random, n + PADDING);
        let mut values: Vec<u32> =
            (0..n + PADDING).map(|_| u32::try_from(random.below(100)).expect("it is small")).collect();
        if n > 0 {
            // The last item is kept, so that a shader that repeats it keeps too many.
            (boxes[n - 1], values[n - 1]) = (region(), 40);
        }
        let runs: Vec<u32> = values.iter().map(|value| value / 40).collect();
        let masks = [0, 3, 50, 97, 100].map(|percent| random_mask(random, n + PADDING, percent));
        let check = |predicate: &Spec<'_>, boxes| difference(context, n, predicate, boxes);
        let found = masks.iter().find_map(|mask| check(&Spec::Mask(mask), None));
        let found = found.or_else(|| check(&Spec::Mask(&masks[2]), Some(&boxes)));
        let found = found.or_else(|| check(&Spec::Overlapping(&boxes, region()), None));
        let found = found.or_else(|| check(&Spec::Overlapping(&boxes, region()), Some(&boxes)));
        let found = found.or_else(|| check(&Spec::NotEmpty(&boxes), None));
        let found = found.or_else(|| check(&Spec::InRange(&values, [20, 60]), None));
        let found = found.or_else(|| check(&Spec::RunStarts(&runs), None));
        if found.is_some() {
            return found;
        }
    }
    None
}

#[test]
fn the_kept_items_are_those_of_the_specification() {
    let context = Context::new(&gpu().device);
    assert_eq!(first_difference(&context, &SIZES), None);
}

#[test]
fn one_item_is_found_at_every_place() {
    let context = Context::new(&gpu().device);
    let n = PARTITION + 1;
    let input = buffer(&vec![0_u32; n.div_ceil(32)]);
    let items = Items::new(&input, u32::try_from(n).expect("it is small"));
    let select = Select::new(&context, Predicate::Mask, items).expect("the input is within the limits");
    for place in 0..u32::try_from(n).expect("it is small") {
        let mut words = vec![0_u32; n.div_ceil(32)];
        words[place as usize / 32] = 1 << (place % 32);
        gpu().queue.write_buffer(&input, 0, bytemuck::cast_slice(&words));
        record(|pass| select.record(pass));
        assert_eq!(read::<u32>(select.draw_arguments(), 2)[1], 1, "place {place}");
        assert_eq!(read::<u32>(select.selected(), 1), [place]);
    }
}

#[test]
fn a_shorter_input_after_a_longer_one_counts_alone() {
    let context = Context::new(&gpu().device);
    let mask = vec![u32::MAX; 10 * PARTITION / 32];
    let input = buffer(&mask);
    let items = Items::new(&input, u32::try_from(10 * PARTITION).expect("it is small"));
    let select = Select::new(&context, Predicate::Mask, items).expect("the input is within the limits");
    record(|pass| select.record(pass));
    for n in [5 * 2048 + 3, 2048, 1, 0] {
        select.set_count(&gpu().queue, n).expect("it is within the capacity");
        record(|pass| select.record(pass));
        assert_eq!(read::<u32>(select.draw_arguments(), 2)[1], n);
    }
    let too_many = select.set_count(&gpu().queue, 10 * 2048 + 1);
    assert_eq!(too_many, Err(SpatialError::AboveCapacity { n: 20_481, capacity: 20_480 }));
}

#[test]
fn the_result_of_a_selection_is_the_input_of_the_next() {
    let context = Context::new(&gpu().device);
    let boxes = random_boxes(&mut Random::new(2), 3 * PARTITION);
    let input = buffer(&boxes);
    let n = u32::try_from(boxes.len()).expect("it is small");
    let first = Select::with_boxes(&context, Predicate::NotEmpty, Items::new(&input, n), &input);
    let first = first.expect("the input is within the limits");
    let kept = first.selected_boxes().expect("they were asked for");
    let kept = Items { buffer: kept, count: first.n_selected(), capacity: n };
    let second = Select::new(&context, Predicate::Overlapping, kept).expect("the input is within the limits");
    second.set_region(&gpu().queue, region());
    record(|pass| first.record(pass));
    record(|pass| second.record(pass));
    let not_empty: Vec<Aabb> = boxes.iter().copied().filter(|b| !b.is_empty()).collect();
    let expected = cpu::select(not_empty.len(), &Spec::Overlapping(&not_empty, region()));
    assert_eq!(read::<u32>(second.draw_arguments(), 2)[1] as usize, expected.len());
    assert_eq!(read::<u32>(second.selected(), expected.len()), expected);
    assert_eq!(second.set_count(&gpu().queue, 1), Err(SpatialError::CountOfCaller));
}

#[test]
fn a_count_beyond_the_capacity_is_the_capacity() {
    let context = Context::new(&gpu().device);
    let (mask, count) = (buffer(&[u32::MAX; 4]), buffer(&[7, 1_000_000_u32]));
    let count = Count::Gpu { buffer: &count, word: 1 };
    let items = Items { buffer: &mask, count, capacity: 70 };
    let select = Select::new(&context, Predicate::Mask, items).expect("the input is within the limits");
    record(|pass| select.record(pass));
    assert_eq!(read::<u32>(select.draw_arguments(), 2)[1], 70);
    assert_eq!(read::<u32>(select.selected(), 70), (0..70).collect::<Vec<_>>());
}

#[test]
fn boxes_that_are_none_select_nothing_or_something_but_break_nothing() {
    let context = Context::new(&gpu().device);
    let nan = Aabb { x0: f32::NAN, y0: f32::NAN, x1: f32::NAN, y1: f32::NAN };
    let inverted = Aabb { x0: 9.0, y0: 9.0, x1: 1.0, y1: 1.0 };
    let input = buffer(&[nan, inverted, Aabb::PLANE]);
    let select = Select::new(&context, Predicate::Overlapping, Items::new(&input, 3));
    let select = select.expect("the input is within the limits");
    record(|pass| select.record(pass));
    let n = read::<u32>(select.draw_arguments(), 2)[1] as usize;
    let selected: Vec<u32> = read(select.selected(), n);
    assert!(selected.contains(&2) && !selected.contains(&1) && selected.is_sorted(), "{selected:?}");
}

#[test]
fn a_buffer_without_room_is_refused() {
    let context = Context::new(&gpu().device);
    let input = buffer(&[0_u32; 4]);
    let error =
        |predicate, n| Select::new(&context, predicate, Items::new(&input, n)).expect_err("it is too large");
    let too_large = |buffer, need, limit| SpatialError::TooLarge { buffer, need, limit };
    assert_eq!(error(Predicate::Mask, 129), too_large("mask", 5, 4));
    assert_eq!(error(Predicate::NotEmpty, 2), too_large("boxes", 2, 1));
    assert_eq!(error(Predicate::InRange, 5), too_large("values", 5, 4));
    let select = Select::with_boxes(&context, Predicate::InRange, Items::new(&input, 4), &input);
    assert_eq!(select.expect_err("it is too large"), too_large("boxes", 4, 1));
}

/// Planted faults: a shader, a text in it, and the text that replaces each occurrence.
pub(super) const FAULTS: &[Fault] = &[
    ("select_mask_overlapping", "< min(a.zw, config.region.zw)", "<= min(a.zw, config.region.zw)"),
    ("select_mask_overlapping", "max(a.xy, config.region.xy)", "a.xy"),
    ("select_mask_not_empty", "a.x >= a.z || a.y >= a.w", "a.x == a.z || a.y == a.w"),
    ("select_mask_in_range", "<= config.high", "< config.high"),
    ("select_mask_run_starts", "items_before[0u] = ~items[0u]", "items_before[0u] = items[0u]"),
    ("select_mask_run_starts", "1u, n) - 1u", "0u, n)"),
    ("select_mask_in_range", "value >= config.low && ", ""),
    ("select_mask_in_range", "<< 7u", "<< 6u"),
    ("select_mask_in_range", "local / 32u", "0u"),
    ("select_mask_in_range", "<< 24u", "<< 16u"),
    ("select_mask_in_range", "atomicStore(&n_kept, 0u)", "atomicStore(&n_kept, 1u)"),
    ("select_count", " & valid_bits(word, n)", ""),
    ("select_count", "31u - min(", "30u - min("),
    ("select_count", "(3u * WORKGROUP_SIZE + local) / WORDS", "local / WORDS"),
    ("select_count_wide", "WORDS_PER_COUNT = KEPT_PARTITIONS * ", "WORDS_PER_COUNT = "),
    ("select_count_wide", "countOneBits(words[2u]", "countOneBits(words[1u]"),
    ("select_scan", "min(item_counts[config.count_word], config.capacity)", "config.capacity"),
    (
        "select_scan",
        "n_before += prefix_sums[WORKGROUP_SIZE - 1u];",
        "n_before = prefix_sums[WORKGROUP_SIZE - 1u];",
    ),
    ("select_scan", "vec4(0u, ends)", "vec4(ends, 0u)"),
    ("select_scan", "before += ends.z + counts[6u].w", "before += ends.z"),
    ("select_scan", "< vec4(n)", "<= vec4(n)"),
    ("select_scatter", "~(bit - 1u)", "~bit"),
    ("select_scatter", "before + kept.y", "kept.y"),
    ("select_scatter", " & valid_bits(word, n)", ""),
    ("select_scatter", "7u * WORKGROUP_SIZE", "6u * WORKGROUP_SIZE"),
    ("select_scatter", "i * WORDS_PER_PARTITION", "0u"),
    ("select_scatter", "first_part + i,", "first_part,"),
    ("select_scatter_boxes", "boxes[part * PARTITION_LENGTH", "boxes[before"),
    ("select_scatter_few", "local < n_counts", "local <= n_counts"),
    ("select_scatter_few", "max(n_partitions(n), 1u);", "n_partitions(n);"),
    ("select_scatter_wide_few", "if 0u * WORKGROUP_SIZE + local < n_counts", "if local < n_counts / 2u"),
    ("select_scatter_wide_few", "if 7u * WORKGROUP_SIZE + local < n_counts", "if false"),
    ("select_scatter_wide_few", "part + KEPT_PARTITIONS >= n_partitions(n)", "part + 1u >= n_partitions(n)"),
    ("select_scatter_boxes_few", "+ kept_words[N_KEPT_WORDS - 1u].y", ""),
];

/// The mutants that survive, with reasons.
const SURVIVORS: &[Survivor] = &[
    ("* / prefix_sum / < to <= / 1", "one more round, in which no invocation adds anything"),
    ("select_mask_in_range / main / < to <= / 10", "nothing reads the word after the last one"),
    ("select_count / n_partitions / - to + / 1", "nothing reads the count of the additional partition"),
    (
        "select_count_wide / n_partitions / / to * / 1",
        "nothing reads the counts of the additional partitions",
    ),
    ("select_count_wide / main / - to + / 4", "a word after the last one is ignored"),
    (
        "select_scan / main / barrier removed / 1",
        "lavapipe runs the invocations in order, and the last one writes the word that the others read",
    ),
    ("select_scan / main / / to * / 1", "the additional vectors have no kept items"),
    (
        "select_scatter_wide_few / prepare_kept_words / == to != / 1",
        "all invocations have the same arguments of the draw",
    ),
    ("select_scatter_boxes_few / main / + to - / 2", "the loop has one round"),
];

/// Whether an input reveals a fault of a shader.
fn is_caught(broken: &Context, _: &str) -> bool {
    let sizes = [
        0,
        33,
        257,
        // The other rounds of a partition contain the last item.
        517,
        773,
        1029,
        1285,
        1541,
        PARTITION + 1,
        5 * PARTITION - 31,
        40 * PARTITION + 7,
        // More partitions than the dispatches for a few can have. The last one has one item.
        256 * PARTITION + 1,
    ];
    first_difference(broken, &sizes).is_some()
        || [5 * PARTITION, 257 * PARTITION].into_iter().any(|n| is_wrong_after_more_values(broken, n))
        || LONG_INPUTS.into_iter().any(|n| is_wrong_after_a_longer_input(broken, n))
}

#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "Tint refuses barriers in loops with a limit")]
fn planted_faults_are_caught() {
    let unbroken = Context::new(&gpu().device).with_changes(bounded_source);
    assert!(!is_caught(&unbroken, ""), "the shaders pass without a fault");
    assert_all_caught(FAULTS, |source| unbroken.with_changes(source), is_caught);
}

#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "Tint refuses barriers in loops with a limit")]
fn every_mutant_is_caught() {
    let unbroken = Context::new(&gpu().device).with_changes(bounded_source);
    let shaders = &[
        "select_mask_overlapping",
        "select_mask_not_empty",
        "select_mask_in_range",
        "select_mask_run_starts",
        "select_count",
        "select_count_wide",
        "select_scan",
        "select_scatter",
        "select_scatter_boxes",
        "select_scatter_few",
        "select_scatter_wide_few",
        "select_scatter_boxes_few",
    ];
    let mutants = Mutants { shaders, per_shader: 5, accepted: SURVIVORS };
    mutants.assert_all_caught(|source| unbroken.with_changes(source), is_caught);
}

/// As many items as counts of four partitions are added up without a scan, and more than a scan
/// adds up at a time.
const LONG_INPUTS: [usize; 2] = [8192 * PARTITION, 8192 * PARTITION + 5 * PARTITION];

/// Whether an input of `n` items, or one that follows it in the same buffers, has another number of
/// items.
fn is_wrong_after_a_longer_input(context: &Context, n: usize) -> bool {
    // The kept items of a word come first.
    let input = buffer(&vec![0xffff_u32; n / 32]);
    let n = u32::try_from(n).expect("it is small");
    let select = Select::new(context, Predicate::Mask, Items::new(&input, n));
    let select = select.expect("the input is within the limits");
    let count = |n: u32| {
        select.set_count(&gpu().queue, n).expect("it is within the capacity");
        record(|pass| select.record(pass));
        read::<u32>(select.draw_arguments(), 2)[1] != n / 32 * 16 + (n % 32).min(16)
    };
    // Bits of the mask after the last item do not count.
    let first: Vec<u32> = (0..16).chain([32]).chain([0; 47]).collect();
    let is_wrong = count(33) || read::<u32>(select.selected(), 64) != first;
    // The last word of the second input is full, but not the last partition.
    is_wrong || [n, n - 2048 + 64, 3 * 2048, 2048, 1].map(count).contains(&true)
}

/// Whether the number of items in a range is wrong for `n` items, or for fewer in the same buffers.
/// The mask then has bits of the longer input.
fn is_wrong_after_more_values(context: &Context, n: usize) -> bool {
    let input = buffer(&vec![7_u32; n]);
    let n = u32::try_from(n).expect("it is small");
    let select = Select::new(context, Predicate::InRange, Items::new(&input, n));
    let select = select.expect("the input is within the limits");
    select.set_range(&gpu().queue, [7, 7]);
    [n, n - 1, 2049, 33, 1].into_iter().any(|n| {
        select.set_count(&gpu().queue, n).expect("it is within the capacity");
        record(|pass| select.record(pass));
        read::<u32>(select.draw_arguments(), 2)[1] != n
    })
}
