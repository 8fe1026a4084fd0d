//! The loss of a device: its driver has crashed, or the adapter is gone.

use std::sync::{Arc, OnceLock};

/// Whether a device is lost, with the reason.
#[derive(Clone, Debug, Default)]
pub(crate) struct Loss(Arc<OnceLock<String>>);

impl Loss {
    /// Watches a device. No one else can watch it then.
    pub(crate) fn watch(device: &wgpu::Device) -> Self {
        let loss = Self::default();
        let lost = loss.clone();
        device.set_device_lost_callback(move |reason, message| {
            lost.set(if message.is_empty() { format!("{reason:?}") } else { message });
        });
        loss
    }

    /// The reason why the device is lost. `None` if it is not.
    pub(crate) fn reason(&self) -> Option<String> {
        self.0.get().cloned()
    }

    /// Records that the device is lost. The first reason counts.
    pub(super) fn set(&self, reason: String) {
        let _ = self.0.set(reason);
    }
}
