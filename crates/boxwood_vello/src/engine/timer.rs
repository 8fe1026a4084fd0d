//! Times on the GPU, with the feature `wgpu-profiler`. Without it, only the work is done.

#[cfg(feature = "wgpu-profiler")]
pub(crate) use wgpu_profiler::{
    GpuProfiler as Profiler, GpuProfilerQuery as Query, ProfilerCommandRecorder as Recorder,
};

#[cfg(not(feature = "wgpu-profiler"))]
mod stand_ins {
    pub(crate) struct Profiler;
    pub(crate) struct Query;

    /// A recorder of commands, which puts them into groups.
    pub(crate) trait Recorder {
        fn begin_group(&mut self, label: &str);
        fn end_group(&mut self);
    }

    impl Recorder for wgpu::CommandEncoder {
        fn begin_group(&mut self, label: &str) {
            self.push_debug_group(label);
        }

        fn end_group(&mut self) {
            self.pop_debug_group();
        }
    }

    impl Recorder for wgpu::ComputePass<'_> {
        fn begin_group(&mut self, label: &str) {
            self.push_debug_group(label);
        }

        fn end_group(&mut self) {
            self.pop_debug_group();
        }
    }
}
#[cfg(not(feature = "wgpu-profiler"))]
pub(crate) use stand_ins::*;

/// Does `work` in a debug group, and takes its time on the GPU.
#[cfg_attr(not(feature = "wgpu-profiler"), expect(unused_variables, reason = "nothing takes the time"))]
pub(crate) fn scope<R: Recorder, T>(
    profiler: &Profiler,
    label: &str,
    parent: Option<&Query>,
    recorder: &mut R,
    work: impl FnOnce(&mut R, &Query) -> T,
) -> T {
    #[cfg(not(feature = "wgpu-profiler"))]
    recorder.begin_group(label);
    #[cfg(feature = "wgpu-profiler")]
    let query = profiler.begin_query(label, recorder).with_parent(parent);
    #[cfg(not(feature = "wgpu-profiler"))]
    let query = Query;
    let result = work(recorder, &query);
    #[cfg(feature = "wgpu-profiler")]
    profiler.end_query(recorder, query);
    #[cfg(not(feature = "wgpu-profiler"))]
    recorder.end_group();
    result
}
