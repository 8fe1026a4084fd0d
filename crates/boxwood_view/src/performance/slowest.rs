//! The stage that takes the largest part of a picture's time.

use std::time::Duration;

use boxwood_render::PictureCosts;
use wgpu_profiler::GpuTimerQueryResult;

use super::stages::{StageInfo, WAITS, stage_info};

/// The stage that takes the largest part of a picture's time.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Slowest {
    /// What the stage does.
    pub(crate) purpose: &'static str,
    /// Where to look for the reason. May be empty.
    pub(crate) advice: String,
    /// The time of the stage in seconds.
    pub(crate) seconds: f64,
    /// The time of the whole picture in seconds.
    pub(crate) total_seconds: f64,
}

/// The stage with the largest time, of those whose purpose is known.
pub(crate) fn slowest(costs: &PictureCosts) -> Option<Slowest> {
    let total: Duration = costs.cpu.iter().map(|(_, time)| *time).sum();
    let mut sums: Vec<(&'static StageInfo, f64)> = Vec::new();
    let mut add = |stage: &str, seconds: f64| {
        let Some(info) = stage_info(stage) else { return };
        match sums.iter_mut().find(|(known, _)| known.purpose == info.purpose) {
            Some((_, sum)) => *sum += seconds,
            None => sums.push((info, seconds)),
        }
    };
    let mut gpu_seconds = 0.0;
    let mut open: Vec<&GpuTimerQueryResult> = costs.gpu.iter().collect();
    let has_stages = !open.is_empty();
    while let Some(query) = open.pop() {
        open.extend(&query.nested_queries);
        if let (Some(time), []) = (&query.time, &query.nested_queries[..]) {
            add(&query.label, time.end - time.start);
            gpu_seconds += time.end - time.start;
        }
    }
    // During these two, the GPU works.
    let is_for_gpu = |stage: &str| has_stages && matches!(stage, "draw" | "read back");
    let mut waited = Duration::ZERO;
    for (stage, time) in &costs.cpu {
        if is_for_gpu(stage) {
            waited += *time;
        } else {
            add(stage, time.as_secs_f64());
        }
    }
    // The clocks differ, so the difference may be a little below 0.
    add(WAITS, (waited.as_secs_f64() - gpu_seconds).max(0.0));
    let (StageInfo { purpose, advice, .. }, seconds) =
        sums.into_iter().filter(|(_, sum)| *sum > 0.0).max_by(|a, b| a.1.total_cmp(&b.1))?;
    let total_seconds = total.as_secs_f64().max(seconds);
    Some(Slowest { purpose, advice: advice.text(), seconds, total_seconds })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::performance::tests::query;

    fn cpu(stages: [(&'static str, u64); 3]) -> Vec<(&'static str, Duration)> {
        stages.map(|(stage, ms)| (stage, Duration::from_millis(ms))).to_vec()
    }

    #[test]
    fn the_slowest_stage_is_the_one_with_the_largest_sum() {
        let nested =
            || vec![query("vello.fine_area", 0.3, Vec::new()), query("vello.coarse", 0.4, Vec::new())];
        // The last part has many pixels.
        let mut gpu =
            vec![query("render_to_texture", 0.7, nested()), query("render_to_texture", 0.7, nested())];
        gpu.push(query("vello.fine_area", 0.5, Vec::new()));
        let cpu = cpu([("images", 200), ("draw", 1900), ("read back", 100)]);
        let slowest =
            slowest(&PictureCosts { cpu, gpu, ..PictureCosts::default() }).expect("there are stages");
        assert_eq!(slowest.purpose, "painting pixels");
        assert!(
            (slowest.seconds - 1.1).abs() < 1e-9 && (slowest.total_seconds - 2.2).abs() < 1e-9,
            "{slowest:?}"
        );
    }

    #[test]
    fn images_and_pictures_without_timestamps_have_a_slowest_stage_too() {
        let words = |cpu| {
            let costs = PictureCosts { cpu, ..PictureCosts::default() };
            slowest(&costs).map(|slowest| slowest.purpose)
        };
        assert_eq!(
            words(cpu([("images", 9), ("draw", 3), ("read back", 1)])),
            Some("drawing images, filters, and patterns on the CPU")
        );
        assert_eq!(words(cpu([("images", 1), ("draw", 3), ("read back", 1)])), Some("drawing on the GPU"));
        assert_eq!(words(Vec::new()), None);
    }

    #[test]
    fn a_gpu_that_is_idle_most_of_the_time_is_not_the_slowest() {
        let gpu = vec![query("vello.fine_area", 0.2, Vec::new()), query("vello.coarse", 0.1, Vec::new())];
        let costs = PictureCosts {
            cpu: cpu([("images", 300), ("draw", 700), ("read back", 200)]),
            gpu,
            ..PictureCosts::default()
        };
        let slowest = slowest(&costs).expect("there are stages");
        assert_eq!(slowest.purpose, "recording and waiting, outside of the stages of the GPU");
        assert!((slowest.seconds - 0.6).abs() < 1e-9, "{slowest:?}");
    }
}
