//! Damage: what differs from the previous version of the file, as `boxwood diff` finds it.

use boxwood_cpu::{Aabb, Damage, Rectangle, TileGrid};
use boxwood_svg::{ChangeKind, compare};

use super::DataView;
use super::analysis::{Analysis, Entry, Mark, counted};
use crate::model::Model;

/// The largest number of rectangles of damage, as on a GPU.
const MAX_RECTANGLES: usize = 16;

/// The largest canvas, in px: up to here, every whole number is an `f32`, which boxes consist of.
const MAX_SIDE: f64 = 16_777_216.0;

/// The words of the kinds of change, in the order of [`ChangeKind`]. The class of damage comes
/// first.
const WORDS: [&str; 5] = ["appeared", "vanished", "moved", "repainted", "reordered"];

pub(super) fn analysis(previous: Option<&Model>, model: &Model) -> Analysis {
    let view = DataView::Damage;
    let Some(previous) = previous else {
        let sentence = "Save another version of the file: this view then shows what differs.";
        return Analysis::saying(view, sentence.to_owned());
    };
    let canvas = previous.drawing.size.max(model.drawing.size).ceil();
    if canvas.max_side() > MAX_SIDE {
        return Analysis::saying(view, format!("The drawing is too large to compare: {canvas} px."));
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 2²⁴")]
    let grid = TileGrid::new(canvas.width as u32, canvas.height as u32);
    let comparison = compare([previous, model].map(|model| &model.drawing));
    let mut damage = Damage::new();
    let found = damage.between(comparison.frames(), comparison.partners(), grid, MAX_RECTANGLES);
    let changes = comparison.changes(found.changed, found.vanished);
    let damaged: f64 = found.rectangles.iter().map(|r| f64::from(r.x1 - r.x0) * f64::from(r.y1 - r.y0)).sum();
    let mut marks: Vec<Mark> = found.rectangles.iter().map(|r| mark_of(*r)).collect();
    let (mut counts, mut entries) = ([0_usize; WORDS.len()], Vec::new());
    for change in &changes {
        let kind = change.kind as usize;
        counts[kind] += 1;
        let source = change.sources[1];
        let bounds = change.boxes[usize::from(change.kind != ChangeKind::Vanished)];
        if !bounds.is_empty() {
            marks.push(Mark { bounds, class: kind + 1, source });
        }
        entries.extend(source.map(|source| Entry { source, text: WORDS[kind].to_owned() }));
    }
    let share = 100.0 * damaged / canvas.area().max(1.0);
    let sentence = format!(
        "{} since the previous version; {share:.1} % of the pixels at 100 % may differ.",
        counted(changes.len(), "change", "changes"),
    );
    let damage = format!("damage: {}", counted(found.rectangles.len(), "rectangle", "rectangles"));
    let classes = WORDS.iter().zip(counts).map(|(word, n)| format!("{word}: {n}"));
    let classes = [damage].into_iter().chain(classes).collect();
    Analysis { classes, marks, entries, ..Analysis::saying(view, sentence) }
}

/// The mark of a rectangle of damage.
fn mark_of(Rectangle { x0, y0, x1, y1 }: Rectangle) -> Mark {
    let bounds = Aabb::new(x0.into(), y0.into(), x1.into(), y1.into());
    Mark { bounds: bounds.unwrap_or(Aabb::EMPTY), class: 0, source: None }
}
