//! The boxes of a scene that changes from frame to frame.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use boxwood_cpu::{Aabb, Boxes, Scene, SceneError, tag};

use super::algorithm::{Algorithm, ScenePlan};
use super::outputs::Outputs;
use super::slots::{EntryResults, Inputs, Outcome};
use crate::core::context::Context;
use crate::core::grid::Grid;
use crate::core::limits::{Limits, LimitsError, count};
use crate::core::program::{Program, begin_pass};
use crate::core::read_back::{ReadBackError, read_items_async};

/// A scene on the GPU and its boxes: the inputs, the results, and the working memory of the stages.
///
/// Make one per scene and keep it from frame to frame. In each frame, [`update`](Self::update) it
/// and [`record`](Self::record) the stages.
///
/// ```no_run
/// # use boxwood::{Aabb, Context, Outputs, Scene, SceneBoxes, wgpu};
/// # fn frame(device: &wgpu::Device, queue: &wgpu::Queue, encoder: &mut wgpu::CommandEncoder,
/// #     scene: &mut Scene, moved: Aabb) -> Result<(), boxwood::UpdateError> {
/// let context = Context::new(device); // once per device
/// let mut boxes = SceneBoxes::new(&context, Outputs::CLIPPED | Outputs::GROUPS); // once per scene
///
/// boxes.update(queue, scene)?; // the whole scene, which may have grown
/// scene.set_box(17, moved);
/// boxes.update_boxes(queue, scene, 17..18)?; // or a few boxes of it
/// boxes.record(encoder);
/// // In the same encoder: your own passes over boxes.clipped_boxes(), boxes.group_boxes(), ...
/// # Ok(()) }
/// ```
///
/// # Buffers
///
/// The buffers with an accessor have the usages `STORAGE`, `COPY_SRC`, `COPY_DST`, and `VERTEX`, so
/// that a later pass can bind them, copy them, or draw an instance per item. Each is labelled
/// `boxwood.scene.<buffer>`.
///
/// They grow with the scene. [`generation`](Self::generation) changes when they have been replaced,
/// and then your own bind groups must be made anew. [`with_capacity`](Self::with_capacity) and
/// [`reserve`](Self::reserve) make room in advance.
///
/// The algorithm is the fastest one for the capacity, and stays so for smaller scenes. If a scene
/// shrinks for good, make new `SceneBoxes`.
///
/// The buffers may be longer than the scene: [`n_elements`](Self::n_elements) and
/// [`n_entries`](Self::n_entries) are the numbers of valid items. Every valid item of every result
/// is defined, whatever the buffer held before: the clipped box of an element that is not a leaf is
/// [`Aabb::EMPTY`]. The items beyond them have no meaning.
///
/// With [`Algorithm::Hierarchical`] and all outputs, a scene takes 69 bytes per element, in whole
/// partitions of 1,024 elements, and 44 bytes per entry: three boxes, a draw tag, a rank, and the
/// summaries of partitions; two boxes, the links, and the entry. A buffer may be larger than a
/// storage binding. If you bind buffers as a whole, keep to [`Algorithm::limits_in_one_binding`].
#[derive(Debug)]
pub struct SceneBoxes {
    context: Context,
    outputs: Outputs,
    /// The algorithm that the caller has chosen.
    chosen: Option<Algorithm>,
    algorithm: Algorithm,
    program: Program<Grid>,
    inputs: Inputs,
    outcome: Outcome,
    /// The largest scene that the buffers can hold, and the present one.
    capacity: Limits,
    n_elements: u32,
    n_entries: u32,
    generation: u64,
}

/// The reason why a scene was not updated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum UpdateError {
    /// An element of the scene has no valid box.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The device cannot hold the scene.
    #[error(transparent)]
    Limits(#[from] LimitsError),
    /// There are no such elements, or the scene has grown or shrunk since its last update.
    #[error(
        "the boxes of elements {start}..{end} of a scene of {n_elements} elements, of which {n_uploaded} are \
         uploaded: update the whole scene if its elements have changed"
    )]
    Range {
        /// The first element.
        start: usize,
        /// The exclusive end of the elements.
        end: usize,
        /// The number of elements in the scene.
        n_elements: usize,
        /// The number of elements at the last update.
        n_uploaded: u32,
    },
}

