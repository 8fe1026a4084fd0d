//! Layers that are shrunk to their contents look the same and take less memory.

use boxwood_shaders::Shader;
use boxwood_tests::{
    COMPOSE_MODES, Fault, Painters, Random, assert_all_caught, bounded_source, context, gpu,
    picture_tightened, pixels_apart, record_vello_pass, vello_buffers, vello_scenes,
};
use boxwood_vello::{BumpBuffer, PassKind, VelloPass};
use kurbo::{Affine, Rect};
use peniko::{BlendMode, Color, Compose, Fill, Mix};
use vello::{AaConfig, Scene};
use vello_encoding::{ConfigUniform, DrawBeginClip, DrawMonoid, DrawTag, PathBbox};

/// Vello rounds the backdrop of each layer to 8 bits. Where a layer has been shrunk away, it does
/// not.
const STEP: u8 = 1;

fn fill(scene: &mut Scene, color: Color, shape: &impl kurbo::Shape) {
    scene.fill(Fill::NonZero, Affine::IDENTITY, color, None, shape);
}

#[test]
fn scenes_look_as_by_vello() {
    let size = [256, 256];
    let mut painters = Painters::default();
    for (name, scene) in vello_scenes() {
        let (picture, _) = picture_tightened(&scene, size, true);
        let (n, most) = pixels_apart(&picture, &painters.by_vello(&scene, size, AaConfig::Area));
        assert!(most <= STEP, "{name}: {n} pixels differ by up to {most}");
    }
}

/// Five layers of a whole screen need more memory than Vello reserves. Shrunk to the button in
/// them, they need very little, and look the same.
#[test]
fn five_nested_layers_of_1920_x_1080_fit() {
    let size = [1920, 1080];
    let mut scene = Scene::new();
    let all = Rect::new(0.0, 0.0, size[0].into(), size[1].into());
    fill(&mut scene, Color::from_rgb8(20, 40, 60), &Rect::new(80.0, 90.0, 240.0, 200.0));
    for _ in 0..5 {
        scene.push_layer(Fill::NonZero, Mix::Normal, 0.9, Affine::IDENTITY, &all);
    }
    fill(&mut scene, Color::from_rgb8(200, 60, 30), &Rect::new(100.0, 100.0, 300.0, 180.0));
    for _ in 0..5 {
        scene.pop_layer();
    }

    let stock = Painters::default().by_vello(&scene, size, AaConfig::Area);
    assert!(stock.pixels().all(|p| p.0 == [255, 0, 255, 0]), "Vello draws nothing");
    let (loose, before) = picture_tightened(&scene, size, false);
    let (tight, after) = picture_tightened(&scene, size, true);
    let (n, most) = pixels_apart(&loose, &tight);
    assert!(most <= 5 * STEP, "{n} pixels differ by up to {most}");
    assert_ne!(tight.get_pixel(150, 150), tight.get_pixel(10, 10), "the button shows");

    let need = |usage: boxwood_vello::Usage, buffer| usage.of(buffer).need;
    assert_eq!(need(before, BumpBuffer::BlendSpill), 120 * 68 * 256);
    // 200 x 80 pixels from (100, 100) are in 13 x 6 tiles.
    assert_eq!(need(after, BumpBuffer::BlendSpill), 13 * 6 * 256);
    assert_eq!([before, after].map(|u| need(u, BumpBuffer::Tiles)), [5 * 120 * 68 + 158, 5 * 13 * 6 + 158]);
    // Each layer is in the bins of 256 x 256 pixels of its box twice: its begin and its end.
    assert_eq!([before, after].map(|u| need(u, BumpBuffer::Binning)), [10 * 8 * 5 + 3, 10 * 2 + 3]);
}

/// The modes that the shaders list are those that peniko calls destructive.
#[test]
fn layers_with_destructive_modes_keep_their_boxes() {
    for compose in COMPOSE_MODES {
        for mix in [Mix::Normal, Mix::Multiply] {
            let mode = BlendMode::new(mix, compose);
            let is_kept = tightened(DrawBeginClip::new(mode, 1.0).blend_mode, &mut tighten_pass()) == WHOLE;
            assert_eq!(is_kept, mode.is_destructive(), "{mode:?}");
        }
    }
    assert_eq!(tightened(DrawBeginClip::luminance_mask(1.0).blend_mode, &mut tighten_pass()), WHOLE);
    assert_eq!(tightened(DrawBeginClip::clip().blend_mode, &mut tighten_pass()), LEAF);
}

const WHOLE: [i32; 4] = [0, 0, 100, 100];
const LEAF: [i32; 4] = [10, 20, 30, 40];

/// The box of a path without lines.
const NO_PATH: [i32; 4] = [i32::MAX, i32::MAX, i32::MIN, i32::MIN];

