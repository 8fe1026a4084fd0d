//! The ways to the boxes of a scene, and how large a scene each can hold.

use crate::gpu::max_binding_size;
use boxwood_layout::{Aabb, Config, Limits, LimitsError, SIMPLE_MAX_NODES, WORKGROUP_SIZE};
use boxwood_shaders::BindingKind;

use super::{BufferLayout, Per, Stage, WindowLengths, bound, clip, compact, r#match, union};

/// What the host uploads, one item an element.
pub(crate) const INPUTS: [BufferLayout; 2] = [
    // Some shaders read four at a time.
    BufferLayout { name: "draw_tags", per: Per::ElementQuad, stride: 16 },
    BufferLayout { name: "element_boxes", per: Per::Element, stride: size_of::<Aabb>() },
];

/// The largest scene of the fused algorithm in two levels: a workgroup holds one partition an invocation.
pub const TWO_LEVEL_MAX_ELEMENTS: u32 = bound::PARTITION_LENGTH * WORKGROUP_SIZE;

/// The largest scene of the fused algorithm for small ones: a workgroup holds one partition an invocation.
pub const SMALL_MAX_ELEMENTS: u32 = WORKGROUP_SIZE * WORKGROUP_SIZE;

/// The largest scene of the one for smaller ones: a workgroup reads 16 elements an invocation.
pub const DIRECT_MAX_ELEMENTS: u32 = 16 * WORKGROUP_SIZE;

/// How the tree of begins and ends is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Matching {
    /// Stage after stage, each in two levels: a workgroup sees every partition. For node streams of up to [`SIMPLE_MAX_NODES`]
    /// entries.
    ///
    /// Source: Levien 2022, section 7.
    Simple,
    /// All stages in one, an element an invocation, for up to [`DIRECT_MAX_ELEMENTS`] elements: two dispatches.
    Direct,
    /// The same for up to [`SMALL_MAX_ELEMENTS`] elements: three dispatches, or two for a scene of up to 256.
    Small,
    /// All stages but the first in one, in two levels, for up to [`TWO_LEVEL_MAX_ELEMENTS`] elements.
    TwoLevel,
    /// The same for any number of elements: a begin is found by its depth, in the last partition before that goes as low,
    /// which a tree of least depths tells.
    Hierarchical,
}

impl Matching {
    /// Every way.
    pub const ALL: [Self; 5] = [Self::Simple, Self::Direct, Self::Small, Self::TwoLevel, Self::Hierarchical];

