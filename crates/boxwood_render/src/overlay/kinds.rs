//! The kinds of box that an overlay shows, and the table of their colours and lines.

use std::fmt;
use std::str::FromStr;

use bitflags::bitflags;

use crate::color::hex;

bitflags! {
    /// A set of kinds of box.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct OverlayKinds: u8 {
        /// Leaf boxes: the box that each leaf paints, before clipping.
        const LEAF = 1;
        /// Clipped leaf boxes.
        const CLIPPED = 2;
        /// Clip boxes of the nodes.
        const CLIP = 4;
        /// Group boxes of the nodes.
        const GROUP = 8;
    }
}

/// The appearance of the boxes of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OverlayStyle {
    /// The set that contains only this kind. Empty in [`CHANGE_STYLES`].
    pub kind: OverlayKinds,
    /// The name of the kind on a command line.
    pub name: &'static str,
    /// The name of the kind in prose, in the singular.
    pub title: &'static str,
    /// The digit that shows or hides the kind in a window, or a character for the legend.
    pub key: char,
    /// Red, green, and blue, in sRGB.
    pub color: [u8; 3],
    /// The lengths of dashes and gaps along an edge, alternately, in device pixels. Empty for a
    /// solid line.
    pub dash: &'static [u8],
}

impl OverlayStyle {
    /// The colour as CSS has it, such as `#0072b2`.
    pub fn css_color(&self) -> String {
        hex(self.color)
    }
}

/// The style of each kind, in the order of the keys.
///
/// The colours are from the palette of Okabe and Ito, which people with any colour vision can tell
/// apart. Only colours with a contrast of at least 3 : 1 on both white and black are used. The
/// lines differ too, so that no kind depends on its colour alone, and so that boxes that coincide
/// show through each other's gaps.
pub const OVERLAY_STYLES: [OverlayStyle; 4] = [
    style(OverlayKinds::LEAF, "leaf", "leaf box", '1', [0xcc, 0x79, 0xa7], &[1, 2]),
    style(OverlayKinds::CLIPPED, "clipped", "clipped leaf box", '2', [0x00, 0x72, 0xb2], &[]),
    style(OverlayKinds::CLIP, "clip", "clip box", '3', [0xd5, 0x5e, 0x00], &[6, 4]),
    style(OverlayKinds::GROUP, "group", "group box", '4', [0x00, 0x9e, 0x73], &[8, 3, 2, 3]),
];

/// The style of each [`ChangeMark`](crate::ChangeMark), in paint order and in the order of its
/// variants, in the same colours.
pub const CHANGE_STYLES: [OverlayStyle; 4] = [
    style(OverlayKinds::NONE, "damage", "damage", '#', [0x00, 0x72, 0xb2], &[]),
    style(OverlayKinds::NONE, "old", "old box: vanished or moved", '-', [0xd5, 0x5e, 0x00], &[6, 4]),
    style(OverlayKinds::NONE, "new", "new box: appeared or moved", '+', [0x00, 0x9e, 0x73], &[8, 3, 2, 3]),
    style(OverlayKinds::NONE, "same", "same box: repainted or reordered", '~', [0xcc, 0x79, 0xa7], &[1, 2]),
];

/// The indices of the styles in paint order: the densest line first, so that each of several boxes
/// that coincide stays visible in the gaps of the boxes painted after it.
const PAINT_ORDER: [usize; 4] = [1, 3, 2, 0];

const fn style(
    kind: OverlayKinds,
    name: &'static str,
    title: &'static str,
    key: char,
    color: [u8; 3],
    dash: &'static [u8],
) -> OverlayStyle {
    OverlayStyle { kind, name, title, key, color, dash }
}

/// A word that names no kind of box.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown kind of box `{0}`: use some of {names}, separated by commas, or all alone, or none alone",
    names = OVERLAY_STYLES.map(|style| style.name).join(", ")
)]
pub struct UnknownKind(pub String);

