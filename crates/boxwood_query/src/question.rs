//! Questions as lists of words, for bindings to other languages.
//!
//! The name of an option is before each value, such as `["kind", "clipped", "id", "logo"]`. So a
//! binding needs neither a parser nor glue code for the types of questions:
//!
//! ```
//! use boxwood_query::{BoxKind, question};
//!
//! let words = ["kind", "clipped", "id", "logo"].map(str::to_owned);
//! assert_eq!(question::boxes_query(&words)?.kinds, [BoxKind::Clipped]);
//! # Ok::<(), question::QuestionError>(())
//! ```

use std::error::Error;
use std::fmt::Display;
use std::str::FromStr;

use crate::crop::Margin;
use crate::findings::FindingsQuery;
use crate::place::{place_at, place_within};
use crate::query::BoxesQuery;
use crate::units::Length;
use crate::wanted::Wanted;
use crate::words::ObjectPart;

/// An option is unknown, or its value has no meaning.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct QuestionError {
    message: String,
}

impl QuestionError {
    fn new(message: impl Display) -> Self {
        Self { message: message.to_string() }
    }
}

/// Parses a question about boxes: pairs of an option and a value.
///
/// # Errors
///
/// An option is unknown, or its value has no meaning.
pub fn boxes_query(words: &[String]) -> Result<BoxesQuery, QuestionError> {
    let mut query = BoxesQuery::default();
    for (option, value) in pairs(words) {
        match option {
            "kind" => query.kinds.push(parsed(value)?),
            "include" => {
                let parts: Result<Vec<ObjectPart>, QuestionError> = value.split(',').map(parsed).collect();
                query.include.push(ObjectPart::set(parts?));
            }
            "space" => query.space = parsed(value)?,
            "zoom" => {
                let zoom = value
                    .parse()
                    .map_err(|_| QuestionError::new(format!("zoom `{value}` is not a number")))?;
                query.zoom = Some(zoom);
            }
            "unit" => query.unit = parsed(value)?,
            "at" | "within" if query.place.is_some() => {
                return Err(QuestionError::new("`at` and `within` are two places: leave one of them out"));
            }
            "at" => {
                let place = place_at(numbers(value)?);
                query.place = Some(place.map_err(|error| QuestionError::new(format!("at: {error}")))?);
            }
            "within" => {
                let place = place_within(numbers(value)?);
                query.place = Some(place.map_err(|error| QuestionError::new(format!("within: {error}")))?);
            }
            "precise" => query.precise = true,
            _ => add_wanted(&mut query.wanted, option, value)?,
        }
    }
    Ok(query)
}

/// Parses the elements that a question is about.
///
/// # Errors
///
/// An option is unknown, or its value has no meaning.
pub fn wanted(words: &[String]) -> Result<Wanted, QuestionError> {
    let mut wanted = Wanted::default();
    pairs(words).try_for_each(|(option, value)| add_wanted(&mut wanted, option, value))?;
    Ok(wanted)
}

/// Parses a question about findings.
///
/// # Errors
///
/// An option is unknown, or its value has no meaning.
pub fn findings_query(words: &[String]) -> Result<FindingsQuery, QuestionError> {
    let (mut kinds, mut of_view_box) = (Vec::new(), false);
    for (option, value) in pairs(words) {
        match option {
            "kind" => kinds.push(parsed(value)?),
            "viewBox" => of_view_box = true,
            _ => return Err(unknown(option)),
        }
    }
    let kinds = if kinds.is_empty() { FindingsQuery::default().kinds } else { kinds };
    Ok(FindingsQuery { kinds, of_view_box })
}

/// Parses what a drawing is cropped to.
///
/// # Errors
///
/// An option is unknown, or its value has no meaning.
pub fn crop_question(words: &[String]) -> Result<(Margin, Wanted), QuestionError> {
    let (mut margin, mut wanted) = (Margin::default(), Wanted::default());
    for (option, value) in pairs(words) {
        match option {
            "padding" => {
                let padding: Result<Length, _> = value.parse();
                margin.padding =
                    padding.map_err(|error| QuestionError::new(format!("padding `{value}`: {error}")))?;
            }
            "square" => margin.is_square = true,
            _ => add_wanted(&mut wanted, option, value)?,
        }
    }
    Ok((margin, wanted))
}

