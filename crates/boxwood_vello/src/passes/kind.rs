//! The passes: their shaders, their buffers, and their sizes.

use boxwood::{Algorithm, Outputs};
use boxwood_shaders::{Shader, vello as shaders};
use vello::low_level::{FullShaders, ShaderId};
use vello_encoding::Layout;

/// The result of a [`VelloPass`](crate::VelloPass).
///
/// The tables list the buffers that it binds, by the names that its shaders use. All of them are
/// buffers of Vello's pipeline. The first is a uniform buffer, the others are storage buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PassKind {
    /// Vello's clip stage: the dispatches `clip_reduce` and `clip_leaf`, without their limits of
    /// 65,792 clip operations and 256 levels of nesting, and with the same results, bit for bit.
    ///
    /// | buffer | access | contents |
    /// |---|---|---|
    /// | `vello_config` | read | `vello_encoding::ConfigUniform` |
    /// | `clip_inp` | read | `vello_encoding::Clip`, one per clip operation |
    /// | `path_bboxes` | read | `vello_encoding::PathBbox`, one per path |
    /// | `draw_monoids` | read, write | `vello_encoding::DrawMonoid`, one per draw object. An end gets `path_ix`, `scene_offset`, and `info_offset` of its begin. |
    /// | `clip_bboxes` | write | `vello_encoding::ClipBbox`, one per clip operation: the intersection of the path boxes of all clips that are open after it. An empty intersection stays inverted. Without an open clip it is ±1e9. |
    ///
    /// An end without a begin leaves its draw object unchanged. The specification is
    /// `vello_shaders::cpu::clip_leaf`.
    Clip,
    /// The boxes of a frame, in its pixels: the elements are the draw objects. The pass runs after
    /// Vello's stage `draw_leaf` and writes to no buffer of Vello.
    ///
    /// The box of a leaf, or of the shape of a clip, is the box that Vello has computed for its
    /// path: flattened at the size of the frame, and rounded outward to whole pixels.
    ///
    /// | buffer | access | contents |
    /// |---|---|---|
    /// | `vello_config` | read | `vello_encoding::ConfigUniform` |
    /// | `scene` | read | the packed scene, for its draw tags |
    /// | `draw_monoids` | read | `vello_encoding::DrawMonoid`, one per draw object |
    /// | `path_bboxes` | read | `vello_encoding::PathBbox`, one per path |
    FrameBoxes,
    /// Shrinks each layer to its group box, the union of the clipped boxes of its contents. The
    /// pass runs between Vello's clip stage and `binning`.
    ///
    /// A layer takes bins, tiles, and, at depth five or deeper, memory for pixels everywhere in its
    /// box, which is the box of its clip path. The group box may be much smaller. Where a layer is
    /// empty, it changes nothing. The exceptions are luminance masks and destructive compose modes:
    /// such a layer keeps its box, and the layers around it keep at least that box.
    ///
    /// | buffer | access | contents |
    /// |---|---|---|
    /// | `vello_config` | read | `vello_encoding::ConfigUniform` |
    /// | `scene` | read | the packed scene, for its draw tags and blend words |
    /// | `draw_monoids` | read | `vello_encoding::DrawMonoid`, one per draw object |
    /// | `path_bboxes` | read, write | `vello_encoding::PathBbox`, one per path. The path of a layer gets the group box. |
    Tighten,
}

impl PassKind {
    /// All passes, in the order in which a frame runs them.
    pub const ALL: [Self; 3] = [Self::Clip, Self::FrameBoxes, Self::Tighten];

    /// Those that are wanted, in this order.
    pub(crate) fn choose(wanted: [bool; 3]) -> Vec<Self> {
        Self::ALL.into_iter().zip(wanted).filter_map(|(kind, is_wanted)| is_wanted.then_some(kind)).collect()
    }

    /// The names of the buffers that the pass binds, in the order in which
    /// [`VelloPass::record_in`](crate::VelloPass::record_in) takes them.
    pub const fn buffers(self) -> &'static [&'static str] {
        match self {
            Self::Clip => &["vello_config", "clip_inp", "path_bboxes", "draw_monoids", "clip_bboxes"],
            Self::FrameBoxes | Self::Tighten => &["vello_config", "scene", "draw_monoids", "path_bboxes"],
        }
    }

    /// Vello's names of these buffers.
    pub(crate) fn vello_buffers(self) -> &'static [&'static str] {
        match self {
            Self::Clip => &[
                "vello.config",
                "vello.clip_inp_buf",
                "vello.path_bbox_buf",
                "vello.draw_monoid_buf",
                "vello.clip_bbox_buf",
            ],
            Self::FrameBoxes | Self::Tighten => {
                &["vello.config", "vello.scene", "vello.draw_monoid_buf", "vello.path_bbox_buf"]
            }
        }
    }

    /// The pass's own shaders, and whether they run with wgpu's runtime checks.
    pub(crate) fn shaders(self) -> (Vec<&'static Shader>, bool) {
        match self {
            Self::Clip => {
                let own = [
                    shaders::VELLO_CLIP_RESOLVE_DIRECT.shader(),
                    shaders::VELLO_CLIP_REDUCE.shader(),
                    shaders::VELLO_CLIP_RESOLVE.shader(),
                    shaders::VELLO_CLIP_GATHER.shader(),
                    shaders::VELLO_CLIP_WALK.shader(),
                ];
                (own.into(), false)
            }
            Self::FrameBoxes => (vec![&shaders::VELLO_FRAME_GATHER], true),
            Self::Tighten => (vec![&shaders::VELLO_TIGHTEN_GATHER, &shaders::VELLO_TIGHTEN_SCATTER], true),
        }
    }

    /// The algorithms of the stages that the pass runs between its own shaders, for scenes of any
    /// size.
    pub(crate) fn algorithms(self, adapter: &wgpu::AdapterInfo) -> Vec<Algorithm> {
        if self == Self::Clip {
            return vec![Algorithm::TwoLevel, Algorithm::Hierarchical];
        }
        // Those of each power of two, with few duplicates. A duplicate is free.
        let mut algorithms: Vec<_> =
            (0..i32::BITS).map(|k| Algorithm::for_elements(1 << k, adapter)).collect();
        algorithms.dedup();
        algorithms
    }

    /// The results of the stages that the pass or the caller reads.
    pub(crate) fn outputs(self) -> Outputs {
        match self {
            Self::Clip => Outputs::CLIPPED,
            Self::FrameBoxes | Self::Tighten => Outputs::all(),
        }
    }

    /// The name of the pass in the times of a frame.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Clip => "vello_clip",
            Self::FrameBoxes => "vello_frame_boxes",
            Self::Tighten => "vello_tighten",
        }
    }

    /// The dispatch of Vello that the pass replaces or runs before.
    pub(crate) fn stage(self, shaders: &FullShaders) -> ShaderId {
        if self == Self::Clip { shaders.clip_leaf } else { shaders.binning }
    }

    /// The number of clip operations or draw objects that become elements.
    pub(super) fn n_items(self, layout: &Layout) -> u32 {
        if self == Self::Clip { layout.n_clips } else { layout.n_draw_objects }
    }

    /// The number of elements for each of them.
    pub(super) fn elements_per_item(self) -> u32 {
        if self == Self::Tighten { 2 } else { 1 }
    }
}
