//! The source that the pointer is over, or one around it.

use crate::model::Model;

/// The source that the pointer is over, and how far the user went outward from there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Hover {
    base: Option<u32>,
    steps_outward: usize,
}

impl Hover {
    /// The pointer is over this source.
    pub(crate) fn point_at(&mut self, base: Option<u32>) {
        if base != self.base {
            *self = Self { base, steps_outward: 0 };
        }
    }

    /// Goes to the source around the current one, until the root.
    pub(crate) fn go_outward(&mut self, model: &Model) {
        let n_around = self.base.map_or(0, |base| model.facts(base).depth as usize);
        self.steps_outward = (self.steps_outward + 1).min(n_around);
    }

    /// Goes back toward the source that the pointer is over.
    pub(crate) fn go_inward(&mut self) {
        self.steps_outward = self.steps_outward.saturating_sub(1);
    }

    /// The source to highlight.
    pub(crate) fn source(&self, model: &Model) -> Option<u32> {
        model.outward(self.base?).nth(self.steps_outward)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::tests::{index, model};

    #[test]
    fn tab_goes_outward_to_the_root_and_back() {
        let model = model(r#"<g id="g"><rect id="r" width="9" height="9"/></g>"#);
        let mut hover = Hover::default();
        hover.go_outward(&model);
        assert_eq!(hover.source(&model), None);
        hover.point_at(Some(index(&model, "r")));
        let mut names = Vec::new();
        for _ in 0..4 {
            names.push(hover.source(&model).map(|source| model.source(source).name.as_str()));
            hover.go_outward(&model);
        }
        assert_eq!(names, [Some("r"), Some("g"), Some("/svg"), Some("/svg")]);
        hover.go_inward();
        assert_eq!(hover.source(&model), Some(index(&model, "g")));
        hover.point_at(Some(index(&model, "r")));
        assert_eq!(hover.source(&model), Some(index(&model, "g")), "the pointer has not left it");
        hover.point_at(Some(index(&model, "g")));
        assert_eq!(hover.source(&model), Some(index(&model, "g")));
    }
}
