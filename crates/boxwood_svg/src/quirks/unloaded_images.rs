//! usvg 0.49 leaves out an image that cannot be loaded, and an image without an address.
//!
//! The rectangle of such an image counts in object boxes, as in browsers. So usvg gets a
//! transparent image in its place, which is painted nowhere.

use std::io::Cursor;
use std::sync::{Arc, LazyLock};

use image::{ImageFormat, RgbaImage};
use usvg::roxmltree::Document;
use usvg::{Image, ImageKind};

use crate::quirks::silent_images::is_silent;
use crate::rewrite::Edits;
use crate::warnings::{WarningKind, Warnings};
use crate::xml::{href, name_or_place};

/// The address that stands for the transparent image in the text that usvg reads.
pub(crate) const ADDRESS: &str = "boxwood:unloaded";

static PIXEL: LazyLock<Arc<Vec<u8>>> = LazyLock::new(|| {
    let mut bytes = Cursor::default();
    let written = RgbaImage::new(1, 1).write_to(&mut bytes, ImageFormat::Png);
    written.expect("a pixel can be written to memory");
    Arc::new(bytes.into_inner())
});

/// The transparent image.
pub(crate) fn unloaded() -> ImageKind {
    ImageKind::PNG(Arc::clone(&PIXEL))
}

/// Whether an image stands for one that was not loaded.
pub(crate) fn is_unloaded(image: &Image) -> bool {
    matches!(image.kind(), ImageKind::PNG(bytes) if Arc::ptr_eq(bytes, &PIXEL))
}

/// Gives the address of the transparent image to images without an address, and to those that usvg
/// would not ask for, with a warning.
pub(crate) fn replace_unloaded(document: &Document<'_>, edits: &mut Edits<'_>, warnings: &Warnings) {
    for node in document.descendants().filter(|node| node.has_tag_name("image")) {
        match href(node) {
            None => {
                warnings.add(WarningKind::MissingImage, || name_or_place(node));
                edits.add_attribute(node, "href", ADDRESS);
            }
            Some(address) if is_silent(address) => {
                warnings.add(WarningKind::BadImage, || name_or_place(node));
                let attributes = node.attributes().filter(|attribute| attribute.name() == "href");
                for range in
                    attributes.filter_map(|attribute| edits.range_of_value(attribute)).collect::<Vec<_>>()
                {
                    edits.replace(range, ADDRESS);
                }
            }
            Some(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::quirks::upstream::tree;

    #[test]
    fn usvg_still_leaves_out_images() {
        for address in ["", "href='no/such.png'", "href='data:image/png;base64,AAAA'"] {
            let drawn = tree(&format!("<image width='9' height='9' {address}/>"));
            assert!(!drawn.root().has_children(), "{address}");
        }
    }
}
