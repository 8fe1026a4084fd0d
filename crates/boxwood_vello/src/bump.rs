//! The buffers that Vello fills by bump allocation.
//!
//! Vello chooses their sizes before it knows how many items a frame needs. Each buffer has a
//! counter that keeps counting when the buffer is full. Vello itself never reads the counters: it
//! leaves the picture of a frame that overflows a buffer unwritten and reports nothing.

use vello_encoding::{BumpAllocators, ConfigUniform, LineSoup, PathSegment, SegmentCount, Tile};

/// A buffer that Vello fills by bump allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BumpBuffer {
    /// The line segments of the flattened paths, 24 bytes each.
    Lines,
    /// The draw objects of each bin of 256 x 256 pixels, 4 bytes each.
    Binning,
    /// The tiles of 16 x 16 pixels of each path, 8 bytes each.
    Tiles,
    /// The line segments of each tile, as counted, 8 bytes each.
    SegmentCounts,
    /// The line segments of each tile, as drawn, 24 bytes each.
    Segments,
    /// The pixels of layers at depth five and deeper, 4 bytes each.
    BlendSpill,
    /// The drawing commands of each tile, in words of 4 bytes.
    Commands,
}

/// Vello's name of a buffer, the bytes of an item, the field of the configuration with the number
/// of items that it holds, and its counter.
type Row = (&'static str, usize, fn(&mut ConfigUniform) -> &mut u32, fn(&BumpAllocators) -> u32);

impl BumpBuffer {
    /// All buffers, in the order in which Vello fills them.
    pub const ALL: [Self; 7] = [
        Self::Lines,
        Self::Binning,
        Self::Tiles,
        Self::SegmentCounts,
        Self::Segments,
        Self::BlendSpill,
        Self::Commands,
    ];

    fn row(self) -> Row {
        match self {
            Self::Lines => ("vello.lines_buf", size_of::<LineSoup>(), |c| &mut c.lines_size, |n| n.lines),
            Self::Binning => ("vello.info_bin_data_buf", WORD, |c| &mut c.binning_size, |n| n.binning),
            Self::Tiles => ("vello.tile_buf", size_of::<Tile>(), |c| &mut c.tiles_size, |n| n.tile),
            Self::SegmentCounts => {
                let stride = size_of::<SegmentCount>();
                ("vello.seg_counts_buf", stride, |c| &mut c.seg_counts_size, |n| n.seg_counts)
            }
            Self::Segments => {
                ("vello.segments_buf", size_of::<PathSegment>(), |c| &mut c.segments_size, |n| n.segments)
            }
            Self::BlendSpill => ("vello.blend_spill", WORD, |c| &mut c.blend_size, |n| n.blend),
            Self::Commands => ("vello.ptcl_buf", WORD, |c| &mut c.ptcl_size, |n| n.ptcl),
        }
    }

    /// Vello's name of the buffer.
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// Bytes per item.
    pub fn stride(self) -> u64 {
        self.row().1 as u64
    }

    /// The field of the configuration with the number of items that the buffer holds.
    pub(crate) fn size_in(self, config: &mut ConfigUniform) -> &mut u32 {
        self.row().2(config)
    }

    /// The number of items in front of those that the size includes: bins share a buffer with the
    /// draw info.
    pub(crate) fn items_before(self, config: &ConfigUniform) -> u32 {
        if self == Self::Binning { config.layout.bin_data_start } else { 0 }
    }

    /// The number of items in front of the counted ones that the size includes: the first commands
    /// of each tile.
    fn counted_from(self, config: &ConfigUniform) -> u32 {
        let n_tiles = config.width_in_tiles.saturating_mul(config.height_in_tiles);
        if self == Self::Commands { n_tiles.saturating_mul(INITIAL_COMMANDS_PER_TILE) } else { 0 }
    }
}

const WORD: usize = size_of::<u32>();

/// The words that each tile of the picture has in the buffer of commands before any are allocated:
/// `PTCL_INITIAL_ALLOC` in Vello's `ptcl.wgsl`.
const INITIAL_COMMANDS_PER_TILE: u32 = 64;

/// The items that a frame needed of one buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fill {
    /// The buffer.
    pub buffer: BumpBuffer,
    /// The number of items that the frame needed. If an earlier buffer overflowed, Vello skipped
    /// work, and this number may be too low.
    pub need: u32,
    /// The number of items that the buffer holds.
    pub size: u32,
}

/// The items that a frame needed of each buffer that Vello fills by bump allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage(pub [Fill; BumpBuffer::ALL.len()]);

impl Usage {
    pub(crate) fn new(mut config: ConfigUniform, counters: &BumpAllocators) -> Self {
        Self(BumpBuffer::ALL.map(|buffer| Fill {
            buffer,
            need: buffer.counted_from(&config).saturating_add(buffer.row().3(counters)),
            size: *buffer.size_in(&mut config),
        }))
    }

    /// The items that the frame needed of `buffer`.
    pub fn of(&self, buffer: BumpBuffer) -> Fill {
        self.0.into_iter().find(|fill| fill.buffer == buffer).expect("every buffer is listed")
    }

    /// The first buffer that is too small, in the order in which Vello fills them.
    pub fn overflow(&self) -> Option<Overflow> {
        self.0.into_iter().find(|fill| fill.need > fill.size).map(Overflow)
    }
}

/// A buffer that Vello fills by bump allocation is too small for a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the scene needs {} items of {} bytes in Vello's buffer `{}`, which holds {}: \
     let the renderer grow its buffers with OnOverflow::Grow, or draw the scene in parts",
    .0.need, .0.buffer.stride(), .0.buffer.name(), .0.size
)]
pub struct Overflow(pub Fill);
