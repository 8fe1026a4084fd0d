//! Rectangles of a picture.

use kurbo::Rect;

/// A rectangle of a picture, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    pub(crate) corner: [u32; 2],
    pub(crate) size: [u32; 2],
}

impl Region {
    /// A whole picture of this size.
    pub(crate) fn whole(size: [u32; 2]) -> Self {
        Self { corner: [0, 0], size }
    }

    /// The squares that tile the region, row by row. Those at the right and the bottom are cut.
    pub(crate) fn squares(self, side: u32) -> impl Iterator<Item = Self> {
        let Self { corner: [left, top], size: [width, height] } = self;
        let steps = move |length| (0..length).step_by(side as usize);
        let corners = steps(height).flat_map(move |y| steps(width).map(move |x| [x, y]));
        corners.map(move |[x, y]| Self {
            corner: [left + x, top + y],
            size: [(width - x).min(side), (height - y).min(side)],
        })
    }

    pub(crate) fn rect(self) -> Rect {
        let [left, top] = self.corner.map(f64::from);
        let [width, height] = self.size.map(f64::from);
        Rect::new(left, top, left + width, top + height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_tile_a_region_and_are_cut_at_its_ends() {
        let region = Region { corner: [5, 7], size: [20, 16] };
        let squares: Vec<_> = region.squares(16).collect();
        let right = Region { corner: [21, 7], size: [4, 16] };
        assert_eq!(squares, [Region { corner: [5, 7], size: [16, 16] }, right]);
        assert_eq!(region.squares(32).collect::<Vec<_>>(), [region]);
    }
}
