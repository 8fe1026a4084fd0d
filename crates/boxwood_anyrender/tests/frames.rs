//! Frames without pictures: what is refused, deep nests, order, and picking.

use std::any::Any;
use std::sync::Arc;

use anyrender::filters::FilterEffect;
use anyrender::{Filter, NullScenePainter, PaintRef, PaintScene, Scene};
use boxwood_anyrender::{Aabb, Cull, RecordError, Recorder, Rectangle, Refused, Report};
use kurbo::{Affine, BezPath, Circle, Ellipse, Line, PathEl, Rect, Stroke};
use peniko::{Color, Fill, Mix};

fn fill(scene: &mut impl PaintScene, rect: [f64; 4]) {
    let [x0, y0, x1, y1] = rect;
    scene.fill(Fill::NonZero, Affine::IDENTITY, Color::WHITE, None, &Rect::new(x0, y0, x1, y1));
}

fn error(record: impl FnOnce(&mut Recorder)) -> RecordError {
    let mut recorder = Recorder::new([100, 100]);
    fill(&mut recorder, [0.0, 0.0, 10.0, 10.0]);
    record(&mut recorder);
    let error = recorder.finish().expect_err("the command is refused");
    fill(&mut recorder, [0.0, 0.0, 10.0, 10.0]);
    assert_eq!(recorder.finish().expect("the recorder is empty after an error").len(), 1);
    error
}

#[test]
fn commands_without_a_place_are_refused() {
    let not_finite = RecordError { command: 1, reason: Refused::NotFinite };
    for value in [f64::NAN, f64::INFINITY] {
        assert_eq!(error(|recorder| fill(recorder, [0.0, value, 1.0, 1.0])), not_finite);
        let transform = Affine::translate((value, 0.0));
        let circle = Circle::new((5.0, 5.0), 1.0);
        let found = error(|recorder| recorder.push_clip_layer(Fill::NonZero, transform, &circle));
        assert_eq!(found, not_finite);
        let circle = Circle::new((5.0, 5.0), value);
        let found = error(|recorder| recorder.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &circle));
        assert_eq!(found, not_finite);
        let mut path = BezPath::new();
        path.move_to((0.0, 0.0));
        path.quad_to((value, 1.0), (1.0, 1.0));
        let found = error(|recorder| {
            recorder.stroke(&Stroke::new(1.0), Affine::IDENTITY, Color::WHITE, None, &path);
        });
        assert_eq!(found, not_finite);
        let found = error(|recorder| {
            recorder.draw_box_shadow(
                Affine::IDENTITY,
                Rect::new(0.0, 0.0, 1.0, 1.0),
                Color::WHITE,
                1.0,
                value,
            );
        });
        assert_eq!(found, not_finite);
    }
    assert_eq!(not_finite.to_string(), "command 1 has a number that is NaN or infinite: give it finite ones");
}

#[test]
fn a_custom_paint_is_refused() {
    let custom: &(dyn Any + Send + Sync) = &1_u32;
    let found = error(|recorder| {
        let paint = PaintRef::Custom(custom);
        recorder.fill(Fill::NonZero, Affine::IDENTITY, paint, None, &Rect::new(0.0, 0.0, 1.0, 1.0));
    });
    assert_eq!(found, RecordError { command: 1, reason: Refused::CustomPaint });
}

#[test]
fn layers_that_are_not_balanced_are_refused() {
    let pop = RecordError { command: 1, reason: Refused::PopWithoutLayer };
    assert_eq!(error(PaintScene::pop_layer), pop);
    let push = RecordError { command: 1, reason: Refused::LayerWithoutPop };
    let clip = Rect::new(0.0, 0.0, 1.0, 1.0);
    assert_eq!(error(|recorder| recorder.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &clip)), push);
}

#[test]
fn nests_can_be_deep() {
    const DEPTH: usize = 100_000;
    let mut recorder = Recorder::new([100, 100]);
    let clip = Rect::new(0.0, 0.0, 50.0, 50.0);
    let filter = Some(Arc::new(Filter::single(FilterEffect::blur(1.0))));
    for level in 0..DEPTH {
        let filter = filter.clone().filter(|_| level % 1000 == 999);
        recorder.push_layer(Fill::NonZero, Mix::Normal, 1.0, Affine::IDENTITY, &clip, filter, None);
    }
    fill(&mut recorder, [0.0, 0.0, 10.0, 10.0]);
    (0..DEPTH).for_each(|_| recorder.pop_layer());
    let mut frame = recorder.finish().expect("the layers are balanced");
    assert_eq!(frame.report(Cull::ALL).n_omitted_layers, 0);
    frame.draw_into(&mut NullScenePainter::new(), Cull::ALL);
    assert_eq!(frame.layers().len(), 2 * DEPTH + 1);
    assert_eq!(frame.pick((5.0, 5.0).into()).len(), DEPTH + 1);

    // Without the leaf, all layers are empty.
    let clip_layer =
        |recorder: &mut Recorder| recorder.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &clip);
    (0..DEPTH).for_each(|_| clip_layer(&mut recorder));
    (0..DEPTH).for_each(|_| recorder.pop_layer());
    let mut empty = recorder.finish().expect("the layers are balanced");
    let expected = Report { n_layers: DEPTH, n_omitted_layers: DEPTH, ..Report::default() };
    assert_eq!(empty.report(Cull::ALL), expected);
}

