//! Vello's recordings, whose buffers are found by name.

use std::borrow::Cow;
use std::collections::HashSet;

use vello::low_level::{BufferProxy, Command, FullShaders, ImageProxy, Recording, ResourceProxy, ShaderId};
use vello_encoding::ConfigUniform;

use crate::error::Error;
use crate::passes::PassKind;

/// A recording, with the proxy of its picture and the passes that it needs.
pub(crate) struct Recorded {
    pub(crate) recording: Recording,
    pub(crate) target: ImageProxy,
    pub(crate) passes: Vec<PassKind>,
    /// Whether draw objects are left out that later ones hide.
    pub(crate) hides_occluded: bool,
}

impl Recorded {
    /// Refuses a recording that the engine cannot run.
    ///
    /// # Errors
    ///
    /// [`Error::Recording`] if the recording has other commands than those of the supported version
    /// of Vello.
    pub(crate) fn check(&self, shaders: &FullShaders) -> Result<(), Error> {
        let mut used = HashSet::new();
        let mut dispatches: Vec<ShaderId> = Vec::new();
        for command in &self.recording.commands {
            match command {
                Command::Dispatch(id, _, resources) | Command::DispatchIndirect(id, _, _, resources) => {
                    dispatches.push(*id);
                    used.extend(resources.iter().filter_map(ResourceProxy::as_buf).map(|proxy| proxy.id));
                }
                // The engine runs uploads and clears first.
                Command::Clear(proxy, ..) if used.contains(&proxy.id) => {
                    return Err(Error::Recording(format!("it clears {} after its first use", proxy.name)));
                }
                Command::Upload(..)
                | Command::UploadUniform(..)
                | Command::UploadImage(..)
                | Command::WriteImage(..)
                | Command::Clear(..)
                | Command::FreeBuffer(_)
                | Command::FreeImage(_) => {}
                // Downloads, which the renderer does not ask for, and draws, which Vello adds only
                // with its feature `debug_layers`.
                _ => return Err(Error::Recording("it does more than write, dispatch, and free".into())),
            }
        }
        let fine = ("fine", dispatches.iter().filter(|id| is_fine(shaders, **id)).count());
        let stages = self.passes.iter().map(|kind| kind.stage(shaders));
        let counts = stages.chain(self.hides_occluded.then_some(shaders.binning)).map(|stage| {
            let name = if stage == shaders.clip_leaf { "clip_leaf" } else { "binning" };
            (name, dispatches.iter().filter(|id| **id == stage).count())
        });
        match counts.chain([fine]).find(|(_, count)| *count != 1) {
            Some((stage, count)) => {
                Err(Error::Recording(format!("it dispatches `{stage}` {count} times instead of once")))
            }
            None => Ok(()),
        }
    }

    /// The buffer with this name.
    ///
    /// # Errors
    ///
    /// [`Error::Recording`] if no dispatch binds it.
    pub(crate) fn buffer(&self, name: &str) -> Result<BufferProxy, Error> {
        let resources = self.recording.commands.iter().flat_map(|command| match command {
            Command::Dispatch(_, _, resources) | Command::DispatchIndirect(_, _, _, resources) => {
                &resources[..]
            }
            _ => &[],
        });
        let found = resources.filter_map(ResourceProxy::as_buf).find(|proxy| proxy.name == name);
        found.copied().ok_or_else(|| Error::Recording(format!("it has no buffer {name}")))
    }
}

/// The words that a recording uploads to a buffer.
///
/// # Errors
///
/// [`Error::Recording`] if it does not upload the buffer.
pub(crate) fn uploaded<'a>(recording: &'a Recording, name: &str) -> Result<Cow<'a, [u32]>, Error> {
    let bytes = recording.commands.iter().find_map(|command| match command {
        Command::Upload(proxy, bytes) if proxy.name == name => Some(bytes),
        _ => None,
    });
    let bytes = bytes.ok_or_else(|| Error::Recording(format!("it does not upload {name}")))?;
    // The bytes may be unaligned, and a part of a word at the end does not count.
    let bytes = &bytes[..bytes.len() / size_of::<u32>() * size_of::<u32>()];
    Ok(bytemuck::try_cast_slice(bytes)
        .map_or_else(|_| Cow::Owned(bytemuck::pod_collect_to_vec(bytes)), Cow::Borrowed))
}

