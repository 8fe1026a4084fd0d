//! Scenes whose arrays are larger than a binding: these are bound a window at a time.
//!
//! There are windows of partitions, with all that belongs to their elements, and windows of entries of the node stream. Which
//! entries a partition has hangs on the scene. So a dispatch over both is run for each pair of windows, and a partition returns
//! at once where its first entry is not in the window. Windows of the node stream overlap by as many entries as a partition may
//! have: where its first is in the window, all are bound.

use std::ops::Range;

use crate::gpu::max_binding_size;
use boxwood_layout::{Config, Window};

use super::bound::PARTITION_LENGTH;
use super::{BufferLayout, Dispatch, Per, Stage};

/// Along what an array is bound in windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// The partitions that have the workgroups.
    Partitions,
    /// The partitions that these look into, none of which is after them.
    Sources,
    /// The entries of the node stream, those of no partition after the workgroup's.
    Nodes,
}

/// Everything at once.
pub(crate) const WHOLE: Window = Window {
    first_partition: 0,
    end_partition: u32::MAX,
    first_source: 0,
    end_source: u32::MAX,
    first_node: 0,
    end_node: u32::MAX,
};

/// How long the windows are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WindowLengths {
    /// In partitions.
    pub(crate) n_partitions: u32,
    /// In entries of the node stream, without those that a window has in common with the next.
    pub(crate) n_nodes: u32,
}

impl WindowLengths {
    /// The longest on a device with these limits, of what `stages` bind in windows of the buffers in `layouts`. `None` where not
    /// even the shortest fit.
    pub(crate) fn new(stages: &[&Stage], layouts: &[&BufferLayout], device: &wgpu::Limits) -> Option<Self> {
        let binding = max_binding_size(device);
        let alignment = u64::from(device.min_storage_buffer_offset_alignment);
        // For arrays of so many bytes a partition each, as many partitions as the largest has room for, less as many as it takes
        // to make every window begin where a binding may.
        let longest = |shares: Vec<u64>, n_common: u64| {
            let largest = shares.iter().max()?;
            let multiple = shares.iter().map(|share| alignment >> share.trailing_zeros()).max()?.max(1);
            let n = (binding / largest).saturating_sub(n_common) / multiple * multiple;
            u32::try_from(n).ok().filter(|&n| n > 0)
        };
        let shares = |is_along: fn(Axis) -> bool| {
            let dispatches = stages.iter().flat_map(|stage| stage.dispatches());
            let bound = dispatches.flat_map(|d| d.windows.iter().map(|&(v, axis)| (d.buffer_of(v), axis)));
            let names = bound.filter(|&(_, axis)| is_along(axis)).map(|(name, _)| name);
            // The configuration is no array.
            names.filter_map(|name| layouts.iter().find(|l| l.name == name)).map(|l| l.share()).collect()
        };
        Some(Self {
            n_partitions: longest(shares(|axis| axis != Axis::Nodes), 0)?,
            n_nodes: longest(shares(|axis| axis == Axis::Nodes), 1)?.saturating_mul(PARTITION_LENGTH),
        })
    }

    /// The windows of partitions, in order, with all sources and nodes.
    pub(crate) fn partition_windows(self, capacity: &Config) -> Vec<Window> {
        let window = |partitions| Window::new(partitions, 0..u32::MAX, 0..u32::MAX);
        cut(self.n_partitions, capacity.n_partitions).map(window).collect()
    }

    /// The windows that a dispatch is run for, in order, on scenes of up to `capacity`.
    pub(crate) fn windows_of(self, dispatch: &Dispatch, capacity: &Config) -> Vec<Window> {
        let ranges = |axis, length, n| {
            let is_cut = dispatch.windows.iter().any(|&(_, own)| own == axis);
            cut(length, if is_cut { n } else { 0 })
        };
        let mut windows = Vec::new();
        for partitions in ranges(Axis::Partitions, self.n_partitions, capacity.n_partitions) {
            let end_element = u64::from(partitions.end) * u64::from(PARTITION_LENGTH);
            for sources in ranges(Axis::Sources, self.n_partitions, capacity.n_partitions) {
                for nodes in ranges(Axis::Nodes, self.n_nodes, capacity.n_nodes) {
                    // No partition looks into a later one, and has no entries beyond its elements.
                    if sources.start < partitions.end && u64::from(nodes.start) < end_element {
                        windows.push(Window::new(partitions.clone(), sources.clone(), nodes));
                    }
                }
            }
        }
        windows
    }
}

