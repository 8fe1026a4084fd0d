//! Boxwood's stages as passes over Vello's buffers.

mod kind;
mod scene_buffers;

use boxwood::{Algorithm, Buffers, Kernel, LimitsError, Pipelines};
use boxwood_shaders::Shader;
use vello_encoding::Layout;

pub use kind::PassKind;
use kind::PassSize;
use scene_buffers::SceneBuffers;

/// Boxwood's stages over the buffers of Vello's pipeline, for an engine of your own.
///
/// A shader writes the scene for Boxwood's stages from Vello's buffers, the stages run, and another
/// shader writes their results back. The two shaders are compiled with wgpu's runtime checks, so
/// buffers with unexpected contents give wrong results but no access out of bounds.
#[derive(Debug)]
pub struct VelloPass {
    kind: PassKind,
    gather: Kernel,
    scatter: Option<Kernel>,
    scene: SceneBuffers,
    bindings: Option<Bindings>,
}

/// The bind groups of the pass's own shaders, and the buffers of Vello that they bind.
#[derive(Debug)]
struct Bindings {
    buffers: Vec<wgpu::Buffer>,
    gather: wgpu::BindGroup,
    scatter: Option<wgpu::BindGroup>,
}

impl VelloPass {
    /// Compiles the pass's own shaders. [`Pipelines`] compiles the stages between them.
    pub fn new(device: &wgpu::Device, kind: PassKind) -> Self {
        Self::with_kernels(kind, |shader| Kernel::new(device, shader))
    }

    /// The same with the source that `source` returns for each shader, for tests that change one.
    #[cfg(feature = "testing")]
    pub fn with_sources(device: &wgpu::Device, kind: PassKind, source: impl Fn(&Shader) -> String) -> Self {
        Self::with_kernels(kind, |shader| Kernel::with_source(device, shader, &source(shader)))
    }

    fn with_kernels(kind: PassKind, kernel: impl Fn(&Shader) -> Kernel) -> Self {
        let (gather, scatter) = kind.shaders();
        Self {
            kind,
            gather: kernel(gather),
            scatter: scatter.map(kernel),
            scene: SceneBuffers::default(),
            bindings: None,
        }
    }

    /// Chooses the algorithm, or the fastest one with `None`. The results are the same.
    pub fn set_algorithm(&mut self, algorithm: Option<Algorithm>) {
        self.scene.algorithm = algorithm;
    }

    /// Records the pass into a compute pass of the caller, for a scene of this `layout`, of which
    /// `n_draw_objects` and `n_clips` matter.
    ///
    /// `buffers` are those that [`PassKind::buffers`] names. The bind groups are kept as long as
    /// `buffers` stay the same. The pass writes its configuration to `queue`, so two recordings need
    /// two submissions.
    ///
    /// # Errors
    ///
    /// [`LimitsError`] if the scene has more clip operations or draw objects than the device can
    /// hold as elements. Nothing is recorded then.
    ///
    /// # Panics
    ///
    /// If the number of buffers is wrong.
    pub fn record_in(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        pipelines: &Pipelines,
        pass: &mut wgpu::ComputePass<'_>,
        layout: &Layout,
        buffers: &[wgpu::Buffer],
    ) -> Result<(), LimitsError> {
        let names = self.kind.buffers();
        assert_eq!(buffers.len(), names.len(), "the pass binds {names:?}");
        let PassSize { n_elements, n_nodes, n_gathered, n_scattered } = self.kind.size(layout);
        let (n_elements, n_nodes) = (n_elements as usize, n_nodes as usize);
        let (scene, is_new) = self.scene.set_size(device, queue, pipelines, n_elements, n_nodes)?;
        let kept = self.bindings.take().filter(|bindings| !is_new && bindings.buffers == buffers);
        let bindings = self.bindings.insert(kept.unwrap_or_else(|| {
            let buffer = |name: &str| match names.iter().position(|own| *own == name) {
                Some(index) => &buffers[index],
                None => scene_buffer(scene, name),
            };
            Bindings {
                buffers: buffers.to_vec(),
                gather: self.gather.bind(device, buffer),
                scatter: self.scatter.as_ref().map(|scatter| scatter.bind(device, buffer)),
            }
        }));
        let max_rows = device.limits().max_compute_workgroups_per_dimension;
        let (gather, scatter) = self.kind.shaders();
        dispatch(pass, max_rows, gather, &self.gather, &bindings.gather, n_gathered);
        scene.record_in(pass);
        if let (Some(shader), Some(kernel), Some(group)) = (scatter, &self.scatter, &bindings.scatter) {
            dispatch(pass, max_rows, shader, kernel, group, n_scattered);
        }
        Ok(())
    }

    /// The buffers with the boxes that the last recording computes, or `None` before the first.
    ///
    /// The elements are the draw objects for [`PassKind::FrameBoxes`], the clip operations for
    /// [`PassKind::Clip`], and two elements per draw object for [`PassKind::Tighten`].
    pub fn boxes(&self) -> Option<&Buffers> {
        self.scene.get()
    }
}

/// The buffer of the stages that a pass's own shader binds by this name.
fn scene_buffer<'a>(scene: &'a Buffers, name: &str) -> &'a wgpu::Buffer {
    match name {
        "draw_tags" => scene.draw_tags(),
        "element_boxes" => scene.element_boxes(),
        "nodes" => scene.nodes(),
        "links" => scene.links(),
        "clip_boxes" => scene.clip_boxes(),
        "group_boxes" => scene.group_boxes(),
        _ => unreachable!("no buffer is called {name}"),
    }
}

/// Records a kernel with one invocation per item, in as few rows of workgroups as possible.
fn dispatch(
    pass: &mut wgpu::ComputePass<'_>,
    max_workgroups_per_row: u32,
    shader: &Shader,
    kernel: &Kernel,
    group: &wgpu::BindGroup,
    n_items: u32,
) {
    let n_workgroups = n_items.div_ceil(shader.workgroup_size[0]);
    let n_rows = n_workgroups.div_ceil(max_workgroups_per_row);
    if n_rows > 0 {
        pass.set_pipeline(kernel.pipeline());
        pass.set_bind_group(0, group, &[]);
        pass.dispatch_workgroups(n_workgroups.div_ceil(n_rows), n_rows, 1);
    }
}
