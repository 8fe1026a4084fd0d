//! `boxwood query`: the boxes as rows.

use std::collections::{HashMap, HashSet};
use std::io::BufWriter;

use anyhow::Result;
use boxwood_svg::{Include, Options, Shown, SourceKind, Space, UnlistedId};
use clap::CommandFactory;
use clap::error::ErrorKind;

use crate::args::{Cli, QueryArgs};
use crate::backend::Backend;
use crate::choices::{BoxKind, Format, PartArg, SpaceArg};
use crate::format::{Answer, Naming, printer};
use crate::input::{Input, Loader, expand};
use crate::output::Stdout;
use crate::report::Report;
use crate::rows::{Row, in_device, object_rows, rows};

/// Prints the boxes of every file.
pub(crate) fn query(args: &QueryArgs, report: &mut Report) -> Result<()> {
    if args.precision.is_some() && matches!(args.format, Format::Json | Format::Jsonl) {
        let message = "--precision is for tables and CSV: JSON holds the exact numbers";
        Cli::command().error(ErrorKind::ArgumentConflict, message).exit();
    }
    let needs = match args.space {
        SpaceArg::Local if args.include.is_empty() => {
            Some("--space local is for object boxes: give --include")
        }
        SpaceArg::Local | SpaceArg::Scene if args.zoom.is_some() => Some("--zoom is for --space device"),
        _ => None,
    };
    if let Some(message) = needs {
        Cli::command().error(ErrorKind::ArgumentConflict, message).exit();
    }
    let mut backend = Backend::new(&args.backend)?;
    if backend.is_strict() {
        // Where it is missing, nothing is printed at all.
        backend.device(report)?;
    }
    let kinds = BoxKind::of(&args.kind);
    let loader = Loader::new(Options { clip_to_viewport: !args.no_viewport_clip, ..args.load.options()? });
    let mut ids = Ids::new(&args.id);
    let out = BufWriter::new(Stdout::lock());
    let mut printer = printer(args.format, args.precision.map(usize::from), naming(args), out)?;
    for input in expand(&args.inputs, report) {
        let drawing = match loader.load(&input) {
            Ok(drawing) => drawing,
            Err(error) => {
                report.error(error);
                continue;
            }
        };
        report.warnings(&input, &drawing.warnings, Shown::BOXES);
        ids.meet(drawing.sources.iter().map(|source| source.name.as_str()));
        ids.miss(&drawing.unlisted_ids, &input);
        if args.include.is_empty() {
            let inks: HashSet<u32> = drawing.table.iter().map(|info| info.source).collect();
            let shapes = (0..).zip(&drawing.sources).filter(|(_, source)| source.kind != SourceKind::Group);
            ids.unseen(
                shapes.filter(|(index, _)| !inks.contains(index)).map(|(_, source)| source.name.as_str()),
            );
        }
        let (boxes, adapter) = match backend.boxes(&drawing.elements, &input, report) {
            Ok(computed) => computed,
            Err(error) => {
                report.error_in(&error, &input);
                // That is enough said about the elements in it.
                ids.answer(drawing.sources.iter().map(|source| source.name.as_str()));
                continue;
            }
        };
        let mut rows = match include(args) {
            None => rows(&drawing.sources, &drawing.table, &drawing.elements, &boxes, &kinds),
            Some(include) => {
                let space = if args.space == SpaceArg::Local { Space::Local } else { Space::Scene };
                object_rows(&drawing.sources, &drawing.object_boxes(include, space))
            }
        };
        if args.space == SpaceArg::Device {
            rows.iter_mut().for_each(|row| row.bounds = in_device(row.bounds, args.zoom.unwrap_or(1.0)));
        }
        rows.retain(|row| ids.wants(row));
        ids.answer(rows.iter().map(|row| row.name));
        printer.answer(&Answer {
            path: input.to_string(),
            width: drawing.size.width,
            height: drawing.size.height,
            backend: if adapter.is_some() { "gpu" } else { "cpu" },
            adapter,
            warnings: &drawing.warnings,
            rows,
        })?;
    }
    printer.finish()?;
    ids.report_missing(report);
    Ok(())
}

