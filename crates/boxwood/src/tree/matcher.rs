//! The parentheses matching problem by several algorithms.

use boxwood_cpu::Bic;
use boxwood_shaders::tree::{MatcherHierarchicalFinish, MatcherHierarchicalReduce, MatcherOneWorkgroup};
use wgpu::{AdapterInfo, DeviceType};

use super::bits::Bits;
#[cfg(feature = "papers")]
use super::{matcher_look_back as look_back, matcher_two_level as two_level};
use crate::core::WORKGROUP_SIZE;
use crate::core::config::Config;
use crate::core::context::Context;
use crate::core::grid::{Grid, Per};
use crate::core::limits::{LimitsError, check_entries, count, max_binding_size};
use crate::core::plan::Plan;
use crate::core::program::Program;
use crate::core::spine::{self, Spine};

/// The number of entries in a partition of [`Matcher::Hierarchical`], and the number that
/// [`Matcher::OneWorkgroup`] processes at a time: one word of 32 per invocation.
const PARTITION_LENGTH: u32 = 32 * WORKGROUP_SIZE;

/// An algorithm for the parentheses matching problem.
///
/// In: one bit per entry, 1 for a begin, 32 entries per word, the first entry in the lowest bit.
/// Out: one `i32` per entry. At a begin, it is the innermost begin that encloses it. At an end, it
/// is the begin of the same node. It is −1 if there is none. This is the stronger form of the
/// problem in Levien 2022, section 2: every stack can be read from the result. Specification:
/// [`boxwood_cpu::specification::tree::match_parentheses`].
///
/// [`for_entries`](Self::for_entries) returns the fastest algorithm for a length and a device:
///
/// ```no_run
/// use boxwood::Context;
/// use boxwood::tree::{MatchBuffers, Matcher};
/// # use boxwood::wgpu;
///
/// # fn example(device: &wgpu::Device, queue: &wgpu::Queue) -> Result<(), Box<dyn std::error::Error>> {
/// # let (begin_bits, n) = (vec![0_u32], 32);
/// let context = Context::new(device); // once per device
/// let matcher = Matcher::for_entries(n, &device.adapter_info());
/// let mut buffers = MatchBuffers::new(&context, matcher, n)?; // once per length
/// buffers.upload(queue, &begin_bits, n)?;
///
/// let mut encoder = device.create_command_encoder(&Default::default());
/// buffers.record(&mut encoder.begin_compute_pass(&Default::default()));
/// queue.submit([encoder.finish()]);
/// let matches: &wgpu::Buffer = buffers.matches(); // for your own passes
/// # Ok(()) }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Matcher {
    /// Levien 2022, section 7: two levels, one entry per invocation, up to 256² entries.
    #[cfg(feature = "papers")]
    Simple,
    /// Levien 2022, section 8: two levels, 4 entries per invocation, up to 1024² entries.
    #[cfg(feature = "papers")]
    WorkEfficient,
    /// Levien 2021: a single pass with decoupled look-back, for any number of entries.
    #[cfg(feature = "papers")]
    LookBack,
    /// By depth, for any number of entries: 32 per invocation, thread stacks as bit masks, a tree
    /// of minimum depths.
    Hierarchical,
    /// The same in one dispatch of a single workgroup, which processes 8192 entries at a time. For
    /// up to 65,536 entries: other algorithms are faster beyond a few thousand, and some software
    /// adapters limit the iterations of a loop.
    OneWorkgroup,
}

impl Matcher {
    /// Every algorithm.
    pub const ALL: &'static [Self] = &[
        #[cfg(feature = "papers")]
        Self::Simple,
        #[cfg(feature = "papers")]
        Self::WorkEfficient,
        #[cfg(feature = "papers")]
        Self::LookBack,
        Self::Hierarchical,
        Self::OneWorkgroup,
    ];

    /// A short name, for tables.
    pub fn name(self) -> &'static str {
        match self {
            #[cfg(feature = "papers")]
            Self::Simple => "simple",
            #[cfg(feature = "papers")]
            Self::WorkEfficient => "work_efficient",
            #[cfg(feature = "papers")]
            Self::LookBack => "look_back",
            Self::Hierarchical => "hierarchical",
            Self::OneWorkgroup => "one_workgroup",
        }
    }

    /// The number of entries per workgroup.
    pub fn partition_length(self) -> u32 {
        match self {
            #[cfg(feature = "papers")]
            Self::Simple => two_level::SIMPLE_LENGTH,
            #[cfg(feature = "papers")]
            Self::WorkEfficient => two_level::WORK_EFFICIENT_LENGTH,
            #[cfg(feature = "papers")]
            Self::LookBack => look_back::PARTITION_LENGTH,
            Self::Hierarchical | Self::OneWorkgroup => PARTITION_LENGTH,
        }
    }

    /// The maximum number of entries. A device may have a lower limit.
    pub fn max_entries(self) -> u64 {
        match self {
            #[cfg(feature = "papers")]
            Self::Simple | Self::WorkEfficient => two_level::max_entries(self.partition_length()),
            #[cfg(feature = "papers")]
            Self::LookBack => i32::MAX as u64,
            Self::Hierarchical => i32::MAX as u64,
            Self::OneWorkgroup => 8 * u64::from(PARTITION_LENGTH),
        }
    }

    /// The fastest algorithm for `n` entries on this adapter, according to the measurements in
    /// `tests/benches/record`.
    ///
    /// On discrete GPUs, the algorithms of the papers are up to twice as fast between 2¹³ and 2¹⁹
    /// entries. Without the feature `papers`, this is [`Hierarchical`](Self::Hierarchical) there.
    pub fn for_entries(n: usize, adapter: &AdapterInfo) -> Self {
        // NVIDIA H200, 2026-11-21. On llvmpipe, 2026-11-26, `OneWorkgroup` is the fastest up to
        // about 2^15 entries, and the algorithms of the papers nowhere.
        let is_software = adapter.device_type == DeviceType::Cpu;
        match n {
            ..8_192 => Self::OneWorkgroup,
            ..32_768 if is_software => Self::OneWorkgroup,
            #[cfg(feature = "papers")]
            ..=65_536 if !is_software => Self::Simple,
            #[cfg(feature = "papers")]
            ..=524_288 if !is_software => Self::WorkEfficient,
            _ => Self::Hierarchical,
        }
    }

    /// The dispatches, with buffers for up to `n_entries` entries.
    pub(crate) fn stages(self, n_entries: u32) -> MatcherPlan {
        let mut plan = Plan::new("boxwood.tree", self.config(n_entries));
        let bits = Bits {
            config: plan.size_uniform("config"),
            begin_bits: plan.per::<u32>(Per::EntryWord, "begin_bits"),
            // Some shaders store four at a time.
            matches: plan.per::<[i32; 4]>(Per::EntryQuad, "matches"),
        };
        plan.begin("boxwood.match");
        match self {
            #[cfg(feature = "papers")]
            Self::Simple | Self::WorkEfficient => two_level::plan(&mut plan, bits, self == Self::Simple),
            #[cfg(feature = "papers")]
            Self::LookBack => look_back::plan(&mut plan, bits),
            Self::Hierarchical => hierarchical(&mut plan, bits),
            Self::OneWorkgroup => one_workgroup(&mut plan, bits),
        }
        plan.end();
        MatcherPlan { plan, bits }
    }

    fn config(self, n_entries: u32) -> Config {
        Config::of_entries(n_entries, self.partition_length())
    }
}

