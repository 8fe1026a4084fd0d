//! Times on the GPU, with the feature `wgpu-profiler`. Without it, everything here does nothing.

#[cfg(feature = "wgpu-profiler")]
mod with_profiler {
    use wgpu_profiler::{GpuProfiler, GpuProfilerQuery, ProfilerCommandRecorder};

    pub(crate) type Profiler = GpuProfiler;
    pub(crate) type Query = GpuProfilerQuery;

    pub(crate) fn begin<R: ProfilerCommandRecorder>(
        profiler: &Profiler,
        label: &str,
        parent: Option<&Query>,
        recorder: &mut R,
    ) -> Query {
        profiler.begin_query(label, recorder).with_parent(parent)
    }

    pub(crate) fn end<R: ProfilerCommandRecorder>(profiler: &Profiler, query: Query, recorder: &mut R) {
        profiler.end_query(recorder, query);
    }

    pub(crate) fn resolve(profiler: &mut Profiler, encoder: &mut wgpu::CommandEncoder) {
        profiler.resolve_queries(encoder);
    }
}

#[cfg(not(feature = "wgpu-profiler"))]
mod without_profiler {
    pub(crate) struct Profiler;
    pub(crate) struct Query;

    pub(crate) fn begin<R>(_: &Profiler, _: &str, _: Option<&Query>, _: &mut R) -> Query {
        Query
    }

    pub(crate) fn end<R>(_: &Profiler, _: Query, _: &mut R) {}

    pub(crate) fn resolve(_: &mut Profiler, _: &mut wgpu::CommandEncoder) {}
}

#[cfg(feature = "wgpu-profiler")]
pub(crate) use with_profiler::*;
#[cfg(not(feature = "wgpu-profiler"))]
pub(crate) use without_profiler::*;