impl SceneBoxes {
    /// An empty scene, with the fastest algorithm for the size that it grows to.
    ///
    /// # Panics
    ///
    /// If the device cannot hold even an empty scene. WebGPU's default limits are more than enough.
    pub fn new(context: &Context, outputs: Outputs) -> Self {
        Self::with_capacity(context, outputs, 0, 0).expect("WebGPU's default limits hold an empty scene")
    }

    /// An empty scene with room for `n_elements` elements and `n_entries` begins and ends.
    ///
    /// # Errors
    ///
    /// [`LimitsError`] if the device cannot hold such a scene (see [`limits_of`](Self::limits_of)),
    /// or if it has more begins and ends than elements. Nothing is allocated then.
    pub fn with_capacity(
        context: &Context,
        outputs: Outputs,
        n_elements: usize,
        n_entries: usize,
    ) -> Result<Self, LimitsError> {
        Self::made(context, outputs, None, [n_elements, n_entries])
    }

    /// The same with a given algorithm, for measurements. All algorithms compute the same boxes.
    ///
    /// # Errors
    ///
    /// [`LimitsError`] if the device or the algorithm cannot hold such a scene. Nothing is
    /// allocated then.
    pub fn with_algorithm(
        context: &Context,
        outputs: Outputs,
        algorithm: Algorithm,
        n_elements: usize,
        n_entries: usize,
    ) -> Result<Self, LimitsError> {
        Self::made(context, outputs, Some(algorithm), [n_elements, n_entries])
    }

    fn made(
        context: &Context,
        outputs: Outputs,
        chosen: Option<Algorithm>,
        size: [usize; 2],
    ) -> Result<Self, LimitsError> {
        check_size(size)?;
        let (algorithm, plan) = plan(context.device(), outputs, chosen, &[size])?;
        let (capacity, inputs, outcome) = (plan.capacity(), plan.inputs, plan.outcome);
        Ok(Self {
            context: context.clone(),
            outputs,
            chosen,
            algorithm,
            program: program(context, plan),
            inputs,
            outcome,
            capacity,
            n_elements: 0,
            n_entries: 0,
            generation: next_generation(),
        })
    }

    /// The largest scene on this device. The limit is `max_buffer_size`, since a buffer takes 16
    /// bytes per element. Only the trees over the partitions must fit in a storage binding
    /// (`max_storage_buffer_binding_size`). They take 32 bytes per 1,024 elements, rounded up to a
    /// power of two.
    pub fn limits_of(device: &wgpu::Device) -> Limits {
        Algorithm::Hierarchical.limits_on(&device.limits())
    }

    /// Makes room for `n_elements` elements and `n_entries` begins and ends. The scene is empty
    /// afterwards if there was not enough room, and [`generation`](Self::generation) has changed.
    ///
    /// # Errors
    ///
    /// [`LimitsError`] if the device cannot hold such a scene, or if it has more begins and ends
    /// than elements. Nothing changes then.
    pub fn reserve(&mut self, n_elements: usize, n_entries: usize) -> Result<(), LimitsError> {
        check_size([n_elements, n_entries])?;
        if self.capacity.check(n_elements, n_entries).is_ok() {
            return Ok(());
        }
        // Growth by a factor keeps the number of new buffers small while a scene grows. Twice the
        // room may be more than the device holds, or need slower stages, so smaller shares of the
        // present room follow, and in the end just enough room. A dimension with enough room stays
        // as it is.
        let Limits { max_elements, max_entries } = self.capacity;
        let grown = |need: usize, have: u64, divisor: usize| {
            let have = usize::try_from(have).unwrap_or(usize::MAX);
            if need <= have { have } else { need.max(have.saturating_add(have / divisor)) }
        };
        let larger = [1, 4, 16].map(|divisor| {
            let n_elements = grown(n_elements, max_elements, divisor);
            // Every begin and end is an element.
            [n_elements, grown(n_entries, max_entries, divisor).min(n_elements)]
        });
        let sizes = [larger[0], larger[1], larger[2], [n_elements, n_entries]];
        let (algorithm, plan) = plan(self.context.device(), self.outputs, self.chosen, &sizes)?;
        self.algorithm = algorithm;
        (self.capacity, self.inputs, self.outcome) = (plan.capacity(), plan.inputs, plan.outcome);
        self.program = program(&self.context, plan);
        (self.n_elements, self.n_entries) = (0, 0);
        self.generation = next_generation();
        Ok(())
    }

