//! The boxes of a frame: those of Vello's paths, clipped and grouped as the specification says.

use boxwood::native::Gpu;
use boxwood::{Aabb, Boxes, tag};
use boxwood_shaders::Shader;
use boxwood_tests::{
    Fault, Random, assert_all_caught, bounded_source, context, gpu, new_renderer, picture_by,
    record_vello_pass, vello_buffers,
};
use boxwood_vello::{ClipStage, PassKind, RendererOptions, VelloPass};
use kurbo::{Affine, Rect};
use peniko::{Color, Fill, Mix};
use vello::{AaConfig, AaSupport, Scene};
use vello_encoding::{ConfigUniform, DrawMonoid, DrawTag, PathBbox};

/// A frame in Vello's buffers, and the same frame as elements.
struct Frame {
    tags: Vec<DrawTag>,
    monoids: Vec<DrawMonoid>,
    paths: Vec<PathBbox>,
    elements: boxwood::Scene,
}

/// A random tree of `n` draw objects, some without a path.
fn random_frame(n: usize, random: &mut Random) -> Frame {
    let count = |n: usize| u32::try_from(n).expect("the tests are small");
    let (mut tags, mut monoids, mut boxes) = (Vec::new(), Vec::new(), Vec::new());
    // No draw object has the first path, so that no path has the index of its draw object.
    let mut paths = vec![PathBbox::default()];
    let mut depth = 0;
    while tags.len() < n {
        let kinds = [DrawTag::NOP, DrawTag::COLOR, DrawTag::IMAGE, DrawTag::BEGIN_CLIP, DrawTag::END_CLIP];
        let tag = kinds[random.below(5)];
        if tag == DrawTag::END_CLIP && depth == 0 {
            continue;
        }
        depth += i32::from(tag == DrawTag::BEGIN_CLIP) - i32::from(tag == DrawTag::END_CLIP);
        let mut number = |n: usize| i32::try_from(random.below(n)).expect("it is small");
        let (x0, y0) = (number(300) - 200, number(300) - 200);
        let path = PathBbox {
            x0,
            y0,
            x1: x0 + 1 + number(900),
            y1: y0 + 1 + number(900),
            draw_flags: 1,
            trans_ix: 2,
        };
        monoids.push(DrawMonoid { path_ix: count(paths.len()), ..DrawMonoid::default() });
        if tag != DrawTag::NOP {
            paths.push(path);
        }
        tags.push(tag);
        let [x0, y0, x1, y1] = [path.x0, path.y0, path.x1, path.y1].map(f64::from);
        let has_box = tag != DrawTag::NOP && tag != DrawTag::END_CLIP;
        boxes.push(if has_box { Aabb::new(x0, y0, x1, y1).expect("they are numbers") } else { Aabb::EMPTY });
    }
    let elements = boxwood::Scene::from_streams(tags.iter().map(|tag| tag.0).collect(), boxes)
        .expect("they are numbers");
    Frame { tags, monoids, paths, elements }
}

/// The boxes that the pass computes for a frame, and the boxes of its elements before clipping.
fn run(pass: &mut VelloPass, Frame { tags, monoids, paths, elements }: &Frame) -> (Boxes, Vec<Aabb>) {
    let Gpu { device, queue, .. } = gpu();
    let count = |n: usize| u32::try_from(n).expect("the tests are small");
    let mut config = ConfigUniform::default();
    config.layout.n_draw_objects = count(tags.len());
    config.layout.n_clips = count(elements.n_entries());
    config.layout.draw_tag_base = 3;
    let scene: Vec<u32> = [7; 3].into_iter().chain(tags.iter().map(|tag| tag.0)).collect();
    let buffers = vello_buffers(PassKind::FrameBoxes, |name| match name {
        "vello_config" => bytemuck::bytes_of(&config),
        "scene" => bytemuck::cast_slice(&scene),
        "draw_monoids" => bytemuck::cast_slice(monoids),
        "path_bboxes" => bytemuck::cast_slice(paths),
        _ => panic!("no test data for {name}"),
    });
    record_vello_pass(pass, &config.layout, &buffers);
    let buffers = pass.boxes().expect("it is recorded");
    let leaf_boxes = boxwood::read_items(device, queue, buffers.element_boxes(), tags.len());
    (buffers.read_back(queue).expect("the device answers"), leaf_boxes.expect("the device answers"))
}

fn frame_pass() -> VelloPass {
    VelloPass::new(context(), PassKind::FrameBoxes)
}

/// Whether the pass is wrong for a frame. Only leaves and begins have boxes of their own.
fn is_wrong(pass: &mut VelloPass, frame: &Frame) -> bool {
    let (boxes, own) = run(pass, frame);
    let elements = &frame.elements;
    let has_box = |i: &usize| ![DrawTag::NOP.0, tag::END].contains(&elements.tags()[*i]);
    let own_is_right = (0..elements.len()).filter(has_box).all(|i| own[i] == elements.boxes()[i]);
    boxes != boxwood_cpu::specification::boxes(elements) || !own_is_right
}

