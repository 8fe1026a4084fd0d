//! Filters of sources: by text, by kind, and by CSS selectors.

use boxwood_svg::{Selector, SelectorError, Source, SourceKind};

use super::{Model, Visibility};

/// The sources of one kind, or in one state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum KindFilter {
    #[default]
    All,
    Groups,
    Shapes,
    Images,
    Texts,
    Clipping,
    Filtered,
    NotVisible,
}

impl KindFilter {
    pub(crate) const ALL: [Self; 8] = [
        Self::All,
        Self::Groups,
        Self::Shapes,
        Self::Images,
        Self::Texts,
        Self::Clipping,
        Self::Filtered,
        Self::NotVisible,
    ];

    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::All => "all kinds",
            Self::Groups => "groups",
            Self::Shapes => "shapes",
            Self::Images => "images",
            Self::Texts => "texts",
            Self::Clipping => "with a clip",
            Self::Filtered => "filtered",
            Self::NotVisible => "not visible",
        }
    }

    fn matches(self, model: &Model, index: usize) -> bool {
        let (source, facts) = (&model.sources()[index], &model.facts[index]);
        match self {
            Self::All => true,
            Self::Groups => matches!(source.kind, SourceKind::Group | SourceKind::Svg),
            Self::Shapes => source.kind == SourceKind::Path,
            Self::Images => source.kind == SourceKind::Image,
            Self::Texts => matches!(source.kind, SourceKind::Text | SourceKind::TextPart),
            Self::Clipping => facts.clips,
            Self::Filtered => facts.is_filtered,
            Self::NotVisible => facts.visibility != Visibility::Visible,
        }
    }
}

/// A filter of sources.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Filter {
    /// A part of the tag, the name, or the class, ignoring case; or CSS selectors.
    pub(crate) text: String,
    pub(crate) is_selector: bool,
    pub(crate) kind: KindFilter,
}

impl Filter {
    /// Whether every source passes.
    pub(crate) fn is_empty(&self) -> bool {
        self.text.trim().is_empty() && self.kind == KindFilter::All
    }

    /// Whether each source of a drawing passes.
    pub(crate) fn matches(&self, model: &Model) -> Result<Vec<bool>, SelectorError> {
        let text = self.text.trim();
        let mut passes = if text.is_empty() {
            vec![true; model.sources().len()]
        } else if self.is_selector {
            // The elements that are not sources follow.
            model.drawing.select(&text.parse::<Selector>()?)
        } else {
            let text = text.to_lowercase();
            model.sources().iter().map(|source| has_text(source, &text)).collect()
        };
        passes.truncate(model.sources().len());
        for (index, passes) in passes.iter_mut().enumerate() {
            *passes &= self.kind.matches(model, index);
        }
        Ok(passes)
    }
}

/// Whether the tag, the name, or the class has a text in lower case.
fn has_text(source: &Source, text: &str) -> bool {
    let has = |searched: &str| {
        // Most names are ASCII, which need no copy.
        if searched.is_ascii() {
            let (searched, text) = (searched.as_bytes(), text.as_bytes());
            searched.windows(text.len()).any(|window| window.eq_ignore_ascii_case(text))
        } else {
            searched.to_lowercase().contains(text)
        }
    };
    has(&source.tag) || has(&source.name) || has(&source.class)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::tests::model;

    fn found(filter: &Filter) -> Vec<String> {
        let model = model(
            r##"<clipPath id="k"><rect width="5" height="5"/></clipPath>
            <g id="Logo" class="mark"><rect id="a" width="9" height="9"/><path id="ÄÖ" d="M0 0h9v9z"/></g>
            <rect id="cut" class="mark" width="9" height="9" clip-path="url(#k)"/>
            <rect id="off" x="300" width="9" height="9"/>"##,
        );
        let passes = filter.matches(&model).expect("the filter is correct");
        let found = model.sources().iter().zip(passes).filter(|(_, passes)| *passes);
        found.map(|(source, _)| source.name.clone()).collect()
    }

    #[test]
    fn a_text_is_searched_in_tags_names_and_classes_ignoring_case() {
        let text = |text: &str| found(&Filter { text: text.to_owned(), ..Filter::default() });
        assert_eq!(text("logo"), ["Logo"]);
        assert_eq!(text("RECT"), ["a", "cut", "off"]);
        assert_eq!(text(" mark "), ["Logo", "cut"]);
        assert_eq!(text("äö"), ["ÄÖ"]);
        assert_eq!(text("nothing"), [""; 0]);
        assert!(Filter { text: " ".to_owned(), ..Filter::default() }.is_empty());
    }

    #[test]
    fn a_selector_and_a_kind_must_both_pass() {
        let mut filter =
            Filter { text: "g > rect, .mark".to_owned(), is_selector: true, kind: KindFilter::All };
        assert_eq!(found(&filter), ["Logo", "a", "cut"]);
        filter.kind = KindFilter::Shapes;
        assert_eq!(found(&filter), ["a", "cut"]);
        filter.kind = KindFilter::Clipping;
        assert_eq!(found(&filter), ["cut"]);
        let not_visible = Filter { kind: KindFilter::NotVisible, ..Filter::default() };
        assert_eq!(found(&not_visible), ["off"]);
        let wrong = Filter { text: "g >".to_owned(), is_selector: true, kind: KindFilter::All };
        assert!(wrong.matches(&model("")).is_err());
    }
}
