//! Every matcher returns what the sequential algorithm returns, at every entry.

use boxwood::Context;
use boxwood::LimitsError;
use boxwood::tree::{MatchBuffers, Matcher};
use boxwood_tests::{families, gpu, is_tried, read_words};

use super::{begins, family};

pub(super) const W: usize = boxwood::WORKGROUP_SIZE as usize;

pub(super) fn pack(begins: &[bool]) -> Vec<u32> {
    let word = |bits: &[bool]| bits.iter().enumerate().fold(0, |word, (i, &b)| word | (u32::from(b) << i));
    begins.chunks(32).map(word).collect()
}

pub(super) fn upload(buffers: &mut MatchBuffers, begins: &[bool]) -> Result<(), LimitsError> {
    buffers.upload(&gpu().queue, &pack(begins), begins.len())
}

/// Buffers that contain an input, and have no room for more.
pub(super) fn buffers_of(context: &Context, matcher: Matcher, begins: &[bool]) -> MatchBuffers {
    let buffers = MatchBuffers::new(context, matcher, begins.len());
    let mut buffers = buffers.expect("the input is within the limits");
    upload(&mut buffers, begins).expect("the input is within the capacity");
    buffers
}

pub(super) fn run(buffers: &MatchBuffers) -> Vec<i32> {
    let gpu = gpu();
    let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    buffers.record(&mut encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default()));
    gpu.queue.submit([encoder.finish()]);
    read_words(buffers.matches(), buffers.n() as usize)
}

/// An input, and the result of the sequential algorithm.
pub(super) struct Input {
    pub(super) begins: Vec<bool>,
    pub(super) expected: Vec<i32>,
}

impl Input {
    pub(super) fn new(begins: Vec<bool>) -> Self {
        Self { expected: boxwood_cpu::specification::tree::match_parentheses(&begins), begins }
    }
}

/// The first entry at which a matcher differs from the sequential algorithm.
pub(super) fn difference(context: &Context, matcher: Matcher, input: &Input) -> Option<String> {
    let Input { begins, expected } = input;
    let found = run(&buffers_of(context, matcher, begins));
    let index = expected.iter().zip(&found).position(|(a, b)| a != b)?;
    Some(format!(
        "{matcher:?}, n = {}: {} expected at {index}, {} found",
        begins.len(),
        expected[index],
        found[index]
    ))
}

/// Panics if a matcher that can hold the input differs from the sequential algorithm.
#[track_caller]
fn check(context: &Context, name: &str, begins: Vec<bool>) {
    let input = Input::new(begins);
    for matcher in able(input.begins.len()) {
        if let Some(difference) = difference(context, matcher, &input) {
            panic!("{name}: {difference}");
        }
    }
}

/// The matchers that can hold `n` entries.
pub(super) fn able(n: usize) -> impl Iterator<Item = Matcher> {
    Matcher::ALL.iter().copied().filter(move |matcher| n as u64 <= matcher.max_entries())
}

#[test]
fn every_matcher_is_right_at_every_border() {
    let context = Context::new(&gpu().device);
    let sizes = [
        0,
        1,
        2,
        31,
        32,
        33,
        W - 1,
        W,
        W + 1,
        2 * W + 1,
        1000,
        32 * W - 1,
        32 * W,
        32 * W + 1,
        3 * 32 * W + 17,
        W * W - 1,
        W * W,
        W * W + 1,
    ];
    for (index, family) in families().into_iter().enumerate() {
        for (_, n) in (index..).zip(sizes).filter(|(number, _)| is_tried(*number)) {
            check(&context, family.name, begins(&family.generate(n, n as u64)));
        }
    }
}

/// The borders of the work-efficient algorithm are partitions, segments of partitions, and its
/// longest inputs.
#[test]
fn work_efficient_matchers_are_right_at_their_own_borders() {
    let context = Context::new(&gpu().device);
    let mut problems = Vec::new();
    for (k, matcher) in [(4, Matcher::WorkEfficient)] {
        let length = k * W;
        assert_eq!(matcher.partition_length() as usize, length);
        assert_eq!(matcher.max_entries(), (length * length) as u64);
        let segment = k * length;
        let short =
            [k - 1, k, k + 1, length - 1, length, length + 1, 2 * length + k, segment - 1, segment + 1];
        let long = [3 * segment + length + 1];
        let families = families().into_iter().enumerate().flat_map(|(index, family)| {
            let is_longest = ["random walk", "backlink chain"].contains(&family.name);
            let longest: &[usize] = if is_longest { &[length * length - 1, length * length] } else { &[] };
            let sizes = short.into_iter().chain(long).chain(longest.to_vec());
            (index..).zip(sizes.map(move |n| (family, n)))
        });
        for (_, (family, n)) in families.filter(|(number, _)| is_tried(*number)) {
            let mut begins = begins(&family.generate(n, n as u64));
            // Some families have leaves, which are not entries.
            begins.resize(n, true);
            let found = difference(&context, matcher, &Input::new(begins));
            problems.extend(found.map(|difference| format!("{family:?}: {difference}")));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// The search that the matchers do inside a partition, on the CPU over a whole input.
#[test]
fn the_tree_search_is_right_for_every_family() {
    for family in families() {
        for n in [0, 1, W - 1, W, W + 1, 4096, 9999] {
            let begins = begins(&family.generate(n, n as u64));
            let expected = boxwood_cpu::specification::tree::match_parentheses(&begins);
            assert!(
                boxwood_cpu::specification::papers::search_parentheses(&begins) == expected,
                "{family:?}, n = {n}"
            );
        }
    }
}

/// Inputs of several groups of 256 partitions, for the matchers with the longest partitions.
#[test]
fn every_matcher_is_right_for_long_inputs() {
    let context = Context::new(&gpu().device);
    for name in ["random walk", "begins then ends", "comb"] {
        check(&context, name, begins(&family(name).generate(3 * 32 * W * W - 99, 1)));
    }
}

/// Begins, and then a descent in steps. Its partitions descend far below their start, and also have
/// matches inside their words.
pub(super) fn staircase(n: usize) -> Vec<bool> {
    let step = |i: usize| i % 100 < 40;
    (0..n).map(|i| i < n / 2 || step(i)).collect()
}

#[test]
fn every_matcher_is_right_in_deep_partitions() {
    let context = Context::new(&gpu().device);
    for n in [5 * 32 * W, 20 * 32 * W + 99] {
        check(&context, "staircase", staircase(n));
    }
}

#[test]
fn one_entry_too_many_is_refused_with_the_limit() {
    let gpu = gpu();
    let context = Context::new(&gpu.device);
    for (matcher, limit) in [(Matcher::Simple, 65_536), (Matcher::WorkEfficient, 1_048_576)] {
        let error = MatchBuffers::new(&context, matcher, limit + 1)
            .expect_err("the capacity is above the limit")
            .to_string();
        assert!(error.contains(&(limit + 1).to_string()) && error.contains(&limit.to_string()), "{error}");
    }
}
