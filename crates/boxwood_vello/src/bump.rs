//! The buffers that Vello fills to a size that is not known beforehand.
//!
//! Each has a counter, which goes on counting where the buffer is full. Vello never looks at them: a scene that overflows one is not
//! drawn, or in part.

use vello::low_level::{Command, Recording, ResourceProxy};
use vello_encoding::{BumpAllocators, ConfigUniform};

use crate::error::Error;
use crate::plan;

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
        match self {
            Self::Lines | Self::Segments => 24,
            Self::Tiles | Self::SegmentCounts => 8,
            Self::Binning | Self::BlendSpill | Self::Commands => 4,
        }
    }

    fn size_in(self, config: &mut ConfigUniform) -> &mut u32 {
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

/// The sizes of the buffers, which grow and never shrink. 0 is Vello's own.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sizes([u32; BumpBuffer::ALL.len()]);

impl Sizes {
    /// Makes every buffer that was too small as large as the frame needs, with some to spare.
    ///
    /// # Errors
    ///
    /// A buffer that the device cannot hold.
    pub(crate) fn grow(
        &mut self,
        usage: &Usage,
        config: &ConfigUniform,
        limits: &wgpu::Limits,
    ) -> Result<(), Overflow> {
        let max_bytes = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        for (size, fill) in self.0.iter_mut().zip(usage.0) {
            if fill.need <= fill.size {
                continue;
            }
            let info = if fill.buffer == BumpBuffer::Binning { config.layout.bin_data_start } else { 0 };
            let max = (max_bytes / fill.buffer.stride()).saturating_sub(info.into());
            let wanted = u64::from(fill.need).next_power_of_two().min(max);
            if wanted < u64::from(fill.need) {
                return Err(Overflow(fill));
            }
            *size = u32::try_from(wanted).unwrap_or(u32::MAX);
        }
        // Each piece is counted, then drawn; Vello checks the count alone.
        let [.., counts, segments, _, _] = &mut self.0;
        *segments = (*segments).max(*counts);
        Ok(())
    }

    /// Puts the sizes that are larger than Vello's into a recording, and gives the configuration that it then has.
    pub(crate) fn apply(&self, recording: &mut Recording) -> Result<ConfigUniform, Error> {
        let mut config = plan::config(recording)?;
        // Vello's binning buffer has the draw info of the scene in front, and holds less the more there is.
        let own = self
            .0
            .iter()
            .zip(BumpBuffer::ALL)
            .filter(|(size, buffer)| **size > *buffer.size_in(&mut config.clone()));
        let own: Vec<(u32, BumpBuffer)> = own.map(|(size, buffer)| (*size, buffer)).collect();
        for &(size, buffer) in &own {
            *buffer.size_in(&mut config) = size;
        }
        if own.is_empty() {
            return Ok(config);
        }
        for command in &mut recording.commands {
            match command {
                Command::UploadUniform(proxy, bytes) if proxy.name == "vello.config" => {
                    *bytes = bytemuck::bytes_of(&config).to_vec();
                }
                Command::Dispatch(_, _, resources) | Command::DispatchIndirect(_, _, _, resources) => {
                    for resource in resources {
                        let ResourceProxy::Buffer(proxy) = resource else { continue };
                        if let Some((size, buffer)) = own.iter().find(|(_, b)| b.name() == proxy.name) {
                            let info =
                                if *buffer == BumpBuffer::Binning { config.layout.bin_data_start } else { 0 };
                            proxy.size = buffer.stride() * (u64::from(*size) + u64::from(info));
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(config)
    }
}
