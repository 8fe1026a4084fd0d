//! The elements that a question names.

use boxwood_svg::{Drawing, Selector};

/// The elements that a question names. Without ids and selectors, these are all elements.
///
/// Both an id and a selector also name everything that a `use` draws of an element.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Ids, or paths such as `/svg/g[2]/rect[1]`.
    pub ids: Vec<String>,
    /// CSS selectors.
    pub selectors: Vec<Selector>,
}

impl Wanted {
    /// Whether nothing is named, so that all elements are wanted.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty() && self.selectors.is_empty()
    }

    /// One [`NotFound`] for each id and selector.
    pub fn all_missing(&self) -> Vec<NotFound> {
        let ids = self.ids.iter().cloned().map(|id| NotFound::Id { id });
        ids.chain(self.selectors.iter().cloned().map(|selector| NotFound::Selector { selector })).collect()
    }

    /// Searches the elements in a drawing.
    pub fn search(&self, drawing: &Drawing) -> Search {
        let ids = self.ids.iter().map(|id| drawing.named(id));
        let all_named = ids.chain(self.selectors.iter().map(|selector| drawing.select(selector)));
        let (mut missing, mut is_wanted) = (Vec::new(), Vec::new());
        for (named, error) in all_named.zip(self.all_missing()) {
            if !named.contains(&true) {
                missing.push(error);
            }
            is_wanted.resize(named.len(), false);
            is_wanted.iter_mut().zip(named).for_each(|(is_wanted, is_named)| *is_wanted |= is_named);
        }
        Search { is_wanted: (!self.is_empty()).then_some(is_wanted), missing }
    }
}

/// The wanted elements of a drawing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// For each source, and then for each unlisted element, whether it is named. `None` if all
    /// elements are wanted.
    is_wanted: Option<Vec<bool>>,
    /// The ids and selectors that no element has.
    pub missing: Vec<NotFound>,
}

impl Search {
    /// Whether an element is wanted. `order` is its index in the
    /// [sources](boxwood_svg::Drawing::sources) of the drawing, followed by the
    /// [unlisted](boxwood_svg::Drawing::unlisted) elements.
    pub fn is_wanted(&self, order: usize) -> bool {
        self.is_wanted.as_ref().is_none_or(|is_wanted| is_wanted[order])
    }
}

/// No element has an id or a path, or matches a selector. The message says what may have been
/// meant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotFound {
    /// No element has the id or path.
    #[error("no element has the id or path `{id}`{}", hint(id))]
    Id {
        /// The id or path.
        id: String,
    },
    /// No element matches the selector.
    #[error("no element matches the selector `{selector}`")]
    Selector {
        /// The selector.
        selector: Selector,
    },
}

/// What may have been meant by an id.
fn hint(id: &str) -> String {
    match id.strip_prefix('#') {
        Some(id) => format!(": an id is written without #, as `{id}`, unless it is in a selector"),
        None if id.contains(',') => ": an option has one id, so repeat it for each one".to_owned(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use boxwood_svg::Options;

    use super::*;

    #[test]
    fn named_elements_are_found() -> Result<(), boxwood_svg::Error> {
        let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">
            <rect id="a" width="1" height="1"/><rect id="b" width="1" height="1"/><defs id="d"/></svg>"#;
        let drawing = boxwood_svg::load(svg.as_bytes(), &Options::default())?;
        let is_wanted = |ids: &[&str], selectors: &[&str]| {
            let ids = ids.iter().map(ToString::to_string).collect();
            let selectors = selectors.iter().map(|text| text.parse().expect("it is a selector")).collect();
            let search = Wanted { ids, selectors }.search(&drawing);
            let missing: Vec<_> = search.missing.iter().map(ToString::to_string).collect();
            ([0, 1, 2, 3].map(|order| search.is_wanted(order)), missing)
        };
        assert_eq!(is_wanted(&[], &[]), ([true; 4], vec![]));
        assert_eq!(is_wanted(&["d"], &["#b"]), ([false, false, true, true], vec![]));
        let missing = ["no element has the id or path `c`", "no element matches the selector `circle`"];
        assert_eq!(is_wanted(&["a", "c"], &["circle"]).1, missing);
        Ok(())
    }
}