/// Whether a shader draws the pixels, with one of the methods of antialiasing.
pub(crate) fn is_fine(shaders: &FullShaders, id: ShaderId) -> bool {
    [shaders.fine_area, shaders.fine_msaa8, shaders.fine_msaa16].contains(&Some(id))
}

/// The bytes that a recording uploads to a buffer.
///
/// # Errors
///
/// [`Error::Recording`] if it does not upload the buffer.
pub(crate) fn upload<'a>(recording: &'a mut Recording, name: &str) -> Result<&'a mut Vec<u8>, Error> {
    let upload = recording.commands.iter_mut().find_map(|command| match command {
        Command::Upload(proxy, bytes) | Command::UploadUniform(proxy, bytes) if proxy.name == name => {
            Some(bytes)
        }
        _ => None,
    });
    upload.ok_or_else(|| Error::Recording(format!("it does not upload {name}")))
}

/// Changes the configuration that a recording uploads, and returns it.
///
/// # Errors
///
/// [`Error::Recording`] if it uploads none.
pub(crate) fn change_config(
    recording: &mut Recording,
    change: impl FnOnce(&mut ConfigUniform),
) -> Result<ConfigUniform, Error> {
    let bytes = upload(recording, "vello.config")?;
    let mut config = bytemuck::try_pod_read_unaligned(bytes)
        .map_err(|_| Error::Recording(format!("its configuration has {} bytes", bytes.len())))?;
    change(&mut config);
    bytes.copy_from_slice(bytemuck::bytes_of(&config));
    Ok(config)
}

#[cfg(test)]
mod tests {
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

    /// A recording that dispatches shaders with buffers of these names.
    fn record(ids: &[ShaderId], names: &[&'static str], passes: &[PassKind]) -> Recorded {
        let mut recording = Recording::default();
        for id in ids {
            let proxies = names.iter().map(|name| ResourceProxy::new_buf(16, name));
            recording.dispatch(*id, (1, 1, 1), proxies.collect::<Vec<_>>());
        }
        let target = ImageProxy::new(1, 1, vello::low_level::ImageFormat::Rgba8);
        Recorded { recording, target, passes: passes.to_vec(), hides_occluded: false }
    }

    #[test]
    fn a_clear_after_the_first_use_is_refused() {
        let shaders = shaders();
        let fine = shaders.fine_area.expect("it has an identity");
        let mut recorded = record(&[fine], &["vello.bump_buf"], &[]);
        let buffer = recorded.buffer("vello.bump_buf").expect("it is bound");
        recorded.check(&shaders).expect("nothing is cleared");
        recorded.recording.commands.insert(0, Command::Clear(buffer, 0, None));
        recorded.check(&shaders).expect("it is cleared before its first use");
        recorded.recording.clear_all(buffer);
        let error = recorded.check(&shaders).expect_err("it is cleared again");
        assert!(error.to_string().contains("vello.bump_buf"), "{error}");
    }

    #[test]
    fn a_pass_needs_its_stage_and_its_buffers() {
        let shaders = shaders();
        let fine = shaders.fine_area.expect("it has an identity");
        let stages = [
            (PassKind::Clip, shaders.clip_leaf, "clip_leaf"),
            (PassKind::FrameBoxes, shaders.binning, "binning"),
            (PassKind::Tighten, shaders.binning, "binning"),
        ];
        for (kind, stage, name) in stages {
            let names = kind.vello_buffers();
            for (ids, wrong, count) in [
                (&[fine][..], name, 0),
                (&[stage], "fine", 0),
                (&[stage, stage, fine], name, 2),
                (&[stage, fine, fine], "fine", 2),
            ] {
                let refused = record(ids, names, &[kind]).check(&shaders);
                let error = refused.expect_err("a stage is missing or repeated").to_string();
                assert!(error.contains(&format!("`{wrong}` {count} times")), "{error}");
            }
            let ids = [stage, fine];
            record(&ids, names, &[kind]).check(&shaders).expect("it has both stages");
            let Err(error) = record(&ids, &names[1..], &[]).buffer(names[0]) else { panic!("it is found") };
            assert!(error.to_string().contains(names[0]), "{error}");
        }
    }
}