    /// Replaces the scene. The next recording computes its boxes. The upload takes effect at the
    /// next submission to `queue`, before its commands, so submit a recording before the next
    /// update.
    ///
    /// # Errors
    ///
    /// - [`UpdateError::Scene`] if the box of an element was given with a NaN.
    /// - [`UpdateError::Limits`] if the device cannot hold the scene.
    ///
    /// The scene before is kept then.
    pub fn update(&mut self, queue: &wgpu::Queue, scene: &Scene) -> Result<(), UpdateError> {
        // The check comes first, so that a refused scene leaves the buffers and their size
        // unchanged.
        scene.check()?;
        self.set_size(queue, scene.len(), scene.n_entries())?;
        queue.write_buffer(self.draw_tags(), 0, bytemuck::cast_slice(scene.tags()));
        queue.write_buffer(self.element_boxes(), 0, bytemuck::cast_slice(scene.boxes()));
        Ok(())
    }

    /// Uploads the boxes of some elements of the scene again, and nothing else: the ink boxes of
    /// leaves, and the boxes of the shapes of begins, which [`Scene::set_box`] has changed. An
    /// empty box hides a leaf.
    ///
    /// This takes effect when [`update`](Self::update) does.
    ///
    /// # Errors
    ///
    /// - [`UpdateError::Range`] if the scene has no such elements, or another number of elements
    ///   than at the last update.
    /// - [`UpdateError::Scene`] if the box of an element was given with a NaN.
    ///
    /// The buffers keep their boxes then.
    pub fn update_boxes(
        &self,
        queue: &wgpu::Queue,
        scene: &Scene,
        elements: Range<usize>,
    ) -> Result<(), UpdateError> {
        let Range { start, end } = elements;
        let (n_elements, n_uploaded) = (scene.len(), self.n_elements);
        let Some(boxes) = scene.boxes().get(elements).filter(|_| n_elements == n_uploaded as usize) else {
            return Err(UpdateError::Range { start, end, n_elements, n_uploaded });
        };
        // A NaN anywhere is refused: the box of its element was replaced by an empty one.
        scene.check()?;
        let offset = (start * size_of::<Aabb>()) as u64;
        queue.write_buffer(self.element_boxes(), offset, bytemuck::cast_slice(boxes));
        Ok(())
    }

    /// Replaces the scene with one that has these draw tags. A pass of the caller writes the boxes
    /// into [`element_boxes`](Self::element_boxes) before the stages run.
    ///
    /// If the buffers grow, the boxes that were there are gone: look at
    /// [`generation`](Self::generation) after this call, and bind the buffers after it.
    ///
    /// The boxes must keep the rules of [`Aabb`](Aabb#values); nothing checks them.
    ///
    /// # Errors
    ///
    /// The same as [`set_size`](Self::set_size).
    pub fn update_tags(&mut self, queue: &wgpu::Queue, draw_tags: &[u32]) -> Result<(), LimitsError> {
        let n_entries = draw_tags.iter().filter(|&&t| matches!(t, tag::BEGIN | tag::END)).count();
        self.set_size(queue, draw_tags.len(), n_entries)?;
        queue.write_buffer(self.draw_tags(), 0, bytemuck::cast_slice(draw_tags));
        Ok(())
    }