/// `n` items in ranges of so many, one at least. The last has no end: behind the last entry of the node stream there may be
/// partitions without any.
fn cut(length: u32, n: u32) -> impl Iterator<Item = Range<u32>> {
    let n_ranges = n.div_ceil(length).max(1);
    (0..n_ranges).map(move |i| {
        let end = if i + 1 < n_ranges { (i + 1) * length } else { u32::MAX };
        i * length..end
    })
}

/// The part of a buffer of `size` bytes that a window binds: its offset and length in bytes.
pub(crate) fn window_bytes(layout: &BufferLayout, axis: Axis, window: &Window, size: u64) -> (u64, u64) {
    let (first, end) = match axis {
        Axis::Partitions => (window.first_partition.into(), window.end_partition.into()),
        Axis::Sources => (window.first_source.into(), window.end_source.into()),
        Axis::Nodes => {
            let partition = u64::from(PARTITION_LENGTH);
            (u64::from(window.first_node) / partition, u64::from(window.end_node) / partition + 1)
        }
    };
    let offset = first * layout.share();
    (offset, ((end - first) * layout.share()).min(size - offset))
}

/// The size of what a window has of a scene: a scene of its own for those who look at nothing but their own partition.
pub(crate) fn config_in(window: &Window, scene: &Config) -> Config {
    let n_partitions = scene.n_partitions.min(window.end_partition).saturating_sub(window.first_partition);
    let [first, end] =
        [window.first_partition, window.end_partition].map(|n| n.saturating_mul(PARTITION_LENGTH));
    let n_elements = scene.n_elements.min(end).saturating_sub(first);
    Config { n_elements, n_partitions, ..*scene }
}

