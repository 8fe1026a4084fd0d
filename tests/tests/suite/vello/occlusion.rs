//! Leaving out what opaque rectangles hide changes no picture, and saves tiles.

use boxwood::native::Gpu;
use boxwood::spatial::TileGrid;
use boxwood::{Aabb, read_items};
use boxwood_cpu::specification::spatial::visible;
use boxwood_shaders::Shader;
use boxwood_tests::{
    Corpus, Fault, Random, assert_all_caught, bounded_source, context, gpu, new_renderer, picture_by,
    pixels_apart, vello_scenes,
};
use boxwood_vello::{BumpBuffer, OcclusionPass, OnOverflow, Renderer, RendererOptions};
use image::RgbaImage;
use kurbo::{Affine, Circle, Point, Rect, RoundedRect, Stroke, Vec2};
use peniko::{BlendMode, Color, Compose, Fill, Gradient, Mix};
use vello::{AaConfig, AaSupport, Scene};
use vello_encoding::{Clip, ClipBbox, ConfigUniform, DrawMonoid, DrawTag, Monoid as _, PathBbox, Resolver};
use wgpu::util::DeviceExt as _;

/// Vello sums the areas of a pixel in the order in which its invocations run, which can change a
/// rounding.
const STEP: u8 = 1;

/// Renderers that hide nothing, and that hide what is occluded.
struct Renderers([Renderer; 2]);

impl Renderers {
    fn new(tighten_layers: bool) -> Self {
        Self([false, true].map(|hide_occluded| {
            new_renderer(RendererOptions {
                hide_occluded,
                tighten_layers,
                antialiasing_support: AaSupport { area: true, msaa8: false, msaa16: true },
                on_overflow: OnOverflow::Grow,
                ..Default::default()
            })
        }))
    }

    /// The pictures, and the numbers of tiles that they took.
    fn draw(&mut self, scene: &Scene, size: [u32; 2], antialiasing: AaConfig) -> [(RgbaImage, u32); 2] {
        self.0.each_mut().map(|renderer| {
            let (picture, result) = picture_by(renderer, scene, size, antialiasing);
            result.expect("the buffers grow");
            (picture, renderer.usage().expect("it reads the counters").of(BumpBuffer::Tiles).need)
        })
    }

    /// How much the pictures differ, as text, and how many tiles are saved.
    fn compare(&mut self, scene: &Scene, size: [u32; 2], antialiasing: AaConfig) -> (Option<String>, u32) {
        let [(all, before), (few, after)] = self.draw(scene, size, antialiasing);
        let (n, most) = pixels_apart(&all, &few);
        let difference =
            (most > STEP).then(|| format!("{antialiasing:?}: {n} pixels differ by up to {most}"));
        (difference, before - after)
    }
}

fn fill(scene: &mut Scene, color: Color, shape: &impl kurbo::Shape) {
    scene.fill(Fill::NonZero, Affine::IDENTITY, color, None, shape);
}

/// `n` opaque cards of the whole picture, with a circle on each.
fn cards(n: usize, [width, height]: [u32; 2]) -> Scene {
    let mut scene = Scene::new();
    for i in 0..n {
        let shade = u8::try_from(40 + 3 * i % 200).expect("it is small");
        fill(&mut scene, Color::from_rgb8(shade, 90, 150), &Rect::new(0.0, 0.0, width.into(), height.into()));
        fill(&mut scene, Color::from_rgba8(255, shade, 0, 128), &Circle::new((80.0, 70.0), 40.0));
    }
    scene
}

#[test]
fn cards_on_top_of_each_other_take_the_tiles_of_one() {
    let mut renderers = Renderers::new(false);
    for size in [[320, 208], [203, 165]] {
        let [(one, tiles_of_one), _] = renderers.draw(&cards(1, size), size, AaConfig::Area);
        for n in [1, 2, 64, 256] {
            let [(all, _), (few, tiles)] = renderers.draw(&cards(n, size), size, AaConfig::Area);
            let (n_pixels, most) = pixels_apart(&all, &few);
            assert!(most <= STEP, "{n} cards: {n_pixels} pixels differ by up to {most}");
            assert_eq!(tiles, tiles_of_one, "{n} cards of {size:?}");
            assert_eq!(n == 1, few == one, "{n} cards have another colour than one");
        }
    }
}

#[test]
fn the_scenes_of_the_other_tests_look_the_same() {
    for tighten_layers in [false, true] {
        let mut renderers = Renderers::new(tighten_layers);
        for (name, scene) in vello_scenes() {
            let (difference, _) = renderers.compare(&scene, [256, 256], AaConfig::Area);
            assert_eq!(difference, None, "{name}, tightened: {tighten_layers}");
        }
    }
}

