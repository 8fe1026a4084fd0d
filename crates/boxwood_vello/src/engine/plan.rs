//! Turns a recording of Vello into uploads and steps, with Boxwood's passes among the steps.

use std::collections::HashSet;

use vello::low_level::{BufferProxy, Command, FullShaders, Recording, ResourceId, ResourceProxy, ShaderId};
use vello_encoding::Layout;

use crate::error::Error;
use crate::passes::PassKind;
use crate::recording::{config, named, unexpected};

/// The commands of a recording, in the order in which the engine runs them.
pub(crate) struct Plan<'a> {
    pub(crate) layout: Layout,
    /// Uploads and clears. They come first: none of them is for a buffer that an earlier dispatch
    /// uses.
    pub(crate) writes: Vec<&'a Command>,
    /// The rest, in order.
    pub(crate) steps: Vec<Step<'a>>,
    /// The buffers to free after the submission. A recording frees some before it last uses them.
    pub(crate) freed_buffers: Vec<ResourceId>,
    /// The images to free after the submission.
    pub(crate) freed_images: Vec<ResourceId>,
}

/// A step of the engine.
pub(crate) enum Step<'a> {
    /// A dispatch of one of Vello's shaders.
    Dispatch(ShaderId, Workgroups, &'a [ResourceProxy]),
    /// A pass of Boxwood over the buffers that its kind lists.
    Pass(PassKind, Vec<BufferProxy>),
    /// All counters have their final values. Only the pixels are left to draw.
    CountersFinal,
}

/// The number of workgroups of a dispatch.
#[derive(Clone, Copy)]
pub(crate) enum Workgroups {
    /// In x, y, and z.
    Direct(u32, u32, u32),
    /// The three numbers at this offset in the buffer.
    Indirect(BufferProxy, u64),
}

/// The buffers of Vello's dispatches that passes replace or precede, by Vello's names.
const CLIP_LEAF: [&str; 7] = [
    "vello.config",
    "vello.clip_inp_buf",
    "vello.path_bbox_buf",
    "vello.clip_bic_buf",
    "vello.clip_el_buf",
    "vello.draw_monoid_buf",
    "vello.clip_bbox_buf",
];
const DRAW_LEAF: [&str; 7] = [
    "vello.config",
    "vello.scene",
    "vello.draw_reduced_buf",
    "vello.path_bbox_buf",
    "vello.draw_monoid_buf",
    "vello.info_bin_data_buf",
    "vello.clip_inp_buf",
];
const BINNING: [&str; 8] = [
    "vello.config",
    "vello.draw_monoid_buf",
    "vello.path_bbox_buf",
    "vello.clip_bbox_buf",
    "vello.draw_bbox_buf",
    "vello.bump_buf",
    "vello.info_bin_data_buf",
    "vello.bin_header_buf",
];

/// Plans a recording with these passes: [`PassKind::Clip`] in place of Vello's clip stage, the
/// others before binning.
///
/// # Errors
///
/// [`Error::Recording`] if the recording has other commands or buffers than those of the supported
/// version of Vello.
pub(crate) fn plan<'a>(
    recording: &'a Recording,
    shaders: &FullShaders,
    passes: &[PassKind],
) -> Result<Plan<'a>, Error> {
    let mut plan = Plan {
        layout: config(recording)?.layout,
        writes: Vec::new(),
        steps: Vec::with_capacity(recording.commands.len()),
        freed_buffers: Vec::new(),
        freed_images: Vec::new(),
    };
    let mut planner = Planner { shaders, passes, scene: None, n_clip: 0, n_binning: 0, n_fine: 0 };
    let mut used = HashSet::new();
    for command in &recording.commands {
        if let Command::Dispatch(_, _, resources) | Command::DispatchIndirect(_, _, _, resources) = command {
            used.extend(resources.iter().filter_map(|r| r.as_buf()).map(|proxy| proxy.id));
        }
        match command {
            Command::Dispatch(id, (x, y, z), resources) => {
                planner.dispatch(&mut plan.steps, *id, Workgroups::Direct(*x, *y, *z), resources)?;
            }
            Command::DispatchIndirect(id, count, offset, resources) => {
                planner.dispatch(&mut plan.steps, *id, Workgroups::Indirect(*count, *offset), resources)?;
            }
            Command::FreeBuffer(proxy) => plan.freed_buffers.push(proxy.id),
            Command::FreeImage(proxy) => plan.freed_images.push(proxy.id),
            Command::Clear(proxy, ..) if used.contains(&proxy.id) => {
                return Err(unexpected("a clear", &["a buffer before its first use"], &[proxy.name]));
            }
            Command::Upload(..)
            | Command::UploadUniform(..)
            | Command::UploadImage(..)
            | Command::WriteImage(..)
            | Command::Clear(..) => plan.writes.push(command),
            // Downloads, which the renderer does not ask for, and draws, which Vello adds only with
            // its feature `debug_layers`.
            _ => {
                return Err(unexpected(
                    "a recording",
                    &["uploads, clears, and dispatches"],
                    &["another command"],
                ));
            }
        }
    }
    planner.finish()?;
    Ok(plan)
}

