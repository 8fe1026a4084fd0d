//! The parentheses matching problem alone, by several algorithms behind one interface.
//!
//! In: one bit an entry, 1 for a begin, 32 entries a word, the first in the lowest bit. Out: one `i32` an entry, at a begin
//! the innermost begin that encloses it, at an end its own begin, −1 where there is none. That is the stronger form of the
//! problem that Levien 2022, section 2, gives: every stack can be read off the result. Specification:
//! `boxwood_cpu::match_parentheses`.
//!
//! Which algorithm is the fastest depends on the length and the device; [`Matcher::for_entries`] knows it from measurements:
//!
//! ```no_run
//! # use boxwood::matcher::{MatchBuffers, Matcher, Matchers};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let boxwood::Gpu { device, queue, .. } = boxwood::Gpu::open(None)?;
//! # let (begin_bits, n) = (vec![0_u32], 32);
//! let matchers = Matchers::new(&device); // once
//! let matcher = Matcher::for_entries(n, &device.adapter_info());
//! let mut buffers = MatchBuffers::new(&device, &matchers, matcher, n)?; // once a size
//! buffers.upload(&queue, &begin_bits, n)?;
//!
//! let mut encoder = device.create_command_encoder(&Default::default());
//! matchers.record(&mut encoder.begin_compute_pass(&Default::default()), &buffers);
//! queue.submit([encoder.finish()]);
//! let matches: &wgpu::Buffer = buffers.matches(); // for your own passes
//! # Ok(()) }
//! ```

mod hierarchical;
mod look_back;
mod one_workgroup;
mod simple;
mod work_efficient;

use boxwood_layout::{Config, LimitsError};
use boxwood_shaders::Shader;

use crate::gpu::max_binding_size;
use crate::kernels::Kernels;
use crate::program::Program;
use crate::stage::{BufferLayout, Per, Stage};

/// An algorithm for matching parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Matcher {
    /// Levien 2022, section 7: two levels, one entry an invocation, up to 256² entries.
    Simple,
    /// Levien 2022, section 8: two levels, 2 entries an invocation, up to 512² entries.
    WorkEfficient2,
    /// The same with 4 entries an invocation, up to 1024² entries.
    WorkEfficient4,
    /// The same with 8 entries an invocation, up to 2048² entries.
    WorkEfficient8,
    /// Levien 2021: a single pass with decoupled look-back, for any number of entries.
    LookBack,
    /// By depth, for any number of entries: 32 an invocation, thread stacks as bit masks, a tree of least depths.
    Hierarchical,
    /// The same in one dispatch of a single workgroup, which goes over the entries 8192 at a time, for up to 65,536: beyond the first few
    /// thousand others are faster, and some software adapters end the loops of a shader after so many rounds.
    OneWorkgroup,
}

impl Matcher {
    /// Every algorithm.
    pub const ALL: [Self; 7] = [
        Self::Simple,
        Self::WorkEfficient2,
        Self::WorkEfficient4,
        Self::WorkEfficient8,
        Self::LookBack,
        Self::Hierarchical,
        Self::OneWorkgroup,
    ];

    /// A short name, for tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Simple => "simple",
            Self::WorkEfficient2 => "work_efficient_2",
            Self::WorkEfficient4 => "work_efficient_4",
            Self::WorkEfficient8 => "work_efficient_8",
            Self::LookBack => "look_back",
            Self::Hierarchical => "hierarchical",
            Self::OneWorkgroup => "one_workgroup",
        }
    }

    /// What it runs.
    pub fn stage(self) -> &'static Stage {
        match self {
            Self::Simple => &simple::STAGE,
            Self::WorkEfficient2 => &work_efficient::STAGE_2,
            Self::WorkEfficient4 => &work_efficient::STAGE_4,
            Self::WorkEfficient8 => &work_efficient::STAGE_8,
            Self::LookBack => &look_back::STAGE,
            Self::Hierarchical => &hierarchical::STAGE,
            Self::OneWorkgroup => &one_workgroup::STAGE,
        }
    }

    /// How many entries a workgroup takes.
    pub fn partition_length(self) -> u32 {
        match self {
            Self::Simple => simple::PARTITION_LENGTH,
            Self::WorkEfficient2 => work_efficient::partition_length(2),
            Self::WorkEfficient4 => work_efficient::partition_length(4),
            Self::WorkEfficient8 => work_efficient::partition_length(8),
            Self::LookBack => look_back::PARTITION_LENGTH,
            Self::Hierarchical => hierarchical::PARTITION_LENGTH,
            Self::OneWorkgroup => one_workgroup::PARTITION_LENGTH,
        }
    }

    /// The most entries that the algorithm can hold. A device may hold less.
    pub fn max_entries(self) -> u64 {
        match self {
            // A workgroup sees as many partitions as a partition has entries.
            Self::Simple | Self::WorkEfficient2 | Self::WorkEfficient4 | Self::WorkEfficient8 => {
                u64::from(self.partition_length()).pow(2)
            }
            Self::OneWorkgroup => 8 * u64::from(one_workgroup::PARTITION_LENGTH),
            Self::LookBack | Self::Hierarchical => i32::MAX as u64,
        }
    }
}

