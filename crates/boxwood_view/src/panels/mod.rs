//! The legend and messages: panels over the picture, laid out as small SVG drawings.

mod legend;
mod message;
mod panel;
mod text;

use crate::error::RenderError;
use crate::overlay::OverlayKinds;
pub(crate) use legend::with_legend_below;
pub use message::{Message, Severity};
pub(crate) use panel::{Panel, holes};

/// The panels over a picture of this size: a legend of the kinds, and a message.
///
/// There are never more panels than [`Holes`](crate::overlay::Holes). `scale_factor` is the number
/// of device pixels per logical pixel.
pub(crate) fn panels(
    legend_of: Option<OverlayKinds>,
    message: Option<&Message>,
    size: [u32; 2],
    scale_factor: f64,
) -> Result<Vec<Panel>, RenderError> {
    let legend = legend_of.map(|kinds| legend::legend(kinds, size, scale_factor)).transpose()?;
    let message = message.map(|message| message.panel(size, scale_factor)).transpose()?;
    Ok(legend.flatten().into_iter().chain(message).collect())
}
