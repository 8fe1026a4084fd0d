//! The boxes of a frame are those that Vello has drawn with, clipped and grouped by the specification.

use boxwood::native::Gpu;
use boxwood::{Aabb, Boxes, read_back, tag};
use boxwood_shaders::Shader;
use boxwood_tests::{Fault, Random, assert_all_caught, gpu, new_renderer, picture_by, pipelines};
use boxwood_vello::{ClipStage, FRAME_BUFFERS, FramePass, RendererOptions};
use kurbo::{Affine, Rect};
use peniko::{Color, Fill, Mix};
use vello::{AaConfig, AaSupport, Scene};
use vello_encoding::{ConfigUniform, DrawMonoid, DrawTag, PathBbox};
use wgpu::util::DeviceExt as _;

/// What Vello has of a random tree of draw objects, of which some have no path, and what it is as elements.
fn random_frame(
    n: usize,
    random: &mut Random,
) -> (Vec<DrawTag>, Vec<DrawMonoid>, Vec<PathBbox>, boxwood::Scene) {
    let count = |n: usize| u32::try_from(n).expect("the tests are small");
    let (mut tags, mut monoids, mut boxes) = (Vec::new(), Vec::new(), Vec::new());
    // One that no draw object has, so that the path of a draw object is never its own number.
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
    let elements =
        boxwood::Scene::new(tags.iter().map(|tag| tag.0).collect(), boxes).expect("they are numbers");
    (tags, monoids, paths, elements)
}

/// What the pass leaves of a frame.
fn run(
    pass: &mut FramePass,
    (tags, monoids, paths, elements): &(Vec<DrawTag>, Vec<DrawMonoid>, Vec<PathBbox>, boxwood::Scene),
) -> (Boxes, Vec<Aabb>) {
    let Gpu { device, queue, .. } = gpu();
    let count = |n: usize| u32::try_from(n).expect("the tests are small");
    let mut config = ConfigUniform::default();
    config.layout.n_draw_objects = count(tags.len());
    config.layout.n_clips = count(elements.n_nodes());
    config.layout.draw_tag_base = 3;
    let scene: Vec<u32> = [7; 3].into_iter().chain(tags.iter().map(|tag| tag.0)).collect();
    let buffers = FRAME_BUFFERS.map(|name| {
        let (contents, usage): (&[u8], _) = match name {
            "vello_config" => (bytemuck::bytes_of(&config), wgpu::BufferUsages::UNIFORM),
            "scene" => (bytemuck::cast_slice(&scene), wgpu::BufferUsages::STORAGE),
            "draw_monoids" => (bytemuck::cast_slice(monoids), wgpu::BufferUsages::STORAGE),
            "path_bboxes" => (bytemuck::cast_slice(paths), wgpu::BufferUsages::STORAGE),
            _ => panic!("{name} is new"),
        };
        device.create_buffer_init(&wgpu::util::BufferInitDescriptor { label: Some(name), contents, usage })
    });
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let layout = &config.layout;
    let mut compute = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
    pass.record_in(device, queue, pipelines(), &mut compute, layout, &buffers).expect("the device holds it");
    drop(compute);
    queue.submit([encoder.finish()]);
    let buffers = pass.boxes().expect("it was recorded");
    let leaf_boxes = boxwood::read_items(device, queue, buffers.element_boxes(), tags.len());
    (read_back(device, queue, buffers).expect("the device answers"), leaf_boxes.expect("the device answers"))
}

/// Whether the pass is wrong for a frame: what is no leaf and no begin has no box of its own.
fn is_wrong(
    pass: &mut FramePass,
    frame: &(Vec<DrawTag>, Vec<DrawMonoid>, Vec<PathBbox>, boxwood::Scene),
) -> bool {
    let (boxes, own) = run(pass, frame);
    let elements = &frame.3;
    let has_box = |i: &usize| ![DrawTag::NOP.0, tag::END].contains(&elements.tags()[*i]);
    let own_is_right = (0..elements.len()).filter(has_box).all(|i| own[i] == elements.boxes()[i]);
    boxes != boxwood_cpu::boxes(elements) || !own_is_right
}

#[test]
fn boxes_of_random_frames() {
    let mut random = Random::new(3);
    let mut pass = FramePass::new(&gpu().device);
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
    assert!(!is_wrong(&mut FramePass::new(&gpu().device), &frame), "the shader as it is passes");
    let compile = |source: &dyn Fn(&Shader) -> String| {
        std::cell::RefCell::new(FramePass::with_sources(&gpu().device, source))
    };
    assert_all_caught(FAULTS, compile, |pass, _| is_wrong(&mut pass.borrow_mut(), &frame));
}

/// Rectangles in clips and layers, and the elements that they are in a frame: their boxes, rounded outward to pixels.
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
    (scene, boxwood::Scene::new(tags, boxes).expect("they are numbers"))
}

#[test]
fn frames_leave_the_boxes_that_they_are_drawn_with() {
    let Gpu { device, queue, .. } = gpu();
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
            let buffers = renderer.frame_boxes().expect("they were asked for");
            let found = read_back(device, queue, buffers).expect("the device answers");
            assert!(
                found == boxwood_cpu::boxes(&elements),
                "{n}, {clip_stage:?}, tightened {tighten_layers}"
            );

            renderer.set_frame_boxes(false);
            picture_by(&mut renderer, &scene, [96, 80], AaConfig::Area).1.expect("it draws");
            assert!(renderer.frame_boxes().is_none(), "nobody asked");
        }
    }
}
