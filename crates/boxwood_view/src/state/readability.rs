//! The settings that make a drawing with many boxes readable.

use std::ops::RangeInclusive;
use std::sync::Arc;

use boxwood_render::Emphasis;

use super::hidden::Hidden;
use crate::model::Model;

/// The settings that make a drawing with many boxes readable.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Readability {
    /// Whether the drawing is dimmed.
    pub(crate) is_dimmed: bool,
    /// The share of the surrounding colour in a drawing that is dimmed, from 0 to 1.
    pub(crate) dimming: f32,
    /// The opacity of the lines, from 0 to 1.
    pub(crate) line_opacity: f32,
    /// Whether only the boxes of the selected source, inside of it, and around it are shown.
    pub(crate) is_selection_only: bool,
    /// The depths of the sources whose boxes are shown. `None` for all.
    pub(crate) depths: Option<RangeInclusive<u32>>,
    /// The sources whose boxes are hidden.
    pub(crate) hidden: Hidden,
    /// Whether boxes have the names of their sources, where there is room.
    pub(crate) has_labels: bool,
    /// The elements whose boxes are shown, and the settings that they follow from.
    shown: Option<(ShownKey, Option<Arc<[bool]>>)>,
}

/// Everything that the shown elements of a model depend on.
#[derive(Clone, Debug, PartialEq)]
struct ShownKey {
    selection: Option<Option<u32>>,
    depths: Option<RangeInclusive<u32>>,
    hidden: Hidden,
    last_element: Option<usize>,
}

impl Default for Readability {
    fn default() -> Self {
        Self {
            is_dimmed: false,
            dimming: 0.75,
            line_opacity: 1.0,
            is_selection_only: false,
            depths: None,
            hidden: Hidden::default(),
            has_labels: false,
            shown: None,
        }
    }
}

impl Readability {
    /// Finds the elements whose boxes are shown, unless they are known. Elements after
    /// `last_element` are not.
    pub(crate) fn update(&mut self, model: &Model, selected: Option<u32>, last_element: Option<usize>) {
        let selection = self.is_selection_only.then_some(selected);
        let (depths, hidden) = (self.depths.clone(), self.hidden.clone());
        let key = ShownKey { selection, depths, hidden, last_element };
        if self.shown.as_ref().is_some_and(|(known, _)| *known == key) {
            return;
        }
        let shows = |source: u32| self.shows(model, source, selected);
        let is_filtered = key.selection.is_some()
            || key.depths.is_some()
            || !key.hidden.is_empty()
            || last_element.is_some();
        let shown = is_filtered.then(|| {
            let sources: Vec<bool> = (0..).zip(model.sources()).map(|(source, _)| shows(source)).collect();
            let last = last_element.unwrap_or(usize::MAX);
            let table = model.drawing.table.iter().enumerate();
            table.map(|(element, info)| element <= last && sources[info.source as usize]).collect()
        });
        self.shown = Some((key, shown));
    }

    /// Forgets the elements of the old model. The hidden sources are those at the same paths.
    pub(crate) fn replace_model(&mut self, old: Option<&Model>, new: &Model) {
        self.hidden = old.map_or_else(Hidden::default, |old| self.hidden.in_model(old, new));
        self.shown = None;
    }

    /// Whether the boxes of a source are shown.
    pub(crate) fn shows(&self, model: &Model, source: u32, selected: Option<u32>) -> bool {
        let depth = model.facts(source).depth;
        let is_around = |inner: u32, outer: u32| (outer..model.facts(outer).end).contains(&inner);
        let is_related = || {
            let is_related = |own| is_around(source, own) || is_around(own, source);
            selected.is_some_and(is_related)
        };
        self.depths.as_ref().is_none_or(|depths| depths.contains(&depth))
            && (!self.is_selection_only || is_related())
            && !self.hidden.covers(source, model)
    }

    /// The emphasis of a picture.
    pub(crate) fn emphasis(&self) -> Emphasis {
        let dimming = if self.is_dimmed { self.dimming } else { 0.0 };
        Emphasis { dimming, line_opacity: self.line_opacity, ..self.emphasis_of_layers() }
    }

