//! The dispatches of stage *pairs* that prepare a sweep in strips.

use boxwood_cpu::specification::spatial::Axis;
use boxwood_shaders::{Shader, spatial as shaders};

use super::SpatialError;
use super::check::{check_range, check_result};
use super::count::CountBuffer;
use super::expand::OUTPUTS_PER_PARTITION;
use super::pairs::PairsConfig;
use super::pairs_sweep::KEYS_PER_WORKGROUP;
use super::result::{no_buffer, result_buffer};
use super::scan::Scan;
use super::sort::Sort;
use crate::core::context::Context;
use crate::core::kernel::BoundKernel;
use crate::core::limits::{WORKGROUP_SIZE, max_binding_size};
use crate::core::program::{one_binding, uniform};

/// The maximum of [`Strips::lg_strips`]: a pass of a radix sort has 256 digits.
const MAX_LG_STRIPS: u32 = 8;

/// Strips that a sweep is divided into.
///
/// A box has an entry in each strip that it meets. Boxes that meet no common strip are not compared
/// with each other. So strips are faster for many boxes that are smaller than a strip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strips {
    /// The axis of the sweep. The strips divide the other axis, so that each has about as many
    /// boxes that begin in it.
    pub axis: Axis,
    /// The logarithm of the number of strips to base 2, at most 8.
    pub lg_strips: u32,
    /// The maximum number of entries. 0 is the same as 1.
    pub entry_capacity: u32,
}

/// The sweep in strips.
#[derive(Debug)]
pub(super) struct StripSweep {
    keys: (BoundKernel, u32),
    sorts: [Sort; 2],
    strips: (BoundKernel, u32),
    entry_scan: Scan,
    entries: (BoundKernel, u32),
    strip_sort: Sort,
    candidates: (BoundKernel, u32),
    scan: Scan,
    entry_sums: (BoundKernel, u32),
    /// The number of entries.
    pub(super) entry_count: CountBuffer,
    /// The entries in the order of the sweep, as in `pairs_entry_sums.wgsl`.
    pub(super) swept: wgpu::Buffer,
}

impl StripSweep {
    pub(super) fn new(
        context: &Context,
        boxes: &wgpu::Buffer,
        count: &CountBuffer,
        strips: Strips,
    ) -> Result<Self, SpatialError> {
        let device = context.device();
        let (Strips { axis, lg_strips, entry_capacity }, box_capacity) = (strips, count.capacity());
        check_range("lg_strips", lg_strips, MAX_LG_STRIPS)?;
        let entry_capacity = entry_capacity.max(1);
        let binding = max_binding_size(&device.limits());
        check_result::<[u32; 4]>("entries", entry_capacity, binding)?;
        let create = |name: &'static str, words: u64| result_buffer::<u32>(device, name, words);
        let [box_words, entry_words] = [box_capacity, entry_capacity].map(u64::from);
        let keys = [create("x_keys", box_words)?, create("y_keys", box_words)?];
        let sort_along = |axis: Axis| Sort::new(context, count.items(&keys[axis as usize]), None, u32::BITS);
        let sorts = [sort_along(axis)?, sort_along(axis.other())?];

        let [n_entries, first_strips] = [create("n_entries", box_words)?, create("first_strips", box_words)?];
        let entry_scan = Scan::new(context, count.items(&n_entries))?;
        let entry_count = CountBuffer::new(device, entry_scan.n_total(), entry_capacity)?;
        let of_entries = |name: &'static str| create(name, entry_words);
        let [entry_strips, places, n_candidates] =
            [of_entries("entry_strips")?, of_entries("places")?, of_entries("n_candidates")?];
        let strip_sort = Sort::new(context, entry_count.items(&entry_strips), Some(&places), lg_strips)?;
        let scan = Scan::new(context, entry_count.items(&n_candidates))?;
        let swept_boxes = create("swept_boxes", 4 * box_words)?;
        let swept = create("swept", 4 * entry_words)?;

        let config_of = |items: &CountBuffer| {
            let config = PairsConfig {
                capacity: items.capacity(),
                count_word: items.word,
                box_capacity,
                box_count_word: count.word,
                lg_strips,
                ..PairsConfig::default()
            };
            uniform(device, "boxwood.spatial.pairs_config", &config)
        };
        let configs = [config_of(count), config_of(&entry_count)];
        let bind = |shader: &'static Shader, n: u32, items_per_workgroup: u32| {
            let is_sorted = !std::ptr::eq(shader, &raw const shaders::PAIRS_ENTRIES);
            let is_of_boxes =
                [&shaders::PAIRS_KEYS, strips_along(axis)].iter().any(|s| std::ptr::eq(*s, shader));
            let buffer = |variable: &str| match variable {
                "config" => &configs[usize::from(!is_of_boxes)],
                "item_counts" if !is_of_boxes => &entry_count.buffer,
                "item_counts" | "box_counts" => &count.buffer,
                "boxes" => boxes,
                "x_keys" => &keys[0],
                "y_keys" => &keys[1],
                "order" => sorts[0].sorted_values(),
                "begin_keys" => sorts[0].sorted_keys(),
                "border_keys" => sorts[1].sorted_keys(),
                "n_entries" => &n_entries,
                "first_strips" => &first_strips,
                "swept_boxes" => &swept_boxes,
                "sums" if is_sorted => scan.sums(),
                "sums" => entry_scan.sums(),
                "entry_strips" if is_sorted => strip_sort.sorted_keys(),
                "entry_strips" => &entry_strips,
                "places" if is_sorted => strip_sort.sorted_values(),
                "places" => &places,
                "n_candidates" => &n_candidates,
                "swept" => &swept,
                other => no_buffer(other),
            };
            let kernel = context.kernel(shader);
            let kernel = kernel.bind_parts(device, |name| one_binding(buffer(name), binding));
            (kernel, n.div_ceil(items_per_workgroup))
        };
        Ok(Self {
            keys: bind(&shaders::PAIRS_KEYS, box_capacity, KEYS_PER_WORKGROUP),
            strips: bind(strips_along(axis), box_capacity, WORKGROUP_SIZE),
            entries: bind(&shaders::PAIRS_ENTRIES, entry_capacity, OUTPUTS_PER_PARTITION),
            candidates: bind(&shaders::PAIRS_ENTRY_CANDIDATES, entry_capacity, WORKGROUP_SIZE),
            entry_sums: bind(&shaders::PAIRS_ENTRY_SUMS, entry_capacity, WORKGROUP_SIZE),
            entry_count,
            sorts,
            entry_scan,
            strip_sort,
            scan,
            swept,
        })
    }

    pub(super) fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        let record = |(kernel, n): &(BoundKernel, u32), pass: &mut _| kernel.record(pass, *n);
        record(&self.keys, pass);
        self.sorts.iter().for_each(|sort| sort.record(pass));
        record(&self.strips, pass);
        self.entry_scan.record(pass);
        record(&self.entries, pass);
        self.strip_sort.record(pass);
        record(&self.candidates, pass);
        self.scan.record(pass);
        record(&self.entry_sums, pass);
    }

    /// The candidates before those of each entry, and their total.
    pub(super) fn sums(&self) -> &wgpu::Buffer {
        self.scan.sums()
    }

    /// The number of entries of all boxes, which can exceed the capacity.
    pub(super) fn entries_needed(&self) -> &wgpu::Buffer {
        self.entry_scan.total()
    }
}

fn strips_along(axis: Axis) -> &'static Shader {
    match axis {
        Axis::X => &shaders::PAIRS_STRIPS,
        Axis::Y => &shaders::PAIRS_STRIPS_ALONG_Y,
    }
}
