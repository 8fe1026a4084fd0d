//! Where boxes are computed, and pictures drawn: on a GPU or on the CPU.

use std::sync::{Mutex, OnceLock, PoisonError};

use anyhow::{Result, bail};
use boxwood::native::{Gpu, GpuError};
use boxwood::wgpu::DeviceType;
use boxwood::{Boxes, Context, LimitsError, Outputs, Scene, SceneBoxes, UpdateError};
use boxwood_render::CpuRenderer;
use boxwood_svg::Drawing;
use clap::{Args, ValueEnum};

use crate::input::Input;
use crate::report::Report;

/// A back end, as requested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum BackendArg {
    /// For `query`, the faster one: the CPU below 16 Mi (16777216) elements. For `render`, the best
    /// GPU, or the CPU if there is none
    #[default]
    Auto,
    /// A GPU; it is an error if there is none
    Gpu,
    /// The CPU; for `render`, with resvg
    Cpu,
    /// For `render` only: the CPU, with `vello_cpu`
    VelloCpu,
}

impl BackendArg {
    /// The name of a back end on the CPU.
    fn cpu_name(self) -> Option<&'static str> {
        match self {
            Self::Auto | Self::Gpu => None,
            Self::Cpu => Some("cpu"),
            Self::VelloCpu => Some("vello-cpu"),
        }
    }
}

/// Where boxes are computed, and pictures drawn.
#[derive(Clone, Debug, Args)]
pub(crate) struct BackendArgs {
    /// Where to compute
    #[arg(long, value_enum, default_value_t, hide_short_help = true)]
    backend: BackendArg,
    #[command(flatten)]
    adapter: AdapterArg,
}

/// The adapter that is used.
#[derive(Clone, Debug, Args)]
pub struct AdapterArg {
    /// Use the best adapter with NAME in its name, ignoring case (`boxwood info` lists the
    /// adapters)
    #[arg(long = "adapter", value_name = "NAME", hide_short_help = true)]
    pub name: Option<String>,
}

/// The number of elements from which `query` opens a GPU, unless the arguments name a back end.
///
/// Opening a device takes at least 100 ms, and one core computes boxes in 9 to 12 ns per element
/// (docs/benchmarks.md). A GPU needs about 5 ns per element to copy the scene there and the boxes
/// back. It therefore pays from 100 ms / (12 - 5) ns = 14 million to 100 ms / (9 - 5) ns = 25
/// million elements. Below that, opening would delay the boxes.
pub(crate) const GPU_PAYS_FROM: usize = 1 << 24;

/// An open device.
pub(crate) struct Device {
    /// The device itself.
    pub(crate) gpu: Gpu,
    /// The name of its adapter.
    pub(crate) name: String,
    context: Context,
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
        Ok(Self { context: Context::new(&gpu.device), gpu, name })
    }

    /// Whether the adapter runs on the CPU, where it is slower than [`boxwood_cpu`].
    pub(crate) fn is_software(&self) -> bool {
        self.gpu.adapter.get_info().device_type == DeviceType::Cpu
    }

    /// Computes all boxes.
    ///
    /// # Errors
    ///
    /// The scene is too large ([`LimitsError`]), or the device is lost.
    pub(crate) fn boxes(&self, scene: &Scene) -> Result<Boxes> {
        let Gpu { device, queue, .. } = &self.gpu;
        let mut buffers = SceneBoxes::new(&self.context, Outputs::all());
        buffers.update(queue, scene).map_err(|error| match error {
            // The caller computes on the CPU then.
            UpdateError::Limits(limits) => limits.into(),
            error => anyhow::Error::from(error),
        })?;
        let mut encoder = device.create_command_encoder(&boxwood::wgpu::CommandEncoderDescriptor::default());
        buffers.record(&mut encoder);
        queue.submit([encoder.finish()]);
        Ok(buffers.read_back(queue)?)
    }
}

/// The requested back end. It opens a device when the first drawing needs one.
pub(crate) struct Backend {
    args: BackendArgs,
    /// The device, or `None` if the CPU does the work. Empty before the first drawing needs it.
    device: OnceLock<Option<Device>>,
    /// Held while the device computes, so that it has the buffers of one scene only.
    busy: Mutex<()>,
}

