//! The boxes of an SVG drawing compared with the pixels that resvg paints.
//!
//! usvg first normalises the drawing, which resolves everything that depends on a neighbour:
//! bounding-box units, `use`, CSS, and text. Then each leaf or group is drawn alone, in the middle
//! of a canvas of three times the viewport's width and height.

mod hits;
mod ink;
mod isolate;
mod table;

use std::fmt;
use std::path::{Path, PathBuf};

use boxwood_cpu::Aabb;
use boxwood_svg::{Drawing, Options, load, load_file};
use resvg::usvg;

pub use hits::{HitFinding, hit_findings};
use ink::Canvas;
pub use isolate::Class;
use isolate::Normalised;
pub use table::Table;

use crate::chain;

/// The ink and the box of a leaf or group, in pixels of the canvas.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The file of the drawing.
    pub path: PathBuf,
    /// The part of the drawing: `leaf` or `group` and its number, in document order of the
    /// normalised drawing, or `whole`.
    pub part: String,
    /// The class of the part.
    pub class: Class,
    /// The extents of the pixels that are not transparent: x0, y0, x1, y1. `None` if there are
    /// none.
    pub ink: Option<[u32; 4]>,
    /// The box of the part, clamped to the canvas. `None` if it is empty there.
    pub bounds: Option<[f64; 4]>,
    /// The box of the part, in scene space.
    pub scene_box: Aabb,
    /// The distance by which resvg's hairlines extend beyond their outline.
    pub hairline: f64,
}

impl Finding {
    /// The maximum distance by which the ink extends beyond the box, in pixels. Up to 1 is
    /// anti-aliasing. Infinite if there is ink and no box.
    ///
    /// The excess width of resvg's hairlines does not count.
    pub fn excess(&self) -> f64 {
        self.excess_with_hairlines() - self.hairline
    }

    /// The same, including the excess width of resvg's hairlines.
    pub fn excess_with_hairlines(&self) -> f64 {
        match (self.ink, self.bounds) {
            (None, _) => f64::NEG_INFINITY,
            (Some(_), None) => f64::INFINITY,
            (Some(ink), Some([x0, y0, x1, y1])) => {
                let [ink_x0, ink_y0, ink_x1, ink_y1] = ink.map(f64::from);
                (x0 - ink_x0).max(y0 - ink_y0).max(ink_x1 - x1).max(ink_y1 - y1)
            }
        }
    }

    /// The area of the box divided by the area of the ink's extents. `None` if there is no ink.
    pub fn looseness(&self) -> Option<f64> {
        let area = |[x0, y0, x1, y1]: [f64; 4]| (x1 - x0) * (y1 - y0);
        Some(self.bounds.map_or(0.0, area) / area(self.ink?.map(f64::from)))
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} ({:?})", self.path.display(), self.part, self.class)
    }
}

/// The findings for at most `limit` leaves and a fifth as many groups of a drawing, evenly spread.
///
/// # Errors
///
/// A message with the path if the drawing, or a part of it, does not load.
pub fn findings(path: &Path, options: &Options, limit: usize) -> Result<Vec<Finding>, String> {
    let options = Options { clip_to_viewport: false, ..options.clone() };
    let drawing = load_file(path, &options).map_err(|error| chain(&error))?;
    let text = drawing.tree.to_string(&usvg::WriteOptions::default());
    let normalised = Normalised::new(&text).map_err(|error| format!("{error}: {}", path.display()))?;
    let parts = spread(normalised.leaves(), limit).chain(spread(normalised.groups(), limit.div_ceil(5)));
    parts
        .map(|part| {
            let alone = normalised.only(part);
            let drawing = load(alone.as_bytes(), &options)
                .map_err(|error| format!("{}: {}, {}", chain(&error), path.display(), part.name))?;
            Ok(finding(&drawing, path, part.class, &part.name))
        })
        .collect()
}

/// The finding for a whole drawing.
///
/// # Errors
///
/// A message with the path if the drawing does not load.
pub fn finding_of_whole(path: &Path, options: &Options) -> Result<Finding, String> {
    let options = Options { clip_to_viewport: false, ..options.clone() };
    let drawing = load_file(path, &options).map_err(|error| chain(&error))?;
    Ok(finding(&drawing, path, Class::Group, "whole"))
}

fn finding(drawing: &Drawing, path: &Path, class: Class, part: &str) -> Finding {
    let canvas = Canvas::around(drawing);
    let scene_box = boxwood_cpu::specification::boxes(&drawing.elements).group_boxes[0];
    Finding {
        path: path.to_owned(),
        part: part.to_owned(),
        class,
        ink: canvas.ink(drawing),
        bounds: (!scene_box.is_empty()).then(|| canvas.bounds(scene_box)).flatten(),
        scene_box,
        hairline: canvas.hairline(drawing),
    }
}

/// At most `limit` of the items, evenly spread.
fn spread<T>(items: &[T], limit: usize) -> impl Iterator<Item = &T> {
    let n = items.len().min(limit);
    (0..n).map(move |i| &items[i * items.len() / n])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::own_options;

    fn findings_in(svg: &str) -> Vec<Finding> {
        let folder = tempfile::tempdir().expect("a folder can be created");
        let path = folder.path().join("a.svg");
        std::fs::write(&path, svg).expect("the file can be written");
        findings(&path, &own_options(), 50).expect("the drawing loads")
    }

    #[test]
    fn each_leaf_and_group_is_isolated() {
        let found = findings_in(
            r##"<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200">
            <mask id="m" maskUnits="userSpaceOnUse" x="0" y="0" width="20" height="90"><rect width="90" height="90" fill="white"/></mask>
            <clipPath id="c"><circle cx="50" cy="50" r="10"/></clipPath>
            <filter id="f"><feOffset dx="-100"/></filter>
            <rect x="-20" y="10" width="60" height="20"/><path d="M10 100H90" stroke="red" stroke-width="8"/>
            <g clip-path="url(#c)"><rect width="90" height="90"/><rect x="45" width="9" height="90"/></g>
            <rect mask="url(#m)" width="50" height="50"/>
            <rect x="150" y="150" filter="url(#f)" width="10" height="10"/></svg>"##,
        );
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
    fn ink_outside_a_box_is_reported() {
        let found = findings_in(
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