impl BufferLayout {
    /// The bytes for a partition of elements, or for as many entries of the node stream.
    fn share(&self) -> u64 {
        let length = u64::from(PARTITION_LENGTH);
        let stride = self.stride as u64;
        match self.per {
            Per::Element | Per::Node | Per::Slot => length * stride,
            Per::ElementQuad => length / 4 * stride,
            Per::Partition => stride,
            Per::FourElementPartitions => stride / 4,
            Per::NodeQuad | Per::NodeWord | Per::Group | Per::TreeNode => {
                unreachable!("{} is not bound in windows", self.name)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::stage::Matching;
    use crate::stage::matching::layouts;

    /// The plan of a scene of so many elements, half of them entries of the node stream, and its size.
    fn plan(n_elements: u32, device: &wgpu::Limits) -> (&'static [&'static Stage], WindowLengths, Config) {
        let n = n_elements as usize;
        let plan = Matching::Hierarchical.plan(n, n / 2, device).expect("it is within the limits");
        (plan.stages, plan.windows.expect("it is larger than a binding"), plan.size)
    }

    fn device(max_storage_buffer_binding_size: u64, alignment: u32) -> wgpu::Limits {
        wgpu::Limits {
            max_storage_buffer_binding_size,
            min_storage_buffer_offset_alignment: alignment,
            max_buffer_size: 1 << 40,
            ..wgpu::Limits::default()
        }
    }

    const DEVICES: [(u64, u32, u32); 5] = [
        (128 << 20, 256, 100_000_000),
        ((2 << 30) - 1, 16, i32::MAX.unsigned_abs()),
        (1 << 20, 256, 300_000),
        ((1 << 20) - 1, 32, 300_000),
        (128 << 10, 32, 100_000),
    ];

    #[test]
    fn windows_are_as_long_as_fits() {
        let lengths = |max_binding, alignment| plan(1 << 22, &device(max_binding, alignment)).1;
        let of = |n_partitions, n_nodes| WindowLengths { n_partitions, n_nodes };
        assert_eq!(lengths(32 << 20, 256), of(2048, 2047 * 1024));
        assert_eq!(lengths((32 << 20) - 1, 256), of(1984, 2046 * 1024));
        assert_eq!(lengths((32 << 20) - 1, 32), of(2040, 2046 * 1024));
        assert_eq!(lengths((32 << 20) - 1, 4), of(2047, 2046 * 1024));
    }

    #[test]
    fn every_part_may_be_bound() {
        for (max_binding, alignment, n_elements) in DEVICES {
            let (stages, lengths, size) = plan(n_elements, &device(max_binding, alignment));
            for dispatch in stages.iter().flat_map(|stage| stage.dispatches()) {
                for window in lengths.windows_of(dispatch, &size) {
                    for &(variable, axis) in dispatch.windows {
                        let name = dispatch.buffer_of(variable);
                        let Some(layout) = layouts(stages).find(|layout| layout.name == name) else {
                            assert_eq!(name, "config");
                            continue;
                        };
                        let (offset, length) = window_bytes(layout, axis, &window, layout.bytes(&size));
                        let what = format!("{name} in {}: {window:?}", dispatch.shader.name);
                        assert!(offset.is_multiple_of(alignment.into()), "{what} begins at {offset}");
                        assert!((1..=max_binding).contains(&length), "{what} takes {length}");
                        assert!(offset + length <= layout.bytes(&size), "{what} ends at {}", offset + length);
                    }
                }
            }
        }
    }

    #[test]
    fn the_parts_of_a_buffer_make_it_whole() {
        for (max_binding, alignment, n_elements) in DEVICES {
            let (stages, lengths, size) = plan(n_elements, &device(max_binding, alignment));
            for dispatch in stages.iter().flat_map(|stage| stage.dispatches()) {
                for layout in layouts(stages) {
                    let Some(axis) = dispatch.axis_of(layout.name) else { continue };
                    let windows = lengths.windows_of(dispatch, &size);
                    let bytes = |w: &Window| window_bytes(layout, axis, w, layout.bytes(&size));
                    let parts: BTreeMap<u64, u64> = windows.iter().map(bytes).collect();
                    let mut end = 0;
                    for (offset, length) in parts {
                        let n_common = u64::from(axis == Axis::Nodes && offset > 0) * layout.share();
                        assert_eq!(offset + n_common, end, "{} in {}", layout.name, dispatch.shader.name);
                        end = offset + length;
                    }
                    assert_eq!(end, layout.bytes(&size), "{} in {}", layout.name, dispatch.shader.name);
                }
            }
        }
    }

    #[test]
    fn the_windows_of_a_scene_share_it_out() {
        let (_, lengths, capacity) = plan(300_000, &device(1 << 20, 256));
        assert_eq!(lengths.n_partitions, 64);
        let windows = lengths.partition_windows(&capacity);
        for n_elements in [0, 1, 65_535, 65_536, 65_537, 131_072, 299_999] {
            let scene = Matching::Hierarchical.config(n_elements, 7);
            let parts: Vec<Config> = windows.iter().map(|window| config_in(window, &scene)).collect();
            assert_eq!(parts.iter().map(|part| part.n_elements).sum::<u32>(), n_elements);
            assert_eq!(parts.iter().map(|part| part.n_partitions).sum::<u32>(), scene.n_partitions);
            assert!(parts.iter().all(|part| part.n_partitions == part.n_elements.div_ceil(PARTITION_LENGTH)));
            assert!(parts.iter().all(|part| (part.n_nodes, part.n_tree_leaves) == (7, scene.n_tree_leaves)));
        }
        // Where partitions are of something else, too.
        for whole in [capacity, Config::new(300_000, 7, 1), Config::new(0, 300_000, 1172)] {
            assert_eq!(config_in(&WHOLE, &whole), whole);
        }
    }
}
