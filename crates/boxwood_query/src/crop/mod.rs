//! Drawings without the empty space around what they paint.

mod check;
mod start_tag;
mod view;

use boxwood_svg::{Drawing, NoBox, Options, WarningKind};

use self::check::check;
use self::start_tag::StartTag;
use self::view::View;
use crate::ink::Ink;
use crate::units::Length;
use crate::wanted::{NotFound, Wanted};

/// What is added to the ink of a drawing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Margin {
    /// The space on each side.
    pub padding: Length,
    /// Whether the canvas becomes square, with the contents in the middle.
    pub is_square: bool,
}

/// Why a drawing cannot be cropped. The messages are about the drawing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CropError {
    /// A wanted element is not there.
    #[error(transparent)]
    NotFound(#[from] NotFound),
    /// Nothing is visible.
    #[error("nothing is painted on its canvas")]
    Blank,
    /// The wanted elements have no box.
    #[error("what it is cropped to has no box: it {reason}")]
    NoBox {
        /// The reason.
        reason: NoBox,
    },
    /// The ink of a `foreignObject` is not known.
    #[error("what a <foreignObject> paints is not known here: name elements without one")]
    ForeignObject,
    /// The ink of a text is not known, because there is no font.
    #[error("a text has no box without a font: give one, or name elements without texts")]
    NoFont,
    /// The start tag of the root is not found.
    #[error("the root is not found")]
    NoRoot,
    /// The root has a transform.
    #[error("its root has a transform: put that on a group inside of the root")]
    Transform,
    /// The width or the height of the root is not a length.
    #[error("the {attribute} of its root is `{value}`: write a number with a unit")]
    NotLength {
        /// `width` or `height`.
        attribute: &'static str,
        /// The value.
        value: String,
    },
    /// The root has either a width or a height, and no `viewBox`.
    #[error("its root has only one of width and height: add the other one, or a viewBox")]
    OneSide,
    /// Either the width or the height is a percentage.
    #[error("only one of the width and the height of its root is a percentage: use the same unit for both")]
    OnePercentage,
    /// The cropped drawing cannot be loaded.
    #[error("the cropped drawing cannot be loaded")]
    Load(#[from] boxwood_svg::Error),
    /// Something else than its attributes sets the size of the root.
    #[error("its size is not set by the attributes of its root alone: look at its styles")]
    SizeOfStyles,
    /// An element depends on the size of the canvas.
    #[error("{element} depends on the size of the canvas, as percentages do: use other units for it")]
    RelativeElement {
        /// The element and its position.
        element: String,
    },
    /// A style depends on the size of the canvas.
    #[error(
        "the style of {name} depends on the size of the canvas, by @media or relative units: remove that"
    )]
    RelativeStyle {
        /// The name of the element with the style.
        name: String,
    },
    /// A gradient depends on the size of the canvas.
    #[error("a gradient depends on the size of the canvas, as percentages do: use other units for it")]
    RelativeGradient,
    /// Something that the old canvas cuts off would become visible.
    #[error(
        "the margin would show a part of {element} that the canvas cuts off: use less padding, or no square"
    )]
    Uncovered {
        /// The element and its position.
        element: String,
    },
}

/// Crops a drawing to the wanted elements, and returns its new text. `None` if the drawing is
/// cropped already.
///
/// This sets the `viewBox` of the root, and its width and height in their units. Every other byte
/// stays. If the drawing was loaded without [`Options::clip_to_viewport`], what sticks out of its
/// `viewBox` counts, and is visible afterwards. `text` is the decompressed text that the drawing
/// was loaded from with these options.
///
/// ```
/// use boxwood_query::{Margin, Wanted, crop};
///
/// let svg = br#"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="80">
///     <rect id="r" x="10" y="10" width="30" height="20"/></svg>"#;
/// let options = boxwood_svg::Options::default();
/// let drawing = boxwood_svg::load(svg, &options)?;
/// let cropped = crop(svg, &drawing, &options, Margin::default(), &Wanted::default())?;
/// let expected = br#"<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20" viewBox="10 10 30 20">"#;
/// assert!(cropped.is_some_and(|text| text.starts_with(expected)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// See [`CropError`]. The cropped drawing is loaded, and compared with a part of the old one: it is
/// an error if something in it depends on the size of the canvas.
pub fn crop(
    text: &[u8],
    drawing: &Drawing,
    options: &Options,
    margin: Margin,
    wanted: &Wanted,
) -> Result<Option<Vec<u8>>, CropError> {
    let search = wanted.search(drawing);
    if let Some(missing) = search.missing.first() {
        return Err(missing.clone().into());
    }
    // Before the ink is looked for: a drawing of texts alone would be blank.
    let unknown = drawing.unknown_ink().into_iter().enumerate();
    match unknown.filter(|(order, _)| search.is_wanted(*order)).find_map(|(_, kind)| kind) {
        Some(WarningKind::ForeignObject) => return Err(CropError::ForeignObject),
        Some(_) => return Err(CropError::NoFont),
        None => {}
    }
    let ink = Ink::new(drawing)
        .of(|order| search.is_wanted(order))
        .map_err(|reason| if wanted.is_empty() { CropError::Blank } else { CropError::NoBox { reason } })?;
    // In the bytes of the file rather than in the text of the loader, so that the encoding and
    // every other byte stay.
    let tag = StartTag::find(text).ok_or(CropError::NoRoot)?;
    if tag.value("transform").is_some() {
        return Err(CropError::Transform);
    }
    let Some(view) = View::around(ink, drawing, margin)? else { return Ok(None) };
    let attributes = view.attributes(&tag, drawing.view_box().is_some())?;
    let cropped = tag.with(&attributes.values);
    // Percentages, for example, depend on the canvas. Rather than to list all that does, the
    // new drawing is compared with the old one.
    let reloaded = boxwood_svg::load(&cropped, options)?;
    check(drawing, &reloaded, &view, attributes.is_relative, options.clip_to_viewport)?;
    Ok(Some(cropped))
}