    /// Sets the size of a scene that a pass of the caller writes into
    /// [`draw_tags`](Self::draw_tags) and [`element_boxes`](Self::element_boxes) before the stages
    /// run.
    ///
    /// If the buffers grow, both inputs are gone: look at [`generation`](Self::generation) after
    /// this call, bind the buffers after it, and write every item.
    ///
    /// The boxes must keep the rules of [`Aabb`](Aabb#values), and exactly `n_entries` of the tags
    /// must be begins and ends. Nothing checks this. If it does not hold, the results have no
    /// meaning, but no shader accesses memory outside of its buffers.
    ///
    /// # Errors
    ///
    /// [`LimitsError`] if the device cannot hold the scene, or it has more begins and ends than
    /// elements. The scene before is kept then.
    pub fn set_size(
        &mut self,
        queue: &wgpu::Queue,
        n_elements: usize,
        n_entries: usize,
    ) -> Result<(), LimitsError> {
        self.reserve(n_elements, n_entries)?;
        (self.n_elements, self.n_entries) = (count(n_elements), count(n_entries));
        let is_clipped_alone = self.outcome.of_entries.is_none();
        let config = self.algorithm.config_for(is_clipped_alone, self.n_elements, self.n_entries);
        self.program.set_size(queue, config);
        Ok(())
    }

    /// Records all stages into the caller's encoder, as one compute pass.
    ///
    /// This does not submit, map, or wait. Later passes of the same encoder can read the results.
    pub fn record(&self, encoder: &mut wgpu::CommandEncoder) {
        self.record_in(&mut begin_pass(encoder, "boxwood"));
    }

    /// Records all stages into a compute pass of the caller, who may time it.
    pub fn record_in(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.program.record(pass);
    }

    /// A number that belongs to the present buffers alone, among all `SceneBoxes` of the process.
    /// When it changes, bind groups with these buffers must be made anew.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The algorithm that computes the boxes.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The largest scene that the buffers can hold without growing.
    pub fn capacity(&self) -> Limits {
        self.capacity
    }

    /// The number of elements in the scene.
    pub fn n_elements(&self) -> u32 {
        self.n_elements
    }

    /// The length of the node stream of the scene.
    pub fn n_entries(&self) -> u32 {
        self.n_entries
    }

    /// In: the draw tag of each element, `array<u32>`.
    pub fn draw_tags(&self) -> &wgpu::Buffer {
        &self.program[self.inputs.draw_tags]
    }

    /// In: the box of each element, `array<vec4<f32>>` in the layout of [`Aabb`]. A leaf has its
    /// ink box, a begin the box of its shape.
    pub fn element_boxes(&self) -> &wgpu::Buffer {
        &self.program[self.inputs.element_boxes]
    }

    /// Out: [`Boxes::clipped_boxes`], `array<vec4<f32>>`, one per element. [`Aabb::EMPTY`] for an
    /// element that is not a leaf.
    pub fn clipped_boxes(&self) -> &wgpu::Buffer {
        &self.program[self.outcome.clipped_boxes]
    }

    /// Out: [`Boxes::clip_boxes`], `array<vec4<f32>>`, one per entry.
    ///
    /// # Panics
    ///
    /// If the outputs are without [`Outputs::CLIPS`].
    pub fn clip_boxes(&self) -> &wgpu::Buffer {
        &self.program[self.of_entries(Outputs::CLIPS).clip_boxes]
    }

    /// Out: [`Boxes::group_boxes`], `array<vec4<f32>>`, one per entry.
    ///
    /// # Panics
    ///
    /// If the outputs are without [`Outputs::GROUPS`].
    pub fn group_boxes(&self) -> &wgpu::Buffer {
        &self.program[self.of_entries(Outputs::GROUPS).group_boxes]
    }

    /// Out: [`Boxes::entries`], `array<i32>`, one per entry.
    ///
    /// # Panics
    ///
    /// If the outputs are without [`Outputs::LINKS`].
    pub fn entries(&self) -> &wgpu::Buffer {
        &self.program[self.of_entries(Outputs::LINKS).entries]
    }

