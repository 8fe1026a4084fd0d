//! The font and the sample drawings that Boxwood's tools, tests and examples share.

/// Noto Sans Regular: the font of the legend, and of text in a drawing where the system has no
/// other.
///
/// Licence: SIL Open Font License 1.1, see `LICENSES.md`.
pub const NOTO_SANS: &[u8] = include_bytes!("../fonts/NotoSans-Regular.ttf");

/// The drawing that the first picture of the documentation shows.
pub const POSTER: &[u8] = include_bytes!("../svg/poster.svg");

/// The sample drawings, each with its file name. Each shows one subject, and every element in them
/// has an id.
pub const SAMPLES: &[(&str, &[u8])] = &[
    ("clips.svg", include_bytes!("../svg/clips.svg")),
    ("deep.svg", include_bytes!("../svg/deep.svg")),
    ("empty_clip.svg", include_bytes!("../svg/empty_clip.svg")),
    ("filters_masks_patterns.svg", include_bytes!("../svg/filters_masks_patterns.svg")),
    ("gradients.svg", include_bytes!("../svg/gradients.svg")),
    ("groups.svg", include_bytes!("../svg/groups.svg")),
    ("image.svg", include_bytes!("../svg/image.svg")),
    ("poster.svg", POSTER),
    ("strokes.svg", include_bytes!("../svg/strokes.svg")),
    ("text.svg", include_bytes!("../svg/text.svg")),
    ("transforms.svg", include_bytes!("../svg/transforms.svg")),
];
