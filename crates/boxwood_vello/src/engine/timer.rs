//! Times on the GPU, with the feature `wgpu-profiler`. Without it, only the work is done.

#[cfg(feature = "wgpu-profiler")]
pub(crate) use wgpu_profiler::{
    GpuProfiler as Profiler, GpuProfilerQuery as Query, ProfilerCommandRecorder as Recorder,
};

#[cfg(not(feature = "wgpu-profiler"))]
mod stand_ins {
    pub(crate) struct Profiler;
    pub(crate) struct Query;
    pub(crate) trait Recorder {}
    impl<R> Recorder for R {}
}
#[cfg(not(feature = "wgpu-profiler"))]
pub(crate) use stand_ins::*;

/// Does `work` and takes its time on the GPU.
#[cfg_attr(not(feature = "wgpu-profiler"), expect(unused_variables, reason = "nothing takes the time"))]
pub(crate) fn scope<R: Recorder, T>(
    profiler: &Profiler,
    label: &str,
    parent: Option<&Query>,
    recorder: &mut R,
    work: impl FnOnce(&mut R, &Query) -> T,
) -> T {
    #[cfg(feature = "wgpu-profiler")]
    let query = profiler.begin_query(label, recorder).with_parent(parent);
    #[cfg(not(feature = "wgpu-profiler"))]
    let query = Query;
    let result = work(recorder, &query);
    #[cfg(feature = "wgpu-profiler")]
    profiler.end_query(recorder, query);
    result
}
