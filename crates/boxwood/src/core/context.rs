//! The compiled shaders of a device.

use std::fmt;
use std::sync::Arc;

use boxwood_shaders::Shader;

use super::kernel::{Compiled, Kernels};
use super::limits::LimitsError;

/// A device, and the shaders of this crate that are compiled for it. Make one per device.
///
/// Each shader is compiled when it is first needed. A clone shares the compiled shaders.
#[derive(Clone)]
pub struct Context {
    kernels: Arc<Kernels>,
}

/// The device alone, since there are more than a hundred shaders.
impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("device", self.device()).finish_non_exhaustive()
    }
}

impl Context {
    /// A context for `device`, which needs no optional feature and only WebGPU's default limits,
    /// [`wgpu::Limits::default`]. Compiles nothing yet.
    ///
    /// # Panics
    ///
    /// If [`check_limits`](Self::check_limits) refuses the device, because one of these limits is
    /// below WebGPU's default, as the number of storage buffers is with
    /// [`wgpu::Limits::downlevel_defaults`]:
    ///
    /// - `max_bindings_per_bind_group`
    /// - `max_storage_buffers_per_shader_stage`
    /// - `max_compute_workgroup_storage_size`
    /// - `max_compute_invocations_per_workgroup`
    /// - `max_compute_workgroup_size_x`
    ///
    /// Smaller buffers, bindings, and grids are allowed. They limit the sizes of the inputs.
    #[track_caller]
    pub fn new(device: &wgpu::Device) -> Self {
        Self::check_limits(&device.limits()).unwrap_or_else(|error| panic!("{error}"));
        Self::of(Kernels::new(device, boxwood_shaders::all(), |_| None))
    }

    /// A context with these shaders alone.
    pub(crate) fn of(kernels: Kernels) -> Self {
        Self { kernels: Arc::new(kernels) }
    }

    /// Checks that a device with these limits can have a context, for a program that computes on
    /// the CPU otherwise. wgpu itself would report a limit only when a shader is compiled, to the
    /// handler of the device.
    ///
    /// # Errors
    ///
    /// [`LimitsError::Device`] with the first limit that is too low.
    pub fn check_limits(limits: &wgpu::Limits) -> Result<(), LimitsError> {
        let default = wgpu::Limits::default();
        macro_rules! check {
            ($($limit:ident)*) => {
                [$((stringify!($limit), limits.$limit.into(), default.$limit.into())),*]
            };
        }
        let limits: [(&str, u64, u64); _] = check!(
            max_bindings_per_bind_group
            max_storage_buffers_per_shader_stage
            max_compute_workgroup_storage_size
            max_compute_invocations_per_workgroup
            max_compute_workgroup_size_x
        );
        match limits.into_iter().find(|(_, have, need)| have < need) {
            Some((name, have, need)) => Err(LimitsError::Device { name, need, have }),
            None => Ok(()),
        }
    }

    /// The device.
    pub fn device(&self) -> &wgpu::Device {
        self.kernels.device()
    }

    /// The compiled shader, with wgpu's runtime checks or without.
    pub(crate) fn kernel(&self, shader: &Shader, checks: bool) -> &Compiled {
        self.kernels.get(shader, checks)
    }

    /// Compiles a shader now, for a [`Plan`](crate::Plan) with wgpu's runtime checks or without.
    #[cfg(feature = "plans")]
    pub fn compile(&self, shader: &Shader, checks: bool) {
        self.kernel(shader, checks);
    }

    /// The number of shaders that have been compiled.
    #[cfg(feature = "testing")]
    pub fn n_compiled(&self) -> usize {
        self.kernels.n_compiled()
    }

    /// The same context with other sources, compiled with wgpu's runtime checks. The sources must
    /// bind the same resources. A shader that already has this source is not compiled again.
    #[cfg(feature = "testing")]
    #[must_use]
    pub fn with_changes(&self, source: impl Fn(&Shader) -> String) -> Self {
        Self::of(self.kernels.with_changes(source))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_limits_are_enough() {
        assert_eq!(Context::check_limits(&wgpu::Limits::default()), Ok(()));
    }

    #[test]
    fn a_device_with_lower_limits_is_refused_with_the_limit() {
        let name = "max_storage_buffers_per_shader_stage";
        let refused = Context::check_limits(&wgpu::Limits::downlevel_defaults());
        assert_eq!(refused, Err(LimitsError::Device { name, need: 8, have: 4 }));
    }
}