/// Turns dispatches into steps.
struct Planner<'a> {
    shaders: &'a FullShaders,
    passes: &'a [PassKind],
    /// The packed scene, once a dispatch has used it.
    scene: Option<BufferProxy>,
    /// The dispatches found of each stage where a step is inserted.
    n_clip: usize,
    n_binning: usize,
    n_fine: usize,
}

impl Planner<'_> {
    fn dispatch<'a>(
        &mut self,
        steps: &mut Vec<Step<'a>>,
        id: ShaderId,
        workgroups: Workgroups,
        resources: &'a [ResourceProxy],
    ) -> Result<(), Error> {
        let shaders = self.shaders;
        let replaces_clips = self.passes.contains(&PassKind::Clip);
        if id == shaders.draw_leaf {
            self.scene = Some(named("draw_leaf", DRAW_LEAF, resources)?[1]);
        }
        if replaces_clips && id == shaders.clip_reduce {
            return Ok(());
        }
        if replaces_clips && id == shaders.clip_leaf {
            let [config, clip_inp, path_bboxes, _, _, draw_monoids, clip_bboxes] =
                named("clip_leaf", CLIP_LEAF, resources)?;
            let buffers = vec![config, clip_inp, path_bboxes, draw_monoids, clip_bboxes];
            steps.push(Step::Pass(PassKind::Clip, buffers));
            self.n_clip += 1;
            return Ok(());
        }
        if id == shaders.binning {
            let [config, draw_monoids, path_bboxes, ..] = named("binning", BINNING, resources)?;
            if let Some(scene) = self.scene {
                let kinds = self.passes.iter().filter(|&&kind| kind != PassKind::Clip);
                steps.extend(
                    kinds.map(|&kind| Step::Pass(kind, vec![config, scene, draw_monoids, path_bboxes])),
                );
                self.n_binning += 1;
            }
        }
        if [shaders.fine_area, shaders.fine_msaa8, shaders.fine_msaa16].contains(&Some(id)) {
            steps.push(Step::CountersFinal);
            self.n_fine += 1;
        }
        steps.push(Step::Dispatch(id, workgroups, resources));
        Ok(())
    }

    fn finish(&self) -> Result<(), Error> {
        let n_clip = usize::from(self.passes.contains(&PassKind::Clip));
        let counts =
            [("clip_leaf", self.n_clip, n_clip), ("binning", self.n_binning, 1), ("fine", self.n_fine, 1)];
        match counts.into_iter().find(|(_, found, expected)| found != expected) {
            Some((what, ..)) => Err(unexpected(what, &["one dispatch"], &["none or several"])),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use vello_encoding::ConfigUniform;

    use super::*;

    /// Shaders with distinct identities.
    fn shaders() -> FullShaders {
        let mut ids = (0..).map(ShaderId);
        let mut id = || ids.next().expect("the range is unbounded");
        FullShaders {
            pathtag_reduce: id(),
            pathtag_reduce2: id(),
            pathtag_scan1: id(),
            pathtag_scan: id(),
            pathtag_scan_large: id(),
            bbox_clear: id(),
            flatten: id(),
            draw_reduce: id(),
            draw_leaf: id(),
            clip_reduce: id(),
            clip_leaf: id(),
            binning: id(),
            tile_alloc: id(),
            backdrop: id(),
            path_count_setup: id(),
            path_count: id(),
            coarse: id(),
            path_tiling_setup: id(),
            path_tiling: id(),
            fine_area: Some(id()),
            fine_msaa8: Some(id()),
            fine_msaa16: Some(id()),
            pathtag_is_cpu: false,
        }
    }

    #[test]
    fn a_clear_after_the_first_use_is_refused() {
        let shaders = shaders();
        let buffer = BufferProxy::new(16, "vello.bump_buf");
        let proxies = |names: &[&'static str]| -> Vec<ResourceProxy> {
            names.iter().map(|name| ResourceProxy::new_buf(16, name)).collect()
        };
        let mut recording = Recording::default();
        recording.upload_uniform("vello.config", bytemuck::bytes_of(&ConfigUniform::default()));
        recording.clear_all(buffer);
        recording.dispatch(shaders.draw_leaf, (1, 1, 1), proxies(&DRAW_LEAF));
        recording.dispatch(shaders.binning, (1, 1, 1), proxies(&BINNING));
        let fine = shaders.fine_area.expect("it has an identity");
        recording.dispatch(fine, (1, 1, 1), [ResourceProxy::Buffer(buffer)]);
        assert!(plan(&recording, &shaders, &[]).is_ok());
        recording.clear_all(buffer);
        let Err(error) = plan(&recording, &shaders, &[]) else { panic!("it is accepted") };
        assert!(error.to_string().contains("vello.bump_buf"), "{error}");
    }
}
