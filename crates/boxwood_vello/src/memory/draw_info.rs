//! Scenes with more draw info than Vello has room for.
//!
//! Vello keeps the info of all draw objects and, behind it, the contents of each bin in one buffer
//! of a fixed size, and subtracts the one from the other without a check. This module records such
//! a scene as one whose draw objects have no info, and then restores the tags that say how much
//! they have. Only shaders read and write the info. They find it by the draw tags, and its end by
//! the configuration.

use vello::low_level::Recording;
use vello_encoding::{BufferSizes, DrawTag, Encoding, Layout, WorkgroupCounts};

use crate::error::Error;
use crate::recording::{change_config, upload};

/// The bits of a draw tag with the number of words of info.
const INFO_BITS: u32 = 0xf << 6;

/// The name of the buffer's contents in errors.
pub(crate) const PART: &str = "the draw info and the bins of the scene";

/// The number of words of draw info of a scene.
pub(crate) fn n_words(encoding: &Encoding) -> u64 {
    encoding.draw_tags.iter().map(|tag| u64::from(tag.info_size())).sum()
}

/// The number of words that Vello has room for.
pub(crate) fn vello_max() -> u64 {
    BufferSizes::new(&Layout::default(), &WorkgroupCounts::default()).bin_data.len().into()
}

/// The scene with draw objects that have no info.
pub(crate) fn without(encoding: &Encoding) -> Encoding {
    let mut without = encoding.clone();
    for tag in &mut without.draw_tags {
        *tag = DrawTag(tag.0 & !INFO_BITS);
    }
    without
}

/// Turns the recording of a scene [`without`] info into one of the scene itself, with no room for
/// bins behind the info. [`Sizes::apply`](super::Sizes::apply) adds that.
pub(crate) fn restore(recording: &mut Recording, encoding: &Encoding) -> Result<(), Error> {
    let need = n_words(encoding);
    let limit = u32::MAX.into();
    let n_words = u32::try_from(need).map_err(|_| Error::Scene { part: PART, need, limit })?;
    let config = change_config(recording, |config| {
        config.layout.bin_data_start = n_words;
        config.binning_size = 0;
    })?;
    let tags: &[u8] = bytemuck::cast_slice(&encoding.draw_tags);
    let start = size_of::<u32>() * config.layout.draw_tag_base as usize;
    let place = upload(recording, "vello.scene")?.get_mut(start..start + tags.len());
    place.ok_or_else(|| Error::Recording("it does not upload all draw tags".into()))?.copy_from_slice(tags);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_info_only_the_number_of_info_words_changes() {
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
        // The lowest six bits are the kind and the number of words in the scene.
        assert!(without.draw_tags.iter().zip(tags).all(|(own, other)| own.0 == other.0 & 0x3f));
    }
}
