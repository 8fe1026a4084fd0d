//! What resvg inks of a leaf or a group of an SVG drawing, held against its clipped box.
//!
//! The drawing is normalised by usvg first, which resolves everything that would change with a neighbour: bounding-box units,
//! `use`, CSS, text. Then all else is taken out of the text and the rest is loaded and drawn, in the middle of a canvas of three
//! times the viewport's width and height.

mod ink;
mod isolate;
mod table;

use boxwood_cpu::Aabb;
use boxwood_svg::{Drawing, Fonts, Options, load, load_file};
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
    let drawing = load_file(path, &options).map_err(|error| error.to_string())?;
    let text = drawing.tree.to_string(&usvg::WriteOptions::default());
    let normalised = Normalised::new(&text)?;
    let picked = spread(normalised.leaves(), limit).chain(spread(normalised.groups(), limit.div_ceil(5)));
    picked
        .map(|part| {
            let alone = normalised.only(part);
            let name = format!("{} {}", path.display(), part.name);
            let drawing = load(alone.as_bytes(), &options).map_err(|error| format!("{name}: {error}"))?;
            Ok(finding(&drawing, part.class, name))
        })
        .collect()
}

/// The finding about a whole drawing.
pub fn finding_of_whole(path: &Path) -> Result<Finding, String> {
    let drawing = load_file(path, &options(&[])).map_err(|error| error.to_string())?;
    Ok(finding(&drawing, Class::Group, path.display().to_string()))
}

fn options(font_dirs: &[PathBuf]) -> Options {
    Options {
        fonts: Fonts::Bundled,
        font_dirs: font_dirs.to_vec(),
        clip_to_viewport: false,
        ..Options::default()
    }
}

fn finding(drawing: &Drawing, class: Class, name: String) -> Finding {
    let canvas = Canvas::around(drawing);
    let scene_box = boxwood_cpu::boxes(&drawing.elements).group_boxes[0];
    Finding {
        name,
        class,
        ink: canvas.ink(drawing),
        bounds: (!scene_box.is_empty()).then(|| canvas.bounds(scene_box)).flatten(),
        scene_box,
        hairline: canvas.hairline(drawing),
    }
}

/// At most `limit` of some things, evenly picked.
fn spread<T>(things: &[T], limit: usize) -> impl Iterator<Item = &T> {
    let n = things.len().min(limit);
    (0..n).map(move |i| &things[i * things.len() / n])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(svg: &str) -> Vec<Finding> {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let path = folder.path().join("a.svg");
        std::fs::write(&path, svg).expect("there is room for a file");
        findings(&path, &[], 50).expect("it is a drawing")
    }

    #[test]
    fn each_leaf_and_group_is_found_alone() {
        let found = of(r##"<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200">
            <mask id="m" maskUnits="userSpaceOnUse" x="0" y="0" width="20" height="90"><rect width="90" height="90" fill="white"/></mask>
            <clipPath id="c"><circle cx="50" cy="50" r="10"/></clipPath>
            <filter id="f"><feOffset dx="-100"/></filter>
            <rect x="-20" y="10" width="60" height="20"/><path d="M10 100H90" stroke="red" stroke-width="8"/>
            <g clip-path="url(#c)"><rect width="90" height="90"/><rect x="45" width="9" height="90"/></g>
            <rect mask="url(#m)" width="50" height="50"/>
            <rect x="150" y="150" filter="url(#f)" width="10" height="10"/></svg>"##);
        let ink_of = |class| found.iter().filter(move |f| f.class == class).map(|f| f.ink);
        // The viewport is in the middle of the canvas.
        let at = |[x0, y0, x1, y1]: [u32; 4]| Some([x0 + 200, y0 + 200, x1 + 200, y1 + 200]);
        assert_eq!(ink_of(Class::Plain).collect::<Vec<_>>(), [Some([180, 210, 240, 230])]);
        assert_eq!(ink_of(Class::Stroked).collect::<Vec<_>>(), [at([10, 96, 90, 104])]);
        assert_eq!(ink_of(Class::Clipped).collect::<Vec<_>>(), [at([40, 40, 60, 60]), at([45, 40, 54, 60])]);
        assert_eq!(ink_of(Class::Masked).collect::<Vec<_>>(), [at([0, 0, 20, 50])]);
        assert_eq!(ink_of(Class::Filtered).collect::<Vec<_>>(), [None]);
        assert_eq!(ink_of(Class::Group).next(), Some(at([40, 40, 60, 60])));
        assert!(found.iter().all(|finding| finding.excess() <= 1.0), "{found:#?}");
    }

    #[test]
    fn ink_outside_of_a_box_is_told() {
        let found = of(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><rect width="50" height="50"/></svg>"#,
        );
        let [finding] = &found[..] else { panic!("one leaf: {found:?}") };
        assert_eq!((finding.excess(), finding.looseness()), (0.0, Some(1.0)));
        let with = |bounds| Finding { bounds, ..finding.clone() };
        for (side, bounds) in [
            [203.0, 200.0, 250.0, 250.0],
            [200.0, 203.0, 250.0, 250.0],
            [200.0, 200.0, 247.0, 250.0],
            [200.0, 200.0, 250.0, 247.0],
        ]
        .into_iter()
        .enumerate()
        {
            let mut table = Table::default();
            table.extend([with(Some(bounds))]);
            assert_eq!(with(Some(bounds)).excess(), 3.0, "side {side}");
            assert_eq!((table.beyond(2.0).len(), table.beyond(3.0).len()), (1, 0), "side {side}");
        }
        assert_eq!(with(None).excess(), f64::INFINITY);
        assert_eq!(with(Some([200.0, 200.0, 300.0, 250.0])).looseness(), Some(2.0));
    }
}
