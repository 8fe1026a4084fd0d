//! Counts the images of a drawing, including those inside of its SVG images.
//!
//! usvg loads an image anew for each use and keeps every copy. Ten drawings that each show the next
//! one ten times are 10¹⁰.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use usvg::{Group, ImageKind, Node};

use crate::error::{LimitError, Quantity};
use crate::guard::limits::{MAX_BYTES, MAX_ELEMENTS, MAX_SVG_IMAGES};

/// The images so far. Clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct ImageBudget(Arc<Mutex<Counts>>);

#[derive(Debug, Default)]
struct Counts {
    drawings: u64,
    /// The elements of these drawings.
    elements: u64,
    /// The bytes of all images. Raster images with the same bytes count once.
    bytes: u64,
    /// The files of raster images, to keep each once.
    files: HashSet<Arc<Vec<u8>>>,
    /// The first limit that was exceeded.
    exceeded: Option<LimitError>,
}

impl ImageBudget {
    /// Counts the bytes of an SVG image before it is parsed. Returns false if a limit is exceeded.
    pub(crate) fn take_drawing(&self, bytes: &[u8]) -> bool {
        let mut counts = self.lock();
        counts.drawings += 1;
        counts.bytes += bytes.len() as u64;
        counts.is_within()
    }

    /// Counts a loaded image. Returns it, with its bytes shared with earlier copies, or `None` if a
    /// limit is exceeded.
    pub(crate) fn take(&self, mut image: ImageKind) -> Option<ImageKind> {
        let mut counts = self.lock();
        match &mut image {
            ImageKind::SVG(tree) => counts.elements += elements_in(tree.root()),
            ImageKind::PNG(bytes)
            | ImageKind::JPEG(bytes)
            | ImageKind::GIF(bytes)
            | ImageKind::WEBP(bytes) => counts.share(bytes),
        }
        counts.is_within().then_some(image)
    }

    /// An error if a limit was exceeded.
    pub(crate) fn check(&self) -> Result<(), LimitError> {
        self.lock().exceeded.map_or(Ok(()), Err)
    }

    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Counts {
    /// Shares the bytes of a raster image with earlier copies.
    fn share(&mut self, bytes: &mut Arc<Vec<u8>>) {
        if let Some(known) = self.files.get(bytes) {
            *bytes = Arc::clone(known);
        } else {
            self.bytes += bytes.len() as u64;
            self.files.insert(Arc::clone(bytes));
        }
    }

    fn is_within(&mut self) -> bool {
        let checked = [
            Quantity::SvgImages.check(self.drawings as f64, MAX_SVG_IMAGES as f64),
            Quantity::ImageElements.check(self.elements as f64, MAX_ELEMENTS.into()),
            Quantity::ImageBytes.check(self.bytes as f64, MAX_BYTES as f64),
        ];
        self.exceeded = self.exceeded.or(checked.into_iter().find_map(Result::err));
        self.exceeded.is_none()
    }
}

/// The number of elements in a group, except those of SVG images, which are counted when they are
/// loaded.
fn elements_in(root: &Group) -> u64 {
    let (mut count, mut groups) = (0, vec![root]);
    while let Some(group) = groups.pop() {
        count += 1;
        for node in group.children() {
            match node {
                Node::Group(group) => groups.push(group),
                Node::Text(text) => groups.push(text.flattened()),
                Node::Path(_) | Node::Image(_) => count += 1,
            }
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raster_images_are_kept_once_and_bytes_have_a_limit() {
        let images = ImageBudget::default();
        let png = |byte| match images.take(ImageKind::PNG(Arc::new(vec![byte; 1 << 10]))) {
            Some(ImageKind::PNG(bytes)) => bytes,
            _ => panic!("it is a small PNG"),
        };
        assert!(Arc::ptr_eq(&png(7), &png(7)) && !Arc::ptr_eq(&png(7), &png(8)));
        assert_eq!(images.lock().bytes, 2 << 10);
        let drawing = vec![0; 300 << 20];
        assert!(images.take_drawing(&drawing) && images.check().is_ok());
        assert!(!images.take_drawing(&drawing), "it is 600 MiB");
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
        let images = ImageBudget::default();
        let taken = (0..101).take_while(|_| images.take(ImageKind::SVG(tree.clone())).is_some()).count();
        assert_eq!(taken, 100, "each has 10,000 elements, the root included");
        let error = images.check().expect_err("they are more than a million");
        assert_eq!((error.quantity, error.limit), (Quantity::ImageElements, 1e6));
    }
}