impl OverlayKinds {
    /// No kind.
    pub const NONE: Self = Self::empty();
    /// Every kind.
    pub const ALL: Self = Self::all();
    /// The kinds whose boxes belong to entries of the node stream. Those of the others belong to
    /// elements.
    pub const OF_ENTRIES: Self = Self::CLIP.union(Self::GROUP);

    /// The styles of the kinds in the set, in the order of the keys.
    pub fn styles(self) -> impl Iterator<Item = &'static OverlayStyle> + Clone {
        OVERLAY_STYLES.iter().filter(move |style| self.contains(style.kind))
    }

    /// The styles of the kinds in the set, in paint order.
    pub fn styles_in_paint_order(self) -> impl Iterator<Item = &'static OverlayStyle> {
        let styles = PAINT_ORDER.iter().map(|&index| &OVERLAY_STYLES[index]);
        styles.filter(move |style| self.contains(style.kind))
    }
}

/// Reads names separated by commas, such as `leaf,clip`; or `all`; or `none`.
impl FromStr for OverlayKinds {
    type Err = UnknownKind;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let kind = |name: &str| {
            let style = OVERLAY_STYLES.iter().find(|style| style.name == name);
            style.map(|style| style.kind).ok_or_else(|| UnknownKind(name.to_owned()))
        };
        match text.trim() {
            "all" => Ok(Self::ALL),
            "none" => Ok(Self::NONE),
            names => names.split(',').try_fold(Self::NONE, |set, name| Ok(set.union(kind(name.trim())?))),
        }
    }
}

/// Writes text that [`FromStr`] reads.
impl fmt::Display for OverlayKinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("none");
        }
        f.write_str(&self.styles().map(|style| style.name).collect::<Vec<_>>().join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::overlay::uniforms::LineStyle;

    #[test]
    fn every_set_survives_being_written_and_read() {
        for bits in 0..=OverlayKinds::ALL.bits() {
            let kinds = OverlayKinds::from_bits_retain(bits);
            assert_eq!(kinds.to_string().parse(), Ok(kinds), "{kinds}");
        }
        assert_eq!("all".parse(), Ok(OverlayKinds::ALL));
    }

    #[test]
    fn names_are_read_in_any_order_and_an_unknown_one_is_reported() {
        assert_eq!("group, leaf".parse(), Ok(OverlayKinds::LEAF.union(OverlayKinds::GROUP)));
        assert_eq!("leaf,ink".parse::<OverlayKinds>(), Err(UnknownKind("ink".to_owned())));
        assert!("".parse::<OverlayKinds>().is_err());
        let error = UnknownKind("ink".to_owned()).to_string();
        assert!(error.contains("`ink`") && error.contains("leaf, clipped, clip, group"), "{error}");
    }

    #[test]
    fn the_table_has_every_kind_once() {
        let union = OVERLAY_STYLES.iter().fold(OverlayKinds::NONE, |set, style| set.union(style.kind));
        assert_eq!(union, OverlayKinds::ALL);
        assert_eq!(OverlayKinds::ALL.styles_in_paint_order().count(), OVERLAY_STYLES.len());
        assert_eq!(OVERLAY_STYLES.map(|style| style.key), ['1', '2', '3', '4']);
        assert_eq!(OVERLAY_STYLES[1].css_color(), "#0072b2");
    }

    #[test]
    fn each_kind_shows_through_the_kinds_painted_later() {
        let order: Vec<_> = OverlayKinds::ALL.styles_in_paint_order().collect();
        for (i, style) in order.iter().enumerate() {
            let is_seen = |position: u32| {
                let is_hidden = order[i + 1..].iter().any(|later| LineStyle::from(*later).covers(position));
                LineStyle::from(*style).covers(position) && !is_hidden
            };
            assert!((0..80).any(is_seen), "{} is hidden", style.name);
        }
    }
}