/// The dispatches of an algorithm.
#[derive(Debug)]
pub(crate) struct MatcherPlan {
    pub(crate) plan: Plan<Grid>,
    pub(super) bits: Bits,
}

/// Matching by depth, for any number of entries.
fn hierarchical(plan: &mut Plan<Grid>, Bits { config, begin_bits, matches }: Bits) {
    let partition_bics = plan.per::<Bic>(Per::Partition, "partition_bics");
    let slices = plan.per::<u32>(Per::Entry, "slices");
    let word_stacks = plan.per::<[u32; 2]>(Per::EntryWord, "word_stacks");
    let reduce = MatcherHierarchicalReduce { config, begin_bits, partition_bics, slices, word_stacks };
    plan.dispatch(reduce, Grid::Partitions);
    let Spine { depths: linked_depths, depth_tree } = spine::plan_linked(plan, config, partition_bics);
    let finish = MatcherHierarchicalFinish {
        config,
        begin_bits,
        linked_depths,
        slices,
        word_stacks,
        matches,
        depth_tree,
    };
    plan.dispatch(finish, Grid::Partitions);
}

/// Matching in one dispatch of a single workgroup.
fn one_workgroup(plan: &mut Plan<Grid>, Bits { config, begin_bits, matches }: Bits) {
    let slices = plan.per::<u32>(Per::Entry, "slices");
    plan.dispatch(MatcherOneWorkgroup { config, begin_bits, slices, matches }, Grid::Single);
}

/// The buffers of one algorithm for inputs up to a capacity.
#[derive(Debug)]
pub struct MatchBuffers {
    program: Program<Grid>,
    bits: Bits,
    matcher: Matcher,
}

impl MatchBuffers {
    /// Buffers for up to `capacity` entries. They contain the empty input.
    ///
    /// # Errors
    ///
    /// [`LimitsError`] if the capacity exceeds that of the algorithm, or, with 4 bytes per entry,
    /// the device's `max_storage_buffer_binding_size` or `max_buffer_size`. Nothing is allocated
    /// then.
    pub fn new(context: &Context, matcher: Matcher, capacity: usize) -> Result<Self, LimitsError> {
        let binding = max_binding_size(&context.device().limits());
        check_entries(capacity, matcher.max_entries().min(binding / size_of::<i32>() as u64))?;
        let MatcherPlan { plan, bits } = matcher.stages(count(capacity));
        Ok(Self { program: Program::new(context, plan), bits, matcher })
    }

    /// Replaces the input with the first `n` bits of `begin_bits`.
    ///
    /// # Errors
    ///
    /// [`LimitsError`] if `n` exceeds the capacity. The buffers keep their input then.
    ///
    /// # Panics
    ///
    /// Panics if `begin_bits` has fewer than `n` bits.
    pub fn upload(&mut self, queue: &wgpu::Queue, begin_bits: &[u32], n: usize) -> Result<(), LimitsError> {
        check_entries(n, self.program.capacity().n_entries.into())?;
        let words = &begin_bits[..n.div_ceil(32)];
        self.program.set_size(queue, self.matcher.config(count(n)));
        queue.write_buffer(&self.program[self.bits.begin_bits], 0, bytemuck::cast_slice(words));
        Ok(())
    }

    /// Records the matching into a compute pass. This does not submit or wait.
    pub fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.program.record(pass);
    }

    /// The number of entries in the input.
    pub fn n(&self) -> u32 {
        self.program.size().n_entries
    }

    /// Out: `array<i32>`, one per entry.
    pub fn matches(&self) -> &wgpu::Buffer {
        &self.program[self.bits.matches]
    }
}
