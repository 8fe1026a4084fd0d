//! The picture of the changes.

use std::io::Cursor;

use anyhow::Result;
use boxwood_cpu::Aabb;
use boxwood_cpu::Rectangle;
use boxwood_render::{ChangeMark, Legend, PictureSize, RenderOptions, render_changes};
use boxwood_svg::{Change, ChangeKind, Drawing};
use image::ImageFormat;

use super::args::DiffArgs;
use super::damage::union;

impl DiffArgs {
    /// The new drawing with the damage and the boxes of the changes, as a PNG.
    ///
    /// # Errors
    ///
    /// It cannot be drawn.
    pub(super) fn picture(
        &self,
        drawings: [&Drawing; 2],
        changes: &[Change],
        rectangles: &[Rectangle],
    ) -> Result<Vec<u8>> {
        let options = RenderOptions {
            size: match (self.width, self.zoom) {
                (Some(width), _) => PictureSize::Width(width),
                (None, zoom) => PictureSize::Zoom(zoom.unwrap_or(1.0)),
            },
            background: self.background,
            legend: Legend::Below,
            ..RenderOptions::default()
        };
        let damage = rectangles.iter().map(|rectangle| (ChangeMark::Damage, bounds(*rectangle)));
        let marks: Vec<_> = damage.chain(changes.iter().flat_map(marks)).collect();
        let picture = render_changes(drawings[1], union(drawings), &marks, &options)?;
        let mut png = Cursor::new(Vec::new());
        picture.write_to(&mut png, ImageFormat::Png)?;
        Ok(png.into_inner())
    }
}

/// A rectangle of pixels as a box of the scene.
pub(super) fn bounds(Rectangle { x0, y0, x1, y1 }: Rectangle) -> Aabb {
    // The canvas has no larger coordinates than an `f32` has whole numbers.
    let [x0, y0, x1, y1] = [x0, y0, x1, y1].map(|edge| edge as f32);
    Aabb { x0, y0, x1, y1 }
}

fn marks(change: &Change) -> impl Iterator<Item = (ChangeMark, Aabb)> {
    let [old, new] = change.boxes;
    let marks = match change.kind {
        ChangeKind::Repainted | ChangeKind::Reordered => [None, Some((ChangeMark::Same, new))],
        ChangeKind::Appeared | ChangeKind::Vanished | ChangeKind::Moved => {
            [Some((ChangeMark::Old, old)), Some((ChangeMark::New, new))]
        }
    };
    marks.into_iter().flatten().filter(|(_, bounds)| !bounds.is_empty())
}
