//! The formats of `boxwood diff`.

use std::io::{self, Write};

use boxwood_cpu::Aabb;
use boxwood_cpu::{Rectangle, TileGrid};
use boxwood_query::SCHEMA;
use boxwood_svg::{Change, ChangeKind, Drawing, Source};
use kurbo::Size;
use serde::Serialize;

use super::picture::bounds;
use crate::cells::{aligned, fixed, printable, rounded, shortened};
use crate::input::Input;
use crate::json::{RowFormat, list, text};

/// The maximum width of a name in a table.
const MAX_NAME: usize = 40;

/// The number of decimals in a table.
const DECIMALS: usize = 2;

/// Two drawings and what differs between them.
pub(super) struct FilePair<'a> {
    pub(super) inputs: &'a [Input; 2],
    pub(super) drawings: [&'a Drawing; 2],
    pub(super) changes: &'a [Change],
    pub(super) grid: TileGrid,
    pub(super) rectangles: &'a [Rectangle],
}

impl FilePair<'_> {
    pub(super) fn text(&self, format: RowFormat) -> io::Result<Vec<u8>> {
        match format {
            RowFormat::Table => Ok(self.table().into_bytes()),
            RowFormat::Csv => self.csv(),
            RowFormat::Json => self.json(),
            RowFormat::Jsonl => self.json_lines(),
        }
    }

    /// The element of a change in the old drawing or in the new one.
    fn source(&self, change: &Change, side: usize) -> Option<&Source> {
        change.sources[side].map(|source| &self.drawings[side].sources[source as usize])
    }

    /// The element of a change, as it is in the new drawing if it is there.
    fn named(&self, change: &Change) -> &Source {
        let source = self.source(change, 1).or_else(|| self.source(change, 0));
        source.expect("a change is in one of the drawings")
    }

    fn table(&self) -> String {
        let header = ["CHANGE", "NAME", "ELEMENT", "X", "Y", "WIDTH", "HEIGHT", "POSITION"].map(String::from);
        let mut rows = vec![header];
        let sizes = ['-', '+'].into_iter().zip(self.other_sizes().into_iter().flatten());
        for (sign, Size { width, height }) in sizes {
            let [x, y, width, height] = [0.0, 0.0, width, height].map(|number| fixed(number, DECIMALS));
            let empty = String::new;
            rows.push([format!("{sign} canvas"), empty(), empty(), x, y, width, height, empty()]);
        }
        for change in self.changes {
            let Source { name, tag, .. } = self.named(change);
            let mut add = |sign: char, side: usize| {
                let position =
                    self.source(change, side).map(|source| format!("{}:{}", source.line, source.column));
                let [x, y, width, height] = cells(change.boxes[side]);
                let change = format!("{sign} {}", word(change.kind));
                let name = shortened(&printable(name), MAX_NAME);
                rows.push([change, name, tag.clone(), x, y, width, height, position.unwrap_or_default()]);
            };
            match change.kind {
                ChangeKind::Appeared => add('+', 1),
                ChangeKind::Vanished => add('-', 0),
                ChangeKind::Moved => {
                    [('-', 0), ('+', 1)].into_iter().for_each(|(sign, side)| add(sign, side));
                }
                ChangeKind::Repainted | ChangeKind::Reordered => add('~', 1),
            }
        }
        for rectangle in self.rectangles {
            let [x, y, width, height] = cells(bounds(*rectangle));
            let empty = String::new;
            rows.push(["# damage".to_owned(), empty(), empty(), x, y, width, height, empty()]);
        }
        let lines =
            if rows.len() > 1 { aligned(&rows, |column| (3..7).contains(&column)) } else { Vec::new() };
        [self.title()].into_iter().chain(lines).map(|line| line + "\n").collect()
    }

    /// The sizes of the drawings, if they differ.
    fn other_sizes(&self) -> Option<[Size; 2]> {
        let sizes = self.drawings.map(|drawing| drawing.size);
        (sizes[0] != sizes[1]).then_some(sizes)
    }

    fn title(&self) -> String {
        let plural = |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
        let [old, new] = self.inputs.each_ref().map(|input| printable(&input.to_string()));
        let [old_size, new_size] = self.drawings.map(|Drawing { size: Size { width, height }, .. }| {
            format!("{} × {} px", rounded(*width), rounded(*height))
        });
        let sizes = if old_size == new_size { new_size } else { format!("{old_size} -> {new_size}") };
        let changes = match self.changes.len() + usize::from(self.other_sizes().is_some()) {
            0 => "no changes".to_owned(),
            n => plural(n, "change", "changes"),
        };
        let area = match self.rectangles.len() {
            0 => String::new(),
            n => {
                let n = plural(n, "rectangle", "rectangles");
                let whole = u64::from(self.grid.width) * u64::from(self.grid.height);
                let percent = 100.0 * self.area() as f64 / whole as f64;
                format!(", {} px² of damage in {n} ({percent:.1} %)", self.area())
            }
        };
        format!("{old} -> {new}: {sizes}, {changes}{area}")
    }

    /// The number of pixels of the damage.
    fn area(&self) -> u64 {
        let area = |r: &Rectangle| u64::from(r.x1 - r.x0) * u64::from(r.y1 - r.y0);
        self.rectangles.iter().map(area).sum()
    }

    fn csv(&self) -> io::Result<Vec<u8>> {
        let mut table = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
        table.write_record(CSV_HEADER)?;
        let numbers = |bounds: Aabb| match bounds {
            Aabb::EMPTY => Default::default(),
            Aabb { x0, y0, x1, y1 } => [x0, y0, x1, y1].map(|edge| edge.to_string()),
        };
        if let Some(sizes) = self.other_sizes() {
            let place = || std::iter::repeat_n(String::new(), 3);
            let [old, new] = sizes.map(|Size { width, height }| {
                ["0".to_owned(), "0".to_owned(), width.to_string(), height.to_string()]
            });
            let names = std::iter::once("canvas".to_owned()).chain(place());
            table.write_record(names.chain(place()).chain(old).chain(place()).chain(new))?;
        }
        for change in self.changes {
            let Source { name, has_id, tag, .. } = self.named(change);
            let first =
                [word(change.kind), name, if *has_id { "true" } else { "false" }, tag].map(str::to_owned);
            let side = |side: usize| {
                let place = self.source(change, side).map_or_else(Default::default, |source| {
                    [source.path.clone(), source.line.to_string(), source.column.to_string()]
                });
                place.into_iter().chain(numbers(change.boxes[side]))
            };
            table.write_record(first.into_iter().chain(side(0)).chain(side(1)))?;
        }
        for rectangle in self.rectangles {
            let first = std::iter::once("damage".to_owned()).chain(std::iter::repeat_n(String::new(), 13));
            table.write_record(first.chain(numbers(bounds(*rectangle))))?;
        }
        table.into_inner().map_err(csv::IntoInnerError::into_error)
    }

    /// The drawings as an item of a document, with one line per change.
    fn json(&self) -> io::Result<Vec<u8>> {
        let mut out = Vec::new();
        let [old, new] = [0, 1].map(|side| {
            text(&JsonFile { file: self.inputs[side].to_string(), size: self.drawings[side].size.into() })
        });
        write!(
            out,
            r#"
    {{
      "old": {},
      "new": {},
      "canvas": {},
      "changes": {},
      "damage": {}
    }}"#,
            old?,
            new?,
            text(&self.json_canvas())?,
            list(self.changes.iter().map(|change| self.json_change(change)), 6)?,
            text(&self.json_damage())?
        )?;
        Ok(out)
    }

    fn json_lines(&self) -> io::Result<Vec<u8>> {
        let mut out = Vec::new();
        let [old, new] = self.inputs.each_ref().map(ToString::to_string);
        let start = |kind| LineStart { schema: SCHEMA, kind, old_file: &old, new_file: &new };
        if let Some(rest) = self.json_canvas() {
            writeln!(out, "{}", text(&JsonLine { start: start("canvas"), rest })?)?;
        }
        for change in self.changes {
            writeln!(out, "{}", text(&JsonLine { start: start("change"), rest: self.json_change(change) })?)?;
        }
        writeln!(out, "{}", text(&JsonLine { start: start("damage"), rest: self.json_damage() })?)?;
        Ok(out)
    }

    fn json_canvas(&self) -> Option<JsonCanvas> {
        self.other_sizes().map(|sizes| sizes.map(JsonSize::from)).map(|[old, new]| JsonCanvas { old, new })
    }

    fn json_change(&self, change: &Change) -> JsonChange<'_> {
        let Source { name, has_id, tag, .. } = self.named(change);
        let side = |side: usize| {
            let Source { path, line, column, .. } = self.source(change, side)?;
            Some(JsonSide { path, line: *line, column: *column, bounds: json_box(change.boxes[side]) })
        };
        let (old, new) = (side(0), side(1));
        JsonChange { change: word(change.kind), name, has_id: *has_id, element: tag, old, new }
    }

    fn json_damage(&self) -> JsonDamage {
        let rectangles = self.rectangles.iter().map(|r| [r.x0, r.y0, r.x1, r.y1]).collect();
        JsonDamage { tile: 1 << self.grid.lg_tile, area: self.area(), rectangles }
    }
}

