//! What pictures cost: times on the CPU and the GPU, and the use of the renderer's buffers.

mod series;
mod slowest;
mod stages;

use boxwood::Limits;
use boxwood_render::{PictureCosts, Running};
use wgpu_profiler::GpuTimerQueryResult;

pub(crate) use series::Series;
pub(crate) use slowest::{Slowest, slowest};
pub(crate) use stages::{stage_info, stage_title};

/// The facts about the adapter and its device.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AdapterFacts {
    /// The name, the kind, and the driver.
    pub(crate) name: String,
    /// Whether the device has timestamps.
    pub(crate) has_timestamps: bool,
    pub(crate) limits: Limits,
}

impl AdapterFacts {
    pub(crate) fn new(gpu: &boxwood::native::Gpu) -> Self {
        let info = gpu.adapter.get_info();
        let timers = wgpu::Features::TIMESTAMP_QUERY | wgpu::Features::TIMESTAMP_QUERY_INSIDE_PASSES;
        Self {
            name: format!("{} ({:?}, {})", info.name, info.backend, info.driver_info),
            has_timestamps: gpu.device.features().contains(timers),
            limits: boxwood::SceneBoxes::limits_of(&gpu.device),
        }
    }
}

/// The costs of the last pictures.
#[derive(Debug)]
pub(crate) struct Performance {
    pub(crate) adapter: AdapterFacts,
    /// The series of times on the CPU, in the order of their first values.
    pub(crate) cpu: Vec<(String, Series)>,
    /// The same on the GPU.
    pub(crate) gpu: Vec<(String, Series)>,
    /// The costs of the last picture.
    pub(crate) last: PictureCosts,
    /// The times until the last picture was cancelled. Empty if it is complete.
    pub(crate) cancelled: PictureCosts,
    /// The stages of the work that is going on.
    pub(crate) running: Running,
}

impl Performance {
    pub(crate) fn new(adapter: AdapterFacts) -> Self {
        Self {
            adapter,
            cpu: Vec::new(),
            gpu: Vec::new(),
            last: PictureCosts::default(),
            cancelled: PictureCosts::default(),
            running: Running::default(),
        }
    }

    /// Adds the costs of a picture. Dispatches with the same name are summed up.
    pub(crate) fn add(&mut self, costs: PictureCosts) {
        for (name, time) in &costs.cpu {
            series(&mut self.cpu, name).add(time.as_secs_f64());
        }
        let mut sums: Vec<(&str, f64)> = Vec::new();
        let mut open: Vec<&GpuTimerQueryResult> = costs.gpu.iter().rev().collect();
        while let Some(query) = open.pop() {
            open.extend(query.nested_queries.iter().rev());
            let Some(time) = &query.time else { continue };
            let seconds = time.end - time.start;
            match sums.iter_mut().find(|(name, _)| *name == query.label) {
                Some((_, sum)) => *sum += seconds,
                None => sums.push((&query.label, seconds)),
            }
        }
        for (name, seconds) in sums {
            series(&mut self.gpu, name).add(seconds);
        }
        self.last = costs;
        self.cancelled = PictureCosts::default();
    }

    /// Keeps the times of the picture that has just been cancelled.
    pub(crate) fn cancel(&mut self) {
        let stages = self.running.ended();
        let cpu = stages.iter().map(|time| (time.stage, time.time)).collect();
        self.cancelled = PictureCosts { cpu, ..PictureCosts::default() };
    }

    /// Forgets the times of the drawing before.
    pub(crate) fn restart(&mut self) {
        self.clear();
        self.last = PictureCosts::default();
        self.cancelled = PictureCosts::default();
    }

    /// Forgets the series of times. The costs of the last picture stay.
    pub(crate) fn clear(&mut self) {
        self.cpu.clear();
        self.gpu.clear();
    }
}

/// The series with a name, which is added if there is none.
fn series<'s>(all: &'s mut Vec<(String, Series)>, name: &str) -> &'s mut Series {
    let found = all.iter().position(|(known, _)| known == name);
    let index = found.unwrap_or_else(|| {
        all.push((name.to_owned(), Series::default()));
        all.len() - 1
    });
    &mut all[index].1
}

#[cfg(test)]
pub(crate) mod tests {
    use std::time::Duration;

    use super::*;

    /// The time of a dispatch, from 0.
    pub(crate) fn query(
        label: &str,
        seconds: f64,
        nested_queries: Vec<GpuTimerQueryResult>,
    ) -> GpuTimerQueryResult {
        let (pid, tid) = (1, std::thread::current().id());
        GpuTimerQueryResult { label: label.to_owned(), pid, tid, time: Some(0.0..seconds), nested_queries }
    }

    /// The performance on an adapter with or without timestamps.
    pub(crate) fn performance(has_timestamps: bool) -> Performance {
        let limits = Limits { max_entries: 500, max_elements: 1000 };
        Performance::new(AdapterFacts { name: "an adapter".to_owned(), has_timestamps, limits })
    }

    #[test]
    fn dispatches_with_the_same_name_are_summed_up_in_the_order_of_the_frame() {
        let mut performance = performance(true);
        let nested = || vec![query("fine", 3.0, Vec::new()), query("coarse", 2.0, Vec::new())];
        for _ in 0..2 {
            let gpu = vec![query("frame", 6.0, nested()), query("frame", 5.0, nested())];
            let cpu = vec![("draw", Duration::from_millis(7))];
            performance.add(PictureCosts { cpu, gpu, ..PictureCosts::default() });
        }
        let found: Vec<_> = performance
            .gpu
            .iter()
            .map(|(name, series)| (name.as_str(), series.median(), series.len()))
            .collect();
        assert_eq!(found, [("frame", Some(11.0), 2), ("fine", Some(6.0), 2), ("coarse", Some(4.0), 2)]);
        assert_eq!(performance.cpu[0].1.median(), Some(0.007));
        performance.clear();
        assert!(performance.gpu.is_empty() && performance.cpu.is_empty());
        assert!(slowest(&performance.last).is_some(), "the last picture is still shown");
        performance.restart();
        assert!(slowest(&performance.last).is_none(), "the last picture was of another drawing");
    }
}
