//! Warnings: one per kind, and one per part of CSS that is ignored.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::guard::limits::{
    MAX_ALL_DASHES, MAX_COPIED_BYTES, MAX_DASHES, MAX_IMAGE_BYTES, MAX_IMAGE_SIDE, MAX_MASK_ELEMENTS,
    MAX_RESVG_DASHES, MAX_STROKE_COORDINATE,
};

/// A feature that is not drawn or bounded as SVG prescribes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The feature.
    pub kind: WarningKind,
    /// How often it occurs.
    pub count: usize,
    /// The first SVG element that has it. For an image that cannot be found or read, the address of
    /// the first one. For CSS that is ignored, its name and its first position.
    pub first: String,
}

impl Warning {
    /// Describes the effect on the shown picture and boxes. `None` if they are as SVG prescribes.
    pub fn message(&self, shown: Shown) -> Option<String> {
        let masks = format!(
            "a mask, or a clip path with several children, beyond {MAX_MASK_ELEMENTS} elements in masks,"
        );
        let large_file = format!("an image in a file of more than {MAX_IMAGE_BYTES} bytes");
        let large = format!("an image with a side of more than {MAX_IMAGE_SIDE} pixels");
        let many = format!(
            "a stroke with too many dashes (more than {MAX_DASHES}, or beyond {MAX_ALL_DASHES} in the drawing)"
        );
        let huge = format!("a stroke with coordinates of more than {MAX_STROKE_COORDINATE}");
        let copies = format!(
            "a clip path, mask or filter of an element with markers, beyond {MAX_COPIED_BYTES} bytes of copies,"
        );
        let left_out = ["is left out"; 3];
        let unloaded = ["is left out", "is left out", "counts only in object boxes"];
        let missing = format!("is missing in the picture if it has more than {MAX_RESVG_DASHES}");
        let solid = format!("is drawn solid, and in a filtered group {missing}");
        let displaced = "moves pixels by a wrong distance in the picture";
        // The name of the feature, and its effects on a picture of the encoding, on a picture of
        // the tree, and on boxes. An empty text means no effect.
        let (feature, [encoding, tree, boxes]) = match self.kind {
            WarningKind::Mask => (&*masks, ["is not applied in the picture", "", ""]),
            WarningKind::CopiedEffect => (&*copies, ["is applied relative to a wrong box"; 3]),
            WarningKind::MissingImage => ("an image that cannot be found", unloaded),
            WarningKind::LargeImageFile => (&*large_file, unloaded),
            WarningKind::BadImage => ("an image that cannot be decoded", unloaded),
            WarningKind::NoFont => (
                "a text, for which no font is given,",
                ["is left out", "is left out", "has no box, and clips nothing"],
            ),
            WarningKind::NestedImage => ("an image in another file, inside of an SVG image,", left_out),
            WarningKind::LargeImage => (&*large, ["is left out", "", "has no box"]),
            WarningKind::ManyDashes => (&*many, [&*solid, &*missing, "is bounded as if it were solid"]),
            WarningKind::ClippedMiters => (
                "a stroke with miters that are clipped at the miter limit",
                ["has bevels there in the picture", "", ""],
            ),
            WarningKind::HugeTransform => {
                ("an element with a transform whose numbers are too large", left_out)
            }
            WarningKind::HugeStroke => (&*huge, ["is not drawn", "", "has a box that may be too large"]),
            WarningKind::ReferenceCycle => (
                "an element that refers to itself (through paint, clip path, mask, filter, marker or use)",
                left_out,
            ),
            WarningKind::Transform => (
                "a CSS transform in three dimensions, or relative to a box that is not known here, such as that of an inner svg,",
                ["is not applied"; 3],
            ),
            WarningKind::ForeignObject => (
                "a foreignObject with contents",
                ["is not drawn", "is not drawn", "has no ink, only the box of its attributes"],
            ),
            WarningKind::Animation => (
                "an animation, which is not played,",
                ["may change the picture", "may change the picture", "may change boxes"],
            ),
            WarningKind::IgnoredCss => (
                "CSS that Boxwood ignores",
                ["may change the picture", "may change the picture", "may change boxes"],
            ),
            WarningKind::Displacement => (
                "a displacement map with a scale that is negative, or in units of a bounding box,",
                [displaced, displaced, "has a box for both the right and the wrong distance"],
            ),
        };
        let in_picture = match shown.picture {
            Some(Drawn::Encoding) => encoding,
            Some(Drawn::Tree) => tree,
            None => "",
        };
        let of_boxes = if shown.boxes && boxes != in_picture { boxes } else { "" };
        let effects: Vec<_> =
            [in_picture, of_boxes].into_iter().filter(|effect| !effect.is_empty()).collect();
        (!effects.is_empty()).then(|| format!("{feature} {}", effects.join(", and ")))
    }
}