const CSV_HEADER: [&str; 18] = [
    "change",
    "name",
    "has_id",
    "element",
    "old_path",
    "old_line",
    "old_column",
    "old_x0",
    "old_y0",
    "old_x1",
    "old_y1",
    "new_path",
    "new_line",
    "new_column",
    "new_x0",
    "new_y0",
    "new_x1",
    "new_y1",
];

/// The word for a change in every format.
fn word(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Appeared => "appeared",
        ChangeKind::Vanished => "vanished",
        ChangeKind::Moved => "moved",
        ChangeKind::Repainted => "repainted",
        ChangeKind::Reordered => "reordered",
    }
}

/// The position and the size of a box in a table.
fn cells(bounds: Aabb) -> [String; 4] {
    if bounds.is_empty() {
        return ["none", "", "", ""].map(String::from);
    }
    let [x, y] = [bounds.x0, bounds.y0];
    [x, y, bounds.width(), bounds.height()].map(|number| fixed(number.into(), DECIMALS))
}

/// `[x0, y0, x1, y1]`, or `None` for an empty box.
fn json_box(Aabb { x0, y0, x1, y1 }: Aabb) -> Option<[f32; 4]> {
    let is_empty = Aabb { x0, y0, x1, y1 }.is_empty();
    (!is_empty).then_some([x0, y0, x1, y1])
}

