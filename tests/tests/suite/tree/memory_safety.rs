//! No input makes a shader access memory beyond the size of the input, whatever the input contains.
//!
//! Each case runs the dispatches of its stages in buffers with room for more. Every word of every
//! buffer except the input is a guard before. No guard beyond the size of the input may change, and
//! no result may depend on the guards.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use boxwood::testing::{BufferLayout, Config, Per, Stage, buffer_of};
use boxwood::tree::{MatchBuffers, Matcher, SCAN_STAGES};
use boxwood::{Algorithm, Context, Kernel, LimitsError, Scene, WORKGROUP_SIZE};
use boxwood_shaders::Shader;
use boxwood_tests::{Fault, Random, Shapes, assert_all_caught, families, gpu, scene_of};

use super::matchers::{Input, W, able, buffers_of, difference, pack, run, upload};
use super::{begins, family};

/// The kinds of guards. In arrays of boxes, guards are boxes. In other arrays, they are indices
/// beyond the input, for which the buffers have room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Guards {
    Small,
    Large,
    /// The complements of indices, which as entries of a node stream are ends.
    Negative,
}

/// Stages, the size of their input, and the input.
struct Case {
    name: String,
    stages: Vec<&'static Stage>,
    size: Config,
    capacity: Config,
    inputs: Vec<(BufferLayout, Vec<u32>)>,
    /// The buffers of the results.
    results: &'static [&'static str],
}

/// The sources of shaders, compiled with wgpu's checks when they are first used.
struct Sources {
    by_name: BTreeMap<&'static str, String>,
    kernels: RefCell<BTreeMap<&'static str, Rc<Kernel>>>,
}

impl Sources {
    fn new(source: &dyn Fn(&Shader) -> String) -> Self {
        let by_name =
            boxwood_shaders::all().into_iter().map(|shader| (shader.name, source(shader))).collect();
        Self { by_name, kernels: RefCell::default() }
    }

    fn unchanged() -> Self {
        Self::new(&|shader| shader.source.to_owned())
    }

    fn kernel(&self, shader: &'static Shader) -> Rc<Kernel> {
        let compile = || Rc::new(Kernel::with_source(&gpu().device, shader, &self.by_name[shader.name]));
        self.kernels.borrow_mut().entry(shader.name).or_insert_with(compile).clone()
    }
}

/// The number of words of a buffer for a size.
fn words(layout: &BufferLayout, config: &Config) -> usize {
    usize::try_from(layout.bytes(config)).expect("the buffers are small") / 4
}

impl Case {
    fn layouts(&self) -> impl Iterator<Item = &BufferLayout> {
        self.inputs.iter().map(|(layout, _)| layout).chain(self.stages.iter().flat_map(|stage| stage.buffers))
    }

    /// The guard at a word of a buffer. It differs from that of other buffers, so that a copy from
    /// one guard to another is a change.
    fn guard(&self, guards: Guards, layout: &BufferLayout, word: usize) -> u32 {
        let salt = u32::try_from(layout.name.len()).expect("names are short");
        let index = self.capacity.n_entries - 4 * salt;
        match (layout.stride, guards) {
            (16, Guards::Large) => [32.0, 32.0, 64.0, 64.0_f32][word % 4].to_bits(),
            (16, _) => [6.0, 6.0, 12.0, 12.0_f32][word % 4].to_bits(),
            (_, Guards::Small) => index,
            (_, Guards::Large) => index + 1,
            (_, Guards::Negative) => !index,
        }
    }

