//! The kinds of box that the overlay shows, and the one table that says how.

use std::fmt;
use std::str::FromStr;

/// A set of kinds of box.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct OverlayKinds(u8);

/// How the boxes of one kind look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OverlayStyle {
    /// The kind, alone.
    pub kind: OverlayKinds,
    /// The word that stands for the kind on a command line.
    pub name: &'static str,
    /// What the kind is called in a sentence.
    pub title: &'static str,
    /// The digit that switches the kind on and off in a window.
    pub key: char,
    /// Red, green and blue, in sRGB.
    pub color: [u8; 3],
    /// The lengths of the strokes and the gaps along an edge, in turn, in device pixels. Empty for a solid line.
    pub dash: &'static [u8],
}

/// The kinds, in the order of their keys.
///
/// The colours are from the palette of Okabe and Ito, which people with any colour vision can tell apart. Only those
/// whose contrast is at least 3 : 1 both on white and on black are used. The lines differ as well, so that no kind is
/// known by its colour alone, and so that coincident boxes shine through the gaps of each other.
pub const OVERLAY_STYLES: [OverlayStyle; 4] = [
    OverlayStyle {
        kind: OverlayKinds::LEAF,
        name: "leaf",
        title: "leaf box",
        key: '1',
        color: [0xcc, 0x79, 0xa7],
        dash: &[1, 2],
    },
    OverlayStyle {
        kind: OverlayKinds::CLIPPED,
        name: "clipped",
        title: "clipped leaf box",
        key: '2',
        color: [0x00, 0x72, 0xb2],
        dash: &[],
    },
    OverlayStyle {
        kind: OverlayKinds::CLIP,
        name: "clip",
        title: "clip box",
        key: '3',
        color: [0xd5, 0x5e, 0x00],
        dash: &[6, 4],
    },
    OverlayStyle {
        kind: OverlayKinds::GROUP,
        name: "group",
        title: "group box",
        key: '4',
        color: [0x00, 0x9e, 0x73],
        dash: &[8, 3, 2, 3],
    },
];

/// The digit that switches every kind off in a window.
pub const OVERLAY_OFF_KEY: char = '0';

/// A word that is no kind of box.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown kind of box `{0}`: take some of {list}, separated by commas, or all, or none", list = names())]
pub struct UnknownKind(pub String);

impl OverlayKinds {
    /// No kind.
    pub const NONE: Self = Self(0);
    /// Leaf boxes: the ink of each leaf, before clipping.
    pub const LEAF: Self = Self(1);
    /// Clipped leaf boxes.
    pub const CLIPPED: Self = Self(2);
    /// Clip boxes of the nodes.
    pub const CLIP: Self = Self(4);
    /// Group boxes of the nodes.
    pub const GROUP: Self = Self(8);
    /// Every kind.
    pub const ALL: Self = Self(15);

    /// The kinds in either set.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// This set with the kinds of `other` switched over.
    #[must_use]
    pub const fn toggled(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }

    /// Whether every kind of `other` is in the set.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether the set holds no kind.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The styles of the kinds in the set, in the order of their keys.
    pub fn styles(self) -> impl Iterator<Item = &'static OverlayStyle> {
        OVERLAY_STYLES.iter().filter(move |style| self.contains(style.kind))
    }

    /// The styles of the kinds in the set, in the order they are painted: the densest line first, so that where boxes
    /// coincide each of them stays visible in the gaps of the next.
    pub(crate) fn styles_in_paint_order(self) -> impl Iterator<Item = &'static OverlayStyle> {
        [1, 3, 2, 0]
            .into_iter()
            .map(|i: usize| &OVERLAY_STYLES[i])
            .filter(move |style| self.contains(style.kind))
    }
}

/// The strokes and gaps of a line: bit i of `bits` says whether pixel i of each `period` pixels is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DashBits {
    pub(crate) bits: u32,
    pub(crate) period: u32,
}

impl OverlayStyle {
    pub(crate) const fn dash_bits(&self) -> DashBits {
        if self.dash.is_empty() {
            return DashBits { bits: 1, period: 1 };
        }
        let (mut bits, mut period, mut run) = (0_u32, 0_u32, 0);
        while run < self.dash.len() {
            let mut pixel = 0;
            while pixel < self.dash[run] {
                if run % 2 == 0 {
                    bits |= 1 << period;
                }
                period += 1;
                pixel += 1;
            }
            run += 1;
        }
        DashBits { bits, period }
    }
}

fn names() -> String {
    OVERLAY_STYLES.map(|style| style.name).join(", ")
}

/// Reads names such as `leaf,clip`; `all`; or `none`.
impl FromStr for OverlayKinds {
    type Err = UnknownKind;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.trim() {
            "all" => return Ok(Self::ALL),
            "none" => return Ok(Self::NONE),
            _ => {}
        }
        let mut kinds = Self::NONE;
        for word in text.split(',').map(str::trim) {
            let style = OVERLAY_STYLES.iter().find(|style| style.name == word);
            kinds = kinds.union(style.ok_or_else(|| UnknownKind(word.to_owned()))?.kind);
        }
        Ok(kinds)
    }
}

/// Writes what [`FromStr`] reads.
impl fmt::Display for OverlayKinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::ALL {
            return f.write_str("all");
        }
        if self.is_empty() {
            return f.write_str("none");
        }
        let names: Vec<_> = self.styles().map(|style| style.name).collect();
        f.write_str(&names.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_survives_being_written_and_read() {
        for bits in 0..=OverlayKinds::ALL.0 {
            let kinds = OverlayKinds(bits);
            assert_eq!(kinds.to_string().parse(), Ok(kinds), "{kinds}");
        }
    }

    #[test]
    fn words_are_read_in_any_order_and_unknown_ones_are_named() {
        assert_eq!("group, leaf".parse(), Ok(OverlayKinds::LEAF.union(OverlayKinds::GROUP)));
        assert_eq!("leaf,ink".parse::<OverlayKinds>(), Err(UnknownKind("ink".to_owned())));
        assert!("".parse::<OverlayKinds>().is_err());
        let error = UnknownKind("ink".to_owned()).to_string();
        assert!(error.contains("`ink`") && error.contains("leaf, clipped, clip, group"), "{error}");
    }

    #[test]
    fn the_table_holds_every_kind_once() {
        let union = OVERLAY_STYLES.iter().fold(OverlayKinds::NONE, |set, style| set.union(style.kind));
        assert_eq!(union, OverlayKinds::ALL);
        assert_eq!(OverlayKinds::ALL.styles_in_paint_order().count(), OVERLAY_STYLES.len());
        assert_eq!(OVERLAY_STYLES.map(|style| style.key), ['1', '2', '3', '4']);
    }

    #[test]
    fn kinds_that_coincide_stay_visible() {
        // Each kind must have a pixel that no kind painted later covers.
        let order: Vec<_> = OverlayKinds::ALL.styles_in_paint_order().collect();
        let is_on = |style: &OverlayStyle, position: u32| {
            let dash = style.dash_bits();
            dash.bits >> (position % dash.period) & 1 == 1
        };
        for (i, style) in order.iter().enumerate() {
            let seen = |p: u32| is_on(style, p) && !order[i + 1..].iter().any(|later| is_on(later, p));
            assert!((0..80).any(seen), "{} is hidden", style.name);
        }
    }

    #[test]
    fn dashes_are_bits() {
        let bits = OVERLAY_STYLES.map(|style| (style.dash_bits().bits, style.dash_bits().period));
        assert_eq!(bits, [(0b1, 3), (1, 1), (0b11_1111, 10), (0b1_1000_1111_1111, 16)]);
    }
}
