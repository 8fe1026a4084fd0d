//! Faults in the shaders of Boxwood's clip stage on Vello's buffers, which tests must catch.

use std::cell::RefCell;

use boxwood_shaders::Shader;
use boxwood_tests::{Fault, Random, Shapes, assert_all_caught, bounded_source, context};
use boxwood_vello::{PassKind, VelloPass};
use vello_encoding::{Clip, DrawMonoid, PathBbox};

use super::clip::{Input, Output, algorithms, check_input, clip_pass, nest, tree};

const FAULTS: &[Fault] = &[
    ("vello_clip_gather", "clip_inp[index].path_ix < 0", "clip_inp[index].path_ix <= 0"),
    ("vello_clip_gather", "draw_tags[index] = tag", "draw_tags[index] = TAG_BEGIN"),
    ("vello_clip_gather", "path_bboxes[path]", "path_bboxes[element]"),
    ("vello_clip_gather", "path >= arrayLength(&path_bboxes)", "path == 0u"),
    (
        "vello_clip_gather",
        "vec4(path.x0, path.y0, path.x1, path.y1)",
        "vec4(path.y0, path.x0, path.x1, path.y1)",
    ),
    ("vello_clip_walk", "if walked.parents[2u] < 0", "if walked.parents[2u] < 1"),
    ("vello_clip_walk", "if walked.partners[1u] >= 0", "if walked.partners[1u] > 0"),
    ("vello_clip_walk", "element_place(local, 3u)", "element_place(local, 2u)"),
    ("vello_clip_walk", "boxes[1u] = ROOT", ""),
    ("vello_clip_walk", "clip_inp[walked.partners[0u]]", "clip_inp[walked.parents[0u]]"),
    ("vello_clip_walk", "before.part * PARTITION_LENGTH + depth", "before.part * PARTITION_LENGTH"),
    ("vello_clip_walk", "vec4(u32(begin.path_ix)", "vec4(begin.ix"),
    ("vello_clip_walk", "draw_monoids[end].y", "0u"),
    ("vello_clip_walk", "draw_monoids[begin.ix].zw", "draw_monoids[end].zw"),
    ("vello_clip_reduce", "if tag == TAG_BEGIN", "if tag == TAG_END"),
    ("vello_clip_reduce", "clip_inp[index].path_ix < 0", "clip_inp[index].path_ix <= 0"),
    ("vello_clip_reduce", "path_bboxes[path]", "path_bboxes[element]"),
    ("vello_clip_reduce", "n_closed == 0u", "n_closed == 1u"),
    ("vello_clip_reduce", "all.y - suffix.y", "all.y"),
    ("vello_clip_resolve", "if is_begin {", "if is_end {"),
    ("vello_clip_resolve", "meet(stack.clip_box, own_box)", "stack.clip_box"),
    ("vello_clip_resolve", "is_end && stack.parent < 0", "stack.parent < 0"),
    ("vello_clip_resolve", "is_end && stack.partner >= 0", "is_end && stack.partner > 0"),
    ("vello_clip_resolve", "vec4(u32(begin.path_ix)", "vec4(begin.ix"),
    ("vello_clip_resolve", "draw_monoids[end].y", "0u"),
    ("vello_clip_resolve", "draw_monoids[begin.ix].zw", "draw_monoids[end].zw"),
    ("vello_clip_resolve", "slice_boxes[begin.slot]", "slice_boxes[0]"),
    ("vello_clip_resolve", "pool[0].y - pool[begin.stretch].y +", ""),
    ("vello_clip_resolve_direct", "paths < vec4(0)", "paths <= vec4(0)"),
    ("vello_clip_resolve_direct", "clip_inp[first + 2u]", "clip_inp[first + 1u]"),
    ("vello_clip_resolve_direct", "box_of_element(first + at.y)", "PLANE"),
    ("vello_clip_resolve_direct", "kept |= open & (~open + 1u)", "kept = open & (~open + 1u)"),
    ("vello_clip_resolve_direct", "kept |= open & (~open + 1u)", ""),
    (
        "vello_clip_resolve_direct",
        "begins |= begins_among(tags) << (4u * ",
        "begins |= begins_among(tags) << (3u * ",
    ),
    ("vello_clip_resolve_direct", "reversed &= reversed - ((", "reversed &= reversed | (("),
    ("vello_clip_resolve_direct", "- (countOneBits(begins) - countOneBits(open))", ""),
    ("vello_clip_resolve_direct", "open | (entries << 16u)", "open"),
    ("vello_clip_resolve_direct", "n_left_open - n_closed - 1", "n_left_open - 1"),
    ("vello_clip_resolve_direct", "countOneBits((u32(pool[begin.stretch].z) >> 16u)", "countOneBits(1u"),
];

