//! The stream reduction of 2007 keeps what stage *select* keeps, in the same order.

use boxwood::Context;
use boxwood::papers::stream_reduction::{
    Concatenation, Method, Selected, StreamReduction, StreamReductionError, StreamReductionPipelines,
    StreamSearch,
};
use boxwood::spatial::{Count, SpatialError};
use boxwood_cpu::specification::spatial::{self as cpu, Predicate};
use boxwood_tests::{Fault, Random, assert_all_caught, bounded_source, gpu, read_texels, sampled};

use super::{buffer, read};

/// Around every border of words, blocks, workgroups, and rows of the texture.
const SIZES: [usize; 17] =
    [0, 1, 2, 31, 33, 255, 256, 257, 1023, 1024, 1025, 2047, 8191, 8192, 8193, 16_385, 100_000];

/// The sizes at which every length of a block is tested.
const FEW_SIZES: [usize; 4] = [0, 33, 1025, 20_001];

fn blocks(block_length: u32) -> [Method; 4] {
    let searches = [StreamSearch::Halving, StreamSearch::Contracting];
    let [halving, contracting] = searches.map(|search| {
        [Concatenation::Scatter, Concatenation::Lines].map(|concatenation| Method::Blocks {
            block_length,
            search,
            concatenation,
        })
    });
    [halving[0], halving[1], contracting[0], contracting[1]]
}

fn reduction(
    pipelines: &StreamReductionPipelines,
    mask: &wgpu::Buffer,
    n: usize,
    method: Method,
) -> Result<StreamReduction, StreamReductionError> {
    StreamReduction::new(pipelines, mask, u32::try_from(n).expect("it is small"), method)
}

fn submit(record: impl FnOnce(&mut wgpu::CommandEncoder)) {
    let mut encoder = gpu().device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    record(&mut encoder);
    gpu().queue.submit([encoder.finish()]);
}

/// The places for kept items, and the number of them that are filled.
fn run(reduction: &StreamReduction) -> (Vec<u32>, u32) {
    submit(|encoder| reduction.record(encoder));
    let places = match reduction.selected() {
        Selected::Buffer(selected) => {
            let n_words = selected.size() / size_of::<u32>() as u64;
            read(selected, usize::try_from(n_words).expect("it is small"))
        }
        Selected::Texture(texture) => {
            let texels = read_texels(&gpu().device, &gpu().queue, texture);
            texels.chunks_exact(4).map(bytemuck::pod_read_unaligned).collect()
        }
    };
    let Count::Gpu { buffer, word } = reduction.n_selected() else { unreachable!("a shader counts them") };
    (places, read::<u32>(buffer, word as usize + 1)[word as usize])
}

/// What differs from the specification for the first `n` items, if anything does.
fn difference(
    pipelines: &StreamReductionPipelines,
    n: usize,
    mask: &[u32],
    method: Method,
) -> Option<String> {
    let expected = cpu::select(n, &Predicate::Mask(mask));
    let input = buffer(&vec![u32::MAX; mask.len()]);
    let reduction = reduction(pipelines, &input, n, method).expect("the stream is within the limits");
    // The buffers are full of items of an earlier stream, except for the output.
    submit(|encoder| {
        reduction.record(encoder);
        if let Selected::Buffer(selected) = reduction.selected() {
            encoder.clear_buffer(selected, 0, None);
        }
    });
    gpu().queue.write_buffer(&input, 0, bytemuck::cast_slice(mask));
    let (places, n_selected) = run(&reduction);
    if n_selected as usize != expected.len() {
        return Some(format!("{method:?}, n = {n}: {} items expected, {n_selected} found", expected.len()));
    }
    let (found, rest) = places.split_at(expected.len());
    if rest.iter().any(|item| *item != 0) {
        return Some(format!("{method:?}, n = {n}: something is written after the last place"));
    }
    let place = (0..expected.len()).find(|place| expected[*place] != found[*place])?;
    let [expected, found] = [expected[place], found[place]];
    Some(format!("{method:?}, n = {n}, place {place}: {expected} expected, {found} found"))
}

/// Masks that keep no item, one, 10 % to 90 %, every second one, and all.
fn masks(n: usize) -> Vec<Vec<u32>> {
    let random = &mut Random::new(n as u64);
    let n_words = n.div_ceil(32);
    let mut one = vec![0; n_words];
    if n > 0 {
        let kept = random.below(n);
        one[kept / 32] = 1 << (kept % 32);
    }
    let mut masks = vec![one, vec![0x5555_5555; n_words], vec![0xaaaa_aaaa; n_words]];
    for percent in (0..=100).step_by(10) {
        let bit = |i: u32, random: &mut Random| u32::from(random.percent(percent)) << i;
        let word = |random: &mut Random| (0..32).fold(0, |word, i| word | bit(i, random));
        masks.push((0..n_words).map(|_| word(random)).collect());
    }
    masks
}

fn first_difference(
    pipelines: &StreamReductionPipelines,
    sizes: &[usize],
    methods: &[Method],
) -> Option<String> {
    sizes.iter().find_map(|&n| {
        masks(n)
            .iter()
            .find_map(|mask| methods.iter().find_map(|method| difference(pipelines, n, mask, *method)))
    })
}

#[test]
fn blocks_of_256_keep_what_the_specification_keeps() {
    let pipelines = StreamReductionPipelines::new(&Context::new(&gpu().device));
    let sizes: Vec<usize> = sampled(SIZES).collect();
    assert_eq!(first_difference(&pipelines, &sizes, &blocks(256)), None);
}

