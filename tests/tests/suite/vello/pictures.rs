//! The renderer draws the same bytes as `vello::Renderer`, with Vello's clip stage and with
//! Boxwood's.

use boxwood_svg::{Fonts, Options};
use boxwood_tests::{Corpus, Painters, SCENE_SIDE, own_drawings, pixels_apart, vello_scenes};
use boxwood_vello::ClipStage;
use kurbo::Affine;
use vello::{AaConfig, Scene};

const SIZES: [[u32; 2]; 2] = [[96, 96], [200, 170]];

/// Descriptions of the differences between the renderers, at each size.
fn differences(
    painters: &mut Painters,
    name: &str,
    scene: &Scene,
    side: f64,
    (antialiasing, sizes): (AaConfig, &[[u32; 2]]),
) -> Vec<String> {
    let mut found = Vec::new();
    for &size in sizes {
        let mut scaled = Scene::new();
        scaled.append(scene, Some(Affine::scale(f64::from(size[0].min(size[1])) / side)));
        for clip_stage in [ClipStage::Vello, ClipStage::Boxwood] {
            let mut apart = || {
                let expected = painters.by_vello(&scaled, size, antialiasing);
                pixels_apart(&expected, &painters.by_boxwood(&scaled, size, antialiasing, clip_stage))
            };
            // Vello sums the areas of a pixel in the order in which its invocations run. The order
            // varies from run to run, and with it, rarely, the last bit of a pixel.
            let (mut n, mut most) = apart();
            for _ in 0..4 {
                if n > 0 {
                    (n, most) = apart();
                }
            }
            if n > 0 {
                found.push(format!(
                    "{name}, {size:?}, {antialiasing:?}, {clip_stage:?}: {n} pixels differ by up to {most}"
                ));
            }
        }
    }
    found
}

#[test]
fn scenes_are_drawn_as_by_vello() {
    let (mut painters, mut found) = (Painters::default(), Vec::new());
    for (name, scene) in vello_scenes() {
        let picture = painters.by_vello(&scene, [256, 256], AaConfig::Area);
        let colours: std::collections::HashSet<_> = picture.pixels().collect();
        assert!(colours.len() > 4, "{name} is nearly blank");
        found.extend(differences(&mut painters, name, &scene, SCENE_SIDE, (AaConfig::Area, &SIZES)));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn multisampled_scenes_are_drawn_as_by_vello() {
    let (mut painters, mut found) = (Painters::default(), Vec::new());
    for antialiasing in [AaConfig::Msaa8, AaConfig::Msaa16] {
        for (name, scene) in vello_scenes() {
            found.extend(differences(&mut painters, name, &scene, SCENE_SIDE, (antialiasing, &[[72, 60]])));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

fn svg_differences(painters: &mut Painters, path: &std::path::Path) -> Option<Vec<String>> {
    let options = Options { fonts: Fonts::Bundled, ..Options::default() };
    let drawing = boxwood_svg::load_file(path, &options).ok()?;
    let side = drawing.size.width.max(drawing.size.height);
    Some(differences(
        painters,
        &path.display().to_string(),
        &drawing.encoding.into(),
        side,
        (AaConfig::Area, &SIZES),
    ))
}

#[test]
fn samples_are_drawn_as_by_vello() {
    let mut painters = Painters::default();
    let found: Vec<String> =
        own_drawings().iter().filter_map(|path| svg_differences(&mut painters, path)).flatten().collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// 60 files of the corpus, spread over it.
#[test]
#[ignore = "needs a folder of drawings: set BOXWOOD_CORPUS"]
fn files_of_the_corpus_are_drawn_as_by_vello() {
    let paths = Corpus::from_env().drawings();
    let mut painters = Painters::default();
    let (mut found, mut n_drawn) = (Vec::new(), 0);
    for path in paths.iter().step_by((paths.len() / 66).max(1)) {
        if n_drawn < 60
            && let Some(differences) = svg_differences(&mut painters, path)
        {
            n_drawn += 1;
            found.extend(differences);
        }
    }
    assert!(n_drawn >= 60.min(paths.len() / 2), "only {n_drawn} files are drawn");
    assert!(found.is_empty(), "{}", found.join("\n"));
}