/// What counts for object boxes, `None` for ink boxes.
fn include(args: &QueryArgs) -> Option<Include> {
    let has = |part| args.include.contains(&part);
    (!args.include.is_empty()).then(|| Include {
        fill: has(PartArg::Fill),
        stroke: has(PartArg::Stroke),
        markers: has(PartArg::Markers),
        clipped: has(PartArg::Clipped),
    })
}

/// What the boxes are called, the parts in the order of SVG 2.
fn naming(args: &QueryArgs) -> Naming {
    let parts = [
        (PartArg::Fill, "fill"),
        (PartArg::Stroke, "stroke"),
        (PartArg::Markers, "markers"),
        (PartArg::Clipped, "clipped"),
    ];
    let asked = parts.into_iter().filter(|(part, _)| args.include.contains(part));
    let space = match args.space {
        SpaceArg::Local => "local",
        SpaceArg::Scene => "scene",
        SpaceArg::Device => "device",
    };
    Naming { include: asked.map(|(_, name)| name).collect(), space }
}

/// The ids that are asked for, and what became of them.
struct Ids<'a> {
    wanted: &'a [String],
    met: HashSet<&'a str>,
    answered: HashSet<&'a str>,
    /// Those of shapes, images and texts that ink nothing.
    unseen: HashSet<&'a str>,
    /// What a file says of those that are on nothing that is drawn.
    missed: HashMap<&'a str, String>,
}

impl<'a> Ids<'a> {
    fn new(wanted: &'a [String]) -> Self {
        Self {
            wanted,
            met: HashSet::new(),
            answered: HashSet::new(),
            unseen: HashSet::new(),
            missed: HashMap::new(),
        }
    }

    /// Whether a row is to be printed.
    fn wants(&self, row: &Row<'_>) -> bool {
        if self.wanted.is_empty() {
            row.is_listed
        } else {
            self.wanted.iter().any(|wanted| wanted == row.name)
        }
    }

    /// Scene of these names are in a drawing.
    fn meet<'b>(&mut self, names: impl Iterator<Item = &'b str>) {
        self.met.extend(Self::among(self.wanted, names));
    }

    /// A drawing has these ids, but not on elements of its scene.
    fn miss(&mut self, unlisted: &[UnlistedId], input: &Input) {
        for id in unlisted {
            for wanted in Self::among(self.wanted, [id.id.as_str()].into_iter()) {
                self.missed.entry(wanted).or_insert_with(|| format!("{id}: {input}"));
            }
        }
    }

    /// Scene of these names ink nothing.
    fn unseen<'b>(&mut self, names: impl Iterator<Item = &'b str>) {
        self.unseen.extend(Self::among(self.wanted, names));
    }

    /// Rows of these names are printed.
    fn answer<'b>(&mut self, names: impl Iterator<Item = &'b str>) {
        self.answered.extend(Self::among(self.wanted, names));
    }

    fn among<'b>(
        wanted: &'a [String],
        names: impl Iterator<Item = &'b str>,
    ) -> impl Iterator<Item = &'a str> {
        names.flat_map(move |name| wanted.iter().map(String::as_str).filter(move |wanted| *wanted == name))
    }

    fn report_missing(&self, report: &mut Report) {
        for id in self.wanted.iter().map(String::as_str) {
            if !self.met.contains(id) {
                let what = format!("no element that is drawn has the id or path `{id}`");
                match self.missed.get(id) {
                    Some(why) => report.negative(format_args!("{what}: {why}")),
                    None => report.negative(what),
                }
            } else if !self.answered.contains(id) {
                let why = if self.unseen.contains(id) {
                    ": it inks nothing, for it is hidden, transparent or without paint; --include has object boxes of such"
                } else {
                    ""
                };
                report
                    .negative(format_args!("the element `{id}` has no box of a kind that is asked for{why}"));
            }
        }
    }
}