/// A scene of many kinds of draw objects and layers, half of them opaque rectangles.
fn random_scene(seed: u64) -> Scene {
    let mut random = Random::new(seed);
    let mut scene = Scene::new();
    let mut depth = 0;
    for _ in 0..40 {
        let mut below = |n: usize| random.below(n);
        // Some coordinates are whole tiles, some whole pixels, and some neither.
        let unit = [16.0, 1.0, 0.37][below(3)];
        let shade = |n: usize| u8::try_from(n).expect("it is below 256");
        let color = Color::from_rgb8(shade(below(256)), shade(below(256)), shade(below(256)));
        let (kind, layer) = (below(24), below(5));
        let mut number = |n: usize| f64::from(u32::try_from(below(n)).expect("it is small"));
        let (x, y) = (number(300) - 60.0, number(260) - 60.0);
        let origin = Point::new((x / unit).floor() * unit, (y / unit).floor() * unit);
        let rect = Rect::from_origin_size(origin, (unit * number(400), unit * number(300)));
        let (angle, scale) = (number(7), 0.5 + number(5) / 3.0);
        match kind {
            0..=9 => fill(&mut scene, color, &rect),
            10 => fill(&mut scene, color.with_alpha(0.5), &rect),
            11 => scene.fill(Fill::EvenOdd, Affine::rotate(angle), color, None, &rect),
            12 => scene.fill(
                Fill::NonZero,
                Affine::rotate_about(angle * 90_f64.to_radians(), rect.center()),
                color,
                None,
                &rect,
            ),
            13 => scene.fill(
                Fill::NonZero,
                Affine::scale_non_uniform(-scale, 1.0).then_translate(Vec2::new(200.0, 3.25)),
                color,
                None,
                &rect,
            ),
            14 => fill(&mut scene, color, &RoundedRect::from_rect(rect, 9.0)),
            15 => scene.stroke(&Stroke::new(9.0), Affine::IDENTITY, color, None, &rect),
            16 => {
                let gradient = Gradient::new_linear(rect.origin(), (rect.x1, rect.y1))
                    .with_stops([color, color.with_alpha(0.0)]);
                scene.fill(Fill::NonZero, Affine::IDENTITY, &gradient, None, &rect);
            }
            17 => scene.draw_blurred_rounded_rect(Affine::IDENTITY, rect, color, 6.0, 5.0),
            18 => {
                scene.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &rect);
                depth += 1;
            }
            19 => {
                scene.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &Circle::new(rect.center(), 70.0));
                depth += 1;
            }
            20 if layer == 0 => {
                scene.push_luminance_mask_layer(Fill::NonZero, 1.0, Affine::IDENTITY, &rect);
                depth += 1;
            }
            20 => {
                let blend: [(BlendMode, f32); 4] = [
                    (Mix::Normal.into(), 1.0),
                    (Mix::Normal.into(), 0.5),
                    (Mix::Multiply.into(), 1.0),
                    (Compose::DestOut.into(), 1.0),
                ];
                let (blend, alpha) = blend[layer - 1];
                scene.push_layer(Fill::NonZero, blend, alpha, Affine::IDENTITY, &rect);
                depth += 1;
            }
            21 => scene.fill(Fill::NonZero, Affine::scale(1e30), color, None, &rect),
            _ if depth > 0 => {
                scene.pop_layer();
                depth -= 1;
            }
            _ => fill(&mut scene, color, &Rect::ZERO),
        }
    }
    (0..depth).for_each(|_| scene.pop_layer());
    scene
}

#[test]
fn random_scenes_look_the_same() {
    let mut renderers = Renderers::new(false);
    let (mut saved, mut n_with_savings) = (0, 0);
    for seed in 0..90 {
        let antialiasing = if seed % 4 == 0 { AaConfig::Msaa16 } else { AaConfig::Area };
        let (difference, n_tiles) = renderers.compare(&random_scene(seed), [203, 165], antialiasing);
        assert_eq!(difference, None, "seed {seed}");
        saved += n_tiles;
        n_with_savings += usize::from(n_tiles > 0);
    }
    assert!(n_with_savings > 45, "{n_with_savings} scenes have hidden objects, {saved} tiles are saved");
}

