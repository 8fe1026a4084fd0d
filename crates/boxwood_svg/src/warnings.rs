//! Warnings, once a kind.

use std::sync::{Arc, Mutex, PoisonError};

use crate::scene::Warning;

/// A kind of warning: what a feature is, and what is done instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Filter,
    Mask,
    Pattern,
    ClipUnion,
    MissingImage,
    BadImage,
    LargeImage,
    ManyDashes,
    HugeTransform,
    HugeStroke,
}

impl Kind {
    fn message(self) -> &'static str {
        match self {
            Self::Filter => {
                "filters are not applied: the picture shows the unfiltered contents, the boxes hold the whole \
                 filter region"
            }
            Self::Mask => {
                "masks are not applied: the picture shows all inside the mask's rectangle, which is also the \
                 clip box"
            }
            Self::Pattern => "patterns are drawn as flat grey",
            Self::ClipUnion => {
                "the union of a clip path's children may be drawn inexactly; its clip box is exact"
            }
            Self::MissingImage => "an image cannot be found and is left out",
            Self::BadImage => "an image cannot be decoded and is left out",
            Self::LargeImage => "an image with a side of more than 16384 pixels is left out",
            Self::ManyDashes => "a stroke with more than 100000 dashes is drawn solid",
            Self::HugeTransform => "contents whose transform is beyond the range of numbers are left out",
            Self::HugeStroke => {
                "a stroke with coordinates beyond 10^9, or without a finite outline, is not drawn; its box holds it \
                 with room to spare"
            }
        }
    }
}

/// The warnings so far. Clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Warnings(Arc<Mutex<Vec<(Kind, Warning)>>>);

impl Warnings {
    /// Counts one more of `kind`; `name` says where, and is asked only for the first.
    pub(crate) fn add(&self, kind: Kind, name: impl FnOnce() -> String) {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, warning)) = list.iter_mut().find(|(k, _)| *k == kind) {
            warning.count += 1;
        } else {
            let warning = Warning { message: kind.message().to_owned(), count: 1, first: name() };
            list.push((kind, warning));
        }
    }

    pub(crate) fn take(&self) -> Vec<Warning> {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        list.drain(..).map(|(_, warning)| warning).collect()
    }
}
