//! What is made once a size: the buffers of a packed scene and of its boxes.

use std::num::NonZeroU64;

use super::config::{MAX_ROW_TAGS, MIN_ROW_TAGS, PARTITIONS_PER_GROUP, PathConfig};
use crate::core::WORKGROUP_SIZE;
use crate::core::limits::max_binding_size;
use boxwood_cpu::Aabb;
use boxwood_cpu::paths::{PathBbox, PathStreams, StreamLayout};
use boxwood_shaders::{Shader, paths as shaders};

use super::error::PathsError;
use super::{Grid, PathPipelines, in_rows};

/// Whether a style is that of a stroke: the highest bit of its flags.
const STROKE: u32 = 1 << 31;

/// How large a scene there is to be room for, and which buffers of the caller's are taken.
#[derive(Clone, Copy, Debug)]
pub struct PathBuffersDescriptor<'a> {
    /// Words of the packed scene.
    pub n_words: usize,
    /// Words of four path tags among them.
    pub n_tag_words: usize,
    /// Paths.
    pub n_paths: usize,
    /// Where the packed scene is, if the caller has it in a buffer with the usage `STORAGE`, and `COPY_DST` for
    /// [`upload`](PathBuffers::upload).
    pub scene: Option<&'a wgpu::Buffer>,
    /// Where the boxes go, if the caller has a buffer for them with the usage `STORAGE`, such as
    /// [`Buffers::element_boxes`](crate::Buffers::element_boxes): `array<vec4<f32>>`. It may be larger than a binding, of which
    /// no more is used.
    pub boxes: Option<&'a wgpu::Buffer>,
    /// Whether boxes in whole pixels are wanted too.
    pub has_bboxes: bool,
    /// How many path tags an invocation takes at most: a power of two from [`MIN_ROW_TAGS`] to [`MAX_ROW_TAGS`]. More are faster
    /// where there is enough to do for the whole device. `None` for what suits the size of a scene.
    pub row_tags: Option<u32>,
}

impl PathBuffersDescriptor<'_> {
    /// Of just the size of a scene, with buffers of its own, without boxes in whole pixels.
    pub fn of(streams: &PathStreams<'_>) -> Self {
        Self {
            n_words: streams.words().len(),
            n_tag_words: streams.path_tag_words().len(),
            n_paths: streams.layout().n_paths as usize,
            scene: None,
            boxes: None,
            has_bboxes: false,
            row_tags: None,
        }
    }
}

/// The buffers of a packed scene, and of the boxes of its paths.
///
/// Those that are not the caller's are labelled `boxwood.path_bounds.<buffer>` and have the usages `STORAGE`, `COPY_SRC`, `COPY_DST` and
/// `VERTEX`. They may be longer than the scene: [`n_paths`](Self::n_paths) says how many boxes count. A path takes 61 bytes beside
/// the scene, 93 with boxes in whole pixels, and a path tag two; 64 KiB come on top.
#[derive(Debug)]
pub struct PathBuffers {
    config: PathConfig,
    row_tags: Option<u32>,
    n_words: u64,
    n_tag_words: u64,
    max_paths: u64,
    config_buffer: wgpu::Buffer,
    scene: wgpu::Buffer,
    path_boxes: wgpu::Buffer,
    path_bboxes: Option<wgpu::Buffer>,
    dispatches: Vec<PathDispatch>,
    max_workgroups_per_dimension: u32,
}

/// A dispatch that is compiled and bound.
#[derive(Debug)]
struct PathDispatch {
    shader: &'static Shader,
    grid: Grid,
    pipeline: wgpu::ComputePipeline,
    group: wgpu::BindGroup,
}

/// A dispatch that can be recorded alone.
#[cfg(feature = "testing")]
#[derive(Clone, Copy, Debug)]
pub struct PathDispatchRef<'a> {
    buffers: &'a PathBuffers,
    dispatch: &'a PathDispatch,
}

#[cfg(feature = "testing")]
impl PathDispatchRef<'_> {
    /// The shader that it runs.
    pub fn shader(&self) -> &'static Shader {
        self.dispatch.shader
    }

    /// Records the dispatch. The dispatches before it must have run on the same scene.
    pub fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.buffers.record_dispatch(pass, self.dispatch);
    }
}

