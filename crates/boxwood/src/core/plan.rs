//! The buffers and the dispatches of stages, as data.
//!
//! A stage adds its buffers and its dispatches to a [`Plan`], and so do the stages that it
//! consists of. [`Plan::check`] compares all buffers with the limits of a device before anything is
//! allocated. A [`Program`](super::program::Program) allocates the buffers and binds them.

use std::ops::Range;

use boxwood_shaders::{Shader, ShaderWith, Slots, SlotsOfOne};
use bytemuck::{Pod, Zeroable};

/// A buffer of a plan, in the bindings of a dispatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The index of the buffer.
    pub(super) index: usize,
    /// The axis along which one chunk of the buffer is bound at a time, if it is.
    pub(super) axis: Option<ChunkAxis>,
}

impl Slot {
    /// The buffer, bound one chunk at a time. The dispatch runs once per chunk, or once per
    /// pair of chunks along two axes.
    pub(crate) fn along(self, axis: ChunkAxis) -> Self {
        Self { axis: Some(axis), ..self }
    }

    /// The buffer, in a plan that has `n` buffers before those of this one.
    pub(crate) fn shifted(self, n: usize) -> Self {
        Self { index: self.index + n, ..self }
    }

    /// The index of the buffer among those of the plan.
    pub fn index(self) -> usize {
        self.index
    }

    /// The axis of the chunks, if the buffer is bound in chunks.
    pub fn axis(self) -> Option<ChunkAxis> {
        self.axis
    }
}

/// The axis along which an array is divided into chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChunkAxis {
    /// The partitions that have workgroups.
    Partitions,
    /// The partitions whose data these workgroups read. None of them is after the workgroup's own
    /// partition.
    Sources,
    /// The entries of the node stream. None of them belongs to a partition after the workgroup's
    /// own.
    Entries,
}

/// The parts of a scene's arrays that a dispatch binds: the uniform of the `_chunked` shaders. Ends
/// are exclusive.
///
/// # Layout
///
/// Six `u32` in the order of the fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Chunk {
    /// The first of the partitions that have workgroups.
    pub first_partition: u32,
    /// The end of these partitions.
    pub end_partition: u32,
    /// The first of the partitions whose data these workgroups read.
    pub first_source: u32,
    /// The end of these partitions.
    pub end_source: u32,
    /// The first entry of the node stream. The entries of one more partition are bound beyond the
    /// end.
    pub first_entry: u32,
    /// The end of these entries.
    pub end_entry: u32,
}

impl Chunk {
    /// All arrays as a whole.
    pub(crate) const WHOLE: Self = Self::new(0..u32::MAX, 0..u32::MAX, 0..u32::MAX);

    pub(super) const fn new(partitions: Range<u32>, sources: Range<u32>, entries: Range<u32>) -> Self {
        Self {
            first_partition: partitions.start,
            end_partition: partitions.end,
            first_source: sources.start,
            end_source: sources.end,
            first_entry: entries.start,
            end_entry: entries.end,
        }
    }
}

/// The number of workgroups of a dispatch, as it follows from the size of an input.
pub trait Workgroups {
    /// The size of an input, which shaders can read as a uniform.
    type Size: Pod + PartialEq + std::fmt::Debug;

    /// The number of workgroups for an input of this size.
    fn workgroups(&self, size: &Self::Size) -> u32;

    /// How often a dispatch in rounds runs its pair of rounds.
    fn n_repeats(_size: &Self::Size) -> u32 {
        1
    }

    /// The size of the part of an input that is in a chunk, or `None` if there is no such part.
    fn part_in(size: &Self::Size, _chunk: &Chunk) -> Option<Self::Size> {
        Some(*size)
    }

    /// Whether there is nothing to compute.
    fn is_empty(_size: &Self::Size) -> bool {
        false
    }

    /// Whether an input of this size fits in buffers for a capacity.
    fn is_within(_size: &Self::Size, _capacity: &Self::Size) -> bool {
        true
    }
}

/// A number that does not depend on the size of an input.
impl Workgroups for u32 {
    type Size = ();

    fn workgroups(&self, (): &()) -> u32 {
        *self
    }
}

