//! The buffers that Vello fills to a size that is not known beforehand.
//!
//! Each has a counter, which goes on counting where the buffer is full. Vello never looks at them: a scene that overflows one
//! is not drawn, or in part.

use vello_encoding::{BumpAllocators, ConfigUniform, LineSoup, PathSegment, SegmentCount, Tile};

/// One of the buffers that Vello fills to a size not known beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BumpBuffer {
    /// The line segments that paths are flattened to, 24 bytes each.
    Lines,
    /// The draw objects of each bin of 256 x 256 pixels, 4 bytes each.
    Binning,
    /// The tiles of 16 x 16 pixels of each path, 8 bytes each.
    Tiles,
    /// The pieces of line segments that tiles cut, 8 bytes each.
    SegmentCounts,
    /// The same as what is drawn, 24 bytes each.
    Segments,
    /// The pixels of layers nested deeper than four, 4 bytes each.
    BlendSpill,
    /// What is to be done for each tile, in words of 4 bytes.
    Commands,
}

impl BumpBuffer {
    /// Every one of them.
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

    /// Bytes of an item.
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

    /// How many items there are in front of those that are counted.
    pub(crate) fn items_before(self, config: &ConfigUniform) -> u32 {
        if self == Self::Binning { config.layout.bin_data_start } else { 0 }
    }

    fn need_in(self, config: &ConfigUniform, bump: &BumpAllocators) -> u32 {
        match self {
            Self::Lines => bump.lines,
            Self::Binning => bump.binning,
            Self::Tiles => bump.tile,
            Self::SegmentCounts => bump.seg_counts,
            Self::Segments => bump.segments,
            Self::BlendSpill => bump.blend,
            Self::Commands => {
                let n_tiles = config.width_in_tiles.saturating_mul(config.height_in_tiles);
                n_tiles.saturating_mul(COMMANDS_OF_A_TILE).saturating_add(bump.ptcl)
            }
        }
    }
}

/// The words that each tile of the picture has in the buffer of commands before any is allocated.
const COMMANDS_OF_A_TILE: u32 = 64;

/// How much a frame took of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fill {
    /// The buffer.
    pub buffer: BumpBuffer,
    /// How many items the frame needed. After a buffer that was too small, those of later stages may be too few.
    pub need: u32,
    /// How many items the buffer holds.
    pub size: u32,
}

/// How much a frame took of every buffer that Vello fills to a size not known beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage(pub [Fill; BumpBuffer::ALL.len()]);

impl Usage {
    pub(crate) fn new(mut config: ConfigUniform, bump: &BumpAllocators) -> Self {
        Self(BumpBuffer::ALL.map(|buffer| Fill {
            buffer,
            need: buffer.need_in(&config, bump),
            size: *buffer.size_in(&mut config),
        }))
    }

    /// How much the frame took of this one.
    pub fn of(&self, buffer: BumpBuffer) -> Fill {
        self.0.into_iter().find(|fill| fill.buffer == buffer).expect("it has every buffer")
    }

    /// The first buffer that is too small, in the order of the pipeline.
    pub fn overflow(&self) -> Option<Overflow> {
        self.0.into_iter().find(|fill| fill.need > fill.size).map(Overflow)
    }
}

/// One of the buffers that Vello fills to a size not known beforehand is too small for a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the scene needs {} items of {} bytes in Vello's buffer `{}`, which holds {}: \
     let the renderer grow its buffers with OnOverflow::Grow, or draw the scene in parts",
    .0.need, .0.buffer.stride(), .0.buffer.name(), .0.size
)]
pub struct Overflow(pub Fill);