/// The messages of an error and its sources, for an exception of another language.
pub fn chain(error: &dyn Error) -> String {
    let sources = std::iter::successors(error.source(), |error: &&dyn Error| (*error).source());
    sources.fold(error.to_string(), |text, source| format!("{text}: {source}"))
}

fn add_wanted(wanted: &mut Wanted, option: &str, value: &str) -> Result<(), QuestionError> {
    match option {
        "id" => wanted.ids.push(value.to_owned()),
        "select" => wanted.selectors.push(parsed(value)?),
        _ => return Err(unknown(option)),
    }
    Ok(())
}

/// The pairs of an option and its value.
fn pairs(words: &[String]) -> impl Iterator<Item = (&str, &str)> {
    words.chunks_exact(2).map(|pair| (&*pair[0], &*pair[1]))
}

/// The numbers in a list that is separated by commas. JavaScript and Python write them as Rust parses them.
fn numbers<const N: usize>(text: &str) -> Result<[f64; N], QuestionError> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(str::parse).collect();
    let array = numbers.ok().and_then(|numbers| numbers.try_into().ok());
    array.ok_or_else(|| QuestionError::new(format!("`{text}` must be {N} numbers")))
}

/// Parses a word or a selector.
fn parsed<T: FromStr<Err: Display>>(value: &str) -> Result<T, QuestionError> {
    value.parse().map_err(QuestionError::new)
}

fn unknown(option: &str) -> QuestionError {
    QuestionError::new(format!("there is no option `{option}` here"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BoxKind, FindingKind, Place, Space, Unit};

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(|word| if word == "_" { String::new() } else { word.to_owned() }).collect()
    }

    #[test]
    fn questions_are_parsed() -> Result<(), Box<dyn Error>> {
        let query = boxes_query(&words("kind leaf kind clip id a select g>path unit mm"))?;
        assert_eq!((query.kinds, query.unit), (vec![BoxKind::Leaf, BoxKind::Clip], Unit::Mm));
        assert_eq!((&*query.wanted.ids[0], query.wanted.selectors.len()), ("a", 1));
        let query = boxes_query(&words("include fill,clipped include stroke space device zoom 1e1"))?;
        assert_eq!((query.include.len(), query.space, query.zoom), (2, Space::Device, Some(10.0)));
        let query = boxes_query(&words("at 1,-2.5 precise _"))?;
        assert_eq!((query.place, query.precise), (Some(Place::Point([1.0, -2.5])), true));
        let query = findings_query(&words("kind sticks-out viewBox _"))?;
        assert_eq!((query.kinds, query.of_view_box), (vec![FindingKind::SticksOut], true));
        assert_eq!(findings_query(&[])?, FindingsQuery::default());
        let (margin, elements) = crop_question(&words("padding 2mm square _ id a"))?;
        assert_eq!((margin.padding, margin.is_square, &*elements.ids[0]), ("2mm".parse()?, true, "a"));
        Ok(())
    }

    #[test]
    fn wrong_questions_are_refused() {
        let error = |text: &str| boxes_query(&words(text)).err().map(|error| error.to_string());
        assert_eq!(error("zoom x").as_deref(), Some("zoom `x` is not a number"));
        assert_eq!(error("at 1").as_deref(), Some("`1` must be 2 numbers"));
        assert_eq!(error("at 1,x").as_deref(), Some("`1,x` must be 2 numbers"));
        assert_eq!(error("at NaN,1").as_deref(), Some("at: it must be two numbers, such as 10,20"));
        let places = "at 1,2 within 1,2,3,4";
        assert_eq!(error(places).as_deref(), Some("`at` and `within` are two places: leave one of them out"));
        assert_eq!(error("padding 1").as_deref(), Some("there is no option `padding` here"));
        assert!(wanted(&words("kind leaf")).is_err() && wanted(&words("select ##")).is_err());
        assert!(findings_query(&words("id a")).is_err() && crop_question(&words("padding -1")).is_err());
    }
}
