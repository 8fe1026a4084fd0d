use peniko::{Color, Compose, Fill, Mix};
use vello::Scene;
use vello::kurbo::{Affine, BezPath, Circle, Rect, Shape as _, Stroke};
use vello_encoding::Resolver;

use super::*;

const RED: Color = Color::from_rgb8(200, 0, 0);
const CARD: Rect = Rect::new(10.25, 20.0, 50.0, 60.75);
/// The whole pixels of the card.
const INNER: [f64; 4] = [11.0, 20.0, 50.0, 60.0];

fn aabb([x0, y0, x1, y1]: [f64; 4]) -> Aabb {
    Aabb::new(x0, y0, x1, y1).expect("it is a box")
}

fn boxes_of(scene: &Scene) -> Option<Vec<Aabb>> {
    let mut packed = Vec::new();
    let layout = Resolver::new().resolve(scene.encoding(), &mut packed).0;
    inner_boxes(&bytemuck::pod_collect_to_vec::<u8, u32>(&packed), &layout)
}

/// The inner box of one draw object.
fn inner_of(draw: impl FnOnce(&mut Scene)) -> Option<Aabb> {
    let mut scene = Scene::new();
    draw(&mut scene);
    boxes_of(&scene).map(|boxes| boxes[0])
}

#[test]
fn an_opaque_rectangle_covers_its_whole_pixels() {
    let by = |transform: Affine| inner_of(|scene| scene.fill(Fill::EvenOdd, transform, RED, None, &CARD));
    assert_eq!(by(Affine::IDENTITY), Some(aabb(INNER)));
    assert_eq!(by(Affine::translate((0.75, -20.0))), Some(aabb([11.0, 0.0, 50.0, 40.0])));
    assert_eq!(by(Affine::new([0.0, -2.0, 4.0, 0.0, 1.0, 0.0])), Some(aabb([81.0, -100.0, 244.0, -21.0])));
    assert_eq!(by(Affine::FLIP_Y), Some(aabb([11.0, -60.0, 50.0, -20.0])));
    // A device can round to one pixel less.
    assert_eq!(by(Affine::scale(0.1)), Some(aabb([2.0, 3.0, 4.0, 6.0])));
    for transform in [
        Affine::rotate(0.1),
        Affine::skew(0.1, 0.0),
        Affine::scale(0.0),
        Affine::scale(1e6),
        Affine::scale(f64::NAN),
        Affine::translate((f64::INFINITY, 0.0)),
    ] {
        assert_eq!(by(transform), None, "{transform:?}");
    }
}

#[test]
fn other_draw_objects_cover_nothing() {
    let plain = Affine::IDENTITY;
    let with_hole: BezPath =
        [CARD, CARD.inset(-5.0)].iter().flat_map(|rect| rect.path_elements(0.1)).collect();
    let others: [&dyn Fn(&mut Scene); 5] = [
        &|scene| scene.fill(Fill::NonZero, plain, RED.with_alpha(0.99), None, &CARD),
        &|scene| scene.fill(Fill::NonZero, plain, RED, None, &Circle::new((30.0, 30.0), 20.0)),
        &|scene| scene.stroke(&Stroke::new(9.0), plain, RED, None, &CARD),
        &|scene| scene.draw_blurred_rounded_rect(plain, CARD, RED, 1.0, 2.0),
        &|scene| scene.fill(Fill::EvenOdd, plain, RED, None, &with_hole),
    ];
    for (i, draw) in others.into_iter().enumerate() {
        assert_eq!(inner_of(draw), None, "{i}");
    }
    assert_eq!(boxes_of(&Scene::new()), None);
}

