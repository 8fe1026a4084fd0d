//! No input makes a shader access memory beyond the size of the input, whatever the input contains.
//!
//! Each case runs the dispatches of its stages in buffers with room for more. Every word of every
//! buffer except the input is a guard before. No guard beyond the size of the input may change, and
//! no result may depend on the guards.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use boxwood::testing::{
    Compiled, Grid, Plan, PlannedBuffer, Workgroups as _, matcher_stages, scan_stages, stages,
};
use boxwood::tree::{MatchBuffers, Matcher};
use boxwood::{Algorithm, Context, LimitsError, Scene};
use boxwood_shaders::Shader;
use boxwood_tests::{Fault, Random, Shapes, assert_all_caught, families, gpu, sampled, scene_of};

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

/// Stages for inputs of a size, and for larger ones, and the input.
struct Case {
    name: String,
    size: Plan<Grid>,
    capacity: Plan<Grid>,
    /// The contents of the buffers that the host writes, by name.
    inputs: Vec<(&'static str, Vec<u32>)>,
    /// The buffers of the results.
    results: &'static [&'static str],
}

/// The sources of shaders, compiled with wgpu's checks when they are first used.
struct Sources {
    by_name: BTreeMap<&'static str, String>,
    kernels: RefCell<BTreeMap<&'static str, Rc<Compiled>>>,
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

    fn kernel(&self, shader: &'static Shader) -> Rc<Compiled> {
        let compile = || Rc::new(Compiled::with_source(&gpu().device, shader, &self.by_name[shader.name]));
        self.kernels.borrow_mut().entry(shader.name).or_insert_with(compile).clone()
    }
}

/// The number of words of a buffer.
fn words(buffer: &PlannedBuffer) -> usize {
    usize::try_from(buffer.n_items * buffer.stride).expect("the buffers are small") / 4
}

impl Case {
    /// The indices of the storage buffers, with their parts for the size, and with room for more.
    fn buffers(&self) -> impl Iterator<Item = (usize, &PlannedBuffer, &PlannedBuffer)> {
        let both = self.size.buffers().iter().zip(self.capacity.buffers()).enumerate();
        let both = both.map(|(index, (own, with_room))| (index, own, with_room));
        both.filter(|(_, own, _)| own.is_result())
    }

