//! The spatial stages, by every algorithm.

mod expand;
mod index;
mod layers;
mod pairs;
mod query;
mod reorder;
mod search;
mod select;
mod sort;
mod stream_reduction;
mod tiles;

use boxwood::papers::stream_reduction::StreamReductionPipelines;
use boxwood::spatial::SpatialPipelines;

use super::session::Session;
use crate::error::BenchError;
use crate::inputs::Random;

pub(super) fn measure(session: &mut Session<'_>) -> Result<(), BenchError> {
    let pipelines = SpatialPipelines::new(&session.gpu.device);
    let reductions = StreamReductionPipelines::new(&session.gpu.device);
    for k in session.options.sizes(session.options.max) {
        let n = 1_u32 << k;
        expand::measure(session, &pipelines, n)?;
        index::measure(session, &pipelines, n)?;
        pairs::measure(session, &pipelines, n)?;
        query::measure(session, &pipelines, n)?;
        reorder::measure(session, &pipelines, n)?;
        select::measure(session, &pipelines, n)?;
        search::measure(session, &pipelines, n)?;
        sort::measure(session, &pipelines, n)?;
        stream_reduction::measure(session, &reductions, k)?;
        layers::measure(session, &pipelines, n)?;
        tiles::measure(session, &pipelines, n)?;
    }
    Ok(())
}

fn word(random: &mut Random) -> u32 {
    u32::try_from(random.bits() >> 32).expect("the upper half has 32 bits")
}