#[test]
fn clips_cut_what_is_covered() {
    let in_layer = |push: &dyn Fn(&mut Scene)| {
        let mut scene = Scene::new();
        push(&mut scene);
        scene.fill(Fill::NonZero, Affine::IDENTITY, RED, None, &CARD);
        scene.pop_layer();
        scene.fill(Fill::NonZero, Affine::IDENTITY, RED, None, &CARD);
        let boxes = boxes_of(&scene).expect("the last rectangle covers something");
        // The begin, the first rectangle, the end, and the last rectangle.
        assert_eq!([boxes[0], boxes[2], boxes[3]], [Aabb::EMPTY, Aabb::EMPTY, aabb(INNER)]);
        boxes[1]
    };
    let plain = Affine::IDENTITY;
    let clip = Rect::new(0.0, 0.0, 30.5, 100.0);
    let cut = aabb([11.0, 20.0, 30.0, 60.0]);
    assert_eq!(in_layer(&|scene| scene.push_clip_layer(Fill::NonZero, plain, &clip)), cut);
    assert_eq!(in_layer(&|scene| scene.push_layer(Fill::NonZero, Mix::Normal, 1.0, plain, &clip)), cut);
    let circle = Circle::new((30.0, 30.0), 100.0);
    for (i, inner) in [
        in_layer(&|scene| scene.push_clip_layer(Fill::NonZero, plain, &circle)),
        in_layer(&|scene| scene.push_clip_layer(Fill::NonZero, Affine::rotate(0.1), &clip)),
        in_layer(&|scene| scene.push_layer(Fill::NonZero, Mix::Normal, 0.5, plain, &clip)),
        in_layer(&|scene| scene.push_layer(Fill::NonZero, Mix::Multiply, 1.0, plain, &clip)),
        in_layer(&|scene| scene.push_layer(Fill::NonZero, Compose::Xor, 1.0, plain, &clip)),
        in_layer(&|scene| scene.push_luminance_mask_layer(Fill::NonZero, 1.0, plain, &clip)),
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(inner, Aabb::EMPTY, "{i}");
    }
}

#[test]
fn a_layer_loses_what_a_mask_in_it_can_remove() {
    let plain = Affine::IDENTITY;
    let all = Rect::new(0.0, 0.0, 100.0, 100.0);
    let card = |scene: &mut Scene| scene.fill(Fill::NonZero, plain, RED, None, &CARD);
    let with = |push: &dyn Fn(&mut Scene)| {
        let mut scene = Scene::new();
        card(&mut scene);
        scene.push_clip_layer(Fill::NonZero, plain, &all);
        card(&mut scene);
        push(&mut scene);
        scene.pop_layer();
        card(&mut scene);
        scene.pop_layer();
        push(&mut scene);
        scene.pop_layer();
        let boxes = boxes_of(&scene).expect("the last rectangle covers something");
        // The first rectangle, and those in the layer before and after the inner layer.
        [0, 2, 5].map(|i| !boxes[i].is_empty())
    };
    let kept = [true; 3];
    assert_eq!(with(&|scene| scene.push_layer(Fill::NonZero, Mix::Multiply, 0.5, plain, &all)), kept);
    let removed = [true, false, true];
    assert_eq!(with(&|scene| scene.push_layer(Fill::NonZero, Compose::DestOut, 1.0, plain, &all)), removed);
    assert_eq!(with(&|scene| scene.push_luminance_mask_layer(Fill::NonZero, 1.0, plain, &all)), removed);
}

#[test]
fn scenes_that_end_early_break_nothing() {
    let mut scene = Scene::new();
    scene.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &CARD);
    scene.fill(Fill::NonZero, Affine::IDENTITY, RED, None, &CARD);
    scene.pop_layer();
    let mut packed = Vec::new();
    let layout = Resolver::new().resolve(scene.encoding(), &mut packed).0;
    let words: Vec<u32> = bytemuck::pod_collect_to_vec(&packed);
    for n in 0..words.len() {
        inner_boxes(&words[..n], &layout);
    }
    for offset in [1, 3, 1000, u32::MAX] {
        inner_boxes(&words, &Layout { path_data_base: offset, ..layout });
        inner_boxes(&words, &Layout { draw_data_base: offset, ..layout });
        inner_boxes(&words, &Layout { style_base: offset, ..layout });
        inner_boxes(&words, &Layout { n_draw_objects: offset, ..layout });
    }
}