/// The buffers and the dispatches of stages.
#[derive(Clone, Debug)]
pub struct Plan<W: Workgroups> {
    /// The first part of the labels of the buffers, such as `boxwood.spatial`.
    pub(super) label: &'static str,
    /// The size of the largest input.
    pub(crate) capacity: W::Size,
    /// The size of the first input.
    pub(crate) size: W::Size,
    pub(super) buffers: Vec<PlannedBuffer>,
    pub(crate) steps: Vec<Step<PlannedDispatch<W>>>,
    /// The uniform with the size of the input.
    pub(super) config: Option<Slot>,
    /// The uniform with the present chunk.
    pub(super) chunk: Option<Slot>,
    /// Whether the shaders run with wgpu's runtime checks.
    pub(super) checks: bool,
}

/// A step of a recording.
#[derive(Clone, Debug)]
pub(crate) enum Step<D> {
    /// The begin of a stage. The stages inside it are parts of it.
    Begin(&'static str),
    Dispatch(D),
    /// The end of a stage.
    End,
}

/// A buffer of a plan.
#[derive(Clone, Debug)]
pub struct PlannedBuffer {
    /// Its name.
    pub name: &'static str,
    /// The number of its items.
    pub n_items: u64,
    /// The bytes of an item.
    pub stride: u64,
    /// The bytes for the elements of one partition, if it can be bound in chunks.
    pub(super) bytes_per_partition: Option<u64>,
    pub(super) source: Source,
}

/// Where a buffer comes from.
#[derive(Clone, Debug)]
pub(super) enum Source {
    /// The program allocates it. It can have more usages than every result.
    Own(wgpu::BufferUsages),
    /// The program allocates it, with these contents.
    Filled(wgpu::BufferUsages, Vec<u8>),
    /// It belongs to the caller or to another program.
    Given(wgpu::Buffer),
    /// The program binds the present chunk there.
    Chunk,
}

/// A dispatch of a plan.
#[derive(Clone, Debug)]
pub struct PlannedDispatch<W> {
    /// Its shader.
    pub shader: &'static Shader,
    /// The number of workgroups.
    pub workgroups: W,
    /// The bindings of each round, in the order of those of the shader. A dispatch has one round,
    /// or two for pointer jumping. Each of the two reads what the other has written. They run in
    /// pairs, so that the second one writes the result.
    pub rounds: Vec<Vec<Slot>>,
}

/// A buffer that has no room for its items, or that the device cannot bind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NoRoom {
    pub(crate) buffer: &'static str,
    pub(crate) need: u64,
    pub(crate) limit: u64,
}

impl<W: Workgroups> Plan<W> {
    /// A plan without buffers and dispatches, for inputs of up to `capacity`.
    pub(crate) fn new(label: &'static str, capacity: W::Size) -> Self {
        let (buffers, steps) = (Vec::new(), Vec::new());
        let size = W::Size::zeroed();
        Self { label, capacity, size, buffers, steps, config: None, chunk: None, checks: false }
    }

    /// A plan without buffers and dispatches, for inputs of up to `capacity`. Its shaders run with
    /// wgpu's runtime checks of every index and loop.
    #[cfg(feature = "plans")]
    pub fn with_checks(label: &'static str, capacity: W::Size) -> Self {
        Self::new(label, capacity).checked()
    }

    /// The same plan with these checks.
    pub(crate) fn checked(self) -> Self {
        Self { checks: true, ..self }
    }

    /// The same without these checks, which cost more time than the work of most shaders.
    ///
    /// # Safety
    ///
    /// In every recording, each index that a shader of the plan computes must be within the buffer
    /// or array that it indexes, each loop must end, and each shader must write workgroup memory
    /// before it reads it.
    #[cfg(feature = "plans")]
    #[expect(unsafe_code, reason = "the checks are what makes other dispatches safe")]
    pub unsafe fn without_checks(label: &'static str, capacity: W::Size) -> Self {
        Self::new(label, capacity)
    }

    /// Adds a buffer of `n` items, whose contents are zeros.
    pub fn buffer<Item>(&mut self, name: &'static str, n: impl Into<u64>) -> Slot {
        self.add(name, n.into(), size_of::<Item>(), Source::Own(wgpu::BufferUsages::empty()))
    }

