//! Warnings, once a kind.

use std::sync::{Arc, Mutex, PoisonError};

/// A feature that is drawn or bounded other than SVG prescribes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The feature.
    pub kind: WarningKind,
    /// How often it occurs.
    pub count: usize,
    /// The first SVG element that has it; of images that cannot be found or read, the address
    /// of the first.
    pub first: String,
}

impl Warning {
    /// What is done instead, as far as it is to be seen in what is shown. `None` if that is as SVG prescribes.
    pub fn message(&self, shown: Shown) -> Option<String> {
        self.kind.message(shown)
    }
}

/// What of a scene is shown, which a warning may be about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Whether boxes are.
    pub boxes: bool,
    /// What the picture is drawn from, if there is one.
    pub picture: Option<Drawn>,
}

impl Shown {
    /// Boxes, and no picture.
    pub const BOXES: Self = Self { boxes: true, picture: None };
}

/// What a picture is drawn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawn {
    /// [`Drawing::encoding`](crate::Drawing::encoding), by Vello.
    Encoding,
    /// [`Drawing::tree`](crate::Drawing::tree), by resvg.
    Tree,
}

/// A feature that a warning is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WarningKind {
    /// A mask, or a clip path that is drawn as one, where those before it have too many elements.
    Mask,
    /// An image that cannot be found.
    MissingImage,
    /// An image that cannot be decoded.
    BadImage,
    /// An image in another file, inside of a drawing that is an image itself.
    NestedImage,
    /// An image that is too large.
    LargeImage,
    /// A stroke with too many dashes, or with those before it.
    ManyDashes,
    /// A stroke whose miters are cut at their limit (`miter-clip`).
    CutMiters,
    /// A transform that is beyond the range of numbers.
    HugeTransform,
    /// A stroke that is too large, or has no finite outline.
    HugeStroke,
    /// A displacement map with a scale that is negative or in units of a bounding box. The first is named by its filter.
    Displacement,
}

/// What a kind of warning says.
struct Words {
    feature: &'static str,
    /// What becomes of it in a picture of the encoding, if anything.
    encoding: Option<&'static str>,
    /// What becomes of it in a picture of the tree.
    tree: Option<&'static str>,
    /// What becomes of its boxes.
    boxes: Option<&'static str>,
}

const LEFT_OUT: Option<&str> = Some("is left out");

const DISPLACED: Option<&str> = Some("moves otherwise than SVG prescribes in the picture");

impl WarningKind {
    fn words(self) -> Words {
        let left_out = |feature| Words { feature, encoding: LEFT_OUT, tree: LEFT_OUT, boxes: LEFT_OUT };
        match self {
            Self::Mask => Words {
                feature: "a mask, or a clip path of several children, beyond 1000000 elements of masks",
                encoding: Some("is not applied in the picture"),
                tree: None,
                boxes: None,
            },
            Self::MissingImage => left_out("an image that cannot be found"),
            Self::BadImage => left_out("an image that cannot be decoded"),
            Self::NestedImage => left_out("an image in another file, inside of a drawing that is an image,"),
            Self::LargeImage => Words {
                feature: "an image with a side of more than 16384 pixels",
                encoding: LEFT_OUT,
                tree: None,
                boxes: Some("has no box"),
            },
            Self::ManyDashes => Words {
                feature: "a stroke with more than 100000 dashes, or after 1000000 of others,",
                encoding: Some("is drawn solid, or in a filtered group missing if it has more than 1000000"),
                tree: Some("is missing in the picture if it has more than 1000000"),
                boxes: Some("is bounded as if it were solid"),
            },
            Self::CutMiters => Words {
                feature: "a stroke with miters that are cut at their limit",
                encoding: Some("has bevels there in the picture"),
                tree: None,
                boxes: None,
            },
            Self::HugeTransform => left_out("what has a transform beyond the range of numbers"),
            Self::HugeStroke => Words {
                feature: "a stroke with coordinates beyond 10^9, or without a finite outline,",
                encoding: Some("is not drawn"),
                tree: None,
                boxes: Some("is bounded with room to spare"),
            },
            Self::Displacement => Words {
                feature: "a displacement map with a scale that is negative, or in units of a bounding box,",
                encoding: DISPLACED,
                tree: DISPLACED,
                boxes: Some("is bounded with room for both"),
            },
        }
    }

    pub(crate) fn message(self, shown: Shown) -> Option<String> {
        let Words { feature, encoding, tree, boxes } = self.words();
        let of_picture = match shown.picture {
            Some(Drawn::Encoding) => encoding,
            Some(Drawn::Tree) => tree,
            None => None,
        };
        let of_boxes = boxes.filter(|boxes| shown.boxes && of_picture != Some(boxes));
        let parts: Vec<_> = of_picture.into_iter().chain(of_boxes).collect();
        (!parts.is_empty()).then(|| format!("{feature} {}", parts.join(", and ")))
    }
}

/// The warnings so far. Clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Warnings(Arc<Mutex<Vec<Warning>>>);

impl Warnings {
    /// Counts one more of `kind`; `name` says where, and is asked only for the first.
    pub(crate) fn add(&self, kind: WarningKind, name: impl FnOnce() -> String) {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(warning) = list.iter_mut().find(|warning| warning.kind == kind) {
            warning.count += 1;
        } else {
            list.push(Warning { kind, count: 1, first: name() });
        }
    }

    pub(crate) fn take(&self) -> Vec<Warning> {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        list.drain(..).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_says_what_is_to_be_seen() {
        let message = |kind: WarningKind, boxes, picture| kind.message(Shown { boxes, picture });
        let (gpu, cpu) = (Some(Drawn::Encoding), Some(Drawn::Tree));
        let dashes = "a stroke with more than 100000 dashes, or after 1000000 of others,";
        let drawn = "is drawn solid, or in a filtered group missing if it has more than 1000000";
        let boxes = "is bounded as if it were solid";
        assert_eq!(message(WarningKind::ManyDashes, false, gpu), Some(format!("{dashes} {drawn}")));
        assert_eq!(
            message(WarningKind::ManyDashes, true, gpu),
            Some(format!("{dashes} {drawn}, and {boxes}"))
        );
        assert_eq!(message(WarningKind::ManyDashes, true, None), Some(format!("{dashes} {boxes}")));
        assert_eq!(message(WarningKind::Mask, true, None), None);
        assert_eq!(message(WarningKind::Mask, true, cpu), None);
        let missing = Some("an image that cannot be found is left out".to_owned());
        assert_eq!(message(WarningKind::MissingImage, true, cpu), missing);
    }
}
