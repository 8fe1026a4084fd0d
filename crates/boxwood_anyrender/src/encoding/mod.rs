//! The commands of a `vello_encoding::Encoding`, such as that of a `vello::Scene`.
//!
//! [`draw_encoding`] draws an encoding into any [`PaintScene`](anyrender::PaintScene). With a
//! [`Recorder`](crate::Recorder) as the target, a scene of Vello has boxes:
//!
//! ```
//! use boxwood_anyrender::{Aabb, Recorder, encoding::draw_encoding};
//! use kurbo::{Affine, Circle};
//! use peniko::{Color, Fill};
//! use vello_encoding::{Encoding, Transform};
//!
//! // The same as `vello::Scene::fill`, which has the encoding in `scene.encoding()`.
//! let mut encoding = Encoding::new();
//! encoding.encode_transform(Transform::IDENTITY);
//! encoding.encode_fill_style(Fill::NonZero);
//! encoding.encode_shape(&Circle::new((50.0, 50.0), 9.5), true);
//! encoding.encode_color(Color::WHITE);
//!
//! let mut recorder = Recorder::new([640, 480]);
//! draw_encoding(&encoding, Affine::IDENTITY, &mut recorder)?;
//! let frame = recorder.finish()?;
//! assert_eq!(frame.bounds(), Aabb { x0: 40.0, y0: 40.0, x1: 60.0, y1: 60.0 });
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is approximated
//!
//! An encoding has colours of 8 bits per channel, premultiplied, and coordinates of 32 bits. So a
//! picture may differ by rounding from one of the commands that were encoded.
//!
//! | in the encoding | as a command |
//! |---|---|
//! | a luminance mask | a layer with [`Compose::DestIn`](peniko::Compose::DestIn) and a filter for the luminance, which few back ends have: see [`draw_encoding_with_masks`] |
//! | a clip to a stroke | a clip to the outline of the stroke |
//! | the joins of emboldened glyphs | the default of the back end |
//! | a layer that is not popped | popped at the end, as Vello does |

mod draw;
mod error;
mod objects;
mod paints;

pub use self::draw::{draw_encoding, draw_encoding_with_masks};
pub use self::error::EncodingError;
pub use self::objects::{EncodedObjects, EncodedPath, PathStyle};
