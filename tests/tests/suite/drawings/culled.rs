//! The pictures of drawings by `vello_cpu`: the same with and without culling, and repainted.

use std::path::{Path, PathBuf};

use anyrender::recording::RenderCommand;
use anyrender::{ImageRenderer as _, Paint, PaintScene as _, Scene};
use anyrender_vello_cpu::{VelloCpuImageRenderer, VelloCpuScenePainter};
use boxwood_anyrender::{Cull, Frame, Recorder, Rectangle};
use boxwood_svg::{Deadline, Drawing, Error, Options, load_file};
use boxwood_tests::{Corpus, chain, exception, in_parallel, own_drawings, own_options};
use kurbo::{Affine, Rect};
use peniko::Color;

use super::REFUSED;

const SIZE: [u32; 2] = [400, 300];

/// The parts of a drawing that are shown: all of it, and parts of it at larger scales. Each is a
/// centre, as a fraction of the size, and a zoom.
const VIEWS: [(f64, f64, f64); 4] = [(0.5, 0.5, 1.0), (0.3, 0.4, 3.0), (0.9, 0.9, 2.0), (0.6, 0.5, 9.0)];

/// The commands of a drawing in a view.
fn commands(drawing: &Drawing, view: Affine) -> Result<Scene, Error> {
    let mut scene = Scene::new();
    let region = Rect::new(0.0, 0.0, SIZE[0].into(), SIZE[1].into());
    drawing.draw_into(&mut scene, view, region, &Deadline::default())?;
    Ok(scene)
}

fn picture(draw: impl FnOnce(&mut VelloCpuScenePainter)) -> Vec<u8> {
    let mut pixels = Vec::new();
    VelloCpuImageRenderer::new(SIZE[0], SIZE[1]).render_to_vec(draw, &mut pixels);
    pixels
}

fn whole_picture(scene: &Scene) -> Vec<u8> {
    picture(|target| target.append_scene(scene.clone(), Affine::IDENTITY))
}

fn record(scene: &Scene) -> Frame {
    let mut recorder = Recorder::new(SIZE);
    recorder.append_scene(scene.clone(), Affine::IDENTITY);
    recorder.finish().expect("a drawing has finite coordinates")
}

/// Moves or colours some of the fills.
fn change(scene: &mut Scene) {
    for (index, command) in scene.commands.iter_mut().enumerate() {
        if let RenderCommand::Fill(fill) = command {
            match index % 11 {
                3 => fill.brush = Paint::Solid(Color::from_rgba8(200, 30, 60, 255)),
                7 => fill.transform = fill.transform.then_translate((3.0, 1.5).into()),
                _ => {}
            }
        }
    }
}

/// The transform of a view of a drawing.
fn view(drawing: &Drawing, (x, y, zoom): (f64, f64, f64)) -> Affine {
    let [width, height] = SIZE.map(f64::from);
    let fit = (width / drawing.size.width).min(height / drawing.size.height);
    Affine::translate((0.5 * width, 0.5 * height))
        * Affine::scale(zoom * fit)
        * Affine::translate((-x * drawing.size.width, -y * drawing.size.height))
}

/// Compares the pictures of a drawing. Returns the number of commands that are left out.
fn compare(path: &Path, options: &Options) -> Result<usize, String> {
    let drawing = load_file(path, options).map_err(|error| chain(&error))?;
    let mut n_omitted = 0;
    for of_view in VIEWS {
        let view = view(&drawing, of_view);
        let mut scene = match commands(&drawing, view) {
            Ok(scene) => scene,
            // A filter of this size would take too long.
            Err(Error::Limit(_)) => continue,
            Err(error) => return Err(chain(&error)),
        };
        let (whole, mut frame) = (whole_picture(&scene), record(&scene));
        if picture(|target| frame.draw_into(target, Cull::ALL)) != whole {
            return Err(format!("the culled picture differs at {of_view:?}"));
        }
        n_omitted += frame.report(Cull::ALL).n_omitted_commands;

        change(&mut scene);
        let mut next = record(&scene);
        let damage = next.damage_since(&frame, 8).to_vec();
        let parts = picture(|target| next.draw_parts_into(target, &damage, Cull::ALL));
        let mut repainted = whole;
        damage.iter().for_each(|part| copy(&parts, &mut repainted, *part));
        if whole_picture(&scene) != repainted {
            return Err(format!("the repainted picture differs at {of_view:?}"));
        }
    }
    Ok(n_omitted)
}

/// Copies the pixels of a rectangle.
fn copy(from: &[u8], to: &mut [u8], Rectangle { x0, y0, x1, y1 }: Rectangle) {
    for y in y0..y1 {
        let pixels = |x: u32| 4 * (y * SIZE[0] + x) as usize;
        to[pixels(x0)..pixels(x1)].copy_from_slice(&from[pixels(x0)..pixels(x1)]);
    }
}

/// Compares the pictures of drawings, except of those that are refused.
#[expect(clippy::print_stdout, reason = "the numbers are to be read")]
fn assert_culled_pictures_are_the_same(paths: &[PathBuf], options: &Options) {
    let expected_to_load = paths.iter().filter(|path| exception(REFUSED, path).is_none());
    let paths: Vec<PathBuf> = expected_to_load.cloned().collect();
    let results = in_parallel(&paths, |path| {
        compare(path, options).map_err(|fault| format!("{}: {fault}", path.display()))
    });
    let n_omitted: usize = results.iter().flatten().sum();
    println!("{} drawings, {n_omitted} commands left out", paths.len());
    let faults: Vec<_> = results.into_iter().filter_map(Result::err).collect();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    assert!(n_omitted > 0, "nothing is ever left out");
}

#[test]
fn own_drawings_look_the_same_without_what_is_culled() {
    assert_culled_pictures_are_the_same(&own_drawings(), &own_options());
}

#[test]
#[ignore = "needs a folder of drawings: set BOXWOOD_CORPUS"]
fn drawings_of_the_corpus_look_the_same_without_what_is_culled() {
    let corpus = Corpus::from_env();
    assert_culled_pictures_are_the_same(&corpus.some_drawings(), &corpus.options());
}
