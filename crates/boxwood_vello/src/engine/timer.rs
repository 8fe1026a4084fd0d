//! Times on the GPU, with the feature `wgpu-profiler`. Without it, everything here does nothing.

#[cfg(feature = "wgpu-profiler")]
mod with_profiler {
    pub(crate) use wgpu_profiler::{GpuProfiler as Profiler, GpuProfilerQuery as Query};

    /// Does `work` and takes its time on the GPU.
    pub(crate) fn scope<R: wgpu_profiler::ProfilerCommandRecorder, T>(
        profiler: &Profiler,
        label: &str,
        parent: Option<&Query>,
        recorder: &mut R,
        work: impl FnOnce(&mut R, &Query) -> T,
    ) -> T {
        let query = profiler.begin_query(label, recorder).with_parent(parent);
        let result = work(recorder, &query);
        profiler.end_query(recorder, query);
        result
    }

    pub(crate) fn resolve(profiler: &mut Profiler, encoder: &mut wgpu::CommandEncoder) {
        profiler.resolve_queries(encoder);
    }
}

#[cfg(not(feature = "wgpu-profiler"))]
mod without_profiler {
    pub(crate) struct Profiler;
    pub(crate) struct Query;

    pub(crate) fn scope<R, T>(
        _: &Profiler,
        _: &str,
        _: Option<&Query>,
        recorder: &mut R,
        work: impl FnOnce(&mut R, &Query) -> T,
    ) -> T {
        work(recorder, &Query)
    }

    pub(crate) fn resolve(_: &mut Profiler, _: &mut wgpu::CommandEncoder) {}
}

#[cfg(feature = "wgpu-profiler")]
pub(crate) use with_profiler::*;
#[cfg(not(feature = "wgpu-profiler"))]
pub(crate) use without_profiler::*;
