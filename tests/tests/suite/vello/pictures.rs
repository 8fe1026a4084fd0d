//! The renderer draws the same bytes as `vello::Renderer`, with Vello's clip stage and with
//! Boxwood's. It refuses the scenes that Vello's buffers do not hold, unless the buffers may grow.

use std::collections::{BTreeSet, HashSet};

use boxwood_svg::{Fonts, Options};
use boxwood_tests::{Corpus, MAX_RUNS, Painters, SCENE_SIDE, own_drawings, pixels_apart, vello_scenes};
use boxwood_vello::{ClipStage, Error, OnOverflow};
use image::RgbaImage;
use kurbo::Affine;
use vello::{AaConfig, Scene};

const SIZES: [[u32; 2]; 2] = [[96, 96], [200, 170]];

/// Compares the renderers.
#[derive(Default)]
struct Comparison {
    painters: Painters,
    /// Descriptions of the differences.
    differences: Vec<String>,
    /// The scenes that overflow Vello's buffers.
    overflows: BTreeSet<String>,
}

impl Comparison {
    fn scene(&mut self, name: &str, scene: &Scene, side: f64, antialiasing: AaConfig, size: [u32; 2]) {
        let mut scaled = Scene::new();
        scaled.append(scene, Some(Affine::scale(f64::from(size[0].min(size[1])) / side)));
        let mut drawn = None;
        for clip_stage in [ClipStage::Vello, ClipStage::Boxwood] {
            let (mut n, mut most) = (0, 0);
            for _ in 0..MAX_RUNS {
                let (expected, overflows) =
                    drawn.take().unwrap_or_else(|| self.by_vello(&scaled, size, antialiasing));
                let mut draw = |on_overflow| {
                    self.painters.by_boxwood(&scaled, size, antialiasing, clip_stage, on_overflow)
                };
                let found = if overflows { draw_with_overflow(name, draw) } else { draw(OnOverflow::Refuse) };
                let found = found.unwrap_or_else(|e| panic!("{name}, {clip_stage:?}: {e}"));
                (n, most) = pixels_apart(&expected, &found);
                if overflows {
                    self.overflows.insert(name.to_owned());
                }
                if n == 0 {
                    drawn = Some((expected, overflows));
                    break;
                }
            }
            if n > 0 {
                self.differences.push(format!(
                    "{name}, {size:?}, {antialiasing:?}, {clip_stage:?}: {n} pixels differ by up to {most}"
                ));
            }
        }
    }

    /// A picture by Vello, and whether the scene overflows its buffers: Vello leaves the target
    /// unwritten then, and draws the picture in parts.
    fn by_vello(&mut self, scene: &Scene, size: [u32; 2], antialiasing: AaConfig) -> (RgbaImage, bool) {
        let picture = self.painters.by_vello(scene, size, antialiasing);
        if picture.pixels().any(|pixel| pixel[3] > 0) {
            return (picture, false);
        }
        (self.painters.by_vello_in_parts(scene, size, antialiasing), true)
    }

    /// Compares an SVG file in every size. Returns whether it can be loaded.
    fn svg(&mut self, path: &std::path::Path) -> bool {
        let options = Options { fonts: Fonts::Bundled, ..Options::default() };
        let Ok(drawing) = boxwood_svg::load_file(path, &options) else { return false };
        let name = path.file_stem().expect("it is a file").to_string_lossy();
        let side = drawing.size.width.max(drawing.size.height);
        let scene = drawing.encoding.into();
        for size in SIZES {
            self.scene(&name, &scene, side, AaConfig::Area, size);
        }
        true
    }

    #[track_caller]
    fn assert_same(&self) {
        assert!(self.differences.is_empty(), "{}", self.differences.join("\n"));
    }
}

/// Asserts that a scene is refused, and draws it in buffers that grow.
fn draw_with_overflow(
    name: &str,
    mut draw: impl FnMut(OnOverflow) -> Result<RgbaImage, Error>,
) -> Result<RgbaImage, Error> {
    let result = draw(OnOverflow::Refuse);
    assert!(matches!(result, Err(Error::Overflow(_))), "{name} is not refused: {result:?}");
    draw(OnOverflow::Grow)
}

#[test]
fn scenes_are_drawn_as_by_vello() {
    let mut comparison = Comparison::default();
    for (name, scene) in vello_scenes() {
        let picture = comparison.painters.by_vello(&scene, [256, 256], AaConfig::Area);
        let colours: HashSet<_> = picture.pixels().collect();
        assert!(colours.len() > 4, "{name} is nearly blank");
        for size in SIZES {
            comparison.scene(name, &scene, SCENE_SIDE, AaConfig::Area, size);
        }
    }
    comparison.assert_same();
    assert!(comparison.overflows.is_empty(), "{:?}", comparison.overflows);
}

#[test]
fn multisampled_scenes_are_drawn_as_by_vello() {
    let mut comparison = Comparison::default();
    for antialiasing in [AaConfig::Msaa8, AaConfig::Msaa16] {
        for (name, scene) in vello_scenes() {
            comparison.scene(name, &scene, SCENE_SIDE, antialiasing, [72, 60]);
        }
    }
    comparison.assert_same();
    assert!(comparison.overflows.is_empty(), "{:?}", comparison.overflows);
}

/// The drawings `deep_N` have N clips in each other, with the same edges. Each tile on the edges
/// needs 256 (N - 4) words for the pixels of layers, and Vello has 2^20 words for all tiles.
/// Drawings of more than 1024 levels are not loaded.
#[test]
fn samples_are_drawn_as_by_vello() {
    let mut comparison = Comparison::default();
    for path in own_drawings() {
        comparison.svg(&path);
    }
    comparison.assert_same();
    let deep = [500, 900, 1000].map(|n| format!("deep_{n}"));
    assert_eq!(comparison.overflows, BTreeSet::from(deep));
}

/// 60 files of the corpus, spread over it.
#[test]
#[ignore = "needs a folder of drawings: set BOXWOOD_CORPUS"]
fn files_of_the_corpus_are_drawn_as_by_vello() {
    let paths = Corpus::from_env().drawings();
    let mut comparison = Comparison::default();
    let mut n_drawn = 0;
    for path in paths.iter().step_by((paths.len() / 66).max(1)) {
        n_drawn += usize::from(n_drawn < 60 && comparison.svg(path));
    }
    assert!(n_drawn >= 60.min(paths.len() / 2), "only {n_drawn} files are drawn");
    comparison.assert_same();
}
