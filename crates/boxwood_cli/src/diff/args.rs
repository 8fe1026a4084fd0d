//! The arguments of `boxwood diff`.

use std::path::PathBuf;

use boxwood_cpu::TileGrid;
use boxwood_render::Background;
use clap::Args;

use crate::device::BackendArgs;
use crate::input::{Input, LoadArgs};
use crate::json::RowFormat;
use crate::numbers::{width, zoom};
use crate::render::background;
use crate::watch::WatchArg;

const EXAMPLES: &str = "\
Examples:
  # Print the elements that differ, and the damage
  boxwood diff old.svg new.svg

  # Also draw the new drawing with the damage and the boxes of the changes
  boxwood diff old.svg new.svg -o changes.png --zoom 2

  # List the drawings of two folders that differ, or are in one of them only
  boxwood diff old/ new/

  # Compare a drawing with its last committed version
  git show HEAD:logo.svg | boxwood diff - logo.svg

  # Print the rectangles that a renderer has to draw again
  boxwood diff old.svg new.svg --format json |
    jq -c '.files[].damage.rectangles[]'";

/// The largest side of a tile, which is that of the largest picture.
const MAX_TILE: u32 = super::damage::MAX_SIDE;

/// Print what differs between two SVG drawings
///
/// Prints the elements that differ, with their clipped boxes in px of the scene. Elements with the
/// same id are compared with each other. Of the others, those with the same contents at the same
/// place are, then those without an id and with the same contents in the same order, and then those
/// with the same path in the document.
///
/// An element has `appeared` or `vanished`; it has `moved` if its clipped box differs; it was
/// `repainted` if its outline, its paint or an effect around it differs, but not its box; and it
/// was `reordered` if only its place in the paint order differs. A change of a gradient, clip path,
/// symbol or style sheet is a change of everything that uses it. Elements that paint no pixel of
/// the canvas in either drawing are left out.
///
/// A group whose own transform differs is listed before its contents, which are listed as well. A
/// group that gains or loses an effect is `repainted`, or `moved` if its clipped box differs.
///
/// The damage is disjoint rectangles of whole pixels of the scene. Every pixel that differs is in
/// one of them. They consist of whole tiles.
///
/// If the sizes of the drawings differ, `canvas` has both. The damage is then within the larger one
/// in each direction, and a smaller drawing is transparent there.
///
/// Two folders are compared by the paths of the drawings in them. A drawing that is in one folder
/// only is reported. A table leaves out the drawings that are the same.
///
/// The exit code is 0 if nothing differs, 1 if something does, and 2 after an error.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = EXAMPLES, override_usage = "boxwood diff [OPTIONS] <OLD> <NEW>")]
pub(crate) struct DiffArgs {
    /// The old drawing: an SVG or SVGZ file, a folder, or - for standard input
    ///
    /// A drawing from standard input has no images in other files, because it is in no folder.
    #[arg(value_name = "OLD")]
    pub(super) old: Input,
    /// The new drawing, or a folder
    #[arg(value_name = "NEW")]
    pub(super) new: Input,
    #[command(flatten)]
    pub(super) watch: WatchArg,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: RowFormat,
    /// Draw the new drawing, the damage and the boxes of the changes into this PNG file
    ///
    /// resvg draws on the CPU. Everything outside of the damage is dimmed.
    #[arg(short, long, value_name = "OUT.png")]
    pub(super) output: Option<PathBuf>,
    /// Width of this picture in pixels; the height is in proportion
    #[arg(long, value_name = "W", conflicts_with = "zoom", requires = "output", allow_negative_numbers = true,
        value_parser = width)]
    pub(super) width: Option<u32>,
    /// Pixels of this picture per CSS pixel [default: 1]
    #[arg(long, value_name = "Z", requires = "output", allow_negative_numbers = true, value_parser = zoom)]
    pub(super) zoom: Option<f64>,
    /// What is behind this picture: checker, none, or a CSS colour
    #[arg(long, value_name = "COLOUR", default_value = "checker", value_parser = background, hide_short_help = true)]
    pub(super) background: Background,
    /// Maximum number of rectangles of damage, from 1 to 16
    ///
    /// Tiles are doubled in size until there are so few.
    #[arg(long, value_name = "N", default_value_t = MAX_RECTANGLES, hide_short_help = true,
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_RECTANGLES)))]
    pub(super) max_rectangles: u32,
    /// Side of a tile in px, a power of two
    ///
    /// A large canvas has larger tiles: there are at most 256 in each direction.
    #[arg(long, value_name = "PX", default_value_t = 16, hide_short_help = true, value_parser = tile)]
    tile: u32,
    #[command(flatten)]
    pub(super) backend: BackendArgs,
    #[command(flatten)]
    pub(super) load: LoadArgs,
}

/// The largest number of rectangles that stage *damage* computes on a GPU.
const MAX_RECTANGLES: u32 = 16;

impl DiffArgs {
    /// The tiles of a canvas.
    pub(super) fn grid(&self, [width, height]: [u32; 2]) -> TileGrid {
        let smallest = width.max(height).div_ceil(TileGrid::MAX_TILES);
        let lg_tile = self.tile.max(smallest).next_power_of_two().ilog2();
        TileGrid { width, height, lg_tile }
    }
}

/// Parses the side of a tile.
fn tile(text: &str) -> Result<u32, &'static str> {
    let side = text.parse().ok().filter(|side: &u32| side.is_power_of_two() && *side <= MAX_TILE);
    side.ok_or("it must be a power of two, at most 16777216")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_of_a_tile_is_a_power_of_two() {
        assert_eq!(["1", "16", "16777216"].map(tile), [Ok(1), Ok(16), Ok(1 << 24)]);
        assert!(["", "0", "3", "-4", "33554432"].into_iter().all(|text| tile(text).is_err()));
    }
}
