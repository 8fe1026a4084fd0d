//! The selection of what to measure, as command-line options.

use clap::{Args, ValueEnum};

/// A task that can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum What {
    /// A copy of words, four at a time: the bound on all other rates.
    Copy,
    /// Passes of 1, 2, 3, 5, and 10 empty dispatches.
    Empty,
    /// Parenthesis matching, by every algorithm and by the specification on one CPU core.
    Match,
    /// Stage json: from texts to their trees. Stage brackets on the same texts, and the matching of
    /// their brackets alone. Sizes are bytes.
    Json,
    /// All boxes and each stage, by every algorithm, by the engine on one CPU core and on all, and
    /// by the specification.
    Boxes,
    /// All boxes, and each dispatch of the fused algorithms alone.
    Dispatches,
    /// Matching and boxes by every algorithm on every family, at 2^20 and 2^24.
    Families,
    /// The boxes of up to 1,000,000 paths of 8 segments.
    Paths,
    /// All stages over boxes and their parts, which are the next eleven tasks, and the same on one
    /// CPU core.
    Spatial,
    /// Prefix sums, and the expansion of items to as many outputs as their counts.
    Scan,
    /// Stage select.
    Select,
    /// Stage search.
    Search,
    /// Stage sort.
    Sort,
    /// Stream reduction as published in 2007 and by Horn.
    #[value(name = "stream_reduction")]
    StreamReduction,
    /// Trees over boxes.
    Index,
    /// Queries of up to 2^20 boxes.
    Query,
    /// The reordering of up to 2^20 queries.
    Reorder,
    /// Overlapping pairs of boxes.
    Pairs,
    /// Layers of up to 2^18 boxes.
    Layers,
    /// The stages over tiles of a picture: damage and occlusion.
    Tiles,
    /// Vello's own clip stage, which matches and clips, up to 2^16 entries.
    Vello,
    /// The clip stage on Vello's buffers: Vello's up to 2^16 clip operations, Boxwood's up to 2^20.
    #[value(name = "clip_stage")]
    ClipStage,
    /// Frames with up to 1,000,000 clips, and frames with layers, by Vello's renderer and
    /// Boxwood's.
    Frames,
}

/// The selection of what to measure.
#[derive(Args, Clone, Debug)]
pub struct Options {
    /// Measure only these tasks, separated by commas. The default is all of them.
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',')]
    pub what: Vec<What>,
    /// The minimum size, as a logarithm to base 2.
    #[arg(long, value_name = "K", default_value_t = 10, value_parser = clap::value_parser!(u32).range(0..=30))]
    pub min: u32,
    /// The maximum size, as a logarithm to base 2. Copies go up to four times this size.
    #[arg(long, value_name = "K", default_value_t = 26, value_parser = clap::value_parser!(u32).range(0..=30))]
    pub max: u32,
    /// The step between sizes, as a logarithm to base 2.
    #[arg(long, value_name = "K", default_value_t = 1, hide_short_help = true,
        value_parser = clap::value_parser!(u32).range(1..=30))]
    pub step: u32,
    /// Measure only the family of inputs with this name, at every size. May be repeated.
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    pub family: Vec<String>,
    /// The number of timed runs, after 3 untimed ones. There are fewer, but at least 3, if all
    /// would take more than 2 s.
    #[arg(long, value_name = "N", default_value_t = 30, hide_short_help = true,
        value_parser = clap::value_parser!(u32).range(1..=2000))]
    pub runs: u32,
    /// Use the adapter with NAME in its name, ignoring case.
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    pub adapter: Option<String>,
    /// Measure 3 runs at few, small sizes. This tests the benchmark and does not show the speed.
    #[arg(long, hide_short_help = true)]
    pub quick: bool,
}

/// The sizes at which every family is measured, as logarithms to base 2.
const FAMILY_SIZES: [u32; 2] = [20, 24];

/// The same in a quick sweep, in addition to its other sizes.
const QUICK_FAMILY_SIZES: [u32; 1] = [12];

impl What {
    /// The parts of [`Spatial`](Self::Spatial).
    pub(super) const SPATIAL: [Self; 11] = [
        Self::Scan,
        Self::Select,
        Self::Search,
        Self::Sort,
        Self::StreamReduction,
        Self::Index,
        Self::Query,
        Self::Reorder,
        Self::Pairs,
        Self::Layers,
        Self::Tiles,
    ];
}

impl Options {
    /// Whether a task is selected, by itself or as a part of another one.
    pub(super) fn has(&self, what: What) -> bool {
        let is_in_spatial = What::SPATIAL.contains(&what) && self.what.contains(&What::Spatial);
        let is_with_dispatches = what == What::Boxes && self.what.contains(&What::Dispatches);
        self.what.is_empty() || self.what.contains(&what) || is_in_spatial || is_with_dispatches
    }

    /// The sizes to measure up to a maximum, as logarithms to base 2.
    pub(super) fn sizes(&self, max: u32) -> Vec<u32> {
        if self.quick {
            return vec![10, 14.min(max)];
        }
        (self.min..=self.max.min(max)).step_by(self.step as usize).collect()
    }

    /// The sizes at which every family is measured. There are none if this is not selected.
    pub(super) fn family_sizes(&self) -> &'static [u32] {
        match (self.has(What::Families), self.quick) {
            (false, _) => &[],
            (true, true) => &QUICK_FAMILY_SIZES,
            (true, false) => &FAMILY_SIZES,
        }
    }

    /// The number of runs to time.
    pub(super) fn n_runs(&self) -> usize {
        if self.quick { 3 } else { self.runs as usize }
    }
}
