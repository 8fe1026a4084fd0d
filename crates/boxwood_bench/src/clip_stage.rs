//! The clip stage inside Vello's pipeline, on Vello's buffers: Vello's own and Boxwood's, which reads and writes the same.

use std::cell::{Cell, RefCell};

use boxwood::Pipelines;
use boxwood::native::Gpu;
use boxwood_vello::ClipPass;

use crate::error::BenchError;
use crate::session::{Measured, Session};
use crate::vello::{ClipStage, ClipStream, FAMILY, MAX as VELLO_MAX};

/// The largest stream, as the logarithm to base 2.
const MAX: u32 = 20;

pub(crate) fn measure(session: &mut Session<'_>) -> Result<(), BenchError> {
    let gpu = session.gpu;
    let Gpu { device, queue, .. } = gpu;
    let vello = ClipStage::new(gpu);
    let pipelines = Pipelines::new(device);
    let boxwood = RefCell::new(ClipPass::new(device));
    for k in session.options.sizes(MAX) {
        let stream = ClipStream::new(gpu, 1 << k);
        let add = |session: &mut Session<'_>, variant, seconds| {
            let is_right = stream.is_right(gpu)?;
            session.add(&Measured {
                what: "clip_stage",
                n: stream.n,
                family: FAMILY,
                variant,
                seconds,
                bytes_each: None,
                is_right,
            });
            Ok::<_, BenchError>(())
        };
        if k <= VELLO_MAX {
            let seconds = vello.time(session, &stream)?;
            add(session, "vello", seconds)?;
        }
        let too_many = Cell::new(None);
        let seconds = session.timer.time(|pass| {
            let (layout, buffers) = (&stream.config.layout, &stream.buffers);
            let recorded = boxwood.borrow_mut().record_in(device, queue, &pipelines, pass, layout, buffers);
            if let Err(error) = recorded {
                too_many.set(Some(error));
            }
        })?;
        if let Some(error) = too_many.take() {
            return Err(error.into());
        }
        add(session, "boxwood", seconds)?;
    }
    Ok(())
}