#[test]
#[ignore = "needs a folder of drawings: set BOXWOOD_CORPUS"]
fn drawings_look_the_same() {
    let corpus = Corpus::from_env();
    let mut renderers = Renderers::new(false);
    let (mut differences, mut n_drawn, mut n_with_savings) = (Vec::new(), 0, 0);
    for path in corpus.some_drawings() {
        let Ok(drawing) = boxwood_svg::load_file(&path, &corpus.options()) else { continue };
        let mut scene = Scene::new();
        *scene.encoding_mut() = drawing.encoding.clone();
        let (difference, saved) = renderers.compare(&scene, [500, 500], AaConfig::Area);
        n_drawn += 1;
        n_with_savings += usize::from(saved > 0);
        differences.extend(difference.map(|difference| format!("{}: {difference}", path.display())));
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert!(n_with_savings > 0, "none of {n_drawn} drawings has a hidden draw object");
}

/// The size of the pictures of the pass alone.
const SIZE: [u32; 2] = [400, 300];

/// A scene as Vello's buffers have it before binning, with draw objects that are rectangles of
/// whole pixels, some of them opaque, and clips.
struct Frame {
    scene: Vec<u32>,
    config: ConfigUniform,
    monoids: Vec<DrawMonoid>,
    paths: Vec<PathBbox>,
    clips: Vec<ClipBbox>,
    /// The paths after the pass.
    expected: Vec<PathBbox>,
}

const NO_PATH: [i32; 4] = [i32::MAX, i32::MAX, i32::MIN, i32::MIN];

fn path_box([x0, y0, x1, y1]: [i32; 4]) -> PathBbox {
    PathBbox { x0, y0, x1, y1, draw_flags: 7, trans_ix: 9 }
}

fn aabb([x0, y0, x1, y1]: [i32; 4]) -> Aabb {
    Aabb::new(x0.into(), y0.into(), x1.into(), y1.into()).unwrap_or(Aabb::EMPTY)
}

impl Frame {
    fn new(n: usize, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut scene = Scene::new();
        let (mut paths, mut clips, mut stack) =
            (Vec::new(), Vec::new(), vec![aabb([-9999, -9999, 9999, 9999])]);
        // The path, the box, and the inner box of each draw object.
        let mut objects = Vec::new();
        let empty = Aabb::EMPTY;
        for _ in 0..n {
            let mut number = |n: usize| i32::try_from(random.below(n)).expect("it is small");
            let (x, y) = (number(500) - 60, number(400) - 60);
            let own = [x, y, x + 1 + number(200), y + 1 + number(200)];
            let rect = Rect::new(own[0].into(), own[1].into(), own[2].into(), own[3].into());
            let clip = *stack.last().expect("the plane stays");
            match number(12) {
                kind @ 0..=7 => {
                    let color = Color::from_rgba8(1, 2, 3, if kind < 3 { 255 } else { 254 });
                    fill(&mut scene, color, &rect);
                    let outer = aabb(own).intersect(clip);
                    objects.push((Some(paths.len()), outer, if kind < 3 { outer } else { empty }));
                    paths.push(path_box(own));
                }
                8 | 9 => {
                    scene.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &rect);
                    stack.push(aabb(own).intersect(clip));
                    objects.push((None, empty, empty));
                    paths.push(path_box(own));
                    clips.push(*stack.last().expect("a clip is open"));
                }
                10 => {
                    scene.encoding_mut().draw_tags.push(DrawTag::NOP);
                    objects.push((None, empty, empty));
                }
                _ if stack.len() > 1 => {
                    Self::pop(&mut scene, &mut stack, &mut objects, &mut paths, &mut clips);
                }
                _ => {}
            }
        }
        while stack.len() > 1 {
            Self::pop(&mut scene, &mut stack, &mut objects, &mut paths, &mut clips);
        }
        let (boxes, inner): (Vec<_>, Vec<_>) =
            objects.iter().map(|(_, outer, inner)| (*outer, *inner)).unzip();
        let mask = visible(&boxes, &inner, TileGrid::new(SIZE[0], SIZE[1]));
        let mut expected = paths.clone();
        // Without an opaque object, the pass does nothing.
        let is_hidden = |i: usize| (mask[i / 32] >> (i % 32)) & 1 == 0 && inner.iter().any(|b| !b.is_empty());
        for (i, (path, ..)) in objects.iter().enumerate() {
            if let Some(path) = path.filter(|_| is_hidden(i)) {
                expected[path] = path_box([0; 4]);
            }
        }
        let clips =
            clips.into_iter().map(|clip| ClipBbox { bbox: [clip.x0, clip.y0, clip.x1, clip.y1] }).collect();
        Self::packed(&scene, paths, clips, expected)
    }

    fn pop(
        scene: &mut Scene,
        stack: &mut Vec<Aabb>,
        objects: &mut Vec<(Option<usize>, Aabb, Aabb)>,
        paths: &mut Vec<PathBbox>,
        clips: &mut Vec<Aabb>,
    ) {
        scene.pop_layer();
        stack.pop();
        objects.push((None, Aabb::EMPTY, Aabb::EMPTY));
        paths.push(path_box(NO_PATH));
        clips.push(*stack.last().expect("the plane stays"));
    }

    fn packed(scene: &Scene, paths: Vec<PathBbox>, clips: Vec<ClipBbox>, expected: Vec<PathBbox>) -> Self {
        let mut packed = Vec::new();
        let mut layout = Resolver::new().resolve(scene.encoding(), &mut packed).0;
        // Vello counts only those with a path.
        layout.n_draw_objects = u32::try_from(scene.encoding().draw_tags.len()).expect("the tests are small");
        let mut monoid = DrawMonoid::default();
        let monoids = scene.encoding().draw_tags.iter().map(|tag| {
            let own = monoid;
            monoid = monoid.combine(&DrawMonoid::new(*tag));
            own
        });
        let monoids = monoids.collect();
        let config =
            ConfigUniform { target_width: SIZE[0], target_height: SIZE[1], layout, ..Default::default() };
        Self { scene: bytemuck::pod_collect_to_vec(&packed), config, monoids, paths, clips, expected }
    }

    /// The paths after the pass.
    fn run(&self, pass: &mut OcclusionPass) -> Vec<PathBbox> {
        let Gpu { device, queue, .. } = gpu();
        let no_clip = [Clip::default()];
        let buffers = OcclusionPass::BUFFERS.map(|name| {
            let (contents, usage): (&[u8], _) = match name {
                "vello_config" => (bytemuck::bytes_of(&self.config), wgpu::BufferUsages::UNIFORM),
                "scene" => (bytemuck::cast_slice(&self.scene), wgpu::BufferUsages::STORAGE),
                "draw_monoids" => (bytemuck::cast_slice(&self.monoids), wgpu::BufferUsages::STORAGE),
                "path_bboxes" => (bytemuck::cast_slice(&self.paths), wgpu::BufferUsages::STORAGE),
                _ if self.clips.is_empty() => (bytemuck::cast_slice(&no_clip), wgpu::BufferUsages::STORAGE),
                _ => (bytemuck::cast_slice(&self.clips), wgpu::BufferUsages::STORAGE),
            };
            let usage = usage | wgpu::BufferUsages::COPY_SRC;
            device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
                label: Some(name),
                contents,
                usage,
            })
        });
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut compute = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.record_in(queue, &mut compute, &self.scene, &self.config, &buffers)
            .expect("the device holds it");
        drop(compute);
        queue.submit([encoder.finish()]);
        read_items(device, queue, &buffers[3], self.paths.len()).expect("the device answers")
    }

    fn is_right(&self, pass: &mut OcclusionPass) -> bool {
        let words = |paths: &[PathBbox]| bytemuck::cast_slice::<_, u32>(paths).to_vec();
        words(&self.run(pass)) == words(&self.expected)
    }
}

