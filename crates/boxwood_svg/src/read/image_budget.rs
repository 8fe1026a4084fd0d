//! Counts the images of a drawing, including those inside of its SVG images.
//!
//! usvg loads an image anew for each use and keeps every copy. Ten drawings that each show the next
//! one ten times are 10¹⁰.

use std::collections::HashSet;
use std::sync::Arc;

use usvg::{Group, ImageKind, Node};

use crate::error::{LimitError, Quantity};
use crate::guard::limits::{MAX_BYTES, MAX_ELEMENTS, MAX_SVG_IMAGES};

/// The images so far.
///
/// Once a limit is exceeded, nothing more is counted.
#[derive(Debug, Default)]
pub(crate) struct ImageBudget {
    drawings: u64,
    /// The elements of these drawings.
    elements: u64,
    /// The bytes of all images. Raster images with the same bytes count once.
    bytes: u64,
    /// The bytes of each raster image, to keep them once.
    rasters: HashSet<Arc<Vec<u8>>>,
}

impl ImageBudget {
    /// Counts an SVG image before it is parsed.
    pub(crate) fn take_drawing(&mut self, bytes: &[u8]) -> Result<(), LimitError> {
        self.check()?;
        self.drawings += 1;
        self.bytes += bytes.len() as u64;
        self.check()
    }

    /// Counts a loaded image, and shares its bytes with earlier copies.
    pub(crate) fn take_image(&mut self, image: &mut ImageKind) -> Result<(), LimitError> {
        self.check()?;
        match image {
            ImageKind::SVG(tree) => self.elements += elements_in(tree.root()),
            ImageKind::PNG(bytes)
            | ImageKind::JPEG(bytes)
            | ImageKind::GIF(bytes)
            | ImageKind::WEBP(bytes) => self.share(bytes),
        }
        self.check()
    }

    fn share(&mut self, bytes: &mut Arc<Vec<u8>>) {
        if let Some(known) = self.rasters.get(bytes) {
            *bytes = Arc::clone(known);
        } else {
            self.bytes += bytes.len() as u64;
            self.rasters.insert(Arc::clone(bytes));
        }
    }

    /// An error if a limit is exceeded.
    pub(crate) fn check(&self) -> Result<(), LimitError> {
        Quantity::SvgImages.check(self.drawings as f64, MAX_SVG_IMAGES as f64)?;
        Quantity::ImageElements.check(self.elements as f64, MAX_ELEMENTS.into())?;
        Quantity::ImageBytes.check(self.bytes as f64, MAX_BYTES as f64)
    }
}

/// The number of elements in a group, except those of SVG images, which are counted when they are
/// loaded.
fn elements_in(group: &Group) -> u64 {
    let of_child = |child: &Node| match child {
        Node::Group(group) => elements_in(group),
        Node::Text(text) => elements_in(text.flattened()),
        Node::Path(_) | Node::Image(_) => 1,
    };
    1 + group.children().iter().map(of_child).sum::<u64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raster_images_are_kept_once_and_bytes_have_a_limit() {
        let mut images = ImageBudget::default();
        let mut png = |byte| {
            let mut image = ImageKind::PNG(Arc::new(vec![byte; 1 << 10]));
            images.take_image(&mut image).expect("it is small");
            let ImageKind::PNG(bytes) = image else { panic!("it is a PNG") };
            bytes
        };
        assert!(Arc::ptr_eq(&png(7), &png(7)) && !Arc::ptr_eq(&png(7), &png(8)));
        assert_eq!(images.bytes, 2 << 10);
        let drawing = vec![0; 300 << 20];
        assert!(images.take_drawing(&drawing).is_ok() && images.check().is_ok());
        assert!(images.take_drawing(&drawing).is_err(), "it is 600 MiB");
        let error = images.check().expect_err("it is 600 MiB");
        assert_eq!((error.quantity, error.limit), (Quantity::ImageBytes, MAX_BYTES as f64));
    }

    #[test]
    fn elements_of_svg_images_have_a_limit() {
        let svg = format!(
            "<svg width='9' height='9' xmlns='http://www.w3.org/2000/svg'>{}</svg>",
            "<path d='M0 0h9v9z'/>".repeat(9_999)
        );
        let tree = usvg::Tree::from_str(&svg, &usvg::Options::default()).expect("it is a drawing");
        let (mut images, mut image) = (ImageBudget::default(), ImageKind::SVG(tree));
        let taken = (0..101).take_while(|_| images.take_image(&mut image).is_ok()).count();
        assert_eq!(taken, 100, "each has 10,000 elements, the root included");
        let error = images.check().expect_err("they are more than a million");
        assert_eq!((error.quantity, error.limit), (Quantity::ImageElements, 1e6));
    }
}
