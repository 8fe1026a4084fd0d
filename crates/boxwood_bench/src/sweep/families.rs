//! The families of inputs that a sweep measures.

use boxwood_inputs::{Family, JsonFamily, NoSuchFamily, families, json_families};

/// The families that the options select.
#[derive(Debug)]
pub(super) struct Families {
    /// The families of scenes.
    pub(super) scenes: Vec<Family>,
    /// The families of JSON texts.
    pub(super) texts: Vec<JsonFamily>,
}

impl Families {
    /// The families with these names, or every family if there are no names. A name of one kind of
    /// input selects nothing of the other kind.
    ///
    /// # Errors
    ///
    /// [`NoSuchFamily`] if a name is of no family of either kind.
    pub(super) fn selected(names: &[String]) -> Result<Self, NoSuchFamily> {
        let (mut scenes, mut texts) = (families(), json_families().to_vec());
        let known = || scenes.iter().map(|family| family.name).chain(texts.iter().map(|family| family.name));
        if let Some(unknown) = names.iter().find(|name| known().all(|known| known != name.as_str())) {
            return Err(NoSuchFamily::new(unknown, known()));
        }
        let is_selected = |own: &str| names.is_empty() || names.iter().any(|name| name == own);
        scenes.retain(|family| is_selected(family.name));
        texts.retain(|family| is_selected(family.name));
        Ok(Self { scenes, texts })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selected(names: &[&str]) -> Result<(Vec<&'static str>, Vec<&'static str>), NoSuchFamily> {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let Families { scenes, texts } = Families::selected(&names)?;
        Ok((scenes.iter().map(|own| own.name).collect(), texts.iter().map(|own| own.name).collect()))
    }

    #[test]
    fn names_select_families_of_either_kind() {
        assert_eq!(selected(&["lines"]), Ok((vec![], vec!["lines"])));
        assert_eq!(selected(&["lines", "comb"]), Ok((vec!["comb"], vec!["lines"])));
        let (scenes, texts) = selected(&[]).expect("no name is unknown");
        assert_eq!((scenes.len(), texts.len()), (families().len(), json_families().len()));
    }

    #[test]
    fn an_unknown_name_is_an_error_with_the_known_names() {
        let error = selected(&["lines", "cobweb"]).expect_err("no family has this name");
        assert_eq!(error.name, "cobweb");
        assert!(error.known.contains("\"comb\"") && error.known.contains("\"lines\""), "{error}");
    }
}