#[test]
fn the_boxes_of_hidden_objects_become_empty() {
    let mut pass = OcclusionPass::new(context());
    for (seed, n) in [1, 2, 3, 30, 255, 256, 257, 700, 3000, 20].into_iter().enumerate() {
        assert!(Frame::new(n, seed as u64).is_right(&mut pass), "{n} draw objects");
    }
}

const FAULTS: &[Fault] = &[
    ("vello_occlusion_gather", "monoid.clip_ix > 0u", "false"),
    ("vello_occlusion_gather", "min(monoid.clip_ix, vello_config.n_clip) - 1u", "0u"),
    ("vello_occlusion_gather", "max(box.xy, clip.xy)", "box.xy"),
    ("vello_occlusion_gather", "path_bboxes[monoid.path_ix]", "path_bboxes[index]"),
    ("vello_occlusion_scatter", "is_visible || ", ""),
    ("vello_occlusion_scatter", "index % 32u", "index % 16u"),
    ("vello_occlusion_scatter", "tag == TAG_NOP || ", ""),
    ("vello_occlusion_scatter", "tag == TAG_BEGIN || ", ""),
    ("vello_occlusion_scatter", " || tag == TAG_END", ""),
    ("vello_occlusion_scatter", "draw_monoids[index].path_ix", "index"),
    ("vello_occlusion_scatter", ".x1 = 0;", ".x1 = 1;"),
    ("vello_occlusion_scatter", "vello_config.drawtag_base + index", "index"),
];

#[test]
fn every_fault_is_caught() {
    let frames = [(40, 1), (300, 2), (900, 3)].map(|(n, seed)| Frame::new(n, seed));
    let is_wrong = |pass: &mut OcclusionPass| frames.iter().any(|frame| !frame.is_right(pass));
    assert!(!is_wrong(&mut OcclusionPass::new(context())), "the unchanged shaders are wrong");
    let checked = context().with_changes(bounded_source);
    let compile = |source: &dyn Fn(&Shader) -> String| {
        std::cell::RefCell::new(OcclusionPass::new(&checked.with_changes(source)))
    };
    assert_all_caught(FAULTS, compile, |pass, _| is_wrong(&mut pass.borrow_mut()));
}
