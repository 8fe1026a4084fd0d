//! Scenes with more draw info than Vello has room for.
//!
//! Vello keeps the info of all draws and, behind it, what is in each bin, in one buffer of a fixed size, and subtracts the one from the
//! other without a look. This records such a scene as one whose draws have no info, and then puts back what they have: the info is read
//! and written by shaders alone, which know from the draw tags where it is, and from the configuration where it ends.

use vello::low_level::{Command, Recording};
use vello_encoding::{BufferSizes, DrawTag, Encoding, Layout, WorkgroupCounts};

use crate::error::Error;
use crate::plan;

/// The bits of a draw tag that say how many words of info it has.
const INFO_BITS: u32 = 0xf << 6;

/// How many words of draw info a scene has.
pub(crate) fn n_words(encoding: &Encoding) -> u64 {
    encoding.draw_tags.iter().map(|tag| u64::from(tag.info_size())).sum()
}

/// How many Vello has room for.
pub(crate) fn vello_max() -> u64 {
    BufferSizes::new(&Layout::default(), &WorkgroupCounts::default()).bin_data.len().into()
}

/// The scene with draws that have no info.
pub(crate) fn without(encoding: &Encoding) -> Encoding {
    let mut without = encoding.clone();
    for tag in &mut without.draw_tags {
        *tag = DrawTag(tag.0 & !INFO_BITS);
    }
    without
}

/// Makes the recording of a scene [`without`] info one of the scene itself, with no room for bins behind the info.
pub(crate) fn put_back(recording: &mut Recording, encoding: &Encoding) -> Result<(), Error> {
    let mut config = plan::config(recording)?;
    let need = n_words(encoding);
    let limit = u32::MAX.into();
    config.layout.bin_data_start = u32::try_from(need).map_err(|_| Error::Info { need, limit })?;
    config.binning_size = 0;
    plan::set_config(recording, &config);
    let tags: &[u8] = bytemuck::cast_slice(&encoding.draw_tags);
    let at = size_of::<u32>() * config.layout.draw_tag_base as usize;
    for command in &mut recording.commands {
        if let Command::Upload(proxy, bytes) = command
            && proxy.name == "vello.scene"
            && let Some(place) = bytes.get_mut(at..at + tags.len())
        {
            place.copy_from_slice(tags);
            return Ok(());
        }
    }
    Err(Error::Recording {
        what: "the upload of the scene",
        expected: vec!["vello.scene with all draw tags"],
        found: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_draw_has_info_then() {
        let tags = [
            DrawTag::NOP,
            DrawTag::COLOR,
            DrawTag::LINEAR_GRADIENT,
            DrawTag::RADIAL_GRADIENT,
            DrawTag::SWEEP_GRADIENT,
            DrawTag::IMAGE,
            DrawTag::BLUR_RECT,
            DrawTag::BEGIN_CLIP,
            DrawTag::END_CLIP,
        ];
        let encoding = Encoding { draw_tags: tags.to_vec(), ..Encoding::new() };
        assert!(n_words(&encoding) > 40);
        let without = without(&encoding);
        assert_eq!(n_words(&without), 0);
        // The kind, and the number of words in the scene, are in the bits beneath.
        assert!(without.draw_tags.iter().zip(tags).all(|(own, other)| own.0 == other.0 & 0x3f));
    }
}
