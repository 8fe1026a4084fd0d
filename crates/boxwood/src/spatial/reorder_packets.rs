//! The packets of stage *reorder*.
//!
//! Specification: `boxwood_cpu::specification::spatial::packets`.

use boxwood_cpu::specification::spatial::PACKET_LENGTH;
use boxwood_shaders::{Shader, spatial as shaders};

use super::SpatialError;
use super::count::{Count, CountBuffer, Items};
use super::expand::OUTPUTS_PER_PARTITION;
use super::reorder::{KEY_BITS, Reorder, ReorderConfig};
use super::result::{no_buffer, result_buffer};
use super::scan::Scan;
use super::select::{Predicate, Select};
use crate::core::context::Context;
use crate::core::kernel::BoundKernel;
use crate::core::limits::{WORKGROUP_SIZE, max_binding_size};
use crate::core::program::{one_binding, uniform};

/// The packets of reordered queries, with their buffers: ranges of up to 256 queries with equal
/// keys, in the new order. Create it once per size. It takes up to 24 bytes per query, and less for
/// more than 65,536.
///
/// The queries of a packet are in the same cell of a grid of 256 by 256. So a shader with a
/// workgroup per packet can load what they have in common once.
#[derive(Debug)]
pub struct Packets {
    key_starts: Select,
    counts: (BoundKernel, u32),
    scan: Scan,
    list: (BoundKernel, u32),
    packets: wgpu::Buffer,
}

impl Packets {
    /// Allocates and binds the buffers for the queries of `reorder`.
    ///
    /// # Errors
    ///
    /// [`SpatialError::TooLarge`] if a result is larger than a storage binding of `device`.
    pub fn new(context: &Context, reorder: &Reorder) -> Result<Self, SpatialError> {
        let device = context.device();
        let binding = max_binding_size(&device.limits());
        let capacity = reorder.count.capacity();
        let runs = Items { buffer: reorder.sort.sorted_keys(), count: reorder.select.n_selected(), capacity };
        let key_starts = Select::new(context, Predicate::RunStarts, runs)?;
        let key_capacity = capacity.min(1 << KEY_BITS);
        let keys = CountBuffer::new(device, key_starts.n_selected(), key_capacity)?;
        let create = |name: &'static str, words: u32| result_buffer::<u32>(device, name, words);
        let packet_capacity = max_packets(capacity);
        let (key_ranges, n_packets) =
            (create("key_ranges", 2 * key_capacity)?, create("n_packets", key_capacity)?);
        let packets = create("packets", 2 * packet_capacity)?;
        let scan = Scan::new(context, keys.items(&n_packets))?;

        let config =
            ReorderConfig { capacity: key_capacity, count_word: keys.word, query_count_word: 0, padding: 0 };
        let config = uniform(device, "boxwood.spatial.reorder_config", &config);
        let bind = |shader: &'static Shader, n_workgroups| {
            let buffer = |variable: &str| match variable {
                "config" => &config,
                "item_counts" => &keys.buffer,
                "key_starts" => key_starts.selected(),
                "query_sums" => reorder.scan.sums(),
                "n_queries" => reorder.scan.total(),
                "key_ranges" => &key_ranges,
                "n_packets" => &n_packets,
                "sums" => scan.sums(),
                "packets" => &packets,
                other => no_buffer(other),
            };
            let kernel = context.kernel(shader);
            (kernel.bind_parts(device, |name| one_binding(buffer(name), binding)), n_workgroups)
        };
        Ok(Self {
            counts: bind(&shaders::REORDER_PACKET_COUNTS, key_capacity.div_ceil(WORKGROUP_SIZE)),
            list: bind(&shaders::REORDER_PACKETS, packet_capacity.div_ceil(OUTPUTS_PER_PARTITION)),
            key_starts,
            scan,
            packets,
        })
    }

    /// Records the stage into a compute pass, after the [`Reorder`] that it was made with. This
    /// does not submit or wait.
    pub fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        let record = |(kernel, n): &(BoundKernel, u32), pass: &mut _| kernel.record(pass, *n);
        pass.push_debug_group("boxwood.reorder_packets");
        self.key_starts.record(pass);
        record(&self.counts, pass);
        self.scan.record(pass);
        record(&self.list, pass);
        pass.pop_debug_group();
    }

    /// Out: the first place of each packet in the new order, and the place after its last,
    /// `array<vec2<u32>>`. There is room for all packets.
    pub fn packets(&self) -> &wgpu::Buffer {
        &self.packets
    }

    /// Out: the number of packets, for the stage after this one.
    pub fn n_packets(&self) -> Count<'_> {
        self.scan.n_total()
    }
}

/// The maximum number of packets of this many queries: each key has at most one that is not full.
fn max_packets(n: u32) -> u32 {
    let packet_length = u32::try_from(PACKET_LENGTH).expect("it is small");
    n.min((1 << KEY_BITS) + n / packet_length)
}
