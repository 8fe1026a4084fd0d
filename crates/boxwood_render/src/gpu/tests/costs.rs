//! The costs of a picture, and the methods of antialiasing.

use boxwood_vello::BumpBuffer;
use vello::AaConfig;
use wgpu_profiler::GpuProfiler;

use super::*;

#[test]
fn a_picture_has_times_and_the_use_of_the_buffers() {
    let gpu =
        Gpu::open_with_features(None, GpuProfiler::ALL_WGPU_TIMER_FEATURES).expect("tests need an adapter");
    let mut painter = Painter::new(&gpu).expect("the adapter runs the renderer");
    painter.set_drawing(&drawing(40, 24, r#"<circle cx="20" cy="12" r="9"/>"#)).expect("it is small");
    let paint = |painter: &mut Painter, antialiasing| {
        let picture = painter.paint(&Frame { antialiasing, ..plain_frame([40, 24]) }).expect("it is small");
        (painter.read(&picture).expect("the device answers"), painter.take_costs())
    };
    let (area, costs) = paint(&mut painter, AaConfig::Area);
    let names: Vec<_> = costs.cpu.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["images", "draw", "overlay"]);
    assert_eq!(costs.n_parts, 1);
    let running = |painter: &Painter| -> Vec<_> {
        painter.running().stages().iter().map(|time| (time.stage, time.n_parts)).collect()
    };
    let stages = [("images", 0), ("draw", 1), ("overlay", 0)];
    assert_eq!(running(&painter), stages, "whoever waits sees the same stages");
    let usage = costs.usage.expect("the painter waits for the counters");
    assert!((1..1000).contains(&usage.of(BumpBuffer::Lines).need), "{usage:?}");
    let has_timestamps = gpu.device.features().contains(GpuProfiler::ALL_WGPU_TIMER_FEATURES);
    assert_eq!(!costs.gpu.is_empty(), has_timestamps, "{:?}", costs.gpu);
    if let Some(frame) = costs.gpu.first() {
        assert!(frame.nested_queries.iter().any(|query| query.label.contains("fine")), "{frame:?}");
    }
    let (samples, again) = paint(&mut painter, AaConfig::Msaa16);
    let [images, rest @ ..] = stages;
    let with_shaders = [&[images, ("shaders", 0)], &rest[..]].concat();
    assert_eq!(running(&painter), with_shaders, "the stages of the last picture, which needs other shaders");
    assert_eq!(!again.gpu.is_empty(), has_timestamps);
    let differences = || area.pixels().zip(samples.pixels()).map(|(a, b)| a.0[0].abs_diff(b.0[0]));
    // 16 samples resolve a sixteenth of a pixel, and edges differ by a few of them.
    assert!(differences().any(|difference| difference > 0), "another method of antialiasing");
    assert!(differences().all(|difference| difference <= 48), "{:?}", differences().max());
}