    /// Adds a buffer of `n` items with another usage besides those of every result.
    pub(crate) fn buffer_for<Item>(&mut self, name: &'static str, n: u64, usage: wgpu::BufferUsages) -> Slot {
        self.add(name, n, size_of::<Item>(), Source::Own(usage))
    }

    /// Adds a buffer with these contents, which the queue can replace.
    pub(crate) fn filled<Item: Pod>(&mut self, name: &'static str, items: &[Item]) -> Slot {
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST;
        let contents = Source::Filled(usage, bytemuck::cast_slice(items).to_vec());
        self.add(name, items.len() as u64, size_of::<Item>(), contents)
    }

    /// Adds a uniform, which the queue can replace.
    pub(crate) fn uniform<T: Pod>(&mut self, name: &'static str, contents: &T) -> Slot {
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let contents = Source::Filled(usage, bytemuck::bytes_of(contents).to_vec());
        self.add(name, 1, size_of::<T>(), contents)
    }

    /// Adds the uniform with the size of the input. In a chunk, it is the size of the part in the
    /// chunk.
    pub(crate) fn size_uniform(&mut self, name: &'static str) -> Slot {
        let slot = self.uniform(name, &self.size.clone());
        self.config = Some(slot);
        slot
    }

    /// Adds the uniform with the present chunk.
    pub(crate) fn chunk_uniform(&mut self) -> Slot {
        let slot = self.add("chunk", 1, size_of::<Chunk>(), Source::Chunk);
        self.chunk = Some(slot);
        slot
    }

    /// Adds a buffer that belongs to the caller, of which `n` items are used. A shader binds at
    /// least one item, even if there are none.
    pub(crate) fn given<Item>(
        &mut self,
        name: &'static str,
        buffer: &wgpu::Buffer,
        n: impl Into<u64>,
    ) -> Slot {
        self.add(name, n.into().max(1), size_of::<Item>(), Source::Given(buffer.clone()))
    }

    /// Adds a buffer that belongs to the caller, as much of it as the device can bind.
    #[cfg(feature = "plans")]
    pub fn whole(&mut self, name: &'static str, buffer: &wgpu::Buffer) -> Slot {
        self.given::<u32>(name, buffer, buffer.size() / size_of::<u32>() as u64)
    }

    /// Adds a buffer with items of `stride` bytes that can be bound in chunks.
    pub(super) fn array(
        &mut self,
        name: &'static str,
        n: u64,
        stride: usize,
        bytes_per_partition: Option<u64>,
    ) -> Slot {
        let slot = self.add(name, n, stride, Source::Own(wgpu::BufferUsages::empty()));
        self.buffers[slot.index].bytes_per_partition = bytes_per_partition;
        slot
    }

    fn add(&mut self, name: &'static str, n_items: u64, stride: usize, source: Source) -> Slot {
        let stride = stride as u64;
        self.buffers.push(PlannedBuffer { name, n_items, stride, bytes_per_partition: None, source });
        Slot { index: self.buffers.len() - 1, axis: None }
    }

    /// Begins a stage, which [`end`](Self::end) ends. Captures show the dispatches of a stage as a
    /// group.
    pub(crate) fn begin(&mut self, stage: &'static str) {
        self.steps.push(Step::Begin(stage));
    }

    /// Ends the stage that was begun last.
    pub(crate) fn end(&mut self) {
        self.steps.push(Step::End);
    }

    /// Adds a dispatch.
    pub fn dispatch<S: SlotsOfOne<Item = Slot>>(&mut self, slots: S, workgroups: W) {
        self.dispatch_with(S::SHADER, slots, workgroups);
    }

    /// Adds a dispatch of one of the shaders with these bindings.
    pub(crate) fn dispatch_with<S: Slots<Item = Slot>>(
        &mut self,
        shader: &'static ShaderWith<S::Shape>,
        slots: S,
        workgroups: W,
    ) {
        self.dispatch_rounds(shader, workgroups, vec![slots.into_items()]);
    }

    /// Adds a dispatch that runs in pairs of rounds. Each round reads what the one before it has
    /// written.
    pub(crate) fn dispatch_in_rounds<S: SlotsOfOne<Item = Slot>>(&mut self, rounds: [S; 2], workgroups: W) {
        self.dispatch_rounds(S::SHADER, workgroups, rounds.map(Slots::into_items).into());
    }

