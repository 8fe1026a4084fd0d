//! Recorded web pages, drawn by `vello_cpu`: the same with and without culling, and repainted.
//!
//! `examples/html` of the repository makes the recordings in `tests/recordings`.

use std::fs::File;

use anyrender::recording::RenderCommand;
use anyrender::{ImageRenderer as _, Paint, PaintScene, Scene};
use anyrender_serialize::SceneArchive;
use anyrender_vello_cpu::{VelloCpuImageRenderer, VelloCpuScenePainter};
use boxwood_anyrender::{Aabb, Cull, Frame, Recorder};
use kurbo::Affine;
use peniko::Color;

use super::copy;

const SIZE: [u32; 2] = [900, 500];

/// The commands of a page, and its height in pixels.
struct Page {
    name: &'static str,
    scene: Scene,
    height: u32,
}

fn pages() -> [Page; 4] {
    [("article", 3339), ("dashboard", 2510), ("layers", 1404), ("table", 52_027)].map(|(name, height)| {
        let path = format!("{}/tests/recordings/{name}.zip", env!("CARGO_MANIFEST_DIR"));
        let file = File::open(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let archive = SceneArchive::deserialize(file).expect("it is an archive");
        Page { name, scene: archive.to_scene().expect("it is complete"), height }
    })
}

impl Page {
    fn paint(&self, scene: &mut impl PaintScene, scroll: u32) {
        scene.append_scene(self.scene.clone(), Affine::translate((0.0, -f64::from(scroll))));
    }

    fn record(&self, recorder: &mut Recorder, scroll: u32) -> Frame {
        self.paint(recorder, scroll);
        recorder.finish().expect("the page is complete")
    }
}

/// A renderer with its picture.
struct Target {
    renderer: VelloCpuImageRenderer,
    pixels: Vec<u8>,
}

impl Target {
    fn new() -> Self {
        Self { renderer: VelloCpuImageRenderer::new(SIZE[0], SIZE[1]), pixels: Vec::new() }
    }

    fn draw(&mut self, draw: impl FnOnce(&mut VelloCpuScenePainter)) -> &[u8] {
        self.renderer.reset();
        self.renderer.render_to_vec(draw, &mut self.pixels);
        &self.pixels
    }
}

#[test]
fn scrolled_pages_look_the_same_without_what_is_culled() {
    let [mut whole, mut culled] = [(); 2].map(|()| Target::new());
    let mut recorder = Recorder::new(SIZE);
    for page in pages() {
        let mut n_omitted = 0;
        for step in 0..7 {
            let scroll = (page.height - SIZE[1]) * step / 6;
            let expected = whole.draw(|target| page.paint(target, scroll));
            let mut frame = page.record(&mut recorder, scroll);
            for cull in [Cull::OUTSIDE, Cull::ALL] {
                let found = culled.draw(|target| frame.draw_into(target, cull));
                assert!(found == expected, "{} differs at {scroll} with {cull:?}", page.name);
            }
            let report = frame.report(Cull::ALL);
            n_omitted += report.n_omitted_commands;
            recorder.recycle(frame);
        }
        assert!(n_omitted > 500, "{}: only {n_omitted} commands are left out", page.name);
    }
}

#[test]
fn repainted_pages_look_the_same() {
    let [mut whole, mut parts] = [(); 2].map(|()| Target::new());
    let mut recorder = Recorder::new(SIZE);
    let scroll = 20;
    for mut page in pages() {
        let mut previous = page.record(&mut recorder, scroll);
        let mut picture = whole.draw(|target| page.paint(target, scroll)).to_vec();
        let (mut n_changed, mut n_partial) = (0, 0);
        for step in 0..12 {
            let candidates = in_view(&page.scene.commands, &previous);
            change(&mut page.scene.commands[candidates[step * candidates.len() / 12]]);
            let mut frame = page.record(&mut recorder, scroll);
            let damage = frame.damage_since(&previous, 16).to_vec();
            let drawn = parts.draw(|target| frame.draw_parts_into(target, &damage, Cull::ALL));
            damage.iter().for_each(|part| copy(drawn, &mut picture, *part, SIZE[0]));
            let before = whole.pixels.clone();
            let expected = whole.draw(|target| page.paint(target, scroll));
            assert!(picture == expected, "{} differs after step {step}", page.name);
            n_changed += usize::from(before != expected);
            let is_partial = damage.iter().all(|part| [part.x1 - part.x0, part.y1 - part.y0] != SIZE);
            n_partial += usize::from(is_partial);
            recorder.recycle(std::mem::replace(&mut previous, frame));
        }
        assert!(n_changed > 4, "only {n_changed} steps change {}", page.name);
        assert!(n_partial > 8, "only {n_partial} repaints of {} are partial", page.name);
    }
}

/// The fills with one colour and the runs of glyphs that are in view.
fn in_view(commands: &[RenderCommand], frame: &Frame) -> Vec<usize> {
    let view = Aabb::new(0.0, 0.0, SIZE[0].into(), SIZE[1].into()).expect("no edge is NaN");
    let is_candidate = |command: &RenderCommand| match command {
        RenderCommand::Fill(fill) => matches!(fill.brush, Paint::Solid(_)),
        command => matches!(command, RenderCommand::GlyphRun(_)),
    };
    let candidates = commands.iter().zip(frame.boxes()).enumerate();
    let candidates = candidates.filter(|(_, (command, own))| is_candidate(command) && own.overlaps(view));
    candidates.map(|(index, _)| index).collect()
}

/// Changes the colour of a fill, or moves a run of glyphs.
fn change(command: &mut RenderCommand) {
    match command {
        RenderCommand::Fill(fill) => fill.brush = Paint::Solid(Color::from_rgba8(200, 30, 60, 255)),
        RenderCommand::GlyphRun(run) => run.transform = run.transform.then_translate((7.0, 3.0).into()),
        _ => panic!("the command is not a candidate"),
    }
}

#[test]
fn the_pages_are_large() {
    let n_layers = |scene: &Scene| {
        let is_push =
            |command: &&_| matches!(command, RenderCommand::PushLayer(_) | RenderCommand::PushClipLayer(_));
        scene.commands.iter().filter(is_push).count()
    };
    let [_, dashboard, layers, table] = pages();
    assert!(n_layers(&layers.scene) > 1025, "more layers than Blitz pushes in one paint");
    assert!(table.scene.commands.len() > 2 * 2000, "2,000 rows");
    let is_shadow = |command: &&_| matches!(command, RenderCommand::BoxShadow(_));
    assert!(dashboard.scene.commands.iter().filter(is_shadow).count() >= 36, "shadows of cards");
    assert!(n_layers(&dashboard.scene) >= 36, "clips of cards");
}
