//! The parentheses matching problem by several algorithms.

use wgpu::AdapterInfo;

use super::matcher_hierarchical::HIERARCHICAL;
use super::matcher_one_workgroup::ONE_WORKGROUP;
use crate::core::config::Config;
use crate::core::context::Context;
use crate::core::limits::{LimitsError, check_entries, count, max_binding_size};
use crate::core::matching::Description;
use crate::core::program::Program;
use crate::core::schedule::{BufferLayout, Per, Stage};
use crate::core::thresholds::{Task, Thresholds};
#[cfg(feature = "papers")]
use crate::papers::{look_back::LOOK_BACK, two_level};

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
    /// Levien 2022, section 8: two levels, 2 entries per invocation, up to 512² entries.
    #[cfg(feature = "papers")]
    WorkEfficient2,
    /// The same with 4 entries per invocation, up to 1024² entries.
    #[cfg(feature = "papers")]
    WorkEfficient4,
    /// The same with 8 entries per invocation, up to 2048² entries.
    #[cfg(feature = "papers")]
    WorkEfficient8,
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
        Self::WorkEfficient2,
        #[cfg(feature = "papers")]
        Self::WorkEfficient4,
        #[cfg(feature = "papers")]
        Self::WorkEfficient8,
        #[cfg(feature = "papers")]
        Self::LookBack,
        Self::Hierarchical,
        Self::OneWorkgroup,
    ];

    fn description(self) -> &'static Description {
        match self {
            #[cfg(feature = "papers")]
            Self::Simple => &two_level::SIMPLE,
            #[cfg(feature = "papers")]
            Self::WorkEfficient2 => &two_level::WORK_EFFICIENT_2,
            #[cfg(feature = "papers")]
            Self::WorkEfficient4 => &two_level::WORK_EFFICIENT_4,
            #[cfg(feature = "papers")]
            Self::WorkEfficient8 => &two_level::WORK_EFFICIENT_8,
            #[cfg(feature = "papers")]
            Self::LookBack => &LOOK_BACK,
            Self::Hierarchical => &HIERARCHICAL,
            Self::OneWorkgroup => &ONE_WORKGROUP,
        }
    }

    /// A short name, for tables.
    pub fn name(self) -> &'static str {
        self.description().name
    }

    /// The number of entries per workgroup.
    pub fn partition_length(self) -> u32 {
        self.description().partition_length
    }

    /// The maximum number of entries. A device may have a lower limit.
    pub fn max_entries(self) -> u64 {
        self.description().max_entries
    }

    /// The stage that it runs.
    pub(crate) fn stage(self) -> &'static Stage {
        &self.description().stage
    }

    /// The fastest algorithm for `n` entries on this adapter, according to measurements.
    ///
    /// On discrete GPUs, the algorithms of the papers are up to twice as fast between 2¹³ and 2²⁰
    /// entries. Without the feature `papers`, this is [`Hierarchical`](Self::Hierarchical) there.
    pub fn for_entries(n: usize, adapter: &AdapterInfo) -> Self {
        let name = Thresholds::built_in().fastest(Task::Match, n, adapter);
        let named = Self::ALL.iter().copied().find(|matcher| name == Some(matcher.name()));
        named.filter(|matcher| n as u64 <= matcher.max_entries()).unwrap_or(Self::Hierarchical)
    }
}

/// The buffer that the host uploads.
const INPUTS: [BufferLayout; 1] = [BufferLayout::of::<u32>("begin_bits", Per::EntryWord)];

/// The buffers of one algorithm for inputs up to a capacity.
#[derive(Debug)]
pub struct MatchBuffers {
    program: Program,
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
        let size = Config::of_entries(count(capacity), matcher.partition_length());
        let program = Program::new(context.kernels(), &[matcher.stage()], &INPUTS, &size, None);
        Ok(Self { program, matcher })
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
        self.program.capacity().check(0, n)?;
        let words = &begin_bits[..n.div_ceil(32)];
        self.program.set_config(queue, Config::of_entries(count(n), self.matcher.partition_length()));
        queue.write_buffer(self.program.buffer("begin_bits"), 0, bytemuck::cast_slice(words));
        Ok(())
    }

    /// Records the matching into a compute pass. This does not submit or wait.
    pub fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.program.record(pass);
    }

    /// The number of entries in the input.
    pub fn n(&self) -> u32 {
        self.program.config().n_entries
    }

    /// Out: `array<i32>`, one per entry.
    pub fn matches(&self) -> &wgpu::Buffer {
        self.program.buffer("matches")
    }
}
