//! What is run of a recording: Vello's commands, but for those that Boxwood's stages stand for.

use vello::low_level::{BufferProxy, Command, FullShaders, Recording, ResourceProxy};
use vello_encoding::{ConfigUniform, Layout};

use crate::clip::CLIP_BUFFERS;
use crate::error::Error;
use crate::tighten::TIGHTEN_BUFFERS;

/// One thing to run.
pub(crate) enum Step<'a> {
    /// A command of Vello's.
    Command(&'a Command),
    /// Boxwood's clip stage, over [`CLIP_BUFFERS`].
    Clip(Layout, [BufferProxy; CLIP_BUFFERS.len()]),
    /// Layers become as small as what is in them, over [`TIGHTEN_BUFFERS`].
    Tighten(Layout, [BufferProxy; TIGHTEN_BUFFERS.len()]),
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

/// The steps of a recording of a scene with clips.
///
/// `with_clip` takes Boxwood's clip stage for Vello's, `with_tighten` makes layers smaller before they are binned.
pub(crate) fn steps<'a>(
    recording: &'a Recording,
    shaders: &FullShaders,
    with_clip: bool,
    with_tighten: bool,
) -> Result<Vec<Step<'a>>, Error> {
    let layout = config(recording)?.layout;
    let mut steps = Vec::with_capacity(recording.commands.len() + 1);
    let (mut n_clip, mut n_tighten) = (0, 0);
    let mut scene = None;
    for command in &recording.commands {
        let Command::Dispatch(id, _, resources) = command else {
            steps.push(Step::Command(command));
            continue;
        };
        if *id == shaders.draw_leaf {
            scene = Some(named("draw_leaf", DRAW_LEAF, resources)?[1]);
        }
        if with_clip && *id == shaders.clip_reduce {
            continue;
        }
        if with_clip && *id == shaders.clip_leaf {
            let [config, clip_inp, path_bboxes, _, _, draw_monoids, clip_bboxes] =
                named("clip_leaf", CLIP_LEAF, resources)?;
            steps.push(Step::Clip(layout, [config, clip_inp, path_bboxes, draw_monoids, clip_bboxes]));
            n_clip += 1;
            continue;
        }
        if with_tighten && *id == shaders.binning {
            let [config, draw_monoids, path_bboxes, ..] = named("binning", BINNING, resources)?;
            if let Some(scene) = scene {
                steps.push(Step::Tighten(layout, [config, scene, draw_monoids, path_bboxes]));
                n_tighten += 1;
            }
        }
        steps.push(Step::Command(command));
    }
    let expect = |what, is_wanted: bool, n: u32| {
        if n == u32::from(is_wanted) {
            return Ok(());
        }
        Err(Error::Recording { what, expected: vec!["one dispatch"], found: vec!["none or several"] })
    };
    expect("clip_leaf", with_clip, n_clip)?;
    expect("binning", with_tighten, n_tighten)?;
    Ok(steps)
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
}