    /// The contents of all buffers after a run with these guards.
    fn run(&self, sources: &Sources, guards: Guards) -> BTreeMap<&'static str, Vec<u32>> {
        let (device, queue) = (&gpu().device, &gpu().queue);
        let create = |size: usize, usage, contents: &[u32]| {
            let descriptor = wgpu::BufferDescriptor {
                label: None,
                size: 4 * size as u64,
                usage: usage | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            };
            let buffer = device.create_buffer(&descriptor);
            queue.write_buffer(&buffer, 0, bytemuck::cast_slice(contents));
            buffer
        };
        let mut buffers = BTreeMap::new();
        for layout in self.layouts() {
            let size = words(layout, &self.capacity);
            let contents: Vec<u32> = (0..size).map(|word| self.guard(guards, layout, word)).collect();
            buffers.insert(layout.name, create(size, wgpu::BufferUsages::STORAGE, &contents));
        }
        for (layout, contents) in &self.inputs {
            queue.write_buffer(&buffers[layout.name], 0, bytemuck::cast_slice(contents));
        }
        let config: [u32; 4] = bytemuck::cast(self.size);
        buffers.insert("config", create(4, wgpu::BufferUsages::UNIFORM, &config));

        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        for dispatch in self.stages.iter().flat_map(|stage| stage.dispatches) {
            let kernel = sources.kernel(dispatch.shader);
            for renamed in dispatch.rounds() {
                let bound = kernel.bind(device, |variable| &buffers[buffer_of(renamed, variable)]);
                bound.record(&mut pass, dispatch.grid.workgroups(&self.size));
            }
        }
        drop(pass);
        queue.submit([encoder.finish()]);
        let read = |layout: &BufferLayout| {
            let size = words(layout, &self.capacity);
            let contents = boxwood::read_items(device, queue, &buffers[layout.name], size);
            (layout.name, contents.expect("the device answers"))
        };
        self.layouts().map(read).collect()
    }

    /// The first violation: a changed guard, or a result that depends on the guards.
    fn violation(&self, sources: &Sources) -> Option<String> {
        let all = [Guards::Small, Guards::Large, Guards::Negative];
        let runs = all.map(|guards| self.run(sources, guards));
        for layout in self.layouts() {
            for (guards, contents) in all.into_iter().zip(&runs) {
                let is_changed =
                    |word: &usize| contents[layout.name][*word] != self.guard(guards, layout, *word);
                let mut beyond = words(layout, &self.size)..words(layout, &self.capacity);
                if let Some(word) = beyond.find(is_changed) {
                    return Some(format!("{}: word {word} of `{}` is written", self.name, layout.name));
                }
            }
            // The last incomplete quad may contain anything beyond the last entry.
            let size = match layout.per {
                Per::EntryQuad => self.size.n_entries as usize,
                per => per.count(&self.size) * layout.stride / 4,
            };
            // Ends and begins beyond the tags of a scene may have different results, so the third
            // run does not count.
            let [small, large, _] = runs.each_ref().map(|contents| &contents[layout.name][..size]);
            if self.results.contains(&layout.name) && small != large {
                return Some(format!("{}: `{}` depends on memory beyond the input", self.name, layout.name));
            }
        }
        None
    }
}

fn matcher_case(matcher: Matcher, name: &str, begins: &[bool]) -> Case {
    let config = |n: usize| {
        Config::of_entries(u32::try_from(n).expect("the inputs are short"), matcher.partition_length())
    };
    Case {
        name: format!("{matcher:?}, {name}, n = {}", begins.len()),
        stages: vec![boxwood::testing::matcher_stage(matcher)],
        size: config(begins.len()),
        capacity: config(2 * begins.len() + 9000),
        inputs: vec![(BufferLayout { name: "begin_bits", per: Per::EntryWord, stride: 4 }, pack(begins))],
        results: &["matches"],
    }
}

