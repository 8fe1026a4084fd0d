//! Tables of at most 80 columns.

use std::io::{self, Write};

use boxwood_cpu::Aabb;
use boxwood_query::{Explained, box_area};
use boxwood_svg::{Clip, Drawing, Hidden, Part, Source, Step};
use unicode_width::UnicodeWidthStr;

use crate::cells::{aligned, printable, shortened};

/// The width of a table, if the numbers in it allow that.
const COLUMNS: usize = 80;
/// The smallest width of the names of effects.
const MIN_NAME: usize = 20;
/// The smallest width of the name of an effect's owner.
const MIN_OWNER: usize = 8;
/// The gap between two columns.
const GAP: usize = 2;
/// Numbers from this size are written with an exponent.
const LARGE: f64 = 1e8;

/// The cells of a row: an effect, the box that it leaves, and what it cuts.
type Cells = [String; 7];

pub(super) fn print(out: &mut impl Write, path: &str, elements: &[Explained<'_>]) -> io::Result<()> {
    for (index, element) in elements.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        print_element(out, path, element)?;
    }
    Ok(())
}

fn print_element(out: &mut impl Write, path: &str, explained: &Explained<'_>) -> io::Result<()> {
    let Explained { name, element, position, parts, reason, .. } = explained;
    let (path, name) = (printable(path), printable(name));
    writeln!(out, "{path}:{}:{}: <{element}> {name}", position.line, position.column)?;
    if let Some(reason) = reason {
        writeln!(out, "{}", printable(&reason.to_string()))?;
    }
    parts.iter().try_for_each(|part| print_part(out, explained, part))
}

fn print_part(out: &mut impl Write, explained: &Explained<'_>, part: &Part) -> io::Result<()> {
    let drawing = explained.drawing;
    let own = match part.filter {
        Some(filter) => format!("box of the filter of {}", of(drawing, filter)),
        None => "own box".to_owned(),
    };
    let header =
        [&*title(explained, part), "X", "Y", "WIDTH", "HEIGHT", "CUT px²", "CUT %"].map(String::from);
    let mut rows = vec![header, cells(own, part.own_box, None)];
    let mut before = part.own_box;
    for step in &part.steps {
        let of = of(drawing, step.source);
        if let Some(clip) = &step.clip {
            let cut = (box_area(before) - box_area(step.left), box_area(part.own_box));
            rows.push(cells(printable(&format!("{clip} of {of}")), step.left, Some(cut)));
        }
        let opacity = (step.opacity < 1.0).then(|| format!("opacity {}", step.opacity));
        let blending = step.blends.then(|| "blend mode".to_owned());
        for effect in opacity.into_iter().chain(blending) {
            rows.push(cells(printable(&format!("{effect} of {of}")), step.left, None));
        }
        before = step.left;
    }
    let width = |column: usize| rows.iter().map(|row: &Cells| row[column].width()).max().unwrap_or(0);
    let numbers: usize = (1..rows[0].len()).map(|column| GAP + width(column)).sum();
    let name_width = COLUMNS.saturating_sub(numbers).max(MIN_NAME);
    rows.iter_mut().for_each(|row| row[0] = shortened_effect(&row[0], name_width));
    aligned(&rows, |column| (1..7).contains(&column)).iter().try_for_each(|line| writeln!(out, "{line}"))?;
    writeln!(out, "{}", verdict(drawing, part))
}

/// Cuts out the middle of the owner's name, or of the whole text if the effect's own is too long.
fn shortened_effect(text: &str, max: usize) -> String {
    const OF: &str = " of ";
    let kept = text.split_once(OF).and_then(|(effect, owner)| {
        let left = max.checked_sub(effect.width() + OF.len()).filter(|left| *left >= MIN_OWNER)?;
        Some(format!("{effect}{OF}{}", shortened(owner, left)))
    });
    kept.unwrap_or_else(|| shortened(text, max))
}

/// The header of the first column: what the part is.
fn title(explained: &Explained<'_>, part: &Part) -> String {
    let word = explained.word(part).to_uppercase();
    if part.n_leaves == 1 { word } else { format!("{word}, {} leaves", part.n_leaves) }
}

/// The name and position of a source.
fn of(drawing: &Drawing, source: u32) -> String {
    let Source { name, line, column, .. } = &drawing.sources[source as usize];
    format!("{name} ({line}:{column})")
}

/// A row. `cut` is the area that an effect cuts, and that of the own box.
fn cells(effect: String, left: Aabb, cut: Option<(f64, f64)>) -> Cells {
    let [x, y, width, height] = match left {
        Aabb::PLANE => ["plane", "", "", ""].map(String::from),
        _ if left.is_empty() => ["empty", "", "", ""].map(String::from),
        Aabb { x0, y0, x1, y1 } => {
            let [x0, y0, x1, y1] = [x0, y0, x1, y1].map(f64::from);
            [x0, y0, x1 - x0, y1 - y0].map(|value| number(value, 2))
        }
    };
    let [area, percent] = match cut {
        None => ["", ""].map(String::from),
        Some((area, whole)) => [number(area, 0), percent(area, whole)],
    };
    [effect, x, y, width, height, area, percent]
}

fn verdict(drawing: &Drawing, part: &Part) -> String {
    let (left, whole) = (box_area(part.left), box_area(part.own_box));
    let source = |by: u32| printable(&of(drawing, by));
    match part.hidden {
        Some(Hidden::Empty) => "nothing is visible: its filter paints nothing".to_owned(),
        Some(Hidden::OffCanvas) => "nothing is visible: it is off the canvas".to_owned(),
        Some(Hidden::ClippedAway { by: Some(by) }) => {
            let is_last = |step: &&Step| step.source == by && step.left.is_empty();
            let clip = part.steps.iter().filter(is_last).find_map(|step| step.clip.as_ref());
            let clip = clip.map_or_else(|| "clip".to_owned(), Clip::to_string);
            format!("nothing is visible: it is outside of the {} of {}", printable(&clip), source(by))
        }
        Some(Hidden::ClippedAway { by: None }) => {
            "nothing is visible: it is outside of the clips around it".to_owned()
        }
        Some(Hidden::Covered { by }) => {
            format!("nothing is visible: it is below the opaque {}", source(by))
        }
        None if part.left.is_empty() => "nothing is left, except for parts of pixels at an edge".to_owned(),
        None => {
            format!("{} of {} px² are left ({} %)", number(left, 0), number(whole, 0), percent(left, whole))
        }
    }
}

/// A part of a whole as a percentage.
fn percent(part: f64, whole: f64) -> String {
    if whole > 0.0 { format!("{:.1}", 100.0 * part / whole) } else { "0.0".to_owned() }
}

fn number(value: f64, decimals: usize) -> String {
    if value.abs() >= LARGE {
        return format!("{value:.2e}");
    }
    // Adding 0.0 turns -0.0 into 0.0.
    let scale = if decimals == 0 { 1.0 } else { 100.0 };
    format!("{:.decimals$}", (value * scale).round() / scale + 0.0)
}
