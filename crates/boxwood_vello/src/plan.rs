//! What is run of a recording: Vello's commands, but for those that Boxwood's stages stand for.

use vello::low_level::{BufferProxy, Command, FullShaders, Recording, ResourceId, ResourceProxy, ShaderId};
use vello_encoding::{ConfigUniform, Layout};

use crate::clip::CLIP_BUFFERS;
use crate::error::Error;
use crate::frame_boxes::FRAME_BUFFERS;
use crate::tighten::TIGHTEN_BUFFERS;

/// What is run of a recording.
pub(crate) struct Plan<'a> {
    /// Uploads and clears, all of which can come first: none is of a buffer that a dispatch before it uses.
    pub(crate) writes: Vec<&'a Command>,
    /// What comes after them, in order.
    pub(crate) steps: Vec<Step<'a>>,
    /// What is of no use once all has been recorded. A recording frees some of it before it uses it for the last time.
    pub(crate) freed_buffers: Vec<ResourceId>,
    /// The same of images.
    pub(crate) freed_images: Vec<ResourceId>,
}

/// One thing to run.
pub(crate) enum Step<'a> {
    /// A dispatch of one of Vello's shaders.
    Dispatch(ShaderId, Workgroups, &'a [ResourceProxy]),
    /// Boxwood's clip stage, over [`CLIP_BUFFERS`].
    Clip(Layout, [BufferProxy; CLIP_BUFFERS.len()]),
    /// The boxes of the frame, over [`FRAME_BUFFERS`].
    Boxes(Layout, [BufferProxy; FRAME_BUFFERS.len()]),
    /// Layers become as small as what is in them, over [`TIGHTEN_BUFFERS`].
    Tighten(Layout, [BufferProxy; TIGHTEN_BUFFERS.len()]),
    /// All that Vello counts is counted; what is left is to fill the pixels.
    Counted,
}

/// Which of Boxwood's passes are run.
#[derive(Clone, Copy, Default)]
pub(crate) struct With {
    /// Boxwood's clip stage in the place of Vello's, for scenes with clips.
    pub(crate) clip: bool,
    /// Smaller layers before they are binned, for scenes with clips.
    pub(crate) tighten: bool,
    /// The boxes of the frame.
    pub(crate) boxes: bool,
}

/// How many workgroups there are.
#[derive(Clone, Copy)]
pub(crate) enum Workgroups {
    /// So many in x, y and z.
    Direct(u32, u32, u32),
    /// As many as the buffer says at this place.
    Indirect(BufferProxy, u64),
}

/// Vello's names of what its clip stage binds, in order.
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

/// Plans a recording.
pub(crate) fn plan<'a>(
    recording: &'a Recording,
    shaders: &FullShaders,
    with: With,
) -> Result<Plan<'a>, Error> {
    let layout = config(recording)?.layout;
    let mut plan = Plan {
        writes: Vec::new(),
        steps: Vec::with_capacity(recording.commands.len()),
        freed_buffers: Vec::new(),
        freed_images: Vec::new(),
    };
    let (mut n_clip, mut n_binning, mut n_fine) = (0, 0, 0);
    let mut scene = None;
    for command in &recording.commands {
        let (id, workgroups, resources) = match command {
            Command::Dispatch(id, (x, y, z), resources) => (*id, Workgroups::Direct(*x, *y, *z), resources),
            Command::DispatchIndirect(id, count, offset, resources) => {
                (*id, Workgroups::Indirect(*count, *offset), resources)
            }
            Command::FreeBuffer(proxy) => {
                plan.freed_buffers.push(proxy.id);
                continue;
            }
            Command::FreeImage(proxy) => {
                plan.freed_images.push(proxy.id);
                continue;
            }
            Command::Clear(proxy, ..) if plan.uses(proxy.id) => {
                return Err(unexpected("a clear", "a buffer before its first use", proxy.name));
            }
            Command::Upload(..)
            | Command::UploadUniform(..)
            | Command::UploadImage(..)
            | Command::WriteImage(..)
            | Command::Clear(..) => {
                plan.writes.push(command);
                continue;
            }
            // The renderer asks for no downloads, and another crate's feature can add a command that it does not record.
            _ => return Err(unexpected("a recording", "uploads, clears and dispatches", "another command")),
        };
        if id == shaders.draw_leaf {
            scene = Some(named("draw_leaf", DRAW_LEAF, resources)?[1]);
        }
        if with.clip && id == shaders.clip_reduce {
            continue;
        }
        if with.clip && id == shaders.clip_leaf {
            let [config, clip_inp, path_bboxes, _, _, draw_monoids, clip_bboxes] =
                named("clip_finish", CLIP_LEAF, resources)?;
            plan.steps.push(Step::Clip(layout, [config, clip_inp, path_bboxes, draw_monoids, clip_bboxes]));
            n_clip += 1;
            continue;
        }
        if id == shaders.binning {
            let [config, draw_monoids, path_bboxes, ..] = named("binning", BINNING, resources)?;
            if let Some(scene) = scene {
                let buffers = [config, scene, draw_monoids, path_bboxes];
                plan.steps.extend(with.boxes.then_some(Step::Boxes(layout, buffers)));
                plan.steps.extend(with.tighten.then_some(Step::Tighten(layout, buffers)));
                n_binning += 1;
            }
        }
        if [shaders.fine_area, shaders.fine_msaa8, shaders.fine_msaa16].contains(&Some(id)) {
            plan.steps.push(Step::Counted);
            n_fine += 1;
        }
        plan.steps.push(Step::Dispatch(id, workgroups, resources));
    }
    let expect = |what, is_wanted: bool, n: u32| {
        if n == u32::from(is_wanted) {
            Ok(())
        } else {
            Err(unexpected(what, "one dispatch", "none or several"))
        }
    };
    expect("clip_finish", with.clip, n_clip)?;
    if with.boxes || with.tighten {
        expect("binning", true, n_binning)?;
    }
    expect("fine", true, n_fine)?;
    Ok(plan)
}

