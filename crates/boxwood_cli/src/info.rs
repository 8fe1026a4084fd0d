//! `boxwood info`: what a report of a bug needs.

use std::io::Write;

use anyhow::Result;
use boxwood::Buffers;
use boxwood::native::{Gpu, GpuError};
use boxwood::testing::WORKGROUP_SIZE;
use boxwood::wgpu::AdapterInfo;

use crate::args::InfoArgs;
use crate::output::Stdout;
use crate::report::Report;

/// Prints versions, adapters and limits.
pub(crate) fn info(args: &InfoArgs, report: &mut Report) -> Result<()> {
    let mut out = Stdout::lock();
    writeln!(out, "boxwood {}", env!("CARGO_PKG_VERSION"))?;
    writeln!(out, "with {}", env!("BOXWOOD_VERSIONS"))?;
    writeln!(out, "on {} {}", std::env::consts::OS, std::env::consts::ARCH)?;

    writeln!(out, "\nadapters")?;
    let adapters = Gpu::adapters();
    if adapters.is_empty() {
        writeln!(out, "  none: boxes are computed on the CPU, windows and checks are not possible")?;
        writeln!(out, "  {}", GpuError::NoAdapter)?;
    }
    let opened = Gpu::open(args.adapter.adapter.as_deref());
    let chosen = opened.as_ref().ok().map(|gpu| gpu.adapter.get_info());
    for adapter in &adapters {
        let mark = if chosen.as_ref() == Some(adapter) { "*" } else { " " };
        writeln!(out, "{mark} {}", describe(adapter))?;
    }

    writeln!(out, "\nlimits")?;
    match opened {
        Ok(gpu) => {
            let limits = gpu.device.limits();
            let binding = limits.max_storage_buffer_binding_size;
            let elements = Buffers::limits_of(&gpu.device).max_elements;
            writeln!(out, "  elements in a scene          {elements}")?;
            writeln!(out, "  storage binding              {binding} bytes")?;
            writeln!(out, "  buffer                       {} bytes", limits.max_buffer_size)?;
            let workgroup = limits.max_compute_workgroup_storage_size;
            writeln!(out, "  workgroup memory             {workgroup} bytes")?;
            let invocations = limits.max_compute_invocations_per_workgroup;
            writeln!(out, "  invocations in a workgroup   {invocations} (Boxwood takes {WORKGROUP_SIZE})")?;
            let texture = limits.max_texture_dimension_2d;
            writeln!(out, "  side of a picture            {texture} px")?;
        }
        Err(error) if !adapters.is_empty() => report.error(error),
        Err(_) => {}
    }
    Ok(())
}

fn describe(adapter: &AdapterInfo) -> String {
    let AdapterInfo { name, backend, device_type, driver, driver_info, .. } = adapter;
    format!("{name}: {backend}, {device_type:?}, driver {driver} {driver_info}").trim_end().to_owned()
}