    fn dispatch_rounds(&mut self, shader: &'static Shader, workgroups: W, rounds: Vec<Vec<Slot>>) {
        self.steps.push(Step::Dispatch(PlannedDispatch { shader, workgroups, rounds }));
    }

    /// Adds the buffers of another plan, for inputs of its capacity. Returns the number of buffers
    /// before them.
    pub(crate) fn add_buffers_of<V: Workgroups>(&mut self, other: &Plan<V>) -> usize {
        let n_before = self.buffers.len();
        self.buffers.extend(other.buffers.iter().cloned());
        n_before
    }

    /// Adds the steps of another plan, each with the workgroups for its capacity. `slot_of` returns
    /// the buffer of this plan for each of its buffers.
    pub(crate) fn add_steps_of<V: Workgroups>(
        &mut self,
        other: &Plan<V>,
        slot_of: impl Fn(Slot) -> Slot,
        workgroups: impl Fn(u32) -> W,
    ) {
        let steps = other.steps.iter().map(|step| match step {
            Step::Begin(stage) => Step::Begin(stage),
            Step::End => Step::End,
            Step::Dispatch(PlannedDispatch { shader, workgroups: own, rounds }) => {
                let bound = |round: &Vec<Slot>| round.iter().map(|slot| slot_of(*slot)).collect();
                Step::Dispatch(PlannedDispatch {
                    shader,
                    workgroups: workgroups(own.workgroups(&other.capacity)),
                    rounds: rounds.iter().map(bound).collect(),
                })
            }
        });
        self.steps.extend(steps);
    }

    /// The number of steps so far, as the begin of a part that can be recorded alone.
    pub(crate) fn n_steps(&self) -> usize {
        self.steps.len()
    }

    /// The size of the largest input.
    pub fn capacity(&self) -> &W::Size {
        &self.capacity
    }

    /// The buffers.
    pub fn buffers(&self) -> &[PlannedBuffer] {
        &self.buffers
    }

    /// The dispatches, in order.
    pub fn dispatches(&self) -> impl Iterator<Item = &PlannedDispatch<W>> {
        self.steps.iter().filter_map(|step| match step {
            Step::Dispatch(dispatch) => Some(dispatch),
            _ => None,
        })
    }

    /// Checks that each buffer can be bound as a whole by a device with this largest binding, and
    /// that the buffers of the caller have room for their items. Of several buffers that do not,
    /// the error names the one that is the farthest from it.
    pub(crate) fn check(&self, binding: u64) -> Result<(), NoRoom> {
        let mut worst: Option<NoRoom> = None;
        for PlannedBuffer { name, n_items, stride, source, .. } in &self.buffers {
            let bytes = if let Source::Given(buffer) = source { buffer.size().min(binding) } else { binding };
            let (need, limit) = (*n_items, bytes / stride);
            // Compares the ratios of need and limit.
            let is_worse = |worst: NoRoom| {
                u128::from(need) * u128::from(worst.limit) > u128::from(worst.need) * u128::from(limit)
            };
            if need > limit && worst.is_none_or(is_worse) {
                worst = Some(NoRoom { buffer: name, need, limit });
            }
        }
        worst.map_or(Ok(()), Err)
    }
}

impl PlannedBuffer {
    /// Whether the program allocates it without contents: it is neither a uniform nor a buffer of
    /// the caller.
    pub fn is_result(&self) -> bool {
        matches!(self.source, Source::Own(_))
    }

    /// Its size in bytes. It has at least 16, because wgpu rejects empty bindings, and some shaders
    /// read a vector of four words.
    pub fn bytes(&self) -> u64 {
        self.n_items.saturating_mul(self.stride).max(16).next_multiple_of(4)
    }
}

impl<W> PlannedDispatch<W> {
    /// The bindings of all rounds.
    pub(crate) fn slots(&self) -> impl Iterator<Item = Slot> {
        self.rounds.iter().flatten().copied()
    }

    /// Whether a buffer is bound in chunks along an axis.
    pub(crate) fn is_chunked_along(&self, axis: ChunkAxis) -> bool {
        self.slots().any(|slot| slot.axis == Some(axis))
    }
}