fn tighten_pass() -> VelloPass {
    VelloPass::new(context(), PassKind::Tighten)
}

/// The box of a layer with this blend word around one leaf, after the pass.
fn tightened(blend: u32, pass: &mut VelloPass) -> [i32; 4] {
    run(&[Item::Begin(blend, WHOLE), Item::Leaf(LEAF), Item::End], pass)[0]
}

/// A draw object.
#[derive(Clone, Copy)]
enum Item {
    Nop,
    Leaf([i32; 4]),
    Begin(u32, [i32; 4]),
    End,
}

/// The boxes of all paths after the pass.
fn run(items: &[Item], pass: &mut VelloPass) -> Vec<[i32; 4]> {
    let count = |n: usize| u32::try_from(n).expect("the tests are small");
    let (mut tags, mut words) = (Vec::new(), Vec::new());
    let (mut monoids, mut paths) = (Vec::new(), Vec::new());
    for item in items {
        let scene_offset = count(words.len());
        monoids.push(DrawMonoid { path_ix: count(paths.len()), clip_ix: 0, scene_offset, info_offset: 0 });
        let (tag, path) = match *item {
            Item::Nop => (DrawTag::NOP, None),
            Item::Leaf(b) => (DrawTag::COLOR, Some(b)),
            Item::Begin(blend, b) => {
                words.extend([blend, 0]);
                (DrawTag::BEGIN_CLIP, Some(b))
            }
            Item::End => (DrawTag::END_CLIP, Some(NO_PATH)),
        };
        tags.push(tag.0);
        let path = path.map(|[x0, y0, x1, y1]| PathBbox { x0, y0, x1, y1, draw_flags: 7, trans_ix: 9 });
        paths.extend(path);
    }
    let mut config = ConfigUniform::default();
    config.layout.n_draw_objects = count(items.len());
    config.layout.n_clips = count(items.iter().filter(|i| matches!(i, Item::Begin(..) | Item::End)).count());
    config.layout.draw_tag_base = 3;
    config.layout.draw_data_base = 3 + count(items.len());
    let scene: Vec<u32> = [0; 3].into_iter().chain(tags).chain(words).chain([0]).collect();

    let boxwood::native::Gpu { device, queue, .. } = gpu();
    let buffers = vello_buffers(PassKind::Tighten, |name| match name {
        "vello_config" => bytemuck::bytes_of(&config),
        "scene" => bytemuck::cast_slice(&scene),
        "draw_monoids" => bytemuck::cast_slice(&monoids),
        "path_bboxes" => bytemuck::cast_slice(&paths),
        _ => panic!("no test data for {name}"),
    });
    record_vello_pass(pass, &config.layout, &buffers);
    let found: Vec<PathBbox> =
        boxwood::read_items(device, queue, &buffers[3], paths.len()).expect("the device answers");
    for (before, after) in paths.iter().zip(&found) {
        assert_eq!((before.draw_flags, before.trans_ix), (after.draw_flags, after.trans_ix));
    }
    found.iter().map(|path| [path.x0, path.y0, path.x1, path.y1]).collect()
}

fn meet(a: [i32; 4], b: [i32; 4]) -> [i32; 4] {
    [a[0].max(b[0]), a[1].max(b[1]), a[2].min(b[2]), a[3].min(b[3])]
}

fn join(a: Option<[i32; 4]>, b: [i32; 4]) -> Option<[i32; 4]> {
    if b[0] >= b[2] || b[1] >= b[3] {
        return a;
    }
    Some(a.map_or(b, |a| [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])]))
}

/// The boxes of all paths after the pass, computed with a stack.
fn expected(items: &[Item]) -> Vec<[i32; 4]> {
    const PLANE: [i32; 4] = [i32::MIN, i32::MIN, i32::MAX, i32::MAX];
    let mut found = Vec::new();
    let mut stack: Vec<Open> = Vec::new();
    for item in items {
        let clip = stack.last().map_or(PLANE, |open| open.clip);
        let mut ink = None;
        match *item {
            Item::Nop => {}
            Item::Leaf(b) => {
                found.push(b);
                ink = Some(meet(b, clip));
            }
            Item::End => {
                found.push(NO_PATH);
                let open = stack.pop().expect("the trees are balanced");
                if !open.is_kept {
                    found[open.path] = open.group.unwrap_or([0; 4]);
                }
                ink = open.group;
            }
            Item::Begin(blend, b) => {
                let compose = COMPOSE_MODES.into_iter().find(|c| *c as u32 == blend & 0xff);
                let is_destructive = compose.is_some_and(|c| BlendMode::new(Mix::Normal, c).is_destructive());
                let is_kept = blend == DrawBeginClip::LUMINANCE_MASK_BLEND_MODE || is_destructive;
                let clip = meet(b, clip);
                if let Some(around) = stack.last_mut().filter(|_| is_kept) {
                    around.group = join(around.group, clip);
                }
                stack.push(Open { path: found.len(), is_kept, clip, group: None });
                found.push(b);
            }
        }
        if let (Some(ink), Some(around)) = (ink, stack.last_mut()) {
            around.group = join(around.group, ink);
        }
    }
    found
}

