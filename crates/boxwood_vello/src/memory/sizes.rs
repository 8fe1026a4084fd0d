//! The sizes of the buffers that Vello fills by bump allocation.

use boxwood::max_binding_size;
use vello::low_level::{Command, Recording, ResourceProxy};
use vello_encoding::ConfigUniform;

use crate::bump::{BumpBuffer, Overflow, Usage};
use crate::error::Error;
use crate::recording::change_config;

/// The sizes of the buffers. They grow, and do not shrink unless a frame fails.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes([Size; BumpBuffer::ALL.len()]);

#[derive(Clone, Copy, Debug)]
struct Size {
    /// The number of items of the buffer, or 0 for Vello's choice.
    items: u32,
    /// Whether it may be smaller than Vello's choice.
    may_be_smaller: bool,
}

impl Sizes {
    /// These numbers of items, and Vello's choice for the other buffers.
    pub(crate) fn new(initial_items: &[(BumpBuffer, u32)]) -> Self {
        Self(BumpBuffer::ALL.map(|buffer| {
            let initial = initial_items.iter().find(|(own, _)| *own == buffer);
            Size { items: initial.map_or(0, |(_, n)| *n.max(&1)), may_be_smaller: initial.is_some() }
        }))
    }

    /// The sizes after every buffer that was too small has grown to the next power of two of what
    /// the frame needs, or to the largest size that the device can bind.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if the device cannot hold the buffer.
    pub(crate) fn grown(
        mut self,
        usage: &Usage,
        config: &ConfigUniform,
        limits: &wgpu::Limits,
    ) -> Result<Self, Overflow> {
        let max_bytes = max_binding_size(limits);
        for (size, fill) in self.0.iter_mut().zip(usage.0) {
            if fill.need <= fill.size {
                continue;
            }
            // `apply` makes as much room for segments as for counted ones, and they take more
            // bytes.
            let stride = match fill.buffer {
                BumpBuffer::SegmentCounts => BumpBuffer::Segments.stride(),
                buffer => buffer.stride(),
            };
            let max = (max_bytes / stride).saturating_sub(fill.buffer.items_before(config).into());
            let wanted = u64::from(fill.need).next_power_of_two().min(max);
            if wanted < u64::from(fill.need) {
                return Err(Overflow(fill));
            }
            // An earlier frame may have grown it further.
            size.items = size.items.max(u32::try_from(wanted).unwrap_or(u32::MAX));
        }
        Ok(self)
    }

    /// Writes the sizes into a recording, and returns its configuration.
    pub(crate) fn apply(&self, recording: &mut Recording) -> Result<ConfigUniform, Error> {
        let mut config = change_config(recording, |config| {
            for (Size { items, may_be_smaller }, buffer) in self.0.into_iter().zip(BumpBuffer::ALL) {
                let least = match buffer {
                    // The more draw info a scene has, the less room Vello leaves for bins, but each
                    // visible draw object is in at least one bin.
                    BumpBuffer::Binning if !may_be_smaller => config.layout.n_draw_objects.max(1),
                    // Vello checks only the counts, which come first in `BumpBuffer::ALL`.
                    BumpBuffer::Segments => config.seg_counts_size,
                    _ => 0,
                };
                let size = buffer.size_in(config);
                *size = if may_be_smaller { items } else { items.max(*size) }.max(least);
            }
        })?;
        for command in &mut recording.commands {
            let (Command::Dispatch(_, _, resources) | Command::DispatchIndirect(_, _, _, resources)) =
                command
            else {
                continue;
            };
            for resource in resources {
                let ResourceProxy::Buffer(proxy) = resource else { continue };
                if let Some(buffer) = BumpBuffer::ALL.into_iter().find(|own| own.name() == proxy.name) {
                    let items = u64::from(*buffer.size_in(&mut config));
                    proxy.size = buffer.stride() * (items + u64::from(buffer.items_before(&config)));
                }
            }
        }
        Ok(config)
    }
}