#[test]
fn a_layer_that_reads_the_picture_keeps_what_is_below() {
    let backdrop = Some(Arc::new(Filter::single(FilterEffect::blur(5.0))));
    let record = |has_backdrop: bool| {
        let mut recorder = Recorder::new([100, 100]);
        // Hidden by the last command, outside of the part that is drawn but near it, and outside of
        // the picture.
        fill(&mut recorder, [20.0, 20.0, 40.0, 40.0]);
        fill(&mut recorder, [75.0, 0.0, 80.0, 100.0]);
        fill(&mut recorder, [-20.0, 0.0, -5.0, 100.0]);
        let clip = Rect::new(0.0, 0.0, 80.0, 80.0);
        let backdrop = backdrop.clone().filter(|_| has_backdrop);
        recorder.push_layer(Fill::NonZero, Mix::Normal, 1.0, Affine::IDENTITY, &clip, None, backdrop);
        recorder.pop_layer();
        fill(&mut recorder, [0.0, 0.0, 60.0, 60.0]);
        let mut frame = recorder.finish().expect("the layers are balanced");
        let mut scene = Scene::new();
        frame.draw_parts_into(&mut scene, &[Rectangle { x0: 0, y0: 0, x1: 70, y1: 100 }], Cull::ALL);
        scene.commands.len()
    };
    // The last command alone, and then also the layer and two commands that it reads.
    assert_eq!((record(false), record(true)), (1, 5));
}

#[test]
fn commands_that_overlap_have_ascending_layers() {
    let mut recorder = Recorder::new([100, 100]);
    fill(&mut recorder, [0.0, 0.0, 100.0, 100.0]);
    fill(&mut recorder, [10.0, 10.0, 30.0, 30.0]);
    fill(&mut recorder, [60.0, 10.0, 90.0, 30.0]);
    let clip = Rect::new(20.0, 20.0, 80.0, 80.0);
    recorder.push_layer(Fill::NonZero, Mix::Multiply, 1.0, Affine::IDENTITY, &clip, None, None);
    fill(&mut recorder, [0.0, 0.0, 100.0, 100.0]);
    recorder.pop_layer();
    let mut frame = recorder.finish().expect("the layers are balanced");
    assert_eq!(frame.layers(), [1, 2, 2, 3, 1, 1]);
}

#[test]
fn a_damaged_picture_of_another_size_is_damaged_as_a_whole() {
    let mut recorder = Recorder::new([100, 100]);
    let first = recorder.finish().expect("it is empty");
    recorder.resize([50, 40]);
    let mut second = recorder.finish().expect("it is empty");
    let damage = second.damage_since(&first, 4);
    assert_eq!(damage.len(), 1);
    assert_eq!([damage[0].x1, damage[0].y1], [50, 40]);
}

#[test]
fn picks_on_hostile_strokes_end() {
    let line = Line::new((0.0, 0.0), (1e4, 0.0));
    let dashed = Stroke::new(10.0).with_dashes(0.0, [1e-6, 1e-6]);
    let mut huge = BezPath::new();
    huge.move_to((-1e30, 0.0));
    huge.curve_to((0.0, 1e30), (1e30, -1e30), (1e30, 1e29));
    let mut recorder = Recorder::new([100, 100]);
    recorder.stroke(&dashed, Affine::IDENTITY, Color::WHITE, None, &line);
    recorder.stroke(&Stroke::new(1e30), Affine::IDENTITY, Color::WHITE, None, &huge);
    let mut frame = recorder.finish().expect("all coordinates are finite");
    assert_eq!(frame.pick((5.0, 2.0).into()), [1, 0]);
}

#[test]
fn ellipses_of_any_size_end() {
    let record = |radius: f64| {
        let mut recorder = Recorder::new([100, 100]);
        let ellipse = Ellipse::new((50.0, 50.0), (radius, 20.0), 0.3);
        recorder.fill(Fill::NonZero, Affine::IDENTITY, Color::WHITE, None, &ellipse);
        recorder.finish()
    };
    for radius in [30.0, 1e9, 1e15] {
        let frame = record(radius).expect("the radius is finite");
        let centre = Aabb { x0: 49.0, y0: 49.0, x1: 51.0, y1: 51.0 };
        assert!(frame.boxes()[0].contains(centre), "{radius}");
    }
    for (radius, reason) in [
        (1e60, Refused::TooManyElements),
        (f64::INFINITY, Refused::NotFinite),
        (f64::NAN, Refused::NotFinite),
    ] {
        let refused = record(radius).expect_err("the radius is too large");
        assert_eq!(refused, RecordError { command: 0, reason });
    }
}

#[test]
fn paths_are_taken_as_they_are_drawn() {
    let mut recorder = Recorder::new([100, 100]);
    // A curve after a close begins where the subpath does.
    let mut path = BezPath::new();
    path.move_to((0.0, -100.0));
    path.line_to((0.0, -300.0));
    path.close_path();
    path.quad_to((50.0, 160.0), (100.0, -100.0));
    recorder.fill(Fill::NonZero, Affine::IDENTITY, Color::WHITE, None, &path);
    let frame = recorder.finish().expect("the path is complete");
    assert_eq!(frame.boxes()[0].y1, 31.0);

    let found = error(|recorder| {
        let path: &[PathEl] = &[PathEl::LineTo((5.0, 5.0).into())];
        recorder.fill(Fill::NonZero, Affine::IDENTITY, Color::WHITE, None, &path);
    });
    assert_eq!(found, RecordError { command: 1, reason: Refused::NoMoveTo });
}

#[test]
fn the_next_index_is_the_number_of_commands() {
    let mut recorder = Recorder::new([100, 100]);
    assert!(recorder.is_empty());
    fill(&mut recorder, [0.0, 0.0, 10.0, 10.0]);
    fill(&mut recorder, [0.0, 0.0, 10.0, 10.0]);
    assert_eq!(recorder.len(), 2);
}
