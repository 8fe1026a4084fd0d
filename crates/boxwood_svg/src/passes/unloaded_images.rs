//! usvg 0.49 leaves out an image that cannot be loaded, and an image without an address.
//!
//! The rectangle of such an image counts in object boxes, as in browsers. So usvg gets a
//! transparent image in its place, which is painted nowhere.

use std::sync::{Arc, LazyLock};

use usvg::{Image, ImageKind};

use crate::dom::Document;
use crate::error::Error;
use crate::passes::Tools;
use crate::quirks::silent_images::is_silent;
use crate::warnings::WarningKind;

/// The address that stands for the transparent image in the text that usvg reads.
pub(crate) const ADDRESS: &str = "boxwood:unloaded";

/// A PNG image of one transparent pixel, in grey with alpha.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\
    \x00\x00\x00\x0dIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x04\x00\x00\x00\xb5\x1c\x0c\x02\
    \x00\x00\x00\x0bIDATx\xdac``\x00\x00\x00\x03\x00\x01+\x09M\x84\
    \x00\x00\x00\x00IEND\xaeB`\x82";

static PIXEL: LazyLock<Arc<Vec<u8>>> = LazyLock::new(|| Arc::new(PNG.to_vec()));

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
pub(super) fn replace(document: &mut Document, tools: &Tools<'_>) -> Result<(), Error> {
    let mut unloaded = Vec::new();
    for node in document.elements().filter(|node| node.has_tag("image")) {
        let kind = match node.href() {
            None => WarningKind::MissingImage,
            Some(address) if is_silent(address) => WarningKind::BadImage,
            Some(_) => continue,
        };
        if !node.is_copy() {
            tools.warnings.add(kind, || node.name_or_place());
        }
        unloaded.push(node.id());
    }
    unloaded.into_iter().for_each(|id| document.set_href(id, ADDRESS));
    Ok(())
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
