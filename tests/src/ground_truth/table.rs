//! A table of findings by class.

use std::fmt;

use super::{Class, Finding};

/// Findings, with statistics by class.
#[derive(Debug, Default)]
pub struct Table {
    findings: Vec<Finding>,
}

impl Table {
    /// Adds findings.
    pub fn extend(&mut self, findings: impl IntoIterator<Item = Finding>) {
        self.findings.extend(findings);
    }

    /// The number of leaves.
    pub fn n_leaves(&self) -> usize {
        self.findings.iter().filter(|finding| finding.class != Class::Group).count()
    }

    /// The findings whose ink extends more than `excess` pixels beyond the box, the farthest first.
    pub fn beyond(&self, excess: f64) -> Vec<&Finding> {
        let mut beyond: Vec<_> = self.findings.iter().filter(|finding| finding.excess() > excess).collect();
        beyond.sort_by(|a, b| b.excess().total_cmp(&a.excess()));
        beyond
    }

    /// The `count` findings with the loosest boxes, the loosest first.
    pub fn loosest(&self, count: usize) -> Vec<&Finding> {
        let mut found: Vec<_> = self.findings.iter().filter(|f| f.looseness().is_some()).collect();
        found.sort_by(|a, b| b.looseness().partial_cmp(&a.looseness()).expect("areas are numbers"));
        found.truncate(count);
        found
    }

    /// The quantile of the looseness of a class.
    pub fn quantile(&self, class: Class, fraction: f64) -> Option<f64> {
        let of_class = self.findings.iter().filter(|finding| finding.class == class);
        let mut looseness: Vec<_> = of_class.filter_map(Finding::looseness).collect();
        looseness.sort_by(f64::total_cmp);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an index of a vector")]
        let index = (fraction * looseness.len() as f64) as usize;
        looseness.get(index.min(looseness.len().saturating_sub(1))).copied()
    }
}

/// Writes the table as Markdown, one row per class.
impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "| class | parts | no ink | > 1 px outside | > 2 px | worst | box / ink p50 | p90 | p99 |"
        )?;
        writeln!(f, "|---|---|---|---|---|---|---|---|---|")?;
        for class in
            [Class::Plain, Class::Stroked, Class::Clipped, Class::Masked, Class::Filtered, Class::Group]
        {
            let of_class: Vec<_> = self.findings.iter().filter(|finding| finding.class == class).collect();
            let beyond = |limit: f64| of_class.iter().filter(|finding| finding.excess() > limit).count();
            let with_hairlines =
                of_class.iter().filter(|finding| finding.excess_with_hairlines() > 1.0).count();
            let worst = of_class.iter().map(|finding| finding.excess()).fold(0.0, f64::max);
            let without_ink = of_class.iter().filter(|finding| finding.ink.is_none()).count();
            let quantile = |fraction| {
                self.quantile(class, fraction).map_or_else(|| "–".to_owned(), |q| format!("{q:.2}"))
            };
            writeln!(
                f,
                "| {} | {} | {without_ink} | {with_hairlines} | {} | {} | {worst:.2} | {} | {} | {} |",
                format!("{class:?}").to_lowercase(),
                of_class.len(),
                beyond(1.0),
                beyond(2.0),
                quantile(0.5),
                quantile(0.9),
                quantile(0.99),
            )?;
        }
        Ok(())
    }
}