    /// Out: [`Boxes::ranks`], `array<u32>`, one per element.
    ///
    /// # Panics
    ///
    /// If the outputs are without [`Outputs::LINKS`].
    pub fn ranks(&self) -> &wgpu::Buffer {
        &self.program[self.of_entries(Outputs::LINKS).ranks]
    }

    /// Out: [`Boxes::links`], `array<EntryLink>`, one per entry.
    ///
    /// # Panics
    ///
    /// If the outputs are without [`Outputs::LINKS`].
    pub fn links(&self) -> &wgpu::Buffer {
        &self.program[self.of_entries(Outputs::LINKS).links]
    }

    #[track_caller]
    fn of_entries(&self, output: Outputs) -> EntryResults {
        assert!(self.outputs.contains(output), "make the SceneBoxes with {output:?}");
        self.outcome.of_entries.expect("these outputs are computed together")
    }

    /// Waits for the device and copies the results to the CPU, for tools and tests. The results
    /// that were not asked for are empty. In a browser, which cannot wait, there is
    /// [`read_back_async`](Self::read_back_async) alone.
    ///
    /// The results are those of the last recording that was submitted before this call. They have
    /// no meaning if there was none since the last update.
    ///
    /// # Errors
    ///
    /// [`ReadBackError`] if the device is lost or has no memory for the copy.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn read_back(&self, queue: &wgpu::Queue) -> Result<Boxes, ReadBackError> {
        let results = self.read_back_async(queue);
        self.context.device().poll(wgpu::PollType::wait_indefinitely())?;
        // If another thread polls the device too, that thread may be the one that reports the
        // copies.
        pollster::block_on(results)
    }

    /// The same without waiting: the copies are submitted now. Outside of a browser, the future
    /// makes progress only while the device is polled.
    ///
    /// # Errors
    ///
    /// [`ReadBackError`] if the device is lost or has no memory for the copies.
    pub fn read_back_async(
        &self,
        queue: &wgpu::Queue,
    ) -> impl Future<Output = Result<Boxes, ReadBackError>> + use<> {
        let device = self.context.device();
        let (n_elements, n_entries) = (self.n_elements as usize, self.n_entries as usize);
        let boxes = |buffer: &wgpu::Buffer, count| read_items_async::<Aabb>(device, queue, buffer, count);
        let clipped_boxes = boxes(self.clipped_boxes(), n_elements);
        let clip_boxes = self.outputs.contains(Outputs::CLIPS).then(|| boxes(self.clip_boxes(), n_entries));
        let group_boxes =
            self.outputs.contains(Outputs::GROUPS).then(|| boxes(self.group_boxes(), n_entries));
        let of_links = self.outputs.contains(Outputs::LINKS).then(|| {
            (
                read_items_async(device, queue, self.entries(), n_entries),
                read_items_async(device, queue, self.ranks(), n_elements),
                read_items_async(device, queue, self.links(), n_entries),
            )
        });
        async move {
            let mut results = Boxes { clipped_boxes: clipped_boxes.await?, ..Boxes::default() };
            if let Some(boxes) = clip_boxes {
                results.clip_boxes = boxes.await?;
            }
            if let Some(boxes) = group_boxes {
                results.group_boxes = boxes.await?;
            }
            if let Some((entries, ranks, links)) = of_links {
                (results.entries, results.ranks, results.links) =
                    (entries.await?, ranks.await?, links.await?);
            }
            Ok(results)
        }
    }
}

/// Dispatches of the caller around the stages, and parts of the stages.
impl SceneBoxes {
    /// The facts about the partitions that the last dispatch reads, with [`Outputs::CLIPPED`]
    /// alone: their summaries, `array<PartitionSummary>`, and the stacks before them,
    /// `array<PartitionCrossings>`.
    ///
    /// # Panics
    ///
    /// If the scene has other outputs, or its algorithm does not end with `fused_clip`.
    #[cfg(feature = "plans")]
    pub fn stacks(&self) -> [&wgpu::Buffer; 2] {
        let stacks = self.outcome.stacks;
        let stacks = stacks.unwrap_or_else(|| panic!("{:?} has no stacks", self.algorithm));
        [&self.program[stacks.summaries], &self.program[stacks.crossings]]
    }

