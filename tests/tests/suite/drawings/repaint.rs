//! If leaves of a drawing get another colour, Vello's pictures differ only where the stage *damage*
//! says.

use std::path::{Path, PathBuf};

use boxwood::ElementKind;
use boxwood_cpu::specification::spatial::{Frame, TileGrid, damage};
use boxwood_svg::{Drawing, Options, Within};
use boxwood_tests::{Corpus, Random, chain, exception, new_renderer, own_drawings, own_options, picture_by};
use boxwood_vello::{OnOverflow, Renderer, RendererOptions};
use vello::{AaConfig, Scene};
use vello_encoding::{DrawMonoid, DrawTag, Encoding, Monoid as _};

use super::REFUSED;

/// The side of a picture, whose tiles are its pixels.
const SIDE: u32 = 256;

/// Vello sums the areas of a pixel in the order in which its invocations run, which can change a
/// rounding.
const STEP: u8 = 1;

/// The percentage of the leaves that get another colour.
const CHANGED_PERCENT: usize = 20;

const WHITE: u32 = u32::MAX;
const TRANSPARENT: u32 = 0;

/// The encoding with other colours of some leaves, and a signature per element, which is 1 for
/// these.
fn recoloured(drawing: &Drawing, random: &mut Random) -> (Encoding, Vec<u32>) {
    let mut encoding = drawing.encoding.clone();
    let mut signatures = vec![0; drawing.table.len()];
    let mut monoid = DrawMonoid::default();
    for (index, tag) in drawing.encoding.draw_tags.iter().enumerate() {
        let is_leaf = drawing.elements.kind(index) == ElementKind::Leaf;
        let is_drawn = is_leaf && drawing.table[index].within == Within::Scene;
        if is_drawn && *tag == DrawTag::COLOR && random.percent(CHANGED_PERCENT) {
            let color = &mut encoding.draw_data[monoid.scene_offset as usize];
            *color = if *color == WHITE { TRANSPARENT } else { WHITE };
            signatures[index] = 1;
        }
        monoid = monoid.combine(&DrawMonoid::new(*tag));
    }
    (encoding, signatures)
}

/// The numbers of pixels that differ and that are damaged.
fn check(renderer: &mut Renderer, path: &Path, options: &Options) -> Result<[usize; 2], String> {
    let drawing = boxwood_svg::load_file(path, options).map_err(|error| chain(&error))?;
    let (encoding, signatures) = recoloured(&drawing, &mut Random::new(drawing.table.len() as u64));
    let mut picture = |encoding: &Encoding| {
        let mut scene = Scene::new();
        *scene.encoding_mut() = encoding.clone();
        let (picture, result) = picture_by(renderer, &scene, [SIDE; 2], AaConfig::Area);
        result.map(|()| picture).map_err(|error| chain(&error))
    };
    let pictures = [picture(&drawing.encoding)?, picture(&encoding)?];

    let boxes = boxwood_cpu::specification::boxes(&drawing.elements).clipped_boxes;
    let unchanged = vec![0; signatures.len()];
    let frames = [&unchanged, &signatures].map(|signatures| Frame { boxes: &boxes, signatures });
    let partners: Vec<u32> = (0..).take(signatures.len()).collect();
    let grid = TileGrid { width: SIDE, height: SIDE, lg_tile: 0 };
    let damage = damage(frames, &partners, grid, 1);
    let is_damaged =
        |x: u32, y: u32| (damage.tiles[(y * grid.words_per_row() + x / 32) as usize] >> (x % 32)) & 1 == 1;

    let mut n_apart = 0;
    for ((x, y, old), new) in pictures[0].enumerate_pixels().zip(pictures[1].pixels()) {
        let most = old.0.iter().zip(new.0).map(|(old, new)| old.abs_diff(new)).max().unwrap_or(0);
        if most > STEP && !is_damaged(x, y) {
            return Err(format!("pixel ({x}, {y}) differs by {most} and is not damaged"));
        }
        n_apart += usize::from(most > STEP);
    }
    Ok([n_apart, damage.tiles.iter().map(|word| word.count_ones() as usize).sum()])
}

#[expect(clippy::print_stdout, reason = "the counts are to be read")]
fn check_all(paths: &[PathBuf], options: &Options) -> [usize; 2] {
    let mut renderer = new_renderer(RendererOptions { on_overflow: OnOverflow::Grow, ..Default::default() });
    let (mut all, mut faults, mut n_drawn) = ([0, 0], Vec::new(), 0);
    for path in paths {
        match check(&mut renderer, path, options) {
            Ok(counts) => {
                all = [all[0] + counts[0], all[1] + counts[1]];
                n_drawn += 1;
            }
            Err(_) if exception(REFUSED, path).is_some() => {}
            Err(fault) => faults.push(format!("{}: {fault}", path.display())),
        }
    }
    let [n_apart, n_damaged] = all;
    println!("{n_drawn} drawings, {n_apart} pixels that differ, {n_damaged} damaged pixels");
    assert!(faults.is_empty(), "{} of {} drawings:\n{}", faults.len(), paths.len(), faults.join("\n"));
    all
}

#[test]
fn only_damaged_pixels_of_some_own_drawings_differ() {
    let some: Vec<_> = own_drawings().into_iter().step_by(5).collect();
    let [n_apart, _] = check_all(&some, &own_options());
    assert!(n_apart > 1000, "only {n_apart} pixels differ");
}

#[test]
#[ignore = "needs a folder of drawings: set BOXWOOD_CORPUS"]
fn only_damaged_pixels_of_drawings_of_the_corpus_differ() {
    let corpus = Corpus::from_env();
    check_all(&corpus.some_drawings(), &corpus.options());
}