/// Scans of the sample monoid, whose values have 8 bytes. The elements of entries are arbitrary.
fn scan_case(name: &str, begins: &[bool]) -> Case {
    let random = &mut Random::new(1);
    let mut word = || u32::try_from(random.bits() >> 32).expect("the upper half has 32 bits");
    let config =
        |n: usize| Config::of_entries(u32::try_from(n).expect("the inputs are short"), WORKGROUP_SIZE);
    let entries =
        begins.iter().map(|&is_begin| (word() >> 1) ^ if is_begin { 0 } else { u32::MAX }).collect();
    let values = begins.iter().flat_map(|_| [word(), word()]).collect();
    let value_buffer = |name, per, items| BufferLayout { name, per, stride: 8 * items };
    let empty = |layout| (layout, Vec::new());
    Case {
        name: format!("scan, {name}, n = {}", begins.len()),
        stages: SCAN_STAGES.to_vec(),
        size: config(begins.len()),
        capacity: config(2 * begins.len() + 9000),
        inputs: vec![
            (BufferLayout { name: "entries", per: Per::Entry, stride: 4 }, entries),
            (value_buffer("values", Per::Entry, 1), values),
            empty(value_buffer("slice_products", Per::Entry, 1)),
            empty(value_buffer("enclosing_products", Per::Partition, 1)),
            empty(value_buffer("other_entry_products", Per::Partition, 1)),
            empty(value_buffer("down", Per::Entry, 1)),
            empty(value_buffer("suffix_products", Per::Entry, 1)),
            empty(value_buffer("product_tree", Per::TreeNode, 1)),
            empty(value_buffer("entry_trees", Per::Partition, W)),
            empty(value_buffer("up", Per::Entry, 1)),
        ],
        results: &["links", "down", "up"],
    }
}

/// The three-stage algorithm over a scene for which the caller announces `n_entries` begins and
/// ends.
fn three_stage_case(name: &str, scene: &Scene, n_entries: usize) -> Case {
    let count = |n: usize| u32::try_from(n).expect("the scenes are small");
    let capacity = 2 * scene.len().max(n_entries) + 9000;
    let config = |n_elements, n_entries: usize| {
        Config::new(count(n_elements), count(n_entries), count(n_entries.div_ceil(W)))
    };
    Case {
        name: format!("ThreeStage, {name}, {} entries, {n_entries} announced", scene.n_entries()),
        stages: boxwood::testing::stages(Algorithm::ThreeStage).to_vec(),
        size: config(scene.len(), n_entries),
        capacity: config(capacity, capacity),
        inputs: vec![
            (BufferLayout { name: "draw_tags", per: Per::ElementQuad, stride: 16 }, scene.tags().to_vec()),
            (
                BufferLayout { name: "element_boxes", per: Per::Element, stride: 16 },
                bytemuck::cast_slice(scene.boxes()).to_vec(),
            ),
        ],
        results: &["links", "clip_boxes", "clipped_boxes", "group_boxes"],
    }
}

const LENGTHS: [usize; 3] = [100, 5 * W + 7, 2 * 32 * W + 17];

fn matcher_cases() -> impl Iterator<Item = Case> {
    families().into_iter().flat_map(|family| {
        LENGTHS.into_iter().flat_map(move |n| {
            let begins = begins(&family.generate(n, n as u64));
            able(begins.len()).map(|m| matcher_case(m, family.name, &begins)).collect::<Vec<_>>()
        })
    })
}

fn scan_cases() -> impl Iterator<Item = Case> {
    families()
        .into_iter()
        .flat_map(|family| LENGTHS.map(|n| scan_case(family.name, &begins(&family.generate(n, n as u64)))))
}

fn three_stage_cases() -> impl Iterator<Item = Case> {
    families().into_iter().flat_map(|family| {
        let scene = scene_of(&family.generate(5 * W + 7, 1), Shapes::Large, 1);
        let n = scene.n_entries();
        [n / 3, n, n + 1, 2 * n + 300].map(|announced| three_stage_case(family.name, &scene, announced))
    })
}

#[track_caller]
fn check(cases: impl Iterator<Item = Case>) {
    let sources = Sources::unchanged();
    let violations: Vec<String> = cases.filter_map(|case| case.violation(&sources)).collect();
    assert!(violations.is_empty(), "{} violations:\n{}", violations.len(), violations.join("\n"));
}

#[test]
fn matchers_access_only_their_input() {
    check(matcher_cases());
}

#[test]
fn scans_access_only_their_input() {
    check(scan_cases());
}

