//! What resvg inks of a leaf or a group of an SVG drawing, held against its clipped box.
//!
//! The drawing is normalised by usvg first, which resolves everything that would change with a neighbour: bounding-box units,
//! `use`, CSS, text. Then all else is taken out of the text and the rest is loaded and drawn, in the middle of a canvas of three
//! times the viewport's width and height.

mod ink;
mod isolate;
mod table;

use boxwood_layout::Aabb;
use boxwood_svg::{Fonts, Options, Scene, load, load_file};
use resvg::usvg;
use std::path::{Path, PathBuf};

use ink::Canvas;
pub use isolate::Class;
use isolate::Normalised;
pub use table::Table;

/// A leaf or group, its ink and its box, both in pixels of the canvas.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The drawing, and which of its parts: `leaf` or `group`, counted from 0 in document order of the normalised text.
    pub name: String,
    /// What it is.
    pub class: Class,
    /// What is not transparent: x0, y0, x1, y1. `None` where nothing is.
    pub ink: Option<[u32; 4]>,
    /// The box of the part, within the canvas. `None` where it is empty there.
    pub bounds: Option<[f64; 4]>,
    /// The same box in the scene.
    pub scene_box: Aabb,
    /// How far resvg's hairlines reach beyond their outline.
    pub hairline: f64,
}

impl Finding {
    /// How far the ink reaches beyond the box, in pixels, at most; infinite where there is ink and no box. Up to 1 is
    /// anti-aliasing. That much of hairlines is not counted which they are drawn too wide.
    pub fn excess(&self) -> f64 {
        self.raw_excess() - self.hairline
    }

    /// The same, hairlines as wide as they are drawn.
    pub fn raw_excess(&self) -> f64 {
        match (self.ink, self.bounds) {
            (None, _) => f64::NEG_INFINITY,
            (Some(_), None) => f64::INFINITY,
            (Some(ink), Some([x0, y0, x1, y1])) => {
                let [ink_x0, ink_y0, ink_x1, ink_y1] = ink.map(f64::from);
                (x0 - ink_x0).max(y0 - ink_y0).max(ink_x1 - x1).max(ink_y1 - y1)
            }
        }
    }

    /// The area of the box over that of the ink's extents. `None` where there is no ink.
    pub fn looseness(&self) -> Option<f64> {
        let area = |[x0, y0, x1, y1]: [f64; 4]| (x1 - x0) * (y1 - y0);
        Some(self.bounds.map_or(0.0, area) / area(self.ink?.map(f64::from)))
    }
}

/// The findings about at most `limit` leaves and a fifth as many groups of a drawing, evenly picked. An error says why there
/// are none.
pub fn findings(path: &Path, font_dirs: &[PathBuf], limit: usize) -> Result<Vec<Finding>, String> {
    let options = options(font_dirs);
    let scene = load_file(path, &options).map_err(|error| error.to_string())?;
    let text = scene.tree.to_string(&usvg::WriteOptions::default());
    let normalised = Normalised::new(&text)?;
    let picked = spread(normalised.leaves(), limit).chain(spread(normalised.groups(), limit.div_ceil(5)));
    picked
        .map(|part| {
            let alone = normalised.only(part);
            let name = format!("{} {}", path.display(), part.name);
            let scene = load(alone.as_bytes(), &options).map_err(|error| format!("{name}: {error}"))?;
            Ok(finding(&scene, part.class, name))
        })
        .collect()
}

/// The finding about a whole drawing.
pub fn finding_of_whole(path: &Path) -> Result<Finding, String> {
    let scene = load_file(path, &options(&[])).map_err(|error| error.to_string())?;
    Ok(finding(&scene, Class::Group, path.display().to_string()))
}

fn options(font_dirs: &[PathBuf]) -> Options {
    Options {
        fonts: Fonts::Bundled,
        font_dirs: font_dirs.to_vec(),
        clip_to_viewport: false,
        ..Options::default()
    }
}

fn finding(scene: &Scene, class: Class, name: String) -> Finding {
    let canvas = Canvas::around(scene);
    let scene_box = boxwood_cpu::boxes(&scene.elements).group_boxes[0];
    Finding {
        name,
        class,
        ink: canvas.ink(scene),
        bounds: (!scene_box.is_empty()).then(|| canvas.bounds(scene_box)).flatten(),
        scene_box,
        hairline: canvas.hairline(scene),
    }
}

/// At most `limit` of some things, evenly picked.
fn spread<T>(things: &[T], limit: usize) -> impl Iterator<Item = &T> {
    let n = things.len().min(limit);
    (0..n).map(move |i| &things[i * things.len() / n])
}
