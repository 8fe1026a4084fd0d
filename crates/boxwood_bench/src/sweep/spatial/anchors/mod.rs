//! Code of other projects for the same tasks, in the same run and on the same inputs: a sort by
//! wgpu, and trees on one CPU core. The cargo feature `anchors` adds it.

mod sorts;
mod trees;

use boxwood::native::Gpu;
use lampshade::KeyValueSoaSorter;

use self::sorts::Lampshade;
use super::super::options::What;
use super::super::session::Session;
use super::query;
use crate::error::BenchError;
use crate::measure::Timer;

/// A second device of the adapter, with the features and limits by which lampshade sorts faster, if
/// the adapter has them.
pub(super) fn second_device(session: &Session<'_>) -> Result<Option<Gpu>, BenchError> {
    let Gpu { instance, adapter, device, .. } = session.gpu;
    let requirements = KeyValueSoaSorter::requirements(adapter);
    if !requirements.accelerated || !session.options.has(What::Sort) {
        return Ok(None);
    }
    let descriptor = wgpu::DeviceDescriptor {
        label: Some("boxwood.bench.second"),
        required_features: requirements.features(device.features()),
        required_limits: requirements.limits(device.limits()),
        ..Default::default()
    };
    let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))?;
    Ok(Some(Gpu { instance: instance.clone(), adapter: adapter.clone(), device, queue }))
}

/// What is kept from size to size.
pub(super) struct Anchors<'a> {
    lampshade: Vec<Lampshade<'a>>,
}

impl<'a> Anchors<'a> {
    /// `second` is the [`second_device`].
    pub(super) fn new<'s: 'a>(session: &Session<'s>, second: Option<&'a Gpu>) -> Result<Self, BenchError> {
        let options = session.options;
        let mut lampshade = Vec::new();
        if options.has(What::Sort) {
            lampshade.push(Lampshade::new("lampshade", session.gpu, None));
        }
        if let Some(gpu) = second {
            let timer = Timer::new(gpu, options.n_runs(), !options.quick)?;
            lampshade.push(Lampshade::new("lampshade, subgroups", gpu, Some(timer)));
        }
        Ok(Self { lampshade })
    }

    /// Measures all selected tasks with `n` items.
    pub(super) fn measure(&mut self, session: &mut Session<'_>, n: u32) -> Result<(), BenchError> {
        if session.options.has(What::Sort) {
            sorts::measure(session, &mut self.lampshade, n)?;
        }
        let has_trees = session.options.has(What::Index) || session.options.has(What::Query);
        if has_trees && n <= query::MAX_BOXES {
            trees::measure(session, n)?;
        }
        Ok(())
    }
}
