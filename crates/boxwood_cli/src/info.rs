//! `boxwood info`: the facts that a bug report needs.

use std::io::Write;

use anyhow::Result;
use boxwood::native::{Gpu, GpuError};
use boxwood::{SceneBoxes, WORKGROUP_SIZE};

use boxwood::wgpu::AdapterInfo;
use clap::Args;

use crate::device::{AdapterArg, Device, GPU_PAYS_FROM};
use crate::output::Stdout;
use crate::report::Report;

const EXAMPLES: &str = "\
Examples:
  # Print versions, adapters and the limits of the best adapter
  boxwood info

  # Print the limits of another adapter
  boxwood info --adapter llvmpipe";

/// Print versions, adapters and limits, for bug reports
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct InfoArgs {
    #[command(flatten)]
    adapter: AdapterArg,
}

/// Prints versions, adapters and limits.
pub(crate) fn info(args: &InfoArgs, report: &mut Report) -> Result<()> {
    let mut out = Stdout::lock();
    writeln!(out, "boxwood {}", env!("CARGO_PKG_VERSION"))?;
    writeln!(out, "with {}", env!("BOXWOOD_VERSIONS"))?;
    writeln!(out, "on {} {}", std::env::consts::OS, std::env::consts::ARCH)?;

    writeln!(out, "\nadapters")?;
    let adapters = Gpu::adapters();
    if adapters.is_empty() {
        writeln!(out, "  none: boxes are computed on the CPU, and `view` and `check` do not work")?;
        writeln!(out, "  {}", GpuError::NoAdapter)?;
    }
    let opened = Device::open(&args.adapter);
    let chosen = opened.as_ref().ok().map(|device| device.gpu.adapter.get_info());
    for adapter in &adapters {
        let mark = if chosen.as_ref() == Some(adapter) { "*" } else { " " };
        let AdapterInfo { name, backend, device_type, driver, driver_info, .. } = adapter;
        let line = format!("{mark} {name}: {backend}, {device_type:?}, driver {driver} {driver_info}");
        writeln!(out, "{}", line.trim_end())?;
    }

    writeln!(out, "\nlimits")?;
    match opened {
        Ok(device) => {
            let (gpu, use_by_query) = (&device.gpu, use_by_query(&device));
            let limits = gpu.device.limits();
            let invocations = limits.max_compute_invocations_per_workgroup;
            for (name, value) in [
                ("elements in a scene", SceneBoxes::limits_of(&gpu.device).max_elements.to_string()),
                ("storage binding", format!("{} bytes", limits.max_storage_buffer_binding_size)),
                ("buffer", format!("{} bytes", limits.max_buffer_size)),
                ("workgroup memory", format!("{} bytes", limits.max_compute_workgroup_storage_size)),
                ("invocations in a workgroup", format!("{invocations} (Boxwood uses {WORKGROUP_SIZE})")),
                ("side of a picture", format!("{} px", limits.max_texture_dimension_2d)),
                ("used by query", use_by_query),
            ] {
                writeln!(out, "  {name:<28} {value}")?;
            }
        }
        Err(error) if !adapters.is_empty() => report.error(anyhow::Error::from(error)),
        Err(_) => {}
    }
    Ok(())
}

/// When `query` uses the device, unless the arguments name a back end.
fn use_by_query(device: &Device) -> String {
    if device.is_software() {
        return "no: the CPU computes the same boxes faster".to_owned();
    }
    format!("from {GPU_PAYS_FROM} elements (it takes longer to open than smaller drawings take on the CPU)")
}
