//! The spatial stages, by every algorithm.

#[cfg(feature = "anchors")]
mod anchors;
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

use boxwood::Context;
use boxwood::papers::stream_reduction::StreamReductionPipelines;

use super::options::What;
use super::session::Session;
use crate::error::BenchError;

/// The maximum size in a quick sweep, as a logarithm to base 2. Some families have pairs and layers
/// whose number grows with the square of the size.
const QUICK_MAX: u32 = 12;

pub(super) fn measure(session: &mut Session<'_>) -> Result<(), BenchError> {
    let context = Context::new(&session.gpu.device);
    let reductions = StreamReductionPipelines::new(&Context::new(&session.gpu.device));
    #[cfg(feature = "anchors")]
    let second = anchors::second_device(session)?;
    #[cfg(feature = "anchors")]
    let mut anchors = anchors::Anchors::new(session, second.as_ref())?;
    let stages: [(What, Measure); 10] = [
        (What::Scan, expand::measure),
        (What::Index, index::measure),
        (What::Pairs, pairs::measure),
        (What::Query, query::measure),
        (What::Reorder, reorder::measure),
        (What::Select, select::measure),
        (What::Search, search::measure),
        (What::Sort, sort::measure),
        (What::Layers, layers::measure),
        (What::Tiles, tiles::measure),
    ];
    let max = if session.options.quick { QUICK_MAX } else { session.options.max };
    for k in session.options.sizes(max) {
        for (what, measure) in stages {
            if session.options.has(what) {
                measure(session, &context, 1 << k)?;
            }
        }
        if session.options.has(What::StreamReduction) {
            stream_reduction::measure(session, &reductions, k)?;
        }
        #[cfg(feature = "anchors")]
        anchors.measure(session, 1 << k)?;
    }
    Ok(())
}

/// Measures a stage with a number of items.
type Measure = fn(&mut Session<'_>, &Context, u32) -> Result<(), BenchError>;
