//! `@font-face` rules.

use cssparser::{
    AtRuleParser, CowRcStr, DeclarationParser, ParseError, Parser, ParserState, QualifiedRuleParser,
    RuleBodyItemParser, RuleBodyParser, Token,
};

use super::grammar::{invalid, rest_of_function};

/// A font that a style sheet declares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FontFace {
    pub(crate) family: String,
    /// The addresses of its files, in order of preference.
    pub(crate) addresses: Vec<String>,
    /// The lowest and the highest weight.
    pub(crate) weights: [u16; 2],
    pub(crate) is_italic: bool,
    /// The position of the rule in the document.
    pub(crate) at: usize,
}

type Result<T> = std::result::Result<T, ParseError<()>>;

impl FontFace {
    /// Parses the inside of a rule.
    pub(super) fn parse(input: &mut Parser<'_>, at: usize) -> Self {
        let mut face = Self { weights: [400; 2], at, ..Self::default() };
        RuleBodyParser::new(input, &mut face).for_each(drop);
        face
    }
}

impl<'t> DeclarationParser<'t> for FontFace {
    type Declaration = ();
    type Error = ();

    fn parse_value(
        &mut self,
        name: CowRcStr<'t>,
        input: &mut Parser<'t>,
        _start: &ParserState,
    ) -> Result<()> {
        match &*name.to_ascii_lowercase() {
            "font-family" => self.family = family(input)?,
            "src" => {
                let sources = input.parse_comma_separated(source)?;
                self.addresses = sources.into_iter().flatten().collect();
            }
            "font-weight" => self.weights = weights(input)?,
            "font-style" => {
                self.is_italic = !input.expect_ident()?.eq_ignore_ascii_case("normal");
                while input.next().is_ok() {}
            }
            _ => while input.next().is_ok() {},
        }
        Ok(())
    }
}

impl AtRuleParser<'_> for FontFace {
    type Prelude = ();
    type AtRule = ();
    type Error = ();
}

impl QualifiedRuleParser<'_> for FontFace {
    type Prelude = ();
    type QualifiedRule = ();
    type Error = ();
}

impl RuleBodyItemParser<'_, (), ()> for FontFace {
    fn parse_declarations(&self) -> bool {
        true
    }

    fn parse_qualified(&self) -> bool {
        false
    }
}

/// The name of a family: a string, or words.
fn family(input: &mut Parser<'_>) -> Result<String> {
    if let Ok(name) = input.try_parse(|input| input.expect_string().map(|name| name.to_string())) {
        return Ok(name);
    }
    let mut words = vec![input.expect_ident()?.to_string()];
    while let Ok(word) = input.try_parse(|input| input.expect_ident().map(|word| word.to_string())) {
        words.push(word);
    }
    Ok(words.join(" "))
}

/// The address of a source. `None` for the name of an installed font.
fn source(input: &mut Parser<'_>) -> Result<Option<String>> {
    let address = input.try_parse(|input| input.expect_url().map(|address| address.to_string())).ok();
    // What follows is the format, which the file has as well.
    while let Ok(token) = input.next() {
        if matches!(token, Token::Function(_)) {
            rest_of_function(input)?;
        }
    }
    Ok(address)
}

/// One weight or two.
fn weights(input: &mut Parser<'_>) -> Result<[u16; 2]> {
    fn weight(input: &mut Parser<'_>) -> Result<u16> {
        match input.next()? {
            Token::Ident(word) if word.eq_ignore_ascii_case("normal") => Ok(400),
            Token::Ident(word) if word.eq_ignore_ascii_case("bold") => Ok(700),
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to 1000")]
            Token::Number { value, .. } if (1.0..=1000.0).contains(value) => Ok(*value as u16),
            _ => invalid(),
        }
    }
    let first = weight(input)?;
    let second = input.try_parse(weight).unwrap_or(first);
    Ok([first.min(second), first.max(second)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_are_parsed() {
        let face = |text: &str| FontFace::parse(&mut Parser::new(text), 0);
        let whole = face(
            "font-family: 'My Font'; src: local('My Font'), url(data:a) format('woff2') tech(variations), \
             url(\"b\"); font-weight: 700 100; font-style: oblique 10deg; unicode-range: U+0-7f",
        );
        assert_eq!(whole.family, "My Font");
        assert_eq!(whole.addresses, ["data:a", "b"]);
        assert_eq!((whole.weights, whole.is_italic), ([100, 700], true));
        let short = face("font-family: My Font; font-weight: bold; font-weight: foo");
        assert_eq!((&*short.family, short.weights, short.is_italic), ("My Font", [700, 700], false));
    }
}