#[test]
fn blocks_of_every_length_keep_what_the_specification_keeps() {
    let pipelines = StreamReductionPipelines::new(&Context::new(&gpu().device));
    for log2 in sampled(1..=10) {
        assert_eq!(first_difference(&pipelines, &FEW_SIZES, &blocks(1 << log2)), None);
    }
}

#[test]
fn a_stream_that_is_one_block_keeps_what_the_specification_keeps() {
    let pipelines = StreamReductionPipelines::new(&Context::new(&gpu().device));
    let sizes: Vec<usize> = sampled(SIZES).collect();
    assert_eq!(first_difference(&pipelines, &sizes, &[Method::Horn]), None);
}

/// The line of a block can begin at every pixel near the end of a row, and have every length.
#[test]
fn a_line_continues_in_the_next_row() {
    let pipelines = StreamReductionPipelines::new(&Context::new(&gpu().device));
    let method = |block_length| blocks(block_length)[3];
    let keep = |items: &mut dyn Iterator<Item = usize>| {
        let mut mask = vec![0_u32; 24_576 / 32];
        items.for_each(|item| mask[item / 32] |= 1 << (item % 32));
        mask
    };
    for n_kept in [1, 2, 63, 64] {
        for last in sampled(8100..8195_usize) {
            // One line ends at the pixel `last`, and the next one has `n_kept` pixels.
            let next = last.div_ceil(64) * 64;
            let mask = keep(&mut (0..last).chain(next..next + n_kept).chain(20_000..24_576));
            assert_eq!(difference(&pipelines, 24_576, &mask, method(64)), None);
        }
    }
    let mask = keep(&mut (512..24_576));
    assert_eq!(difference(&pipelines, 24_576, &mask, method(1024)), None);
}

#[test]
fn a_stream_that_cannot_be_reduced_is_refused() {
    let pipelines = StreamReductionPipelines::new(&Context::new(&gpu().device));
    let mask = buffer(&[0_u32; 4]);
    let error = |n, method| reduction(&pipelines, &mask, n, method).expect_err("it is refused");
    for block_length in [0, 1, 3, 1000, 2048] {
        let [method, ..] = blocks(block_length);
        assert_eq!(error(1, method), StreamReductionError::BlockLength(block_length));
    }
    let too_large = SpatialError::TooLarge { buffer: "mask", need: 5, limit: 4 };
    for method in [blocks(2)[0], Method::Horn] {
        assert_eq!(error(129, method), too_large.clone().into());
    }
}

/// Planted faults: a shader, a text in it, and the text that replaces each occurrence.
const FAULTS: &[Fault] = &[
    ("reduction_block_halving", "item >= config.n_items", "item > config.n_items"),
    ("reduction_block_halving", "item % 32u", "(item + 1u) % 32u"),
    ("reduction_block_halving", " & last) >= distance", ") >= distance"),
    ("reduction_block_halving", "middle + 1u, middle", "middle + 2u, middle"),
    (
        "reduction_block_halving",
        "high = select(middle, high, middle < least)",
        "high = select(middle, high, middle <= least)",
    ),
    ("reduction_block_halving", "block_counts[block] = n_kept", "block_counts[block] = n_kept + 1u"),
    ("reduction_block_contracting", "distance <= last", "distance <= last / 2u"),
    (
        "reduction_block_contracting",
        "select(low, least, middle < least)",
        "select(low, least + 1u, middle < least)",
    ),
    (
        "reduction_block_contracting",
        "select(least, high, middle < least)",
        "select(least - 1u, high, middle < least)",
    ),
    ("reduction_block_contracting", "= start + first + kept", "= first + kept"),
    ("reduction_sum", "i >= config.distance", "i > config.distance"),
    ("reduction_sum", "sum += ", "sum = "),
    ("reduction_removed", "1u - ((", "((1u) * ("),
    ("reduction_removed", "item < config.n_items", "item + 1u < config.n_items"),
    ("reduction_search", "max(n, 1u) - 1u", "n"),
    ("reduction_search", "i + removed_sum(first + middle)", "i + removed_sum(first + middle) + 1u"),
    ("reduction_search", "n_selected[0] = n_kept", "n_selected[0] = n"),
    ("reduction_concatenate", "at % config.block_length", "at"),
    ("reduction_concatenate", "place < sums[block]", "place <= sums[block]"),
    ("reduction_concatenate", "max(block, 1u) - 1u", "block"),
    ("reduction_concatenate", "at >= config.n_items", "at + 1u >= config.n_items"),
    ("reduction_lines", "END_OFFSET = 0.25", "END_OFFSET = 0.75"),
    ("reduction_lines", "max(end, border)", "border"),
    ("reduction_lines", "- row * config.width", "- first_row * config.width"),
    ("reduction_lines", "+ 0.5)", "+ 1.5)"),
    ("reduction_lines", "- vertex.n_before", "- vertex.n_before + 1u"),
    ("reduction_lines", "block * config.block_length", "block"),
];

#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "Tint refuses barriers in loops with a limit")]
fn planted_faults_are_caught() {
    let pipelines = StreamReductionPipelines::new(&Context::new(&gpu().device));
    let [halving, halving_lines, contracting, _] = blocks(64);
    let methods = [halving, halving_lines, contracting, Method::Horn];
    let sizes = [0, 33, 1025, 20_001];
    assert_eq!(first_difference(&pipelines.with_changes(bounded_source), &sizes, &methods), None);
    assert_all_caught(
        FAULTS,
        |source| pipelines.with_changes(source),
        |broken, shader| {
            let is_used = |method: &&Method| {
                (shader == "reduction_removed" || shader == "reduction_search") == (**method == Method::Horn)
            };
            let methods: Vec<Method> = methods.iter().filter(is_used).copied().collect();
            first_difference(broken, &sizes, &methods).is_some()
        },
    );
}