#[test]
fn boxes_of_random_frames() {
    let mut random = Random::new(3);
    let mut pass = frame_pass();
    for n in [1, 2, 255, 256, 257, 3000, 70_000, 5] {
        assert!(!is_wrong(&mut pass, &random_frame(n, &mut random)), "{n} draw objects");
    }
}

const FAULTS: &[Fault] = &[
    ("vello_frame_gather", "tag != TAG_NOP && tag != TAG_END", "tag == TAG_BEGIN"),
    ("vello_frame_gather", "tag != TAG_NOP && tag != TAG_END", "tag != TAG_BEGIN"),
    ("vello_frame_gather", "draw_tags[index] = tag", "draw_tags[index] = TAG_NOP"),
    ("vello_frame_gather", "vello_config.drawtag_base + index", "index"),
    ("vello_frame_gather", "draw_monoids[index].path_ix", "index"),
    (
        "vello_frame_gather",
        "vec4(path.x0, path.y0, path.x1, path.y1)",
        "vec4(path.x0, path.y0, path.x1, path.y0)",
    ),
];

#[test]
fn every_fault_is_caught() {
    let frame = random_frame(700, &mut Random::new(4));
    assert!(!is_wrong(&mut frame_pass(), &frame), "the unchanged shader is wrong");
    let checked = context().with_changes(bounded_source);
    let compile = |source: &dyn Fn(&Shader) -> String| {
        std::cell::RefCell::new(VelloPass::new(&checked.with_changes(source), PassKind::FrameBoxes))
    };
    assert_all_caught(FAULTS, compile, |pass, _| is_wrong(&mut pass.borrow_mut(), &frame));
}

/// Rectangles in clips and layers, and their frame as elements: their boxes rounded outward to
/// pixels.
fn rectangles(n: usize, random: &mut Random) -> (Scene, boxwood::Scene) {
    let (mut scene, mut tags, mut boxes) = (Scene::new(), Vec::new(), Vec::new());
    let mut depth = 0;
    while tags.len() < n || depth > 0 {
        let mut number = |n: usize| f64::from(u32::try_from(random.below(n)).expect("it is small")) / 8.0;
        let (x, y) = (number(800) - 20.0, number(800) - 20.0);
        let rect = Rect::new(x, y, x + 0.5 + number(700), y + 0.5 + number(700));
        let rounded = rect.expand();
        let bounds = Aabb::new(rounded.x0, rounded.y0, rounded.x1, rounded.y1).expect("they are numbers");
        let (tag, bounds) = match random.below(3) {
            0 if tags.len() < n => {
                if random.percent(50) {
                    scene.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &rect);
                } else {
                    scene.push_layer(Fill::NonZero, Mix::Normal, 0.5, Affine::IDENTITY, &rect);
                }
                depth += 1;
                (tag::BEGIN, bounds)
            }
            1 if tags.len() < n => {
                scene.fill(Fill::NonZero, Affine::IDENTITY, Color::from_rgb8(9, 99, 200), None, &rect);
                (DrawTag::COLOR.0, bounds)
            }
            _ if depth > 0 => {
                scene.pop_layer();
                depth -= 1;
                (tag::END, Aabb::EMPTY)
            }
            _ => continue,
        };
        tags.push(tag);
        boxes.push(bounds);
    }
    (scene, boxwood::Scene::from_streams(tags, boxes).expect("they are numbers"))
}

#[test]
fn frames_keep_their_boxes_if_asked_to() {
    let queue = &gpu().queue;
    let mut random = Random::new(5);
    for (clip_stage, tighten_layers) in
        [(ClipStage::Vello, false), (ClipStage::Boxwood, false), (ClipStage::Boxwood, true)]
    {
        let antialiasing_support = AaSupport::area_only();
        let options =
            RendererOptions { clip_stage, tighten_layers, antialiasing_support, ..Default::default() };
        let mut renderer = new_renderer(options);
        for n in [0, 1, 40, 400] {
            let (scene, elements) = rectangles(n, &mut random);
            renderer.set_frame_boxes(true);
            picture_by(&mut renderer, &scene, [96, 80], AaConfig::Area).1.expect("it draws");
            let buffers = renderer.frame_boxes().expect("the frame keeps its boxes");
            let found = buffers.read_back(queue).expect("the device answers");
            assert!(
                found == boxwood_cpu::specification::boxes(&elements),
                "{n}, {clip_stage:?}, tightened {tighten_layers}"
            );

            renderer.set_frame_boxes(false);
            picture_by(&mut renderer, &scene, [96, 80], AaConfig::Area).1.expect("it draws");
            assert!(renderer.frame_boxes().is_none(), "the frame does not keep its boxes");
        }
    }
}
