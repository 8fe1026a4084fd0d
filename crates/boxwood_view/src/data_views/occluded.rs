//! What is wasted, as `boxwood audit` finds it: elements that nobody can see, and needless effects.

use std::collections::HashMap;

use boxwood_svg::{FindingKind, audit};

use super::DataView;
use super::analysis::{Analysis, Entry, Mark, area, counted};
use crate::model::Model;

pub(super) fn analysis(model: &Model) -> Analysis {
    let findings = audit(&model.drawing);
    let by_path: HashMap<&str, u32> =
        model.sources().iter().zip(0..).map(|(source, index)| (source.path.as_str(), index)).collect();
    let mut sums = [(0_usize, 0.0); FindingKind::ALL.len()];
    let (mut marks, mut entries, mut n_elements) = (Vec::new(), Vec::new(), 0);
    for finding in &findings {
        let class = finding.kind as usize;
        sums[class].0 += 1;
        sums[class].1 += finding.area;
        n_elements += finding.n_elements;
        let Some(&source) = by_path.get(finding.path.as_str()) else { continue };
        let facts = model.facts(source);
        let is_cut = matches!(
            finding.kind,
            FindingKind::OffCanvas | FindingKind::ClippedAway | FindingKind::MostlyOutside
        );
        let bounds = if is_cut { facts.own_box } else { facts.clipped_box };
        if !bounds.is_empty() {
            marks.push(Mark { bounds, class, source: Some(source) });
        }
        entries.push(Entry { source, text: format!("{}: {}", finding.kind.word(), finding.reason) });
    }
    // Small marks stay visible over large ones.
    marks.sort_by(|a, b| area(b.bounds).total_cmp(&area(a.bounds)));
    let sentence = format!(
        "{}, which waste {} of the scene.",
        counted(findings.len(), "finding", "findings"),
        counted(n_elements, "element", "elements")
    );
    let class = |(kind, (n, area)): (FindingKind, (usize, f64))| {
        format!("{}: {n}, boxes of {area:.0} px²", kind.word())
    };
    let classes = FindingKind::ALL.into_iter().zip(sums).map(class).collect();
    Analysis { classes, marks, entries, ..Analysis::saying(DataView::Occluded, sentence) }
}
