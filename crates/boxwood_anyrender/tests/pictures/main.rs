//! Pictures by `vello_cpu`: the same with and without culling, and repainted.

mod pages;
mod scenes;
mod vello_scene;

use anyrender::{ImageRenderer as _, PaintScene as _};
use anyrender_vello_cpu::{VelloCpuImageRenderer, VelloCpuScenePainter};
use boxwood_anyrender::encoding::draw_encoding;
use boxwood_anyrender::{Cull, Frame, Recorder, Rectangle};
use kurbo::{Affine, BezPath, Join, Stroke};
use peniko::Color;

use scenes::{RandomScene, Resources, SIZE, kind};
use vello_scene::VelloScene;

/// The picture that a function draws, with four bytes per pixel.
fn picture(draw: impl FnOnce(&mut VelloCpuScenePainter)) -> Vec<u8> {
    let mut pixels = Vec::new();
    VelloCpuImageRenderer::new(SIZE[0], SIZE[1]).render_to_vec(draw, &mut pixels);
    pixels
}

fn record(scene: &RandomScene, resources: &Resources) -> Frame {
    record_with(|recorder| scene.paint(recorder, resources))
}

fn record_with(paint: impl FnOnce(&mut Recorder)) -> Frame {
    let mut recorder = Recorder::new(SIZE);
    paint(&mut recorder);
    recorder.finish().expect("all coordinates are finite")
}

/// The scenes of a test. The environment variable `BOXWOOD_SCENES` sets another number of them.
fn scenes(n: u64, has_filters: bool) -> impl Iterator<Item = RandomScene> {
    let n = std::env::var("BOXWOOD_SCENES").map_or(n, |n| n.parse().expect("a number"));
    (0..n).map(move |seed| RandomScene {
        seed,
        n_commands: 2 + usize::try_from(seed % 60).expect("it is small"),
        change: 0,
        has_filters,
        kind: None,
        blur: 0.0,
    })
}

/// The number of pixels that differ, and the first one.
fn difference(a: &[u8], b: &[u8]) -> Option<(usize, usize)> {
    let differs = |(_, (a, b)): &(usize, (&[u8], &[u8]))| a != b;
    let mut pixels = a.chunks(4).zip(b.chunks(4)).enumerate().filter(differs).map(|(pixel, _)| pixel);
    let first = pixels.next()?;
    Some((1 + pixels.count(), first))
}

const CULLS: [Cull; 4] = [
    Cull::OUTSIDE,
    Cull { hidden: true, ..Cull::OUTSIDE },
    Cull { empty_layers: true, ..Cull::OUTSIDE },
    Cull::ALL,
];

fn assert_culled_pictures_are_the_same(n: u64, has_filters: bool) {
    let resources = Resources::new();
    let mut n_omitted = 0;
    for scene in scenes(n, has_filters) {
        let expected = picture(|target| scene.paint(target, &resources));
        let mut frame = record(&scene, &resources);
        for cull in CULLS {
            let found = picture(|target| frame.draw_into(target, cull));
            let difference = difference(&found, &expected);
            assert_eq!(difference, None, "pixels that differ with {cull:?}: {scene:?}");
        }
        n_omitted += frame.report(Cull::ALL).n_omitted_commands;
    }
    assert!(n_omitted > 0, "nothing is ever left out");
}

#[test]
fn pictures_are_the_same_without_what_is_culled() {
    assert_culled_pictures_are_the_same(400, false);
}

#[test]
fn pictures_with_filters_are_the_same_without_what_is_culled() {
    assert_culled_pictures_are_the_same(200, true);
}

#[test]
fn commands_near_the_picture_are_drawn() {
    let resources = Resources::new();
    let (mut n_drawn, mut n_omitted) = (0, 0);
    for scene in scenes(300, false).flat_map(|scene| {
        [kind::STROKE, kind::GLYPHS, kind::SHADOW, kind::IMAGE, kind::FILL].map(|kind| RandomScene {
            n_commands: 1,
            kind: Some(kind),
            ..scene.clone()
        })
    }) {
        let expected = picture(|target| scene.paint(target, &resources));
        let mut frame = record(&scene, &resources);
        let found = picture(|target| frame.draw_into(target, Cull::ALL));
        assert_eq!(difference(&found, &expected), None, "pixels that differ: {scene:?}");
        let is_omitted = frame.report(Cull::ALL).n_omitted_commands == 1;
        (n_drawn, n_omitted) = (n_drawn + u32::from(!is_omitted), n_omitted + u32::from(is_omitted));
    }
    assert!(n_drawn > 100 && n_omitted > 100, "{n_drawn} commands are drawn, and {n_omitted} are not");
}

/// A corner below the picture, whose miter alone reaches into it.
#[test]
fn the_tip_of_a_miter_is_drawn() {
    let mut corner = BezPath::new();
    corner.move_to((-40.0, 206.0));
    corner.line_to((60.0, 106.0));
    corner.line_to((160.0, 206.0));
    let style = Stroke::new(30.0).with_join(Join::Miter).with_miter_limit(2.0);
    let paint = |scene: &mut VelloCpuScenePainter| {
        scene.stroke(&style, Affine::IDENTITY, Color::BLACK, None, &corner);
    };
    let expected = picture(paint);
    assert!(expected.iter().any(|byte| *byte > 0), "the tip is in the picture");
    let mut frame = record_with(|scene| scene.stroke(&style, Affine::IDENTITY, Color::BLACK, None, &corner));
    let found = picture(|target| frame.draw_into(target, Cull::ALL));
    assert_eq!(difference(&found, &expected), None, "pixels that differ");
}

