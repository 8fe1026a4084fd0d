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

    /// Vello's name of the buffer.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lines => "vello.lines_buf",
            Self::Binning => "vello.info_bin_data_buf",
            Self::Tiles => "vello.tile_buf",
            Self::SegmentCounts => "vello.seg_counts_buf",
            Self::Segments => "vello.segments_buf",
            Self::BlendSpill => "vello.blend_spill",
            Self::Commands => "vello.ptcl_buf",
        }
    }

    /// Bytes per item.
    pub fn stride(self) -> u64 {
        let size = match self {
            Self::Lines => size_of::<LineSoup>(),
            Self::Tiles => size_of::<Tile>(),
            Self::SegmentCounts => size_of::<SegmentCount>(),
            Self::Segments => size_of::<PathSegment>(),
            Self::Binning | Self::BlendSpill | Self::Commands => size_of::<u32>(),
        };
        size as u64
    }

    /// The field of the configuration with the number of items that the buffer holds.
    pub(crate) fn size_in(self, config: &mut ConfigUniform) -> &mut u32 {
        match self {
            Self::Lines => &mut config.lines_size,
            Self::Binning => &mut config.binning_size,
            Self::Tiles => &mut config.tiles_size,
            Self::SegmentCounts => &mut config.seg_counts_size,
            Self::Segments => &mut config.segments_size,
            Self::BlendSpill => &mut config.blend_size,
            Self::Commands => &mut config.ptcl_size,
        }
    }

    /// The number of items in front of the counted ones: bins share a buffer with the draw info.
    pub(crate) fn items_before(self, config: &ConfigUniform) -> u32 {
        if self == Self::Binning { config.layout.bin_data_start } else { 0 }
    }

    fn need_in(self, config: &ConfigUniform, counters: &BumpAllocators) -> u32 {
        match self {
            Self::Lines => counters.lines,
            Self::Binning => counters.binning,
            Self::Tiles => counters.tile,
            Self::SegmentCounts => counters.seg_counts,
            Self::Segments => counters.segments,
            Self::BlendSpill => counters.blend,
            Self::Commands => {
                let n_tiles = config.width_in_tiles.saturating_mul(config.height_in_tiles);
                n_tiles.saturating_mul(INITIAL_COMMANDS_PER_TILE).saturating_add(counters.ptcl)
            }
        }
    }
}

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
            need: buffer.need_in(&config, counters),
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
