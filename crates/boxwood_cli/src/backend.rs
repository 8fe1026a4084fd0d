//! Where boxes are computed.

use std::cell::OnceCell;

use anyhow::Result;
use boxwood::LimitsError;
use boxwood::native::{Gpu, GpuError};
use boxwood::{Buffers, Pipelines, read_back};
use boxwood_cpu::{Boxes, Scene};

use crate::args::BackendArgs;
use crate::choices::BackendArg;
use crate::input::Input;
use crate::report::Report;

/// A device that is ready to compute.
pub(crate) struct Device {
    /// The device itself.
    pub(crate) gpu: Gpu,
    /// The stages, compiled when first used: pictures have their own.
    pipelines: OnceCell<Pipelines>,
    /// The name of its adapter.
    pub(crate) name: String,
}

impl Device {
    /// The best adapter, or the best whose name holds `name`.
    ///
    /// # Errors
    ///
    /// There is none, or it gives no device.
    pub(crate) fn open(name: Option<&str>) -> Result<Self, GpuError> {
        let gpu = Gpu::open(name)?;
        let name = gpu.adapter.get_info().name;
        Ok(Self { gpu, pipelines: OnceCell::new(), name })
    }

    /// Computes all boxes.
    ///
    /// # Errors
    ///
    /// A scene that is too large ([`LimitsError`]); a device that is lost.
    pub(crate) fn boxes(&self, elements: &Scene) -> Result<Boxes> {
        let Gpu { device, queue, .. } = &self.gpu;
        let pipelines = self.pipelines.get_or_init(|| Pipelines::new(device));
        let buffers = Buffers::of(device, queue, pipelines, elements)?;
        let mut encoder = device.create_command_encoder(&boxwood::wgpu::CommandEncoderDescriptor {
            label: Some("boxwood.boxes"),
        });
        buffers.record(&mut encoder);
        queue.submit([encoder.finish()]);
        Ok(read_back(device, queue, &buffers)?)
    }
}

/// The back end that the user wants, opened when first used.
pub(crate) struct Backend<'a> {
    wish: BackendArg,
    adapter: Option<&'a str>,
    /// Whether a device was looked for, and which was found. Where none is wanted or needed, the CPU does the work.
    device: Option<Option<Device>>,
}

impl<'a> Backend<'a> {
    /// A back end that is not open yet.
    ///
    /// # Errors
    ///
    /// An adapter is named, but the CPU is asked for.
    pub(crate) fn new(args: &'a BackendArgs) -> Result<Self> {
        let adapter = args.adapter.adapter.as_deref();
        if args.backend == BackendArg::Cpu && adapter.is_some() {
            anyhow::bail!("--adapter names a GPU, but --backend is cpu: leave one of them out");
        }
        // An adapter that is asked for by name must be there.
        let wish = if adapter.is_some() { BackendArg::Gpu } else { args.backend };
        Ok(Self { wish, adapter, device: None })
    }

    /// The device, or nothing where the CPU does the work. Looks for one when first called.
    ///
    /// # Errors
    ///
    /// A device is insisted on and there is none.
    pub(crate) fn device(&mut self, report: &Report) -> Result<Option<&Device>> {
        if self.device.is_none() {
            self.device = Some(match self.wish {
                BackendArg::Cpu => None,
                BackendArg::Gpu => Some(Device::open(self.adapter)?),
                BackendArg::Auto => Device::open(None)
                    .inspect_err(|error| report.note(format_args!("computing on the CPU: {error}")))
                    .ok(),
            });
        }
        Ok(self.device.as_ref().and_then(Option::as_ref))
    }

    /// Whether a device is insisted on, rather than the CPU where it cannot do the work.
    pub(crate) fn is_strict(&self) -> bool {
        self.wish == BackendArg::Gpu
    }

    /// Computes all boxes, and says on which adapter, if on one.
    ///
    /// # Errors
    ///
    /// The device is lost, or the scene is too large for it and it is insisted on.
    pub(crate) fn boxes(
        &mut self,
        elements: &Scene,
        input: &Input,
        report: &Report,
    ) -> Result<(Boxes, Option<&str>)> {
        let is_strict = self.is_strict();
        if let Some(device) = self.device(report)? {
            match device.boxes(elements) {
                Ok(boxes) => return Ok((boxes, Some(&device.name))),
                Err(error) if !is_strict && error.is::<LimitsError>() => {
                    let error = error.downcast_ref().expect("the guard has looked");
                    report.note(format_args!("computing on the CPU: {}: {input}", reason(error)));
                }
                Err(error) => return Err(error),
            }
        }
        Ok((boxwood_cpu::boxes(elements), None))
    }
}

/// Why a device cannot hold a scene, where the CPU already does what the error itself advises.
pub(crate) fn reason(error: &LimitsError) -> String {
    match error {
        LimitsError::Nodes { need, limit } => {
            format!(
                "the scene has {need} begins and ends of clips and blends, the limit on this device is {limit}"
            )
        }
        LimitsError::Elements { need, limit } => {
            format!("the scene has {need} elements, the limit on this device is {limit}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_the_cpu_computes_it_is_not_advised() {
        for error in [LimitsError::Nodes { need: 9, limit: 8 }, LimitsError::Elements { need: 9, limit: 8 }] {
            let reason = reason(&error);
            assert!(reason.contains('9') && reason.contains('8') && !reason.contains("CPU"), "{reason}");
        }
    }
}