impl Plan<'_> {
    /// Whether a dispatch uses a buffer, so far.
    fn uses(&self, id: ResourceId) -> bool {
        self.steps.iter().any(|step| match step {
            Step::Dispatch(_, workgroups, resources) => {
                let counts = matches!(workgroups, Workgroups::Indirect(proxy, _) if proxy.id == id);
                let is_it = |resource: &ResourceProxy| match resource {
                    ResourceProxy::Buffer(proxy) | ResourceProxy::BufferRange { proxy, .. } => proxy.id == id,
                    ResourceProxy::Image(_) => false,
                };
                counts || resources.iter().any(is_it)
            }
            Step::Clip(_, proxies) => proxies.iter().any(|proxy| proxy.id == id),
            Step::Boxes(_, proxies) | Step::Tighten(_, proxies) => proxies.iter().any(|proxy| proxy.id == id),
            Step::Counted => false,
        })
    }
}

fn unexpected(what: &'static str, expected: &'static str, found: &'static str) -> Error {
    Error::Recording { what, expected: vec![expected], found: vec![found] }
}

/// The configuration that a recording uploads.
pub(crate) fn config(recording: &Recording) -> Result<ConfigUniform, Error> {
    let bytes = recording.commands.iter().find_map(|command| match command {
        Command::UploadUniform(proxy, bytes) if proxy.name == "vello.config" => Some(bytes),
        _ => None,
    });
    bytes.and_then(|bytes| bytemuck::try_pod_read_unaligned(bytes).ok()).ok_or(Error::Recording {
        what: "the upload of the configuration",
        expected: vec!["vello.config"],
        found: Vec::new(),
    })
}

/// Makes it another.
pub(crate) fn set_config(recording: &mut Recording, config: &ConfigUniform) {
    for command in &mut recording.commands {
        if let Command::UploadUniform(proxy, bytes) = command
            && proxy.name == "vello.config"
        {
            *bytes = bytemuck::bytes_of(config).to_vec();
        }
    }
}

/// The buffers of a dispatch, if they have these names.
fn named<const N: usize>(
    what: &'static str,
    expected: [&'static str; N],
    resources: &[ResourceProxy],
) -> Result<[BufferProxy; N], Error> {
    let buffers: Vec<BufferProxy> = resources.iter().filter_map(|r| r.as_buf().copied()).collect();
    let found: Vec<&'static str> = buffers.iter().map(|proxy| proxy.name).collect();
    if found == expected
        && resources.len() == N
        && let Ok(buffers) = buffers.try_into()
    {
        return Ok(buffers);
    }
    Err(Error::Recording { what, expected: expected.to_vec(), found })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proxies(names: &[&'static str]) -> Vec<ResourceProxy> {
        names.iter().map(|name| ResourceProxy::new_buf(16, name)).collect()
    }

    #[test]
    fn buffers_with_other_names_or_of_another_number_are_refused() {
        assert!(named("binning", BINNING, &proxies(&BINNING)).is_ok());
        assert!(named("binning", BINNING, &proxies(&BINNING[1..])).is_err());
        let mut others = BINNING;
        others.swap(2, 3);
        let Err(error) = named("binning", BINNING, &proxies(&others)) else { panic!("it is refused") };
        assert!(error.to_string().contains("binning") && error.to_string().contains("path_bbox"), "{error}");
    }

    /// Each with a number of its own.
    fn shaders() -> FullShaders {
        let mut ids = (0..).map(ShaderId);
        let mut id = || ids.next().expect("they do not end");
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

    /// All clears are run before all dispatches.
    #[test]
    fn a_clear_of_what_is_in_use_is_refused() {
        let buffer = BufferProxy::new(16, "vello.bump_buf");
        let mut recording = Recording::default();
        recording.upload_uniform("vello.config", bytemuck::bytes_of(&ConfigUniform::default()));
        recording.clear_all(buffer);
        let shaders = shaders();
        recording.dispatch(ShaderId(21), (1, 1, 1), [ResourceProxy::Buffer(buffer)]);
        assert!(plan(&recording, &shaders, With::default()).is_ok());
        recording.clear_all(buffer);
        let Err(error) = plan(&recording, &shaders, With::default()) else { panic!("it is refused") };
        assert!(error.to_string().contains("vello.bump_buf"), "{error}");
    }
}
