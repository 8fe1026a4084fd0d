//! Every matcher gives what the sequential algorithm gives, at every entry.

use boxwood::tree::{MatchBuffers, Matcher, Matchers};
use boxwood_shaders::Shader;
use boxwood_tests::{Fault, assert_all_caught, families, gpu, read_words};

const W: usize = boxwood::testing::WORKGROUP_SIZE as usize;

/// The begins and ends of a stream, without its leaves.
pub(crate) fn begins(stream: &str) -> Vec<bool> {
    stream.chars().filter(|c| matches!(c, '(' | ')')).map(|c| c == '(').collect()
}

fn pack(begins: &[bool]) -> Vec<u32> {
    let word = |bits: &[bool]| bits.iter().enumerate().fold(0, |word, (i, &b)| word | (u32::from(b) << i));
    begins.chunks(32).map(word).collect()
}

pub(crate) fn upload(matchers: &Matchers, matcher: Matcher, begins: &[bool]) -> MatchBuffers {
    let gpu = gpu();
    let mut buffers =
        MatchBuffers::new(&gpu.device, matchers, matcher, begins.len()).expect("it is within the limits");
    buffers.upload(&gpu.queue, &pack(begins), begins.len()).expect("it is within the capacity");
    buffers
}

pub(crate) fn run(buffers: &MatchBuffers) -> Vec<i32> {
    let gpu = gpu();
    let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
    buffers.record(&mut pass);
    drop(pass);
    gpu.queue.submit([encoder.finish()]);
    read_words(buffers.matches(), buffers.n() as usize)
}

/// An input, and what the sequential algorithm gives for it.
pub(crate) struct Input {
    pub(crate) begins: Vec<bool>,
    pub(crate) expected: Vec<i32>,
}

impl Input {
    pub(crate) fn new(begins: Vec<bool>) -> Self {
        Self { expected: boxwood_cpu::tree::match_parentheses(&begins), begins }
    }
}

/// The first entry that differs from the sequential algorithm's.
pub(crate) fn difference(matchers: &Matchers, matcher: Matcher, input: &Input) -> Option<String> {
    let Input { begins, expected } = input;
    let found = run(&upload(matchers, matcher, begins));
    let index = expected.iter().zip(&found).position(|(a, b)| a != b)?;
    Some(format!(
        "{matcher:?}, n = {}: {} expected at {index}, {} found",
        begins.len(),
        expected[index],
        found[index]
    ))
}

fn able(n: usize) -> impl Iterator<Item = Matcher> {
    Matcher::ALL.iter().copied().filter(move |matcher| n as u64 <= matcher.max_entries())
}

#[test]
fn families_at_every_border() {
    let matchers = Matchers::new(&gpu().device);
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
    for family in families() {
        for n in sizes {
            let input = Input::new(begins(&family.generate(n, n as u64)));
            for matcher in able(input.begins.len()) {
                if let Some(difference) = difference(&matchers, matcher, &input) {
                    panic!("{family:?}: {difference}");
                }
            }
        }
    }
}