/// The parts of a drawing that a program shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Whether it shows boxes.
    pub boxes: bool,
    /// The part that its picture is drawn from, if it shows a picture.
    pub picture: Option<Drawn>,
}

impl Shown {
    /// Boxes without a picture.
    pub const BOXES: Self = Self { boxes: true, picture: None };
}

/// The part of a drawing that a picture is drawn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawn {
    /// [`Drawing::encoding`](crate::Drawing::encoding), by Vello.
    Encoding,
    /// [`Drawing::tree`](crate::Drawing::tree), by resvg.
    Tree,
}

/// An element whose ink is not known, and the kind of the warning about it.
pub(crate) type UnknownInk = (u32, WarningKind);

/// A feature that a warning is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WarningKind {
    /// A mask, or a clip path that is drawn as one, after others with too many elements.
    Mask,
    /// A clip path, mask or filter of an element with markers, after copies of others that are too
    /// large.
    CopiedEffect,
    /// An image that cannot be found.
    MissingImage,
    /// An image in a file that is too large.
    LargeImageFile,
    /// An image that cannot be decoded.
    BadImage,
    /// A text without a font. There is always one if the bundled font is.
    NoFont,
    /// An image in another file, inside of an SVG image.
    NestedImage,
    /// An image that is too large.
    LargeImage,
    /// A stroke with too many dashes, or after others with too many dashes.
    ManyDashes,
    /// A stroke with miters that are clipped at the miter limit (`miter-clip`).
    ClippedMiters,
    /// A transform whose numbers are too large.
    HugeTransform,
    /// A stroke whose coordinates are too large.
    HugeStroke,
    /// An element that refers to an element around it, directly or through others.
    ReferenceCycle,
    /// A CSS transform in three dimensions, or relative to a box that is not known here: that of an
    /// inner `svg`, a used `symbol`, an image without a size, or a path with an error.
    Transform,
    /// A displacement map with a scale that is negative or in units of a bounding box. The first is
    /// named by its filter.
    Displacement,
    /// A `foreignObject`, whose contents are not drawn. The first is named with what it contains.
    ForeignObject,
    /// An animation, such as `animate` or `set`. Pictures and boxes are those without it.
    Animation,
    /// A part of CSS that is ignored and could change what is painted: a property, a function in a
    /// value, a selector, or an at-rule. There is a warning for each of them, with its name and its
    /// first position.
    IgnoredCss,
}

/// The warnings so far. Clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Warnings(Arc<Mutex<Vec<Warning>>>);

impl Warnings {
    /// Counts a feature. `name` says where it is, and is called for the first of a kind only.
    pub(crate) fn add(&self, kind: WarningKind, name: impl FnOnce() -> String) {
        let mut list = self.lock();
        match list.iter_mut().find(|warning| warning.kind == kind) {
            Some(warning) => warning.count += 1,
            None => list.push(Warning { kind, count: 1, first: name() }),
        }
    }

    /// Warns about a part of CSS, given its name with its first position, and its number.
    pub(crate) fn add_css(&self, first: String, count: usize) {
        self.lock().push(Warning { kind: WarningKind::IgnoredCss, count, first });
    }

    pub(crate) fn take(&self) -> Vec<Warning> {
        std::mem::take(&mut *self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Warning>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_about_what_is_shown() {
        let message = |kind, boxes, picture| {
            Warning { kind, count: 1, first: String::new() }.message(Shown { boxes, picture })
        };
        let (gpu, cpu) = (Some(Drawn::Encoding), Some(Drawn::Tree));
        let dashes = "a stroke with too many dashes (more than 100000, or beyond 1000000 in the drawing)";
        let drawn =
            "is drawn solid, and in a filtered group is missing in the picture if it has more than 1000000";
        let boxes = "is bounded as if it were solid";
        assert_eq!(message(WarningKind::ManyDashes, false, gpu), Some(format!("{dashes} {drawn}")));
        assert_eq!(
            message(WarningKind::ManyDashes, true, gpu),
            Some(format!("{dashes} {drawn}, and {boxes}"))
        );
        assert_eq!(message(WarningKind::ManyDashes, true, None), Some(format!("{dashes} {boxes}")));
        assert_eq!(message(WarningKind::Mask, true, None), None);
        assert_eq!(message(WarningKind::Mask, true, cpu), None);
        let missing =
            Some("an image that cannot be found is left out, and counts only in object boxes".to_owned());
        assert_eq!(message(WarningKind::MissingImage, true, cpu), missing);
    }
}