    /// A short name, for tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Simple => "simple",
            Self::Direct => "direct",
            Self::Small => "small",
            Self::TwoLevel => "two_level",
            Self::Hierarchical => "hierarchical",
        }
    }

    /// The largest scene that it can hold. A device may hold less.
    pub fn limits(self) -> Limits {
        // An i32 holds the index of an element or its complement.
        let any = i32::MAX as u64;
        match self {
            Self::Simple => Limits { max_elements: any, max_nodes: SIMPLE_MAX_NODES.into() },
            Self::Direct => Limits { max_elements: DIRECT_MAX_ELEMENTS.into(), max_nodes: any },
            Self::Small => Limits { max_elements: SMALL_MAX_ELEMENTS.into(), max_nodes: any },
            Self::TwoLevel => Limits { max_elements: TWO_LEVEL_MAX_ELEMENTS.into(), max_nodes: any },
            Self::Hierarchical => Limits { max_elements: any, max_nodes: any },
        }
    }

    /// The largest scene that it can hold on a device with these limits.
    ///
    /// By [`Hierarchical`](Self::Hierarchical), each array must fit a buffer; those that are larger than a binding are bound in
    /// windows. By the others, as by [`limits_in_one_binding`](Self::limits_in_one_binding).
    pub fn limits_on(self, device: &wgpu::Limits) -> Limits {
        self.limits_where(|size| self.plan_on(size, device).is_some())
    }

    /// The largest scene of which each array fits a binding on a device with these limits, for those who bind whole buffers.
    pub fn limits_in_one_binding(self, device: &wgpu::Limits) -> Limits {
        self.limits_where(|size| self.fits_one_binding(size, device))
    }

    /// The largest scene of which `fits` is true, as it is of all smaller ones.
    fn limits_where(self, fits: impl Fn(&Config) -> bool) -> Limits {
        let own = self.limits();
        let n_nodes_of = |n_elements: u64| n_elements.min(own.max_nodes);
        let fits = |n: u64| fits(&self.config(count(n), count(n_nodes_of(n))));
        let (mut low, mut high) = (0, own.max_elements);
        while low < high {
            let middle = (low + high).div_ceil(2);
            if fits(middle) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        // A node is an element too.
        Limits { max_elements: low, max_nodes: n_nodes_of(low) }
    }

    /// What it runs for scenes of up to so many elements and entries of the node stream on a device with these limits.
    ///
    /// # Errors
    ///
    /// More than it or the device can hold.
    pub(crate) fn plan(
        self,
        n_elements: usize,
        n_nodes: usize,
        device: &wgpu::Limits,
    ) -> Result<Plan, LimitsError> {
        if self.limits().check(n_elements, n_nodes).is_ok() {
            let size = self.config(count(n_elements as u64), count(n_nodes as u64));
            if let Some(plan) = self.plan_on(&size, device) {
                return Ok(plan);
            }
        }
        self.limits_on(device).check(n_elements, n_nodes)?;
        // Not even the empty scene fits.
        Err(LimitsError::Elements { need: n_elements as u64, limit: 0 })
    }

    /// The same, `None` for what the device cannot hold.
    fn plan_on(self, size: &Config, device: &wgpu::Limits) -> Option<Plan> {
        if self.fits_one_binding(size, device) {
            return Some(Plan { stages: self.stages(), windows: None, size: *size });
        }
        let stages = self.stages_in_windows()?;
        let layouts: Vec<&BufferLayout> = layouts(stages).collect();
        let lengths = WindowLengths::new(stages, &layouts, device)?;
        let binding = device.max_storage_buffer_binding_size;
        let is_bound_whole = |layout: &BufferLayout| {
            stages.iter().flat_map(|stage| stage.dispatches()).any(|dispatch| {
                dispatch.shader.bindings.iter().any(|b| {
                    b.kind != BindingKind::Uniform
                        && dispatch.buffer_of(b.name) == layout.name
                        && dispatch.axis_of(b.name).is_none()
                })
            })
        };
        let fits = |layout: &BufferLayout| {
            let bytes = layout.bytes(size);
            bytes <= device.max_buffer_size && (bytes <= binding || !is_bound_whole(layout))
        };
        layouts.into_iter().all(fits).then_some(Plan { stages, windows: Some(lengths), size: *size })
    }

    fn fits_one_binding(self, size: &Config, device: &wgpu::Limits) -> bool {
        let binding = max_binding_size(device);
        layouts(self.stages()).all(|layout| layout.bytes(size) <= binding)
    }

    /// The configuration of a scene of this size.
    pub(crate) fn config(self, n_elements: u32, n_nodes: u32) -> Config {
        match self {
            Self::Simple => Config::new(n_elements, n_nodes, n_nodes.div_ceil(WORKGROUP_SIZE)),
            Self::Direct | Self::Small => {
                Config::new(n_elements, n_nodes, n_elements.div_ceil(WORKGROUP_SIZE))
            }
            Self::TwoLevel | Self::Hierarchical => {
                Config::new(n_elements, n_nodes, n_elements.div_ceil(bound::PARTITION_LENGTH))
            }
        }
    }

    /// The stages that it takes, in order, where each array fits a binding.
    pub fn stages(self) -> &'static [&'static Stage] {
        static SIMPLE: [&Stage; 4] = [&compact::STAGE, &r#match::SIMPLE, &clip::SIMPLE, &union::SIMPLE];
        static DIRECT: [&Stage; 1] = [&bound::DIRECT];
        static SMALL: [&Stage; 1] = [&bound::SMALL];
        static TWO_LEVEL: [&Stage; 2] = [&compact::STAGE, &bound::TWO_LEVEL];
        static HIERARCHICAL: [&Stage; 2] = [&compact::STAGE, &bound::HIERARCHICAL];
        match self {
            Self::Simple => &SIMPLE,
            Self::Direct => &DIRECT,
            Self::Small => &SMALL,
            Self::TwoLevel => &TWO_LEVEL,
            Self::Hierarchical => &HIERARCHICAL,
        }
    }

    /// The stages that it takes where some array is larger, if it can.
    pub fn stages_in_windows(self) -> Option<&'static [&'static Stage]> {
        static HIERARCHICAL: [&Stage; 2] = [&compact::IN_WINDOWS, &bound::IN_WINDOWS];
        (self == Self::Hierarchical).then_some(&HIERARCHICAL)
    }
}