#[derive(Serialize)]
struct JsonFile {
    file: String,
    #[serde(flatten)]
    size: JsonSize,
}

/// The size of a drawing.
#[derive(Serialize)]
struct JsonSize {
    width: f64,
    height: f64,
}

impl From<Size> for JsonSize {
    fn from(Size { width, height }: Size) -> Self {
        Self { width, height }
    }
}

/// The sizes of two drawings that differ.
#[derive(Serialize)]
struct JsonCanvas {
    old: JsonSize,
    new: JsonSize,
}

#[derive(Serialize)]
struct JsonChange<'a> {
    change: &'static str,
    name: &'a str,
    has_id: bool,
    element: &'a str,
    old: Option<JsonSide<'a>>,
    new: Option<JsonSide<'a>>,
}

/// An element in one of the drawings.
#[derive(Serialize)]
struct JsonSide<'a> {
    path: &'a str,
    line: u32,
    column: u32,
    /// `null` if it paints nothing.
    #[serde(rename = "box")]
    bounds: Option<[f32; 4]>,
}

#[derive(Serialize)]
struct JsonDamage {
    /// The side of a tile before tiles were doubled in size.
    tile: u32,
    /// The number of pixels.
    area: u64,
    rectangles: Vec<[u32; 4]>,
}

#[derive(Serialize)]
struct LineStart<'a> {
    schema: u32,
    kind: &'static str,
    old_file: &'a str,
    new_file: &'a str,
}

#[derive(Serialize)]
struct JsonLine<'a, T> {
    #[serde(flatten)]
    start: LineStart<'a>,
    #[serde(flatten)]
    rest: T,
}
