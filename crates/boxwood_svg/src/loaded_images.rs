//! How much the images of a drawing are together, those inside of images counted.
//!
//! usvg loads an image anew for each use, and keeps each: ten drawings that have the next as an image ten times are 10¹⁰.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use usvg::{Group, ImageKind, Node};

use crate::Error;
use crate::error::MAX_XML_NODES;
use crate::read::MAX_BYTES;

/// The most drawings that are images, each use counted: some 10 kB each, however small they are.
const MAX_DRAWINGS: u64 = 20_000;

/// The images so far. Clones are the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct LoadedImages(Arc<Mutex<Loaded>>);

#[derive(Debug, Default)]
struct Loaded {
    drawings: u64,
    /// The elements in these drawings.
    elements: u64,
    /// The bytes of all images, those of pixels once.
    bytes: u64,
    /// The files of pixels, so that each is kept once.
    pixels: HashSet<Arc<Vec<u8>>>,
    /// The limit that they are beyond, if they are.
    beyond: Option<Beyond>,
}

/// What there is too much of, and the limit.
#[derive(Clone, Copy, Debug)]
struct Beyond {
    what: &'static str,
    limit: u64,
}

impl LoadedImages {
    /// Counts the bytes of a drawing that is going to be loaded. False if it is one too many.
    pub(crate) fn take_drawing(&self, bytes: &[u8]) -> bool {
        let mut loaded = self.lock();
        loaded.drawings += 1;
        loaded.bytes += bytes.len() as u64;
        loaded.is_within()
    }

    /// Counts the elements of an image that has been loaded and its bytes, of which there may be some already. `None` if it is one
    /// too many.
    pub(crate) fn take(&self, image: ImageKind) -> Option<ImageKind> {
        let mut loaded = self.lock();
        let image = match image {
            ImageKind::SVG(tree) => {
                loaded.elements += elements_in(tree.root());
                ImageKind::SVG(tree)
            }
            ImageKind::PNG(bytes) => ImageKind::PNG(loaded.shared(bytes)),
            ImageKind::JPEG(bytes) => ImageKind::JPEG(loaded.shared(bytes)),
            ImageKind::GIF(bytes) => ImageKind::GIF(loaded.shared(bytes)),
            ImageKind::WEBP(bytes) => ImageKind::WEBP(loaded.shared(bytes)),
        };
        loaded.is_within().then_some(image)
    }

    /// An error if there were too many.
    pub(crate) fn check(&self) -> Result<(), Error> {
        match self.lock().beyond {
            Some(Beyond { what, limit }) => Err(Error::Images { what, limit }),
            None => Ok(()),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Loaded> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Loaded {
    fn shared(&mut self, bytes: Arc<Vec<u8>>) -> Arc<Vec<u8>> {
        if let Some(known) = self.pixels.get(&bytes) {
            return Arc::clone(known);
        }
        self.bytes += bytes.len() as u64;
        self.pixels.insert(Arc::clone(&bytes));
        bytes
    }

    fn is_within(&mut self) -> bool {
        let limits = [
            (self.drawings, MAX_DRAWINGS, "drawings"),
            (self.elements, MAX_XML_NODES.into(), "elements"),
            (self.bytes, MAX_BYTES, "bytes"),
        ];
        let beyond = limits.into_iter().find(|(count, limit, _)| count > limit);
        self.beyond = self.beyond.or(beyond.map(|(_, limit, what)| Beyond { what, limit }));
        self.beyond.is_none()
    }
}

/// The elements in a group, those of drawings that are images in it left alone: they have been counted.
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
    fn pixels_are_kept_once_and_bytes_have_a_limit() {
        let images = LoadedImages::default();
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
        assert!(matches!(error, Error::Images { what: "bytes", limit: MAX_BYTES }), "{error}");
    }

    #[test]
    fn elements_of_drawings_have_a_limit() {
        let svg = format!(
            "<svg width='9' height='9' xmlns='http://www.w3.org/2000/svg'>{}</svg>",
            "<path d='M0 0h9v9z'/>".repeat(9_999)
        );
        let tree = usvg::Tree::from_str(&svg, &usvg::Options::default()).expect("it is a drawing");
        let images = LoadedImages::default();
        let taken = (0..101).take_while(|_| images.take(ImageKind::SVG(tree.clone())).is_some()).count();
        assert_eq!(taken, 100, "each has 10,000 elements, the root counted");
        let error = images.check().expect_err("they are more than a million");
        assert!(matches!(error, Error::Images { what: "elements", limit: 1_000_000 }), "{error}");
    }
}
