//! Where boxes are computed: on a GPU or on the CPU.

use anyhow::{Result, bail};
use boxwood::native::{Gpu, GpuError};
use boxwood::{Boxes, Buffers, LimitsError, Pipelines, Scene, read_back};
use clap::{Args, ValueEnum};

use crate::input::Input;
use crate::report::Report;

/// A back end, as requested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum BackendArg {
    /// The best GPU, or the CPU if there is none
    #[default]
    Auto,
    /// A GPU; it is an error if there is none
    Gpu,
    /// The CPU
    Cpu,
}

/// Where boxes are computed.
#[derive(Debug, Args)]
pub(crate) struct BackendArgs {
    /// Where to compute
    #[arg(long, value_enum, default_value_t)]
    backend: BackendArg,
    #[command(flatten)]
    adapter: AdapterArg,
}

/// Which adapter is used.
#[derive(Debug, Args)]
pub(crate) struct AdapterArg {
    /// Use the best adapter with NAME in its name, ignoring case (`boxwood info` lists the
    /// adapters)
    #[arg(long = "adapter", value_name = "NAME")]
    pub(crate) name: Option<String>,
}

/// An open device.
pub(crate) struct Device {
    /// The device itself.
    pub(crate) gpu: Gpu,
    /// The name of its adapter.
    pub(crate) name: String,
    pipelines: Pipelines,
}

impl Device {
    /// Opens the requested adapter, or the best one.
    ///
    /// # Errors
    ///
    /// There is no such adapter, or it refuses to open a device.
    pub(crate) fn open(adapter: &AdapterArg) -> Result<Self, GpuError> {
        let gpu = Gpu::open(adapter.name.as_deref())?;
        let name = gpu.adapter.get_info().name;
        Ok(Self { pipelines: Pipelines::new(&gpu.device), gpu, name })
    }

    /// Computes all boxes.
    ///
    /// # Errors
    ///
    /// The scene is too large ([`LimitsError`]), or the device is lost.
    pub(crate) fn boxes(&self, scene: &Scene) -> Result<Boxes> {
        let Gpu { device, queue, .. } = &self.gpu;
        let buffers = Buffers::of(device, queue, &self.pipelines, scene)?;
        let mut encoder = device.create_command_encoder(&boxwood::wgpu::CommandEncoderDescriptor::default());
        buffers.record(&mut encoder);
        queue.submit([encoder.finish()]);
        Ok(read_back(device, queue, &buffers)?)
    }
}

/// The requested back end.
pub(crate) struct Backend {
    /// The device, or `None` if the CPU does the work.
    pub(crate) device: Option<Device>,
    /// Whether the GPU was requested, so that the CPU must not replace it.
    pub(crate) requires_gpu: bool,
}

impl Backend {
    /// Opens the requested back end.
    ///
    /// # Errors
    ///
    /// The GPU is required and cannot be opened, or the arguments ask for both an adapter and the
    /// CPU.
    pub(crate) fn open(args: &BackendArgs, report: &Report) -> Result<Self> {
        let BackendArgs { backend, adapter } = args;
        let requires_gpu = *backend == BackendArg::Gpu || adapter.name.is_some();
        let open = || Device::open(adapter).map_err(anyhow::Error::from);
        let note = |error: &_| report.note(format_args!("computing on the CPU: {error:#}"));
        let device = match backend {
            BackendArg::Cpu if requires_gpu => {
                bail!("--adapter names a GPU, but --backend is cpu: leave one of them out")
            }
            BackendArg::Cpu => None,
            _ if requires_gpu => Some(open()?),
            _ => open().inspect_err(note).ok(),
        };
        Ok(Self { device, requires_gpu })
    }

    /// Computes all boxes. Also returns the name of the adapter, unless the CPU computed them.
    ///
    /// # Errors
    ///
    /// The device is lost, or the GPU is required and the scene is too large for it.
    pub(crate) fn boxes(
        &self,
        scene: &Scene,
        input: &Input,
        report: &Report,
    ) -> Result<(Boxes, Option<&str>)> {
        if let Some(device) = &self.device {
            match device.boxes(scene) {
                Ok(boxes) => return Ok((boxes, Some(&device.name))),
                Err(error) => match error.downcast_ref() {
                    Some(limits) if !self.requires_gpu => {
                        report.note(format_args!("{input}: computing on the CPU: {}", reason(limits)));
                    }
                    _ => return Err(error),
                },
            }
        }
        Ok((boxwood_cpu::boxes(scene), None))
    }
}

/// The reason why a device cannot hold a scene. [`LimitsError`] also advises to use the CPU, which
/// the command does.
pub(crate) fn reason(error: &LimitsError) -> String {
    let (what, need, limit) = match error {
        LimitsError::Nodes { need, limit } => ("begins and ends of clips and blends", need, limit),
        LimitsError::Elements { need, limit } => ("elements", need, limit),
    };
    format!("the scene has {need} {what}, the limit of the device is {limit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_has_the_numbers_and_does_not_advise_to_use_the_cpu() {
        for error in [LimitsError::Nodes { need: 9, limit: 8 }, LimitsError::Elements { need: 9, limit: 8 }] {
            let reason = reason(&error);
            assert!(reason.contains('9') && reason.contains('8') && !reason.contains("CPU"), "{reason}");
        }
    }
}