    /// The uniform with the size of the scene, [`Config`](crate::testing::Config).
    #[cfg(feature = "plans")]
    pub fn config(&self) -> &wgpu::Buffer {
        &self.program[self.inputs.config]
    }

    /// Records the dispatches before the last one, which find the [`stacks`](Self::stacks). The
    /// caller's own kernel takes the place of `fused_clip`.
    ///
    /// # Panics
    ///
    /// If the scene has other outputs, or its algorithm does not end with `fused_clip`.
    #[cfg(feature = "plans")]
    pub fn record_stacks_in(&self, pass: &mut wgpu::ComputePass<'_>) {
        assert!(self.outcome.stacks.is_some(), "{:?} has no stacks", self.algorithm);
        self.program.record_all_but_last(pass);
    }

    /// The number of workgroups of that kernel.
    #[cfg(feature = "plans")]
    pub fn n_partitions(&self) -> u32 {
        self.program.size().n_partitions
    }

    /// The stages, in order, to record and time one of them alone.
    #[cfg(feature = "testing")]
    pub fn stages(&self) -> Vec<crate::core::program::Part<'_>> {
        self.program.stages()
    }

    /// The dispatches, in order, to record and time one of them alone. A dispatch in rounds has one
    /// part for each of a pair of rounds.
    #[cfg(feature = "testing")]
    pub fn dispatches(&self) -> Vec<crate::core::program::Part<'_>> {
        self.program.dispatches()
    }
}

/// The program of a plan.
fn program(context: &Context, scene: ScenePlan) -> Program<Grid> {
    let ScenePlan { plan, chunks, .. } = scene;
    let capacity = plan.capacity;
    match chunks {
        Some(lengths) => Program::in_chunks(context, plan, |dispatch| lengths.chunks_of(dispatch, &capacity)),
        None => Program::new(context, plan),
    }
}

/// A number that no buffers have had before.
fn next_generation() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}

/// Checks that a scene of this size in elements and entries can exist.
fn check_size(size: [usize; 2]) -> Result<(), LimitsError> {
    let [n_elements, n_entries] = size.map(|n| n as u64);
    if n_entries > n_elements {
        return Err(LimitsError::MoreEntriesThanElements { n_elements, n_entries });
    }
    Ok(())
}

/// The best plan for one of these sizes, in elements and entries, and its algorithm: the `chosen`
/// one, or the fastest. Among equally good plans, the size that comes first wins.
fn plan(
    device: &wgpu::Device,
    outputs: Outputs,
    chosen: Option<Algorithm>,
    sizes: &[[usize; 2]],
) -> Result<(Algorithm, ScenePlan), LimitsError> {
    let limits = device.limits();
    let mut best: Option<(Algorithm, ScenePlan)> = None;
    let mut error = None;
    for &[n_elements, n_entries] in sizes {
        let fastest = || Algorithm::for_elements(n_elements, &device.adapter_info());
        // The device may bind too little for the fastest algorithm, but enough for chunks.
        let fallback = chosen.is_none().then_some(Algorithm::Hierarchical);
        for algorithm in [Some(chosen.unwrap_or_else(fastest)), fallback].into_iter().flatten() {
            match algorithm.plan(outputs, n_elements, n_entries, &limits) {
                // Room for more must cost neither the shorter stages nor chunks.
                Ok(plan) if best.as_ref().is_none_or(|(_, best)| plan.is_better_than(best)) => {
                    best = Some((algorithm, plan));
                }
                Ok(_) => {}
                Err(limits_error) => error = Some(limits_error),
            }
        }
    }
    best.ok_or_else(|| error.expect("there is at least one size"))
}