impl Backend {
    /// The requested back end. Opens a device if the GPU is required.
    ///
    /// # Errors
    ///
    /// The GPU is required and cannot be opened, the arguments ask for both an adapter and the CPU,
    /// or they name a renderer.
    pub(crate) fn new(args: &BackendArgs) -> Result<Self> {
        if args.backend == BackendArg::VelloCpu {
            bail!("--backend vello-cpu only draws pictures, with `render`: use --backend cpu");
        }
        Self::for_pictures(args)
    }

    /// The requested back end for pictures. Opens a device if the GPU is required.
    ///
    /// # Errors
    ///
    /// The GPU is required and cannot be opened, or the arguments ask for both an adapter and the
    /// CPU.
    pub(crate) fn for_pictures(args: &BackendArgs) -> Result<Self> {
        let backend = Self { args: args.clone(), device: OnceLock::new(), busy: Mutex::default() };
        if backend.requires_gpu() {
            if let Some(name) = args.backend.cpu_name() {
                bail!("--adapter names a GPU, but --backend is {name}: leave one of them out");
            }
            _ = backend.device.set(Some(Device::open(&args.adapter)?));
        }
        Ok(backend)
    }

    /// Whether the GPU was requested, so that the CPU must not replace it.
    pub(crate) fn requires_gpu(&self) -> bool {
        self.args.backend == BackendArg::Gpu || self.args.adapter.name.is_some()
    }

    /// The renderer of pictures on the CPU.
    pub(crate) fn cpu_renderer(&self) -> CpuRenderer {
        if self.args.backend == BackendArg::VelloCpu { CpuRenderer::VelloCpu } else { CpuRenderer::Resvg }
    }

    /// The device, which is opened by the first call. `None` if the CPU does the work.
    pub(crate) fn device(&self, report: &mut Report) -> Option<&Device> {
        let note = |error: &_| report.note(format_args!("computing on the CPU: {error:#}"));
        let open = || Device::open(&self.args.adapter).map_err(anyhow::Error::from).inspect_err(note).ok();
        let device = self.device.get_or_init(|| self.args.backend.cpu_name().is_none().then(open).flatten());
        device.as_ref()
    }

    /// Computes the boxes of a drawing on the GPU if it is required or faster. Returns the name of
    /// the adapter then. Otherwise, the drawing computes them on the CPU when they are needed.
    ///
    /// # Errors
    ///
    /// The device is lost, or the GPU is required and the scene is too large for it.
    pub(crate) fn prepare_boxes(
        &self,
        drawing: &Drawing,
        input: &Input,
        report: &mut Report,
    ) -> Result<Option<&str>> {
        let scene = &drawing.elements;
        let gpu_pays = self.requires_gpu() || scene.len() >= GPU_PAYS_FROM;
        if let Some(device) = gpu_pays.then(|| self.device(report)).flatten()
            && (self.requires_gpu() || !device.is_software())
        {
            let _reserved = self.busy.lock().unwrap_or_else(PoisonError::into_inner);
            match device.boxes(scene) {
                Ok(boxes) => {
                    drawing.keep_boxes(boxes);
                    return Ok(Some(&device.name));
                }
                Err(error) => match error.downcast_ref() {
                    Some(limits) if !self.requires_gpu() => {
                        report.note(format_args!("{input}: computing on the CPU: {}", reason(limits)));
                    }
                    _ => return Err(error),
                },
            }
        }
        Ok(None)
    }
}

/// The reason why a device cannot hold a scene. [`LimitsError`] also advises to use the CPU, which
/// the command does.
pub(crate) fn reason(error: &LimitsError) -> String {
    let (what, need, limit) = match error {
        LimitsError::Entries { need, limit } => ("begins and ends of clips and blends", need, limit),
        LimitsError::Elements { need, limit } => ("elements", need, limit),
        LimitsError::Device { .. } | LimitsError::MoreEntriesThanElements { .. } => return error.to_string(),
    };
    format!("the scene has {need} {what}, the limit of the device is {limit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_has_the_numbers_and_does_not_advise_to_use_the_cpu() {
        for error in [LimitsError::Entries { need: 9, limit: 8 }, LimitsError::Elements { need: 9, limit: 8 }]
        {
            let reason = reason(&error);
            assert!(reason.contains('9') && reason.contains('8') && !reason.contains("CPU"), "{reason}");
        }
    }
}