impl PathBuffers {
    /// Buffers for scenes of up to this size, whose words, and whose boxes, fit a binding each. They hold the empty scene.
    ///
    /// # Errors
    ///
    /// More than `device` can bind, or than the caller's own buffers hold. Nothing is allocated then.
    pub fn new(
        device: &wgpu::Device,
        pipelines: &PathPipelines,
        size: &PathBuffersDescriptor<'_>,
    ) -> Result<Self, PathsError> {
        let limits = device.limits();
        let binding = max_binding_size(&limits);
        let (n_words, n_tag_words, n_paths) =
            (size.n_words as u64, size.n_tag_words as u64, size.n_paths as u64);
        // Points are read as pairs of words, of which a binding has one at least.
        let own_words =
            size.scene.map_or(u64::MAX, |scene| if scene.size() < 8 { 0 } else { scene.size() / 4 });
        let max_words = (binding / 4).min(own_words);
        let bytes_each = if size.has_bboxes { size_of::<PathBbox>() } else { size_of::<Aabb>() } as u64;
        let own_boxes = size.boxes.map_or(u64::MAX, |boxes| boxes.size() / size_of::<Aabb>() as u64);
        // An index is 32 bits, and 256 more than the last path is one too.
        let max_paths = (binding / bytes_each)
            .min((binding / 16).saturating_sub(n_spans(0, n_tag_words, MIN_ROW_TAGS)))
            .min(own_boxes)
            .min(i32::MAX as u64);
        // Of none too a binding has one.
        let need_words = n_words.max(size.scene.is_some().into());
        let need_paths = n_paths.max(size.boxes.is_some().into());
        check_size(need_words, max_words, need_paths, max_paths)?;
        if n_tag_words > n_words {
            return Err(PathsError::TagWords { need: n_tag_words, limit: n_words });
        }
        if let Some(found) = size.row_tags
            && !(found.is_power_of_two() && (MIN_ROW_TAGS..=MAX_ROW_TAGS).contains(&found))
        {
            return Err(PathsError::RowTags { found });
        }

        let create = |name: &str, bytes: u64| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(&format!("boxwood.path_bounds.{name}")),
                // A binding of a runtime-sized array has room for one item at least.
                size: bytes.max(16).next_multiple_of(4),
                usage: wgpu::BufferUsages::STORAGE
                    | wgpu::BufferUsages::COPY_DST
                    | wgpu::BufferUsages::COPY_SRC
                    | wgpu::BufferUsages::VERTEX,
                mapped_at_creation: false,
            })
        };
        let config_buffer = config_buffer(device);
        let scene = size.scene.cloned().unwrap_or_else(|| create("scene", 4 * n_words));
        let path_boxes = size.boxes.cloned().unwrap_or_else(|| create("path_boxes", 16 * n_paths));
        let path_keys = create("path_keys", 16 * n_paths);
        let max_spans = n_spans(n_paths, n_tag_words, MIN_ROW_TAGS);
        let spans = create("spans", 16 * max_spans);
        // A list may be shorter.
        let jobs = create("jobs", (8 * max_jobs(max_spans)).min(binding));
        let piece_jobs = create("piece_jobs", 8 * max_piece_jobs(max_spans));
        let n_jobs = create("n_jobs", 16);
        let late_spans = create(
            "late_spans",
            4 * max_spans.next_multiple_of(shaders::PATH_STROKE.workgroup_size[0].into()),
        );
        let n_partitions = n_tag_words.div_ceil(WORKGROUP_SIZE.into());
        let partition_counts = create("partition_counts", 16 * n_partitions);
        let n_groups = n_partitions.div_ceil(PARTITIONS_PER_GROUP.into());
        let group_counts = create("group_counts", 16 * (n_groups + 1));
        let rounded = size.has_bboxes.then(|| {
            (create("path_draws", 8 * n_paths), create("path_bboxes", size_of::<PathBbox>() as u64 * n_paths))
        });
        let bind = |shader: &'static Shader, grid| {
            let buffer_of = |name: &str| match (name, &rounded) {
                ("config", _) => &config_buffer,
                ("scene" | "scene_pairs", _) => &scene,
                ("path_boxes", _) => &path_boxes,
                ("path_keys", _) => &path_keys,
                ("spans", _) => &spans,
                ("jobs", _) => &jobs,
                ("piece_jobs", _) => &piece_jobs,
                ("n_jobs", _) => &n_jobs,
                ("late_spans", _) => &late_spans,
                ("partition_counts", _) => &partition_counts,
                ("group_counts", _) => &group_counts,
                ("path_draws", Some((path_draws, _))) => path_draws,
                ("path_bboxes", Some((_, path_bboxes))) => path_bboxes,
                _ => unreachable!("the stage has no buffer {name}"),
            };
            let part = |name: &str| one_binding(buffer_of(name), binding);
            let kernel = pipelines.kernels.get(shader);
            let group = kernel.bind_parts(device, part);
            PathDispatch { shader, grid, pipeline: kernel.pipeline().clone(), group }
        };
        let (spans, finish) = if size.has_bboxes {
            (&shaders::PATH_SPANS_ROUNDED, &shaders::PATH_FINISH_ROUNDED)
        } else {
            (&shaders::PATH_SPANS, &shaders::PATH_FINISH)
        };
        let dispatches = vec![
            bind(&shaders::PATH_REDUCE, Grid::GroupsOrOne),
            bind(&shaders::PATH_SCAN, Grid::Single),
            bind(spans, Grid::Partitions),
            bind(&shaders::PATH_FILL, Grid::Spans),
            bind(&shaders::PATH_STROKE, Grid::Spans),
            bind(&shaders::PATH_INSIDE, Grid::Jobs),
            bind(&shaders::PATH_PIECES, Grid::PieceJobs),
            bind(finish, Grid::Paths),
        ];
        Ok(Self {
            config: PathConfig { has_strokes: 0, ..PathConfig::new(&StreamLayout::default(), 0) },
            row_tags: size.row_tags,
            n_words,
            n_tag_words,
            max_paths: n_paths,
            config_buffer,
            scene,
            path_boxes,
            path_bboxes: rounded.map(|(_, path_bboxes)| path_bboxes),
            dispatches,
            max_workgroups_per_dimension: limits.max_compute_workgroups_per_dimension,
        })
    }

    /// Replaces the scene. The next recording computes its boxes.
    ///
    /// # Errors
    ///
    /// A scene that is larger than these buffers, or a buffer of the caller's that nothing can be copied to. They keep theirs then.
    pub fn upload(&mut self, queue: &wgpu::Queue, streams: &PathStreams<'_>) -> Result<(), PathsError> {
        // Fills and strokes have dispatches of their own, for which there is often nothing.
        let is_stroke = |flags: &u32| flags & STROKE != 0;
        let styles = || streams.styles().iter().step_by(2);
        let has_strokes = styles().any(is_stroke);
        let has_fills = !has_strokes || !styles().all(is_stroke);
        if !self.scene.usage().contains(wgpu::BufferUsages::COPY_DST) {
            return Err(PathsError::NoCopies);
        }
        self.configure(queue, streams.layout(), streams.words().len(), has_fills, has_strokes)?;
        queue.write_buffer(&self.scene, 0, bytemuck::cast_slice(streams.words()));
        Ok(())
    }

    /// Says where the streams are in a scene of `n_words` words that something else writes into [`scene`](Self::scene).
    ///
    /// # Errors
    ///
    /// A scene that is larger than these buffers, or streams that are not one after the other within it.
    pub fn set_layout(
        &mut self,
        queue: &wgpu::Queue,
        layout: &StreamLayout,
        n_words: usize,
    ) -> Result<(), PathsError> {
        self.configure(queue, layout, n_words, true, true)
    }

    fn configure(
        &mut self,
        queue: &wgpu::Queue,
        layout: &StreamLayout,
        n_words: usize,
        has_fills: bool,
        has_strokes: bool,
    ) -> Result<(), PathsError> {
        let n_words = n_words as u64;
        layout.check(n_words)?;
        check_size(n_words, self.n_words, layout.n_paths.into(), self.max_paths)?;
        let n_words = u32::try_from(n_words).expect("a binding has fewer");
        let config = PathConfig::new(layout, n_words);
        let log2_row_tags = self.row_tags.map_or(config.log2_row_tags, u32::ilog2);
        let config = PathConfig {
            has_fills: has_fills.into(),
            has_strokes: has_strokes.into(),
            log2_row_tags,
            ..config
        };
        if u64::from(config.n_tag_words) > self.n_tag_words {
            return Err(PathsError::TagWords { need: config.n_tag_words.into(), limit: self.n_tag_words });
        }
        self.config = config;
        queue.write_buffer(&self.config_buffer, 0, bytemuck::bytes_of(&config));
        Ok(())
    }

    /// How many paths the scene has.
    pub fn n_paths(&self) -> u32 {
        self.config.n_paths
    }

    /// In: the packed scene, `array<u32>`.
    pub fn scene(&self) -> &wgpu::Buffer {
        &self.scene
    }

    /// Out: the box of each path, `array<vec4<f32>>`, as [`Aabb`].
    pub fn path_boxes(&self) -> &wgpu::Buffer {
        &self.path_boxes
    }

    /// Out, if it was asked for: the box of each path in whole pixels, as [`PathBbox`], six words each.
    pub fn path_bboxes(&self) -> Option<&wgpu::Buffer> {
        self.path_bboxes.as_ref()
    }

    /// Records the stage into the caller's encoder, as one compute pass. This does not submit or wait.
    pub fn record(&self, encoder: &mut wgpu::CommandEncoder) {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("boxwood.paths"),
            timestamp_writes: None,
        });
        self.record_in(&mut pass);
    }

    /// Records the stage into a compute pass of the caller, who may time it.
    pub fn record_in(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.push_debug_group("boxwood.paths");
        self.due().for_each(|dispatch| self.record_dispatch(pass, dispatch));
        pass.pop_debug_group();
    }

    /// The dispatches, in order, to record and time one of them alone.
    #[cfg(feature = "testing")]
    pub fn dispatches(&self) -> impl Iterator<Item = PathDispatchRef<'_>> {
        self.due().map(|dispatch| PathDispatchRef { buffers: self, dispatch })
    }

    /// The dispatches that have something to do.
    fn due(&self) -> impl Iterator<Item = &PathDispatch> {
        let PathConfig { has_fills, has_strokes, .. } = self.config;
        self.dispatches.iter().filter(move |dispatch| match dispatch.shader.name {
            "path_fill" => has_fills != 0,
            "path_stroke" | "path_inside" | "path_pieces" => has_strokes != 0,
            _ => true,
        })
    }

    fn record_dispatch(&self, pass: &mut wgpu::ComputePass<'_>, dispatch: &PathDispatch) {
        let [x, y] = self.workgroups(dispatch.grid);
        if x > 0 && y > 0 {
            pass.set_pipeline(&dispatch.pipeline);
            pass.set_bind_group(0, &dispatch.group, &[]);
            pass.dispatch_workgroups(x, y, 1);
        }
    }

    fn workgroups(&self, grid: Grid) -> [u32; 2] {
        let PathConfig { n_paths, n_tag_words, log2_row_tags, .. } = self.config;
        let n_spans = n_spans(n_paths.into(), n_tag_words.into(), 1 << log2_row_tags);
        let n = match grid {
            Grid::Partitions => self.config.n_partitions,
            Grid::Spans => {
                let [per_workgroup, ..] = shaders::PATH_FILL.workgroup_size;
                u32::try_from(n_spans).expect("a binding has fewer").div_ceil(per_workgroup)
            }
            Grid::GroupsOrOne => self.config.n_partitions.div_ceil(PARTITIONS_PER_GROUP).max(1),
            Grid::Paths => self.config.n_paths.div_ceil(WORKGROUP_SIZE),
            Grid::Jobs => self.job_workgroups(n_spans),
            Grid::PieceJobs => self.job_workgroups(max_piece_jobs(n_spans)),
            Grid::Single => 1,
        };
        in_rows(n, self.max_workgroups_per_dimension)
    }

    /// For a list of about so many. Its invocations take one after the other.
    fn job_workgroups(&self, n_jobs: u64) -> u32 {
        // They keep a large GPU busy; of more, most would have nothing to do.
        const ENOUGH: u32 = 2048;
        let [per_workgroup, ..] = shaders::PATH_INSIDE.workgroup_size;
        let most = ENOUGH.min(self.max_workgroups_per_dimension);
        u32::try_from(n_jobs.div_ceil(per_workgroup.into())).map_or(most, |n| n.min(most))
    }
}

