//! What is made once a size: the buffers of a scene.

use boxwood_layout::{Elements, Limits, LimitsError, tag};

use crate::pipelines::Pipelines;
use crate::program::Program;
use crate::stage::{INPUTS, Matching, Plan};

/// The buffers of a scene: what goes in, what comes out, and what the stages keep for themselves.
///
/// Each buffer is labelled `boxwood.<stage>.<buffer>`. Those with an accessor have the usages `STORAGE`, `COPY_SRC` and `VERTEX`,
/// so that a later pass can bind them, copy them, or draw an instance an item. They may be longer than the scene:
/// [`n_elements`](Self::n_elements) and [`n_nodes`](Self::n_nodes) say how many items count. By [`Matching::Hierarchical`] they
/// may be larger than a storage binding, too: whoever binds them whole keeps to [`Matching::limits_in_one_binding`].
///
/// A scene takes 69 bytes an element and 44 an entry of the node stream, by [`Matching::Simple`] 40 and 76, and a little for each
/// partition.
#[derive(Debug)]
pub struct Buffers {
    pub(crate) program: Program,
    matching: Matching,
    capacity: Limits,
}

impl Buffers {
    /// Buffers for scenes of up to so many elements and entries of the node stream. They hold the empty scene.
    ///
    /// # Errors
    ///
    /// More than `device` or the algorithm can hold; see [`limits_of`](Self::limits_of). Nothing is allocated then.
    pub fn with_capacity(
        device: &wgpu::Device,
        pipelines: &Pipelines,
        n_elements: usize,
        n_nodes: usize,
    ) -> Result<Self, LimitsError> {
        let fastest = Matching::for_elements(n_elements, &device.adapter_info());
        let is_able = fastest.plan(n_elements, n_nodes, &device.limits()).is_ok();
        let matching = if is_able { fastest } else { Matching::Hierarchical };
        Self::with_matching(device, pipelines, n_elements, n_nodes, matching)
    }

    /// The same, with the algorithm given: all give the same boxes.
    ///
    /// # Errors
    ///
    /// As [`with_capacity`](Self::with_capacity), or more nodes than the algorithm can hold.
    pub fn with_matching(
        device: &wgpu::Device,
        pipelines: &Pipelines,
        n_elements: usize,
        n_nodes: usize,
        matching: Matching,
    ) -> Result<Self, LimitsError> {
        let Plan { stages, windows, size } = matching.plan(n_elements, n_nodes, &device.limits())?;
        Ok(Self {
            program: Program::new(device, &pipelines.kernels, stages, &INPUTS, &size, windows),
            matching,
            capacity: Limits { max_elements: n_elements as u64, max_nodes: n_nodes as u64 },
        })
    }

    /// Buffers of the size of `elements`, with them uploaded.
    ///
    /// # Errors
    ///
    /// More than `device` or the algorithm can hold; see [`limits_of`](Self::limits_of). Nothing is allocated then.
    pub fn of(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        pipelines: &Pipelines,
        elements: &Elements,
    ) -> Result<Self, LimitsError> {
        let mut buffers = Self::with_capacity(device, pipelines, elements.len(), elements.n_nodes())?;
        buffers.upload(queue, elements)?;
        Ok(buffers)
    }

    /// How large a scene may be on this device, by [`Matching::Hierarchical`]: an element takes 16 bytes of a buffer, whatever
    /// the limit of a binding.
    pub fn limits_of(device: &wgpu::Device) -> Limits {
        Matching::Hierarchical.limits_on(&device.limits())
    }

    /// Replaces the scene. The next recording computes its boxes.
    ///
    /// # Errors
    ///
    /// More elements or entries of the node stream than these buffers were made for. They keep their scene then.
    pub fn upload(&mut self, queue: &wgpu::Queue, elements: &Elements) -> Result<(), LimitsError> {
        self.set_tags(queue, elements.tags(), elements.n_nodes())?;
        queue.write_buffer(self.element_boxes(), 0, bytemuck::cast_slice(elements.boxes()));
        Ok(())
    }

    /// Sets the size of a scene that a pass of the caller's writes into [`draw_tags`](Self::draw_tags) and
    /// [`element_boxes`](Self::element_boxes), in the same submission and before the stages.
    ///
    /// The scene is bound by the rules of [`Elements`], which nobody checks here, and must have `n_nodes` begins and ends.
    ///
    /// # Errors
    ///
    /// As [`upload`](Self::upload). They keep their size then.
    pub fn set_size(
        &mut self,
        queue: &wgpu::Queue,
        n_elements: usize,
        n_nodes: usize,
    ) -> Result<(), LimitsError> {
        self.capacity.check(n_elements, n_nodes)?;
        self.program.set_config(queue, self.matching.config(count(n_elements), count(n_nodes)));
        Ok(())
    }

