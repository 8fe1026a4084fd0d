//! The uniforms of `overlay.wgsl`.

use bytemuck::{Pod, Zeroable};
use kurbo::{TranslateScale, Vec2};

use super::kinds::{OverlayKinds, OverlayStyle};

/// Device coordinates are clamped to ±2²² pixels: far outside any picture, and `f32` still
/// resolves half a pixel there.
const MAX_COORDINATE: f32 = 4_194_304.0;

/// A rectangle that the overlay leaves free: `x0, y0, x1, y1` in device pixels. Ends are exclusive.
pub(crate) type Hole = [i32; 4];

/// The position of boxes in a picture. Same layout as `View` of `overlay.wgsl`.
///
/// The scene point at the picture's origin is the sum of two `f32`. The difference of a box to it
/// is then nearly exact for boxes near the picture, so outlines stay in place at any zoom.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct OverlayView {
    pub(crate) origin_high: [f32; 2],
    pub(crate) origin_low: [f32; 2],
    /// Device pixels per scene unit.
    pub(crate) scale: f32,
    /// [`MAX_COORDINATE`] in scene units.
    pub(crate) max_offset: f32,
    /// The size of the picture in device pixels.
    pub(crate) size: [i32; 2],
    pub(crate) hole: Hole,
}

impl OverlayView {
    #[expect(clippy::cast_possible_truncation, reason = "the overlay is computed in f32")]
    pub(crate) fn new(view: TranslateScale, size: [u32; 2], hole: Hole) -> Self {
        // Infinity must not reach a shader, and a few sums of values within the limit stay finite.
        let limit = f64::from(f32::MAX) / 16.0;
        let Vec2 { x, y } = view.inverse().translation;
        let origin = [x, y].map(|value| value.clamp(-limit, limit));
        Self {
            origin_high: origin.map(|value| value as f32),
            origin_low: origin.map(|value| (value - f64::from(value as f32)) as f32),
            scale: view.scale as f32,
            max_offset: (f64::from(MAX_COORDINATE) / view.scale).min(limit) as f32,
            size: size.map(signed),
            hole,
        }
    }
}

/// The line of one kind of box. Same layout as `Style` of `overlay.wgsl`.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct LineStyle {
    color: [f32; 4],
    /// Bit i is set if pixel i of each `dash_period` pixels along an edge is painted.
    dash_bits: u32,
    dash_period: u32,
    /// 1 if the boxes belong to entries of the node stream, 0 if they belong to elements.
    of_entries: u32,
    padding: u32,
}

impl LineStyle {
    /// The same line with an opacity from 0 to 1.
    pub(crate) fn with_opacity(mut self, opacity: f32) -> Self {
        self.color[3] = opacity.clamp(0.0, 1.0);
        self
    }

    /// Whether the pixel at a position along an edge is painted.
    pub(crate) fn covers(&self, position: u32) -> bool {
        self.dash_bits >> (position % self.dash_period) & 1 == 1
    }
}

impl From<&OverlayStyle> for LineStyle {
    fn from(style: &OverlayStyle) -> Self {
        let [red, green, blue] = style.color.map(|channel| f32::from(channel) / 255.0);
        // A solid line is one dash without a gap.
        let dashes = if style.dash.is_empty() { &[1] } else { style.dash };
        let (mut dash_bits, mut dash_period) = (0, 0);
        for (index, &length) in dashes.iter().enumerate() {
            let is_dash = index % 2 == 0;
            if is_dash {
                dash_bits |= ((1 << length) - 1) << dash_period;
            }
            dash_period += u32::from(length);
        }
        let of_entries = OverlayKinds::OF_ENTRIES.contains(style.kind).into();
        Self { color: [red, green, blue, 1.0], dash_bits, dash_period, of_entries, padding: 0 }
    }
}

/// A number of pixels as a coordinate. No device has pictures of more than `i32::MAX` pixels.
pub(crate) fn signed(pixels: u32) -> i32 {
    i32::try_from(pixels).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use std::mem::offset_of;

    use wgpu::naga;

    use super::*;
    use crate::overlay::OVERLAY_STYLES;

    #[test]
    fn dashes_have_a_bit_for_each_pixel() {
        let lines = OVERLAY_STYLES.each_ref().map(LineStyle::from);
        assert_eq!(
            lines.map(|line| (line.dash_bits, line.dash_period)),
            [(0b1, 3), (1, 1), (0b11_1111, 10), (0b1_1000_1111_1111, 16)]
        );
    }

    /// The members of a struct of `overlay.wgsl` with their offsets, and the size of the struct.
    fn wgsl_layout(name: &str) -> (Vec<(String, usize)>, usize) {
        let source = boxwood_shaders::view::OVERLAY.source;
        let module = naga::front::wgsl::parse_str(source).expect("the build has validated it");
        let mut types = module.types.iter();
        let (_, found) = types.find(|(_, t)| t.name.as_deref() == Some(name)).expect("the struct exists");
        let naga::TypeInner::Struct { members, span } = &found.inner else {
            panic!("{name} is not a struct");
        };
        let member = |m: &naga::StructMember| (m.name.clone().expect("a name"), m.offset as usize);
        (members.iter().map(member).collect(), *span as usize)
    }

    #[test]
    fn uniforms_have_the_layout_of_the_shader() {
        let named = |members: &[(&str, usize)]| -> Vec<_> {
            members.iter().map(|&(name, offset)| (name.to_owned(), offset)).collect()
        };
        let style = [
            ("color", offset_of!(LineStyle, color)),
            ("dash_bits", offset_of!(LineStyle, dash_bits)),
            ("dash_period", offset_of!(LineStyle, dash_period)),
            ("of_entries", offset_of!(LineStyle, of_entries)),
        ];
        assert_eq!(wgsl_layout("Style"), (named(&style), size_of::<LineStyle>()));
        let view = [
            ("origin_high", offset_of!(OverlayView, origin_high)),
            ("origin_low", offset_of!(OverlayView, origin_low)),
            ("scale", offset_of!(OverlayView, scale)),
            ("max_offset", offset_of!(OverlayView, max_offset)),
            ("size", offset_of!(OverlayView, size)),
            ("hole", offset_of!(OverlayView, hole)),
        ];
        assert_eq!(wgsl_layout("View"), (named(&view), size_of::<OverlayView>()));
    }
}