/// An encoding has rounded colours and coordinates, so a few pixels at edges may differ. Vello
/// itself encodes colour glyphs as layers and fills, which `vello_cpu` draws in another way.
#[test]
fn scenes_of_vello_look_the_same() {
    let resources = Resources::without_color_glyphs();
    let (mut n_pixels, mut n_different) = (0, 0);
    for scene in scenes(300, false) {
        let mut vello = VelloScene::default();
        scene.paint(&mut vello, &resources);
        let draw = |target: &mut _| {
            draw_encoding(vello.0.encoding(), Affine::IDENTITY, target).expect("vello encoded it");
        };
        let expected = picture(|target| scene.paint(target, &resources));
        let found = picture(draw);
        let pixels = expected.chunks(4).zip(found.chunks(4));
        let own = pixels.filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 8)).count();
        assert!(100 * own < found.len() / 4, "{own} pixels differ: {scene:?}");
        n_different += own;
        n_pixels += found.len() / 4;

        let mut frame = record_with(|recorder| {
            draw_encoding(vello.0.encoding(), Affine::IDENTITY, recorder).expect("vello encoded it");
        });
        let culled = picture(|target| frame.draw_into(target, Cull::ALL));
        assert_eq!(difference(&culled, &found), None, "pixels that differ: {scene:?}");
    }
    assert!(10_000 * n_different < n_pixels, "{n_different} of {n_pixels} pixels differ");
}

/// Picks at the centres of pixels, and compares with those that a command alone paints. Pixels at
/// an edge do not count: they may be painted although their centres are outside. Colour glyphs
/// count as their boxes, so there are none.
#[test]
fn picked_commands_paint_the_pixels() {
    let resources = Resources::without_color_glyphs();
    let [mut n_hits, mut n_points, mut n_different] = [0; 3];
    for scene in scenes(90, false).flat_map(|scene| {
        [kind::STROKE, kind::GLYPHS, kind::IMAGE, kind::FILL].map(|kind| RandomScene {
            n_commands: 1,
            kind: Some(kind),
            ..scene.clone()
        })
    }) {
        let pixels = picture(|target| scene.paint(target, &resources));
        let is_painted = |x: u32, y: u32| pixels[4 * (y * SIZE[0] + x) as usize + 3] > 0;
        let mut frame = record(&scene, &resources);
        for (x, y) in
            (1..SIZE[1] - 1).flat_map(|y| (1 + y % 11..SIZE[0] - 1).step_by(11).map(move |x| (x, y)))
        {
            let own = is_painted(x, y);
            if (y - 1..=y + 1).any(|y| (x - 1..=x + 1).any(|x| is_painted(x, y) != own)) {
                continue;
            }
            let is_hit = !frame.pick((f64::from(x) + 0.5, f64::from(y) + 0.5).into()).is_empty();
            n_points += 1;
            n_hits += u32::from(is_hit);
            // A gradient counts as a whole shape where it is transparent, too.
            n_different += u32::from(is_hit != own && (own || scene.kind != Some(kind::FILL)));
        }
    }
    assert!(100 * n_hits > n_points, "only {n_hits} of {n_points} points are hit");
    assert!(3000 * n_different < n_points, "{n_different} of {n_points} points differ");
}

/// Copies the pixels of a rectangle between pictures of this width.
fn copy(from: &[u8], to: &mut [u8], Rectangle { x0, y0, x1, y1 }: Rectangle, width: u32) {
    for y in y0..y1 {
        let pixels = |x: u32| 4 * (y * width + x) as usize;
        to[pixels(x0)..pixels(x1)].copy_from_slice(&from[pixels(x0)..pixels(x1)]);
    }
}

/// Repaints pictures of scenes that change several times. Returns how often only parts of a picture
/// were repainted.
fn assert_repainted_pictures_are_the_same(scenes: impl Iterator<Item = RandomScene>) -> usize {
    let resources = Resources::new();
    let mut n_partial = 0;
    for scene in scenes {
        let mut repainted = picture(|target| scene.paint(target, &resources));
        let mut previous = record(&scene, &resources);
        for change in 1..4 {
            let changed = RandomScene { change, ..scene.clone() };
            let expected = picture(|target| changed.paint(target, &resources));
            let mut frame = record(&changed, &resources);
            let damage = frame.damage_since(&previous, 8).to_vec();
            n_partial +=
                usize::from(damage.iter().all(|part| [part.x1 - part.x0, part.y1 - part.y0] != SIZE));
            let parts = picture(|target| frame.draw_parts_into(target, &damage, Cull::ALL));
            damage.iter().for_each(|part| copy(&parts, &mut repainted, *part, SIZE[0]));
            assert_eq!(
                difference(&repainted, &expected),
                None,
                "pixels that differ in {changed:?}: {damage:?}"
            );
            previous = frame;
        }
    }
    n_partial
}

#[test]
fn repainted_pictures_are_the_same_as_whole_ones() {
    let n_partial = assert_repainted_pictures_are_the_same(scenes(300, true));
    assert!(n_partial > 100, "only {n_partial} pictures are repainted in parts");
}

#[test]
fn pictures_of_blurred_shapes_are_repainted() {
    let blurred = scenes(300, true).map(|scene| RandomScene {
        n_commands: 7,
        kind: Some(kind::FILL),
        blur: 6.0,
        ..scene
    });
    assert_repainted_pictures_are_the_same(blurred);
}

#[test]
fn the_same_frame_has_no_damage() {
    let resources = Resources::new();
    for scene in scenes(50, true) {
        let mut frame = record(&scene, &resources);
        assert_eq!(frame.damage_since(&record(&scene, &resources), 8), []);
    }
}