#[test]
fn the_three_stages_access_only_their_input() {
    check(three_stage_cases());
}

/// Each of these removes one check of an index.
const FAULTS: &[Fault] = &[
    ("link_reduce", "first < config.n_entries", "true"),
    ("link_finish", "index >= config.n_entries", "false"),
    ("link_finish_simple", "index >= config.n_entries", "false"),
    ("scan_down_finish", "let is_in_stream = index < config.n_entries", "let is_in_stream = true"),
    ("scan_up_reduce", "index < config.n_entries", "true"),
    ("scan_up_finish", "index >= config.n_entries", "false"),
    ("clip_reduce", "element_of(entries[index])", "entries[index]"),
    ("clip_finish", "element_of(entry)", "entry"),
    ("clip_finish", "if index >= config.n_entries", "if false"),
    ("clip_elements", "element < config.n_elements", "true"),
    ("union_reduce", "index < config.n_entries", "true"),
    ("union_finish", "index >= config.n_entries", "false"),
    ("matcher_simple_finish", "index < config.n_entries", "true"),
    ("matcher_work_efficient_finish_2", "part_first + j < config.n_entries", "true"),
    ("matcher_hierarchical_reduce", "index < config.n_entries", "true"),
    ("matcher_hierarchical_reduce", "first < config.n_entries", "true"),
    ("matcher_hierarchical_finish", "&& index < config.n_entries", ""),
    ("matcher_look_back", "index < config.n_entries", "true"),
    ("matcher_one_workgroup", "share.first < config.n_entries", "true"),
];

#[test]
fn every_missing_check_is_caught() {
    let cases: Vec<Case> = matcher_cases().chain(scan_cases()).chain(three_stage_cases()).collect();
    assert_all_caught(FAULTS, Sources::new, |broken, name| {
        let runs = |case: &Case| {
            case.stages
                .iter()
                .any(|stage| stage.dispatches.iter().any(|dispatch| dispatch.shader.name == name))
        };
        cases.iter().filter(|case| runs(case)).any(|case| case.violation(broken).is_some())
    });
}

/// Without wgpu's checks, the results are the same.
#[test]
fn matchers_agree_with_and_without_runtime_checks() {
    let device = &gpu().device;
    let checked = Context::new(device).with_changes(|shader| shader.source.to_owned());
    let unchecked = Context::new(device);
    let random = &mut Random::new(5);
    for n in LENGTHS {
        let input = Input::new((0..n).map(|_| random.bits() & 1 == 1).collect());
        for matcher in able(n) {
            assert_eq!(difference(&checked, matcher, &input), None);
            assert_eq!(difference(&unchecked, matcher, &input), None);
        }
    }
}

/// The results do not depend on an earlier, longer input in the same buffers.
#[test]
fn buffers_of_matchers_can_be_used_for_several_inputs() {
    let context = Context::new(&gpu().device);
    let inputs = [("random walk, rising", 40_000), ("all ends", 30_000), ("comb", 0), ("random walk", 9_000)];
    let inputs = inputs.map(|(name, n)| Input::new(begins(&family(name).generate(n, 1))));
    for matcher in able(40_000) {
        let mut buffers = buffers_of(&context, matcher, &inputs[0].begins);
        for input in &inputs {
            upload(&mut buffers, &input.begins).expect("the input is within the capacity");
            assert!(run(&buffers) == input.expected, "{matcher:?}, n = {}", input.begins.len());
        }
    }
}

#[test]
fn inputs_beyond_the_capacity_are_refused() {
    let context = Context::new(&gpu().device);
    for &matcher in Matcher::ALL {
        let mut buffers =
            MatchBuffers::new(&context, matcher, 100).expect("the capacity is within the limits");
        let error = upload(&mut buffers, &[true; 101]).expect_err("the input exceeds the capacity");
        assert_eq!(error, LimitsError::Entries { need: 101, limit: 100 });
        assert_eq!(buffers.n(), 0, "the buffers keep their input");
    }
}