    /// The guard at a word of a buffer. It differs from that of other buffers, so that a copy from
    /// one guard to another is a change.
    fn guard(&self, guards: Guards, buffer: &PlannedBuffer, word: usize) -> u32 {
        let salt = u32::try_from(buffer.name.len()).expect("names are short");
        let index = self.capacity.capacity().n_entries - 4 * salt;
        match (buffer.stride, guards) {
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
        let size = self.size.capacity();
        let config: [u32; 4] = bytemuck::cast(*size);
        let mut buffers: Vec<_> =
            self.size.buffers().iter().map(|_| create(4, wgpu::BufferUsages::UNIFORM, &config)).collect();
        for (index, _, buffer) in self.buffers() {
            let contents: Vec<u32> =
                (0..words(buffer)).map(|word| self.guard(guards, buffer, word)).collect();
            buffers[index] = create(words(buffer).max(4), wgpu::BufferUsages::STORAGE, &contents);
            if let Some((_, input)) = self.inputs.iter().find(|(name, _)| *name == buffer.name) {
                queue.write_buffer(&buffers[index], 0, bytemuck::cast_slice(input));
            }
        }
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        for dispatch in self.size.dispatches() {
            let kernel = sources.kernel(dispatch.shader);
            for round in &dispatch.rounds {
                let parts = round.iter().map(|slot| buffers[slot.index()].as_entire_buffer_binding());
                kernel.bind(device, parts).record(&mut pass, dispatch.workgroups.workgroups(size));
            }
        }
        drop(pass);
        queue.submit([encoder.finish()]);
        let read = |(index, _, buffer): (usize, _, &PlannedBuffer)| {
            (buffer.name, boxwood_tests::read_items(device, queue, &buffers[index], words(buffer)))
        };
        self.buffers().map(read).collect()
    }

    /// The first violation: a changed guard, or a result that depends on the guards.
    fn violation(&self, sources: &Sources) -> Option<String> {
        let all = [Guards::Small, Guards::Large, Guards::Negative];
        let runs = all.map(|guards| self.run(sources, guards));
        for (_, own, buffer) in self.buffers() {
            let name = buffer.name;
            for (guards, contents) in all.into_iter().zip(&runs) {
                let is_changed = |word: &usize| contents[name][*word] != self.guard(guards, buffer, *word);
                // wgpu rejects empty bindings, so that there is room for a vector in any case.
                let mut beyond = words(own)..words(buffer);
                if let Some(word) = beyond.find(is_changed) {
                    return Some(format!("{}: word {word} of `{name}` is written", self.name));
                }
            }
            // The last incomplete quad may contain anything beyond the last entry.
            let n_words =
                if name == "matches" { self.size.capacity().n_entries as usize } else { words(own) };
            // Ends and begins beyond the tags of a scene may have different results, so the third
            // run does not count.
            let [small, large, _] = runs.each_ref().map(|contents| &contents[name][..n_words]);
            if self.results.contains(&name) && small != large {
                return Some(format!("{}: `{name}` depends on memory beyond the input", self.name));
            }
        }
        None
    }
}

/// The lengths of an input and of one that the buffers have room for.
fn with_room(n: usize) -> [u32; 2] {
    [n, 2 * n + 9000].map(|n| u32::try_from(n).expect("the inputs are short"))
}

fn matcher_case(matcher: Matcher, name: &str, begins: &[bool]) -> Case {
    let [size, capacity] = with_room(begins.len()).map(|n| matcher_stages(matcher, n));
    Case {
        name: format!("{matcher:?}, {name}, n = {}", begins.len()),
        size,
        capacity,
        inputs: vec![("begin_bits", pack(begins))],
        results: &["matches"],
    }
}

/// Scans of the sample monoid, whose values have 8 bytes. The elements of entries are arbitrary.
fn scan_case(name: &str, begins: &[bool]) -> Case {
    let random = &mut Random::new(1);
    let mut word = || u32::try_from(random.bits() >> 32).expect("the upper half has 32 bits");
    let entries =
        begins.iter().map(|&is_begin| (word() >> 1) ^ if is_begin { 0 } else { u32::MAX }).collect();
    let values = begins.iter().flat_map(|_| [word(), word()]).collect();
    let [size, capacity] = with_room(begins.len()).map(|n| scan_stages(8, n));
    Case {
        name: format!("scan, {name}, n = {}", begins.len()),
        size,
        capacity,
        inputs: vec![("entries", entries), ("values", values)],
        results: &["links", "down", "up"],
    }
}

/// The three-stage algorithm over a scene for which the caller announces `n_entries` begins and
/// ends.
fn three_stage_case(name: &str, scene: &Scene, n_entries: usize) -> Case {
    let [n_elements, n_entries_u32] = [scene.len(), n_entries].map(|n| with_room(n)[0]);
    let capacity = with_room(scene.len().max(n_entries))[1];
    Case {
        name: format!("ThreeStage, {name}, {} entries, {n_entries} announced", scene.n_entries()),
        size: stages(Algorithm::ThreeStage, n_elements, n_entries_u32),
        capacity: stages(Algorithm::ThreeStage, capacity, capacity),
        inputs: vec![
            ("draw_tags", scene.tags().to_vec()),
            ("element_boxes", bytemuck::cast_slice(scene.boxes()).to_vec()),
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
    let violations: Vec<String> = sampled(cases).filter_map(|case| case.violation(&sources)).collect();
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
    ("matcher_work_efficient_finish", "part_first + j < config.n_entries", "true"),
    ("matcher_hierarchical_reduce", "index < config.n_entries", "true"),
    ("matcher_hierarchical_reduce", "first < config.n_entries", "true"),
    ("matcher_hierarchical_finish", "&& index < config.n_entries", ""),
    ("matcher_look_back", "index < config.n_entries", "true"),
    ("matcher_one_workgroup", "share.first < config.n_entries", "true"),
];

#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "Tint refuses barriers in loops with a limit")]
fn every_missing_check_is_caught() {
    let cases: Vec<Case> = matcher_cases().chain(scan_cases()).chain(three_stage_cases()).collect();
    assert_all_caught(FAULTS, Sources::new, |broken, name| {
        let runs = |case: &Case| case.size.dispatches().any(|dispatch| dispatch.shader.name == name);
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