    /// The emphasis of a picture whose drawing and lines are layers, which the window dims and
    /// fades itself.
    pub(crate) fn emphasis_of_layers(&self) -> Emphasis {
        Emphasis { shown: self.shown.as_ref().and_then(|(_, shown)| shown.clone()), ..Emphasis::default() }
    }

    /// The opacity of the drawing over the surrounding colour, from 0 to 1.
    pub(crate) fn drawing_opacity(&self) -> f32 {
        1.0 - self.emphasis().dimming
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::tests::{index, model};

    const NESTED: &str = r##"<g id="outer" opacity="0.5"><rect id="a" width="50" height="50"/>
        <g id="inner" opacity="0.5"><rect id="b" x="20" y="20" width="50" height="50"/></g></g>
        <rect id="c" x="90" y="90" width="5" height="5"/>"##;

    /// The names of the sources of the elements that are shown.
    fn shown(readability: &mut Readability, model: &Model, selected: Option<u32>) -> Vec<String> {
        readability.update(model, selected, None);
        let Some(shown) = readability.emphasis().shown else { return vec!["all".to_owned()] };
        assert_eq!(shown.len(), model.drawing.table.len());
        let table = shown.iter().zip(&model.drawing.table).filter(|(is_shown, _)| **is_shown);
        let mut names: Vec<_> = table.map(|(_, info)| model.source(info.source).name.clone()).collect();
        names.sort();
        names.dedup();
        names
    }

    #[test]
    fn only_the_selection_with_its_contents_and_the_groups_around_it_are_shown() {
        let model = model(NESTED);
        let mut readability = Readability::default();
        assert_eq!(shown(&mut readability, &model, None), ["all"]);
        readability.is_selection_only = true;
        assert_eq!(shown(&mut readability, &model, None), [""; 0]);
        let select = |name| Some(index(&model, name));
        assert_eq!(shown(&mut readability, &model, select("a")), ["/svg", "a", "outer"]);
        assert_eq!(shown(&mut readability, &model, select("inner")), ["/svg", "b", "inner", "outer"]);
        readability.depths = Some(2..=3);
        assert_eq!(shown(&mut readability, &model, select("inner")), ["b", "inner"]);
        readability.is_selection_only = false;
        assert_eq!(shown(&mut readability, &model, None), ["a", "b", "inner"]);
    }

    #[test]
    fn another_model_has_its_own_elements() {
        let (old, new) = (model(NESTED), model(r#"<rect id="r" width="9" height="9"/>"#));
        let mut readability = Readability { depths: Some(1..=1), ..Readability::default() };
        assert_eq!(shown(&mut readability, &old, None), ["c", "outer"]);
        readability.replace_model(Some(&old), &new);
        assert_eq!(shown(&mut readability, &new, None), ["r"]);
    }

    #[test]
    fn hidden_sources_are_not_shown_with_their_contents_until_they_are_toggled_again() {
        let (model, new) = (model(NESTED), model(&format!("{NESTED}<g/>")));
        let mut readability = Readability::default();
        readability.hidden.toggle(index(&model, "outer"));
        assert_eq!(shown(&mut readability, &model, None), ["/svg", "c"]);
        readability.replace_model(Some(&model), &new);
        assert_eq!(shown(&mut readability, &new, None), ["/svg", "c"], "it has the same path");
        readability.hidden.toggle(index(&new, "outer"));
        assert_eq!(shown(&mut readability, &new, None), ["all"]);
    }

    #[test]
    fn a_drawing_is_dimmed_only_if_that_is_on() {
        let mut readability = Readability::default();
        assert_eq!(readability.emphasis(), Emphasis::default());
        readability.is_dimmed = true;
        assert_eq!(readability.emphasis().dimming, 0.75);
        assert_eq!(readability.drawing_opacity(), 0.25);
        assert_eq!(readability.emphasis_of_layers(), Emphasis::default());
    }
}