/// What is run for scenes of up to some size.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) stages: &'static [&'static Stage],
    pub(crate) windows: Option<WindowLengths>,
    /// The size.
    pub(crate) size: Config,
}

/// The buffers of a scene.
pub(super) fn layouts<'a>(stages: &'a [&'static Stage]) -> impl Iterator<Item = &'a BufferLayout> {
    stages.iter().flat_map(|stage| stage.buffers).chain(&INPUTS)
}

fn count(n: u64) -> u32 {
    u32::try_from(n).expect("the limits keep counts within i32")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn device(max_storage_buffer_binding_size: u64, max_buffer_size: u64) -> wgpu::Limits {
        wgpu::Limits { max_storage_buffer_binding_size, max_buffer_size, ..wgpu::Limits::default() }
    }

    #[test]
    fn the_largest_scene_fits_and_no_larger_one() {
        let mega = 1 << 20;
        for (max_binding, max_buffer) in
            [(128, 128), (128, 256), (128, 1 << 20), (1, 1), (1, 7), (2047, 1 << 20), (1 << 20, 1 << 20)]
        {
            let device = device(max_binding * mega - 16 * 1500, max_buffer * mega);
            for matching in Matching::ALL {
                let own = matching.limits();
                let limits = matching.limits_on(&device);
                let config = |n: u64| matching.config(count(n), count(n.min(own.max_nodes)));
                let largest = matching.plan_on(&config(limits.max_elements), &device);
                let plan = largest.unwrap_or_else(|| panic!("{matching:?}: {limits:?} on {device:?}"));
                let max_bytes = if plan.windows.is_some() {
                    device.max_buffer_size
                } else {
                    device.max_storage_buffer_binding_size
                };
                for layout in layouts(plan.stages) {
                    let bytes = layout.bytes(&config(limits.max_elements));
                    assert!(bytes <= max_bytes, "{matching:?}: {} takes {bytes} bytes", layout.name);
                }
                if limits.max_elements < own.max_elements {
                    let larger = config(limits.max_elements + 1);
                    assert!(matching.plan_on(&larger, &device).is_none(), "{matching:?}: {limits:?}");
                }
                assert_eq!(limits.max_nodes, limits.max_elements.min(own.max_nodes));
            }
        }
    }

    #[test]
    fn the_limits_are_those_of_buffers_or_of_bindings() {
        // WebGPU's defaults, then a device of 128 MiB bindings without a limit of buffers, then one too narrow for any window.
        for (device, in_windows, in_one_binding) in [
            (wgpu::Limits::default(), 1 << 24, 1 << 23),
            (device(1 << 27, 1 << 40), u64::from(i32::MAX.unsigned_abs()), 1 << 23),
            (device((1 << 20) - 1, 1 << 30), (1 << 16) - 1024, (1 << 16) - 1024),
        ] {
            assert_eq!(Matching::Hierarchical.limits_on(&device).max_elements, in_windows);
            let limits = Matching::Hierarchical.limits_in_one_binding(&device);
            assert_eq!(limits, Limits { max_elements: in_one_binding, max_nodes: in_one_binding });
        }
    }
}
