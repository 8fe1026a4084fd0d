//! How large the buffers are that Vello fills to a size that is not known beforehand.

use boxwood::max_binding_size;
use vello::low_level::{Command, Recording, ResourceProxy};
use vello_encoding::ConfigUniform;

use crate::bump::{BumpBuffer, Overflow, Usage};
use crate::error::Error;
use crate::plan;

/// The sizes of the buffers, which grow, and stay so unless the frame fails.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    /// As many items as they hold, or 0 where that is for Vello to say.
    items: [u32; BumpBuffer::ALL.len()],
    /// Whether each may be smaller than Vello's.
    may_be_smaller: [bool; BumpBuffer::ALL.len()],
}

impl Sizes {
    /// So many items for these, as many as Vello's for others.
    pub(crate) fn new(initial_items: &[(BumpBuffer, u32)]) -> Self {
        let initial = BumpBuffer::ALL.map(|b| initial_items.iter().find(|(own, _)| *own == b));
        Self {
            items: initial.map(|own| own.map_or(0, |&(_, n)| n.max(1))),
            may_be_smaller: initial.map(|own| own.is_some()),
        }
    }

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
        let max_bytes = max_binding_size(limits);
        for (size, fill) in self.items.iter_mut().zip(usage.0) {
            if fill.need <= fill.size {
                continue;
            }
            let max =
                (max_bytes / fill.buffer.stride()).saturating_sub(fill.buffer.items_before(config).into());
            let wanted = u64::from(fill.need).next_power_of_two().min(max);
            if wanted < u64::from(fill.need) {
                return Err(Overflow(fill));
            }
            *size = u32::try_from(wanted).unwrap_or(u32::MAX);
        }
        // Each piece is counted, then drawn; Vello checks the count alone.
        let [.., counts, segments, _, _] = &mut self.items;
        *segments = (*segments).max(*counts);
        Ok(())
    }

    /// Puts the sizes that are not Vello's into a recording, and gives the configuration that it then has.
    pub(crate) fn apply(&self, recording: &mut Recording) -> Result<ConfigUniform, Error> {
        let mut config = plan::config(recording)?;
        let mut own = Vec::new();
        for ((&size, may_be_smaller), buffer) in
            self.items.iter().zip(self.may_be_smaller).zip(BumpBuffer::ALL)
        {
            let least = least_items(buffer, &config);
            let place = buffer.size_in(&mut config);
            let wanted = if may_be_smaller { size } else { size.max(*place).max(least) };
            if wanted != *place {
                *place = wanted;
                own.push((wanted, buffer));
            }
        }
        if own.is_empty() {
            return Ok(config);
        }
        plan::set_config(recording, &config);
        for command in &mut recording.commands {
            if let Command::Dispatch(_, _, resources) | Command::DispatchIndirect(_, _, _, resources) =
                command
            {
                for resource in resources {
                    let ResourceProxy::Buffer(proxy) = resource else { continue };
                    if let Some((size, buffer)) = own.iter().find(|(_, b)| b.name() == proxy.name) {
                        let before = buffer.items_before(&config);
                        proxy.size = buffer.stride() * (u64::from(*size) + u64::from(before));
                    }
                }
            }
        }
        Ok(config)
    }
}

/// What a scene needs of a buffer before anything is counted. The more draw info it has, the less Vello leaves for the bins behind it,
/// but each draw object that shows is in one bin at least.
fn least_items(buffer: BumpBuffer, config: &ConfigUniform) -> u32 {
    if buffer == BumpBuffer::Binning { config.layout.n_draw_objects.max(1) } else { 0 }
}
