//! What all formats print.

use boxwood_svg::Warning;

use crate::query::args::{QueryArgs, SpaceArg, name};
use crate::query::rows::Row;

/// The names of the boxes and of their space, which every output contains.
#[derive(Clone, Debug)]
pub(in crate::query) struct Naming {
    /// The parts of object boxes, in the order of SVG 2. Empty for ink boxes.
    pub(super) include: Vec<String>,
    /// The space.
    pub(super) space: SpaceArg,
}

impl Naming {
    /// The names for the requested boxes.
    pub(in crate::query) fn new(args: &QueryArgs) -> Self {
        let mut include = args.include.clone();
        include.sort_unstable();
        include.dedup();
        Self { include: include.iter().map(name).collect(), space: args.space }
    }

    /// `ink` or `object`.
    pub(super) fn vocabulary(&self) -> &'static str {
        if self.include.is_empty() { "ink" } else { "object" }
    }

    /// `local`, `scene` or `device`.
    pub(super) fn space(&self) -> String {
        name(&self.space)
    }
}

/// The boxes of one file.
#[derive(Clone, Debug)]
pub(in crate::query) struct FileBoxes<'a> {
    /// The path, as it was given.
    pub(in crate::query) path: String,
    /// The width of the drawing in CSS pixels.
    pub(in crate::query) width: f64,
    /// The height of the drawing in CSS pixels.
    pub(in crate::query) height: f64,
    /// The name of the adapter that computed the boxes. `None` for the CPU.
    pub(in crate::query) adapter: Option<&'a str>,
    /// Where the boxes differ from SVG.
    pub(in crate::query) warnings: &'a [Warning],
    /// The boxes.
    pub(in crate::query) rows: Vec<Row<'a>>,
}