/// An open layer.
struct Open {
    path: usize,
    is_kept: bool,
    clip: [i32; 4],
    group: Option<[i32; 4]>,
}

fn random_scene(n: usize, random: &mut Random) -> Vec<Item> {
    let mut number = |n: usize| i32::try_from(random.below(n)).expect("it is small");
    let mut items = Vec::new();
    let mut depth = 0;
    while items.len() < n || depth > 0 {
        let (x, y) = (number(900) - 100, number(900) - 100);
        let own = [x, y, x + number(120), y + number(120)];
        let large = [x - 500, y - 500, x + 700, y + 700];
        let item = match number(10) {
            _ if items.len() >= n => Item::End,
            0 => Item::Nop,
            1..=3 => Item::Leaf(own),
            4..=6 => {
                let blends = [
                    DrawBeginClip::CLIP_BLEND_MODE,
                    DrawBeginClip::LUMINANCE_MASK_BLEND_MODE,
                    DrawBeginClip::new(Compose::SrcIn.into(), 1.0).blend_mode,
                    DrawBeginClip::new(Compose::DestAtop.into(), 1.0).blend_mode,
                    DrawBeginClip::new(Compose::Xor.into(), 1.0).blend_mode,
                    DrawBeginClip::new(Mix::Screen.into(), 1.0).blend_mode,
                ];
                let blend = blends[usize::try_from(number(9)).expect("it is positive").min(5)];
                Item::Begin(blend, if number(2) == 0 { own } else { large })
            }
            _ if depth > 0 => Item::End,
            _ => Item::Leaf(large),
        };
        match item {
            Item::Begin(..) => depth += 1,
            Item::End => depth -= 1,
            _ => {}
        }
        items.push(item);
    }
    items
}

#[test]
fn boxes_of_random_scenes() {
    let mut random = Random::new(1);
    for n in [1, 2, 3, 100, 256, 700, 5000, 70_000] {
        let items = random_scene(n, &mut random);
        assert!(run(&items, &mut tighten_pass()) == expected(&items), "{n} draw objects");
    }
}

const FAULTS: &[Fault] = &[
    ("vello_tighten_gather", "tag != TAG_NOP && tag != TAG_END", "tag == TAG_BEGIN"),
    ("vello_tighten_gather", "tags.x = TAG_LEAF", ""),
    ("vello_tighten_gather", "element_boxes[2u * index] = box", ""),
    ("vello_tighten_gather", "element_boxes[2u * index + 1u] = box", ""),
    ("vello_tighten_gather", "&& !is_neutral_where_empty(monoid)", ""),
    ("vello_tighten_gather", ">> (blend & 0xfu)", ">> (blend & 0x7u)"),
    ("vello_tighten_gather", "path_bboxes[monoid.path_ix]", "path_bboxes[index]"),
    ("vello_tighten_gather", "vello_config.drawtag_base + index", "index"),
    ("vello_tighten_scatter", "if !entry_is_begin(entry)", "if false"),
    ("vello_tighten_scatter", "if !is_neutral_where_empty(begin)", "if false"),
    ("vello_tighten_scatter", "u32(entry) / 2u", "u32(entry)"),
    ("vello_tighten_scatter", "DESTRUCTIVE_COMPOSE = 0x4e3u", "DESTRUCTIVE_COMPOSE = 0x4c3u"),
    ("vello_tighten_scatter", "drawdata_base + begin.scene_offset", "drawdata_base"),
    ("vello_tighten_scatter", "if group_box.x < group_box.z", "if true"),
    ("vello_tighten_scatter", ".y1 = box.w", ".y1 = box.y"),
];

#[test]
fn every_fault_is_caught() {
    let mut random = Random::new(2);
    let scenes: Vec<_> = [40, 900].map(|n| random_scene(n, &mut random)).into();
    let is_wrong = |pass: &mut VelloPass| scenes.iter().any(|items| run(items, pass) != expected(items));
    assert!(!is_wrong(&mut tighten_pass()), "the unchanged shaders are wrong");
    let checked = context().with_changes(bounded_source);
    let compile = |source: &dyn Fn(&Shader) -> String| {
        std::cell::RefCell::new(VelloPass::new(&checked.with_changes(source), PassKind::Tighten))
    };
    assert_all_caught(FAULTS, compile, |pass, _| is_wrong(&mut pass.borrow_mut()));
}
