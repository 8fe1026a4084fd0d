//! What to measure, as the command line says it.

use clap::{Args, ValueEnum};

/// What can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum What {
    /// The copy of words, four at a time: the ceiling of every other rate.
    Copy,
    /// 1, 2, 3, 5 and 10 dispatches that do nothing, in one pass.
    Empty,
    /// The parentheses matching problem, by every algorithm and sequentially, at every size.
    Match,
    /// Match, clip and union, together and each, by every algorithm and sequentially, at every size.
    Boxes,
    /// With boxes: each dispatch of the fused algorithms by itself.
    Dispatches,
    /// Both by every algorithm on every family, at 2^20 and 2^24.
    Families,
    /// The boxes of paths of 8 segments, up to 1,000,000 of them.
    #[value(name = "paths")]
    PathPipelines,
    /// Vello's own clip stage, which matches and clips, up to 2^16 nodes.
    Vello,
    /// The clip stage on Vello's buffers, by Vello up to 2^16 clip operations and by Boxwood up to 2^20.
    #[value(name = "clip_stage")]
    ClipStage,
    /// Whole frames of scenes with up to 1,000,000 clips and of layers, by Vello's renderer and by Boxwood's.
    Frames,
}

/// What to measure.
#[derive(Args, Clone, Debug)]
pub struct Options {
    /// What to measure, separated by commas; without it, everything.
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',')]
    pub what: Vec<What>,
    /// The least size, as the logarithm to base 2.
    #[arg(long, value_name = "K", default_value_t = 10, value_parser = clap::value_parser!(u32).range(0..=30))]
    pub min: u32,
    /// The largest size, as the logarithm to base 2; copies go on to 2 more.
    #[arg(long, value_name = "K", default_value_t = 26, value_parser = clap::value_parser!(u32).range(0..=30))]
    pub max: u32,
    /// Only the family of inputs with this name; may be given more than once, and is then run at every size.
    #[arg(long, value_name = "NAME")]
    pub family: Vec<String>,
    /// How many runs are timed, after 3 that are not. Where 30 take longer than 2 s, fewer are, at least 3.
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=2000))]
    pub runs: u32,
    /// Use the adapter whose name holds this, case ignored.
    #[arg(long, value_name = "NAME")]
    pub adapter: Option<String>,
    /// Three runs at few and small sizes: to see that it works, not how fast.
    #[arg(long)]
    pub quick: bool,
}

impl Options {
    /// Whether this is to be measured.
    pub(crate) fn has(&self, what: What) -> bool {
        self.what.is_empty() || self.what.contains(&what)
    }

    /// The sizes to measure, as logarithms to base 2, up to `max`.
    pub(crate) fn sizes(&self, max: u32) -> Vec<u32> {
        if self.quick { vec![10, 14.min(max)] } else { (self.min..=self.max.min(max)).collect() }
    }

    /// The sizes at which every family is measured.
    pub(crate) fn family_sizes(&self) -> Vec<u32> {
        if self.quick {
            return vec![12];
        }
        self.sizes(self.max).into_iter().filter(|k| [20, 24].contains(k)).collect()
    }

    /// How many runs to time.
    pub(crate) fn n_runs(&self) -> usize {
        if self.quick { 3 } else { self.runs as usize }
    }
}