    /// The algorithm that fills them.
    pub fn matching(&self) -> Matching {
        self.matching
    }

    /// How large a scene they hold.
    pub fn capacity(&self) -> Limits {
        self.capacity
    }

    /// Replaces the scene by one with these draw tags, whose boxes something else writes into
    /// [`element_boxes`](Self::element_boxes) before the next recording is run: [`path_bounds`](crate::path_bounds), say, or a pass of the
    /// caller's. The rules of [`Aabb`](crate::Aabb#values) hold for them.
    ///
    /// # Errors
    ///
    /// As [`upload`](Self::upload).
    pub fn upload_tags(&mut self, queue: &wgpu::Queue, draw_tags: &[u32]) -> Result<(), LimitsError> {
        let n_nodes = draw_tags.iter().filter(|&&t| matches!(t, tag::BEGIN | tag::END)).count();
        self.set_tags(queue, draw_tags, n_nodes)
    }

    fn set_tags(
        &mut self,
        queue: &wgpu::Queue,
        draw_tags: &[u32],
        n_nodes: usize,
    ) -> Result<(), LimitsError> {
        self.capacity.check(draw_tags.len(), n_nodes)?;
        self.program.set_config(queue, self.matching.config(count(draw_tags.len()), count(n_nodes)));
        queue.write_buffer(self.draw_tags(), 0, bytemuck::cast_slice(draw_tags));
        Ok(())
    }

    /// The names of the stages that fill them, in order, for [`Pipelines::record_stage_in`].
    pub fn stage_names(&self) -> impl Iterator<Item = &'static str> {
        self.program.stage_names()
    }

    /// The names of the shaders that they dispatch, in order, for [`Pipelines::record_dispatch_in`]. Those that take turns for a number
    /// of rounds are there once each.
    pub fn dispatch_names(&self) -> impl Iterator<Item = &'static str> {
        self.program.dispatch_names()
    }

    /// How many elements the scene has.
    pub fn n_elements(&self) -> u32 {
        self.program.config().n_elements
    }

    /// How many entries the node stream of the scene has.
    pub fn n_nodes(&self) -> u32 {
        self.program.config().n_nodes
    }

    /// In: the draw tag of each element, `array<u32>`.
    pub fn draw_tags(&self) -> &wgpu::Buffer {
        self.program.buffer("draw_tags")
    }

    /// In: the box of each element, `array<vec4<f32>>`, as [`Aabb`](crate::Aabb): a leaf's ink box, a begin's shape's box.
    pub fn element_boxes(&self) -> &wgpu::Buffer {
        self.program.buffer("element_boxes")
    }

    /// Out, see [`Boxes::places`](crate::Boxes::places): `array<u32>`, one an element.
    pub fn places(&self) -> &wgpu::Buffer {
        self.program.buffer("places")
    }

    /// Out, see [`Boxes::nodes`](crate::Boxes::nodes): `array<i32>`, one an entry of the node stream.
    pub fn nodes(&self) -> &wgpu::Buffer {
        self.program.buffer("nodes")
    }

    /// Out, see [`Boxes::links`](crate::Boxes::links): `array<NodeLink>`, one an entry of the node stream.
    pub fn links(&self) -> &wgpu::Buffer {
        self.program.buffer("links")
    }

    /// Out, see [`Boxes::clip_boxes`](crate::Boxes::clip_boxes): `array<vec4<f32>>`, one an entry of the node stream.
    pub fn clip_boxes(&self) -> &wgpu::Buffer {
        self.program.buffer("clip_boxes")
    }

    /// Out, see [`Boxes::clipped_boxes`](crate::Boxes::clipped_boxes): `array<vec4<f32>>`, one an element. What stands at others than
    /// leaves means nothing.
    pub fn clipped_boxes(&self) -> &wgpu::Buffer {
        self.program.buffer("clipped_boxes")
    }

    /// Out, see [`Boxes::group_boxes`](crate::Boxes::group_boxes): `array<vec4<f32>>`, one an entry of the node stream.
    pub fn group_boxes(&self) -> &wgpu::Buffer {
        self.program.buffer("group_boxes")
    }
}

fn count(n: usize) -> u32 {
    u32::try_from(n).expect("the limits keep counts within u32")
}