/// Where the work-efficient algorithm has its borders: partitions, segments of partitions, and its longest inputs.
#[test]
fn borders_of_the_work_efficient_matchers() {
    let matchers = Matchers::new(&gpu().device);
    let mut problems = Vec::new();
    for (k, matcher) in
        [(2, Matcher::WorkEfficient2), (4, Matcher::WorkEfficient4), (8, Matcher::WorkEfficient8)]
    {
        let length = k * W;
        assert_eq!(matcher.partition_length() as usize, length);
        assert_eq!(matcher.max_entries(), (length * length) as u64);
        let segment = k * length;
        let short =
            [k - 1, k, k + 1, length - 1, length, length + 1, 2 * length + k, segment - 1, segment + 1];
        let long = [3 * segment + length + 1];
        let families = families().into_iter().flat_map(|family| {
            let is_longest = ["random walk", "backlink chain"].contains(&family.name);
            let longest: &[usize] = if is_longest { &[length * length - 1, length * length] } else { &[] };
            short.into_iter().chain(long).chain(longest.to_vec()).map(move |n| (family, n))
        });
        for (family, n) in families {
            let mut begins = begins(&family.generate(n, n as u64));
            // A family has leaves, which are no entries.
            begins.resize(n, true);
            let found = difference(&matchers, matcher, &Input::new(begins));
            problems.extend(found.map(|difference| format!("{family:?}: {difference}")));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// The search that the matchers do in a partition, over a whole input on the CPU.
#[test]
fn the_tree_search_matches_every_family() {
    for family in families() {
        for n in [0, 1, W - 1, W, W + 1, 4096, 9999] {
            let begins = begins(&family.generate(n, n as u64));
            let expected = boxwood_cpu::tree::match_parentheses(&begins);
            assert!(boxwood_cpu::papers::search_parentheses(&begins) == expected, "{family:?}, n = {n}");
        }
    }
}

/// Long inputs, of several groups of 256 partitions of the longest kind.
#[test]
fn long_inputs() {
    let matchers = Matchers::new(&gpu().device);
    let n = 3 * 32 * W * W - 99;
    for family in
        families().into_iter().filter(|f| ["random walk", "begins then ends", "comb"].contains(&f.name))
    {
        let input = Input::new(begins(&family.generate(n, 1)));
        for matcher in able(input.begins.len()) {
            if let Some(difference) = difference(&matchers, matcher, &input) {
                panic!("{family:?}: {difference}");
            }
        }
    }
}

/// Deep from the start, then down in steps: partitions that reach far below their start, whose words are matched inside as well.
fn staircase(n: usize) -> Vec<bool> {
    let step = |i: usize| i % 100 < 40;
    (0..n).map(|i| i < n / 2 || step(i)).collect()
}

#[test]
fn deep_partitions_with_matches_inside() {
    let matchers = Matchers::new(&gpu().device);
    for n in [5 * 32 * W, 20 * 32 * W + 99] {
        let input = Input::new(staircase(n));
        for matcher in able(n) {
            if let Some(difference) = difference(&matchers, matcher, &input) {
                panic!("{difference}");
            }
        }
    }
}

#[test]
fn one_entry_too_many_is_refused_with_the_limit() {
    let gpu = gpu();
    let matchers = Matchers::new(&gpu.device);
    for (matcher, limit) in [
        (Matcher::Simple, 65_536),
        (Matcher::WorkEfficient2, 262_144),
        (Matcher::WorkEfficient4, 1_048_576),
        (Matcher::WorkEfficient8, 4_194_304),
    ] {
        let error = MatchBuffers::new(&gpu.device, &matchers, matcher, limit + 1)
            .expect_err("it is above the limit")
            .to_string();
        assert!(error.contains(&(limit + 1).to_string()) && error.contains(&limit.to_string()), "{error}");
    }
}

/// A fault in a matcher: in this file, and so in all shaders that it makes, this text becomes that text.
const MUTATIONS: &[Fault] = &[
    ("matcher_simple_reduce", "partition_bic.b - bic.b] =", "bic.b - 1u] ="),
    ("matcher_simple_finish", ".b - 1u - depth", ".b - 1u"),
    ("matcher_simple_finish", "if q.b == 0u", "if q.b <= 1u"),
    ("matcher_work_efficient_reduce", "after.a == 0u && ", ""),
    ("matcher_work_efficient_reduce", "- 1u - after.b", "- 1u"),
    (
        "matcher_work_efficient_reduce",
        "bic = bic_then(bic, entry_bic(",
        "bic = bic_then(Bic(0u, 0u), entry_bic(",
    ),
    ("matcher_work_efficient_reduce", "suffix_bics[local + 1u]", "suffix_bics[local]"),
    ("matcher_work_efficient_finish", "first + i < part", "first + i + 1u < part"),
    ("matcher_work_efficient_finish", "own.b - min(own.b, after.a)", "own.b"),
    ("matcher_work_efficient_finish", "pair = (pair << 16u) | n_open", "pair = n_open"),
    ("matcher_work_efficient_finish", "last = max(last, before)", "last = before"),
    ("matcher_work_efficient_finish", "link = links[local - 1u]", "link = i32(local) - 1"),
    ("matcher_work_efficient_finish", "partition_bics[part].a + 1u", "partition_bics[part].a"),
    ("matcher_work_efficient_finish", "first - suffix_bic(low).b", "0u"),
    ("matcher_work_efficient_finish", "n_above -= slot;", "n_above = 0u;"),
    ("matcher_work_efficient_finish", "slot -= n_above + 1u", "slot -= 1u"),
    ("matcher_work_efficient_finish", "segment = links[segment]", "segment -= 1"),
    ("matcher_work_efficient_finish", "slot = half_word(source) - 1u", "slot = 0u"),
    ("matcher_work_efficient_finish", "search_top(local, own.n_ends)", "search_top(local, 0u)"),
    ("matcher_work_efficient_finish", "i < place.n_ends", "i < 0u"),
    ("matcher_work_efficient_finish", "if rest != 0u", "if false"),
    ("matcher_work_efficient_finish", "below = links[sequence]", "below -= 1"),
    ("matcher_work_efficient_finish", "below -= 1;", ""),
    ("matcher_work_efficient_finish", "pair = (pair >> 16u) | (u32(top) << 16u)", "pair = u32(top) << 16u"),
    ("matcher_work_efficient_finish", "i32(half_word(j) << 16u) >> 16u", "i32(half_word(j))"),
    ("matcher_look_back_clear", "aggregates[part] = 0u", "aggregates[part] = 0xffffffffu"),
    ("matcher_look_back", "(sum >> 16u) << COUNT_BITS", "0u"),
    ("matcher_look_back", "Bic(look.n_ends, 0u)", "Bic(0u, 1u)"),
    ("matcher_look_back", "return open_from(index - 1u)", "return 0u"),
    ("matcher_look_back", "after = packed_then(after, right)", ""),
    ("matcher_look_back", "n_closed = min(n_own, after >> 16u)", "n_closed = 0u"),
    ("matcher_look_back", "] = -1;", "] = 0;"),
    ("matcher_look_back", "cursor_mask = packed_tree[WORKGROUP_SIZE + cursor]", "cursor_mask = 0u"),
    ("matcher_look_back", "cursor += 1u", "cursor += 2u"),
    ("matcher_hierarchical_reduce", "n_begins - (suffix.own & 0xffffu)", "0u"),
    ("matcher_hierarchical_reduce", "- min(n_open, suffix.after >> 16u)", ""),
    ("matcher_hierarchical_reduce", "32u - n_begins - (n_begins - countOneBits(reversed))", "0u"),
    ("matcher_hierarchical_reduce", "reversed - bit + begin", "reversed - 1u"),
    ("matcher_hierarchical_reduce", "packed_then(suffix, group_sums", "packed_then(0u, group_sums"),
    ("matcher_hierarchical_reduce", "after = packed_then(word_sums[local + group + 1u], after_group)", ""),
    ("matcher_hierarchical_reduce", "left < low", "left <= low"),
    ("matcher_hierarchical_reduce", "lowest[node] >= low", "lowest[node] > low"),
    ("matcher_hierarchical_reduce", "lowest_before = min(lowest_before, left)", ""),
    ("matcher_hierarchical_reduce", "u32(-low)", "0u"),
    ("matcher_hierarchical_reduce", "u32(low - lowest[node])", "1u"),
    ("spine_finish_linked", "heap[node] >= lowest", "heap[node] < lowest"),
    ("spine_finish_linked", "start - i32(bic.a)", "start"),
    ("matcher_hierarchical_finish", "countOneBits(link.x) - linked_n_open(own.y)", "0u"),
    (
        "matcher_hierarchical_finish",
        "source_of_level(part, level), level",
        "source_of_level(part, top_level), level",
    ),
    ("matcher_hierarchical_finish", "depth.lowest <= level", "depth.lowest < level"),
    ("matcher_hierarchical_finish", "depth_tree[node - 1u] <= level", "depth_tree[node - 1u] < level"),
    ("matcher_hierarchical_finish", "n_rows = min(n_rows, linked_n_inner(own.y))", "n_rows = 0u"),
    ("matcher_hierarchical_finish", "i32(link.y) - i32(n_ends)", "i32(link.y)"),
    ("matcher_hierarchical_finish", "from_row + n_rows > N_TOPS", "false"),
    ("matcher_hierarchical_finish", "link_before = links_then_bytes[local - 1u]", ""),
    ("matcher_hierarchical_finish", "mask ^= 1u << top", "mask = 0u"),
    ("matcher_hierarchical_finish", "mask ^= 1u << next", ""),
    ("matcher_hierarchical_finish", "mask = next.x", "mask = 0u"),
    ("matcher_hierarchical_finish", "word += 1u", "word += 2u"),
    ("matcher_hierarchical_finish", "state.row += 1u", ""),
    ("matcher_hierarchical_finish", "level < (*source).lowest || ", ""),
    ("matcher_hierarchical_finish", "top_level + 2 + found", "top_level + 1 + found"),
    ("matcher_one_workgroup", "stretch.length * u32(cursor.at)", "32u * u32(cursor.at)"),
    ("matcher_one_workgroup", "cursor.at < stretch.lowest_before", "false"),
    ("matcher_one_workgroup", "cursor.at - stretch.lowest_before", "cursor.at"),
    ("matcher_one_workgroup", "Cursor(0u, cursor.at - 1)", "cursor"),
    ("matcher_one_workgroup", "return links[cursor.at]", "return Cursor(0u, cursor.at)"),
    ("matcher_one_workgroup", ">> (first % 32u)", ""),
    ("matcher_one_workgroup", "n_ends += 1;", ""),
    ("matcher_one_workgroup", "depth_before + i32(prefix_sum(", "i32(prefix_sum("),
    ("matcher_one_workgroup", "countOneBits(link.open) > n_kept", "false"),
    ("matcher_one_workgroup", "cursor = links[local - 1u]", ""),
    ("matcher_one_workgroup", "stack ^= top_of(stack)", "stack = 0u"),
    ("matcher_one_workgroup", "cursor = below(cursor)", ""),
    ("matcher_one_workgroup", "least = min(min(least", "least = min(min(0x7fffffff"),
    ("matcher_one_workgroup", "min(lowest_before, i32(prefix_sums[0]))", "lowest_before"),
    ("matcher_one_workgroup", "&& level < least_after", ""),
    ("matcher_one_workgroup", "slices[level - lowest_before] =", "slices[0] ="),
];

/// Whether a shader is made of a file, as it is or in a permutation.
fn is_made_of(shader: &Shader, file: &str) -> bool {
    shader.name.strip_prefix(file).is_some_and(|rest| ["", "_2", "_4", "_8"].contains(&rest))
}

#[test]
fn every_fault_is_caught() {
    for matcher in Matcher::ALL {
        let own = boxwood::testing::matcher_stage(*matcher)
            .dispatches()
            .filter(|d| d.shader.name.starts_with("matcher_"));
        for shader in own.map(|d| d.shader) {
            assert!(MUTATIONS.iter().any(|m| is_made_of(shader, m.0)), "{} is never broken", shader.name);
        }
    }
    // A fault of a file is one of every shader that the file makes.
    let faults: Vec<Fault> = MUTATIONS
        .iter()
        .flat_map(|&(file, from, to)| {
            let made = boxwood_shaders::all().into_iter().filter(move |shader| is_made_of(shader, file));
            made.map(move |shader| (shader.name, from, to))
        })
        .collect();
    // The longer ones have several segments of partitions of the longest kind of the work-efficient algorithm.
    let lengths = [7 * W + 1, 3 * 32 * W, 5 * 64 * W];
    let inputs: Vec<Input> = lengths
        .iter()
        .flat_map(|&n| families().into_iter().map(move |f| begins(&f.generate(n, 1))))
        .chain(lengths.map(staircase))
        .map(Input::new)
        .collect();
    // A fault can send other shaders astray: wgpu checks what all of them do.
    let checked = Matchers::with_sources(&gpu().device, |shader| shader.source.to_owned());
    let compile = |source: &dyn Fn(&Shader) -> String| checked.with_changes(source);
    assert_all_caught(&faults, compile, |broken, name| {
        let runs =
            |m: &Matcher| boxwood::testing::matcher_stage(*m).dispatches().any(|d| d.shader.name == name);
        Matcher::ALL.iter().copied().filter(runs).all(|matcher| {
            let mut inputs = inputs.iter().filter(|input| input.begins.len() as u64 <= matcher.max_entries());
            inputs.any(|input| difference(broken, matcher, input).is_some())
        })
    });
}