/// What the numbers of the spans of so many paths and words of tags are below, in rows of so many tags; `path_span.wgsl` says why.
fn n_spans(n_paths: u64, n_tag_words: u64, row_tags: u32) -> u64 {
    n_paths + n_tag_words.div_ceil(u64::from(row_tags) / 4)
}

/// For how many curves of strokes there is room in the list of those to look at between their ends: several times as many as there are
/// among random curves, and some for drawings that bend more. What there is no room for takes longer.
fn max_jobs(n_spans: u64) -> u64 {
    n_spans + 8192
}

/// The same for those of which only pieces tell, which are few.
fn max_piece_jobs(n_spans: u64) -> u64 {
    n_spans / 8 + 256
}

/// As much of a buffer as may be bound at once, the first.
pub(super) fn one_binding(buffer: &wgpu::Buffer, max_bytes: u64) -> wgpu::BufferBinding<'_> {
    // Bindings are whole words.
    let size = NonZeroU64::new(buffer.size().min(max_bytes / 4 * 4));
    wgpu::BufferBinding { buffer, offset: 0, size }
}

/// The uniform.
pub(super) fn config_buffer(device: &wgpu::Device) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("boxwood.path_bounds.config"),
        size: size_of::<PathConfig>() as u64,
        usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

fn check_size(n_words: u64, max_words: u64, n_paths: u64, max_paths: u64) -> Result<(), PathsError> {
    if n_words > max_words {
        return Err(PathsError::Words { need: n_words, limit: max_words });
    }
    if n_paths > max_paths {
        return Err(PathsError::Paths { need: n_paths, limit: max_paths });
    }
    Ok(())
}