/// Each of these removes a check of an index that comes from a buffer. With wgpu's own checks,
/// which the test has, the read returns zeros or another item.
const MISSING_CHECKS: &[Fault] = &[
    ("vello_clip_gather", "path >= arrayLength(&path_bboxes)", "false"),
    ("vello_clip_walk", "max(begin.ix, end)", "end"),
    ("vello_clip_reduce", "path >= arrayLength(&path_bboxes)", "false"),
    ("vello_clip_resolve", "max(begin.ix, end)", "end"),
    ("vello_clip_resolve_direct", "max(begin.ix, end)", "end"),
    ("vello_clip_resolve", "path >= arrayLength(&path_bboxes)", "false"),
    ("vello_clip_resolve_direct", "path >= arrayLength(&path_bboxes)", "false"),
];

#[test]
fn every_fault_is_caught() {
    let mut random = Random::new(5);
    let streams = [tree(700, 30, &mut random), tree(3600, usize::MAX, &mut random), nest(300, 20)];
    let inputs: Vec<Input> =
        streams.iter().map(|stream| Input::new(stream, Shapes::Odd, &mut random)).collect();
    let expected: Vec<Output> = inputs.iter().map(Input::expected).collect();
    let is_wrong = |pass: &mut VelloPass| {
        inputs.iter().zip(&expected).any(|(input, expected)| {
            algorithms(input.clip_inp.len()).any(|algorithm| {
                pass.set_clip_algorithm(algorithm);
                input.found(pass) != *expected
            })
        })
    };
    assert!(!is_wrong(&mut clip_pass()), "the unchanged shaders are wrong");

    let checked = context().with_changes(bounded_source);
    let compile = |source: &dyn Fn(&Shader) -> String| {
        RefCell::new(VelloPass::new(&checked.with_changes(source), PassKind::Clip))
    };
    assert_all_caught(FAULTS, compile, |pass, _| is_wrong(&mut pass.borrow_mut()));
}

/// A stream with paths and draw objects that do not exist, and the expected output.
fn missing_items() -> (Input, Output) {
    let mut random = Random::new(6);
    let mut input = Input::new(&tree(700, 30, &mut random), Shapes::Any, &mut random);
    let signed = |n: u32| i32::try_from(n).expect("the tests are small");
    let (n_paths, n_objects) = (input.config.layout.n_paths, input.config.layout.n_draw_objects);
    for clip in input.clip_inp.iter_mut().step_by(5) {
        *clip = if clip.path_ix < 0 {
            Clip { ix: n_objects, path_ix: !signed(n_objects) }
        } else {
            Clip { path_ix: signed(n_paths), ..*clip }
        };
    }
    for clip in input.clip_inp.iter_mut().step_by(7).filter(|clip| clip.path_ix >= 0) {
        clip.ix = n_objects;
    }
    // The expected output is that with these items, without the additional draw object.
    let everywhere =
        PathBbox { x0: i32::MIN, y0: i32::MIN, x1: i32::MAX, y1: i32::MAX, ..input.path_bboxes[0] };
    input.path_bboxes.push(everywhere);
    input.draw_monoids.push(DrawMonoid::default());
    let mut expected = input.expected();
    input.path_bboxes.pop();
    input.draw_monoids.pop();
    expected.draw_monoids.pop();
    // The end of a begin without a draw object keeps its own.
    let mut open = Vec::new();
    for clip in &input.clip_inp {
        if clip.path_ix >= 0 {
            open.push(clip.ix);
        } else if open.pop() == Some(n_objects) && clip.ix != n_objects {
            expected.draw_monoids[clip.ix as usize] = input.draw_monoids[clip.ix as usize];
        }
    }
    (input, expected)
}

#[test]
fn every_missing_check_of_an_index_is_caught() {
    let (input, expected) = missing_items();
    let is_wrong = |pass: &mut VelloPass| {
        algorithms(input.clip_inp.len()).any(|algorithm| {
            pass.set_clip_algorithm(algorithm);
            input.found(pass) != expected
        })
    };
    check_input("missing items", &input, &expected);
    let checked = context().with_changes(bounded_source);
    let compile = |source: &dyn Fn(&Shader) -> String| {
        RefCell::new(VelloPass::new(&checked.with_changes(source), PassKind::Clip))
    };
    assert_all_caught(MISSING_CHECKS, compile, |pass, _| is_wrong(&mut pass.borrow_mut()));
}