/// The compiled algorithms. Make it once a device.
#[derive(Debug)]
pub struct Matchers {
    kernels: Kernels,
}

impl Matchers {
    /// Compiles every algorithm for `device`, which needs no feature and no more than WebGPU's default limits.
    pub fn new(device: &wgpu::Device) -> Self {
        Self { kernels: Kernels::new(device, shaders(), |_| None).compile(shaders()) }
    }

    /// The algorithms from the source that `source` gives for their shaders, each compiled with the first [`MatchBuffers`] for
    /// it, with wgpu's checks of what they do.
    pub fn with_sources(device: &wgpu::Device, source: impl Fn(&Shader) -> String) -> Self {
        Self { kernels: Kernels::new(device, shaders(), |shader| Some(source(shader))) }
    }

    /// The same algorithms from the source that `source` gives now. A shader that [`with_sources`](Self::with_sources) has made
    /// of just that is not compiled again.
    #[must_use]
    pub fn with_changes(&self, source: impl Fn(&Shader) -> String) -> Self {
        Self { kernels: self.kernels.with_changes(source) }
    }

    /// Records the matching of what is in `buffers` into a compute pass.
    pub fn record(&self, pass: &mut wgpu::ComputePass<'_>, buffers: &MatchBuffers) {
        buffers.program.record(pass, &self.kernels);
    }
}

fn shaders() -> impl Iterator<Item = &'static Shader> {
    Matcher::ALL.iter().flat_map(|matcher| matcher.stage().shaders())
}

/// What the host uploads.
const INPUTS: [BufferLayout; 1] = [BufferLayout { name: "begin_bits", per: Per::NodeWord, stride: 4 }];

/// What every algorithm gives, in room for a multiple of four: some store that many at a time.
const MATCHES: BufferLayout = BufferLayout { name: "matches", per: Per::NodeQuad, stride: 16 };

/// The buffers of one algorithm for inputs up to some length.
#[derive(Debug)]
pub struct MatchBuffers {
    program: Program,
    matcher: Matcher,
    capacity: u64,
}

impl MatchBuffers {
    /// Buffers for up to `capacity` entries. They hold none.
    ///
    /// # Errors
    ///
    /// More than the algorithm or a storage binding of `device`, of 4 bytes an entry, can hold. Nothing is allocated then.
    pub fn new(
        device: &wgpu::Device,
        matchers: &Matchers,
        matcher: Matcher,
        capacity: usize,
    ) -> Result<Self, LimitsError> {
        let limits = device.limits();
        let binding = max_binding_size(&limits);
        let limit = matcher.max_entries().min(binding / size_of::<i32>() as u64);
        check(capacity as u64, limit)?;
        let size = Config::of_nodes(count(capacity), matcher.partition_length());
        let program = Program::new(device, &matchers.kernels, &[matcher.stage()], &INPUTS, &size, None);
        Ok(Self { program, matcher, capacity: capacity as u64 })
    }

    /// Replaces the input by the first `n` bits of `begin_bits`.
    ///
    /// # Errors
    ///
    /// More entries than these buffers were made for. They keep their input then.
    ///
    /// # Panics
    ///
    /// If there are fewer bits.
    pub fn upload(&mut self, queue: &wgpu::Queue, begin_bits: &[u32], n: usize) -> Result<(), LimitsError> {
        check(n as u64, self.capacity)?;
        let words = &begin_bits[..n.div_ceil(32)];
        self.program.set_config(queue, Config::of_nodes(count(n), self.matcher.partition_length()));
        queue.write_buffer(self.program.buffer("begin_bits"), 0, bytemuck::cast_slice(words));
        Ok(())
    }

    /// How many entries the input has.
    pub fn n(&self) -> u32 {
        self.program.config().n_nodes
    }

    /// Out: `array<i32>`, one an entry.
    pub fn matches(&self) -> &wgpu::Buffer {
        self.program.buffer("matches")
    }
}

fn check(need: u64, limit: u64) -> Result<(), LimitsError> {
    if need > limit { Err(LimitsError::Nodes { need, limit }) } else { Ok(()) }
}

fn count(n: usize) -> u32 {
    u32::try_from(n).expect("the limits keep counts within u32")
}
