//! What is made once a size: the buffers of a scene.

use std::collections::BTreeMap;

use boxwood_layout::{Aabb, Config, Elements, Limits, LimitsError, WORKGROUP_SIZE};

use crate::pipelines::Pipelines;
use crate::stage::{BufferLayout, Grid, Per, STAGES};

/// What the host uploads, one item an element.
const INPUTS: [BufferLayout; 2] = [
    BufferLayout { name: "draw_tags", per: Per::Element, stride: 4 },
    BufferLayout { name: "element_boxes", per: Per::Element, stride: size_of::<Aabb>() },
];

/// The buffers of a scene: what goes in, what comes out, and what the stages keep for themselves.
///
/// Each buffer is labelled `boxwood.<stage>.<buffer>`. Those with an accessor have the usages `STORAGE`, `COPY_SRC` and
/// `VERTEX`, so that a later pass can bind them, copy them, or draw an instance an item. They may be longer than the
/// scene: [`n_elements`](Self::n_elements) and [`n_nodes`](Self::n_nodes) say how many items count.
///
/// A scene takes 40 bytes an element, 76 an entry of the node stream, and a little for each partition of 256.
#[derive(Debug)]
pub struct Buffers {
    by_name: BTreeMap<&'static str, wgpu::Buffer>,
    /// One list a stage, one group a dispatch, as in [`STAGES`].
    pub(crate) bind_groups: Vec<Vec<wgpu::BindGroup>>,
    config: Config,
    capacity: Limits,
    max_workgroups_per_dimension: u32,
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
        Self::limits_of(device).check(n_elements, n_nodes)?;
        let mut by_name = BTreeMap::new();
        let mut create = |stage: &str, layout: &BufferLayout, usage: wgpu::BufferUsages| {
            // A binding of a runtime-sized array has room for one item at least.
            let size = layout.stride * layout.per.count(n_elements, n_nodes).max(1);
            let buffer = device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(&format!("boxwood.{stage}.{}", layout.name)),
                size: size as u64,
                usage: usage
                    | wgpu::BufferUsages::STORAGE
                    | wgpu::BufferUsages::COPY_SRC
                    | wgpu::BufferUsages::VERTEX,
                mapped_at_creation: false,
            });
            by_name.insert(layout.name, buffer);
        };
        for layout in &INPUTS {
            create("scene", layout, wgpu::BufferUsages::COPY_DST);
        }
        for stage in STAGES {
            for layout in stage.buffers {
                create(stage.name, layout, wgpu::BufferUsages::empty());
            }
        }
        by_name.insert(
            "config",
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("boxwood.scene.config"),
                size: size_of::<Config>() as u64,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
        );
        let bind_groups = pipelines
            .kernels
            .iter()
            .map(|kernels| kernels.iter().map(|k| k.bind(device, |name| &by_name[name])).collect())
            .collect();
        Ok(Self {
            by_name,
            bind_groups,
            config: Config::default(),
            capacity: Limits { max_elements: n_elements as u64, max_nodes: n_nodes as u64 },
            max_workgroups_per_dimension: device.limits().max_compute_workgroups_per_dimension,
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

    /// How large a scene may be on this device.
    pub fn limits_of(device: &wgpu::Device) -> Limits {
        let limits = device.limits();
        Limits::with_binding_size(limits.max_storage_buffer_binding_size.min(limits.max_buffer_size))
    }

    /// Replaces the scene. The next recording computes its boxes.
    ///
    /// # Errors
    ///
    /// More elements or entries of the node stream than these buffers were made for. They keep their scene then.
    pub fn upload(&mut self, queue: &wgpu::Queue, elements: &Elements) -> Result<(), LimitsError> {
        self.capacity.check(elements.len(), elements.n_nodes())?;
        let n_elements = count(elements.len());
        self.config = Config {
            n_elements,
            n_nodes: count(elements.n_nodes()),
            n_element_partitions: n_elements.div_ceil(WORKGROUP_SIZE),
            padding: 0,
        };
        queue.write_buffer(&self.by_name["config"], 0, bytemuck::bytes_of(&self.config));
        queue.write_buffer(self.draw_tags(), 0, bytemuck::cast_slice(elements.tags()));
        queue.write_buffer(self.element_boxes(), 0, bytemuck::cast_slice(elements.boxes()));
        Ok(())
    }

    /// The workgroups of a dispatch over the present scene, none where it has nothing to do.
    pub(crate) fn workgroups(&self, grid: Grid) -> Option<[u32; 3]> {
        grid.workgroups(&self.config, self.max_workgroups_per_dimension)
    }

    /// How many elements the scene has.
    pub fn n_elements(&self) -> u32 {
        self.config.n_elements
    }

    /// How many entries the node stream of the scene has.
    pub fn n_nodes(&self) -> u32 {
        self.config.n_nodes
    }

    /// In: the draw tag of each element, `array<u32>`.
    pub fn draw_tags(&self) -> &wgpu::Buffer {
        &self.by_name["draw_tags"]
    }

    /// In: the box of each element, `array<vec4<f32>>`, as [`Aabb`]: a leaf's ink box, a begin's shape's box.
    pub fn element_boxes(&self) -> &wgpu::Buffer {
        &self.by_name["element_boxes"]
    }

    /// Out, see [`Boxes::places`](crate::Boxes::places): `array<u32>`, one an element.
    pub fn places(&self) -> &wgpu::Buffer {
        &self.by_name["places"]
    }

    /// Out, see [`Boxes::nodes`](crate::Boxes::nodes): `array<i32>`, one an entry of the node stream.
    pub fn nodes(&self) -> &wgpu::Buffer {
        &self.by_name["nodes"]
    }

    /// Out, see [`Boxes::links`](crate::Boxes::links): `array<NodeLink>`, one an entry of the node stream.
    pub fn links(&self) -> &wgpu::Buffer {
        &self.by_name["links"]
    }

    /// Out, see [`Boxes::clip_boxes`](crate::Boxes::clip_boxes): `array<vec4<f32>>`, one an entry of the node stream.
    pub fn clip_boxes(&self) -> &wgpu::Buffer {
        &self.by_name["clip_boxes"]
    }

    /// Out, see [`Boxes::clipped_boxes`](crate::Boxes::clipped_boxes): `array<vec4<f32>>`, one an element.
    pub fn clipped_boxes(&self) -> &wgpu::Buffer {
        &self.by_name["clipped_boxes"]
    }

    /// Out, see [`Boxes::group_boxes`](crate::Boxes::group_boxes): `array<vec4<f32>>`, one an entry of the node stream.
    pub fn group_boxes(&self) -> &wgpu::Buffer {
        &self.by_name["group_boxes"]
    }
}

fn count(n: usize) -> u32 {
    u32::try_from(n).expect("the limits keep counts within u32")
}
