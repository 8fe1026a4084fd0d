//! The capacity of the buffers, and its limits.

use boxwood_cpu::Aabb;
use boxwood_cpu::paths::{PathStreams, RoundedBox};

use super::config::{MIN_ROW_TAGS, n_spans};
use super::error::PathsError;
use crate::core::limits::max_binding_size;

/// The capacity of [`PathBuffers`](super::PathBuffers), and the caller's own buffers.
#[derive(Clone, Copy, Debug, Default)]
pub struct PathBuffersDescriptor<'a> {
    /// The maximum number of words of the packed scene.
    pub n_words: usize,
    /// The maximum number of words of four path tags among them.
    pub n_tag_words: usize,
    /// The maximum number of paths.
    pub n_paths: usize,
    /// The caller's buffer that contains the packed scene, if any. It needs the usage `STORAGE`,
    /// and `COPY_DST` for [`PathBuffers::upload`](super::PathBuffers::upload).
    pub scene: Option<&'a wgpu::Buffer>,
    /// The caller's buffer for the path boxes, `array<vec4<f32>>`, if any, such as
    /// [`SceneBoxes::element_boxes`](crate::SceneBoxes::element_boxes). It needs the usage
    /// `STORAGE`. If it is larger than a binding, only its beginning is used.
    pub boxes: Option<&'a wgpu::Buffer>,
    /// Whether to compute boxes in whole pixels too.
    pub has_rounded_boxes: bool,
}

impl PathBuffersDescriptor<'_> {
    /// The capacity for exactly these streams, without buffers of the caller and without boxes in
    /// whole pixels.
    pub fn of(streams: &PathStreams<'_>) -> Self {
        Self {
            n_words: streams.words().len(),
            n_tag_words: streams.path_tag_words().len(),
            n_paths: streams.layout().n_paths as usize,
            ..Self::default()
        }
    }

    /// The capacity, if a device with these limits and the caller's buffers have room for it.
    pub(super) fn capacity(&self, limits: &wgpu::Limits) -> Result<Capacity, PathsError> {
        let binding = max_binding_size(limits);
        let need = Capacity {
            n_words: self.n_words as u64,
            n_tag_words: self.n_tag_words as u64,
            n_paths: self.n_paths as u64,
        };
        // Shaders read points as pairs of words, so a binding has room for one pair.
        let own_words = |scene: &wgpu::Buffer| if scene.size() < 8 { 0 } else { scene.size() / 4 };
        let own_paths = |boxes: &wgpu::Buffer| boxes.size() / size_of::<Aabb>() as u64;
        let box_bytes = if self.has_rounded_boxes { size_of::<RoundedBox>() } else { size_of::<Aabb>() };
        let max_spans = binding / size_of::<[u32; 4]>() as u64;
        let limit = Capacity {
            n_words: self.scene.map_or(u64::MAX, own_words).min(binding / 4),
            n_tag_words: need.n_words,
            n_paths: (self.boxes.map_or(u64::MAX, own_paths))
                .min(binding / box_bytes as u64)
                .min(max_spans.saturating_sub(n_spans(0, need.n_tag_words, MIN_ROW_TAGS)))
                // So that the index of an invocation after the last path is a `u32`.
                .min(i32::MAX as u64),
        };
        // wgpu rejects empty bindings.
        let least_words = need.n_words.max(self.scene.is_some().into());
        let least_paths = need.n_paths.max(self.boxes.is_some().into());
        limit.check(&Capacity { n_words: least_words, n_paths: least_paths, ..need })?;
        Ok(need)
    }
}

/// The size of the largest scene that fits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Capacity {
    pub(super) n_words: u64,
    pub(super) n_tag_words: u64,
    pub(super) n_paths: u64,
}

impl Capacity {
    /// Checks the size of a scene.
    pub(super) fn check(&self, need: &Self) -> Result<(), PathsError> {
        let sizes = [
            ("words of the packed scene", need.n_words, self.n_words),
            ("paths", need.n_paths, self.n_paths),
            ("words of path tags", need.n_tag_words, self.n_tag_words),
        ];
        match sizes.into_iter().find(|(_, need, limit)| need > limit) {
            Some((items, need, limit)) => Err(PathsError::TooLarge { items, need, limit }),
            None => Ok(()),
        }
    }
}
