//! The paints and the blend modes of draw objects.

use anyrender::Paint;
use kurbo::Point;
use peniko::color::{PremulRgba8, Srgb};
use peniko::{
    BlendMode, Brush, Color, Compose, Extend, Gradient, ImageBrush, ImageQuality, ImageSampler, Mix,
};
use vello_encoding::{DrawTag, Encoding, Patch};

use super::EncodingError;

/// The paint of a draw object that is not a begin, an end, or a blurred rectangle.
pub(super) fn paint(
    draw_object: usize,
    tag: DrawTag,
    words: &[u32],
    patch: Option<&Patch>,
    encoding: &Encoding,
) -> Result<Brush, EncodingError> {
    let number = |word: usize| f32::from_bits(words[word]);
    let point = |word: usize| Point::new(number(word).into(), number(word + 1).into());
    let gradient = match tag {
        DrawTag::COLOR => return Ok(Brush::Solid(color(words[0]))),
        DrawTag::IMAGE => return image(draw_object, words, patch),
        DrawTag::LINEAR_GRADIENT => Gradient::new_linear(point(1), point(3)),
        DrawTag::RADIAL_GRADIENT => Gradient::new_two_point_radial(point(1), number(5), point(3), number(6)),
        DrawTag::SWEEP_GRADIENT => Gradient::new_sweep(
            point(1),
            number(3) * std::f32::consts::TAU,
            number(4) * std::f32::consts::TAU,
        ),
        _ => return Err(EncodingError::Unknown { draw_object, part: "draw tag" }),
    };
    let missing = EncodingError::Incomplete { draw_object, part: "colour stops" };
    let Some(Patch::Ramp { stops, extend, interpolation_alpha_space, .. }) = patch else {
        return Err(missing);
    };
    let stops = encoding.resources.color_stops.get(stops.clone()).ok_or(missing)?;
    let mut gradient = gradient.with_extend(*extend).with_stops(stops);
    gradient.interpolation_alpha_space = *interpolation_alpha_space;
    Ok(Brush::Gradient(gradient))
}

/// The colour of a premultiplied word, with red in the lowest byte.
pub(super) fn color(word: u32) -> Color {
    let [r, g, b, a] = word.to_le_bytes();
    let premultiplied = peniko::color::PremulColor::<Srgb>::from(PremulRgba8 { r, g, b, a });
    premultiplied.un_premultiply()
}

fn image(draw_object: usize, words: &[u32], patch: Option<&Patch>) -> Result<Brush, EncodingError> {
    let Some(Patch::Image { image, .. }) = patch else {
        return Err(EncodingError::Incomplete { draw_object, part: "image" });
    };
    // The bits are those of `vello_encoding::DrawImage`.
    let bits = words[2];
    let [quality, x_extend, y_extend] = [12, 10, 8].map(|shift| bits >> shift & 3);
    let unknown = |part| EncodingError::Unknown { draw_object, part };
    let extend = |bits: u32| {
        let extend = [Extend::Pad, Extend::Repeat, Extend::Reflect].get(bits as usize).copied();
        extend.ok_or(unknown("extend mode"))
    };
    let qualities = [ImageQuality::Low, ImageQuality::Medium, ImageQuality::High];
    let quality = qualities.get(quality as usize).copied().ok_or(unknown("image quality"))?;
    let (x_extend, y_extend) = (extend(x_extend)?, extend(y_extend)?);
    #[expect(clippy::cast_precision_loss, reason = "the number has eight bits")]
    let alpha = (bits & 255) as f32 / 255.0;
    let sampler = ImageSampler { x_extend, y_extend, quality, alpha };
    Ok(Brush::Image(ImageBrush { image: image.clone(), sampler }))
}

/// The paint of a command of anyrender.
pub(super) fn paint_ref(brush: &Brush) -> anyrender::PaintRef<'_> {
    match brush {
        Brush::Solid(color) => Paint::Solid(*color),
        Brush::Gradient(gradient) => Paint::Gradient(gradient),
        Brush::Image(image) => Paint::Image(image.as_ref()),
    }
}

/// The blend mode with these bits, as `vello_encoding::DrawBeginClip` has them.
pub(super) fn blend_mode(bits: u32) -> Option<BlendMode> {
    if bits >> 16 != 0 {
        return None;
    }
    let (mix, compose) = (MIXES.get((bits >> 8) as usize)?, COMPOSES.get((bits & 255) as usize)?);
    Some(BlendMode::new(*mix, *compose))
}

const MIXES: [Mix; 16] = [
    Mix::Normal,
    Mix::Multiply,
    Mix::Screen,
    Mix::Overlay,
    Mix::Darken,
    Mix::Lighten,
    Mix::ColorDodge,
    Mix::ColorBurn,
    Mix::HardLight,
    Mix::SoftLight,
    Mix::Difference,
    Mix::Exclusion,
    Mix::Hue,
    Mix::Saturation,
    Mix::Color,
    Mix::Luminosity,
];

const COMPOSES: [Compose; 14] = [
    Compose::Clear,
    Compose::Copy,
    Compose::Dest,
    Compose::SrcOver,
    Compose::DestOver,
    Compose::SrcIn,
    Compose::DestIn,
    Compose::SrcOut,
    Compose::DestOut,
    Compose::SrcAtop,
    Compose::DestAtop,
    Compose::Xor,
    Compose::Plus,
    Compose::PlusLighter,
];

#[cfg(test)]
mod tests {
    use vello_encoding::DrawBeginClip;

    use super::*;

    #[test]
    fn blend_modes_are_decoded_as_they_were_encoded() {
        for (mix, compose) in
            MIXES.iter().flat_map(|mix| COMPOSES.iter().map(move |compose| (*mix, *compose)))
        {
            let expected = BlendMode::new(mix, compose);
            assert_eq!(blend_mode(DrawBeginClip::new(expected, 1.0).blend_mode), Some(expected));
        }
        for bits in [DrawBeginClip::LUMINANCE_MASK_BLEND_MODE, DrawBeginClip::CLIP_BLEND_MODE, 14, 16 << 8] {
            assert_eq!(blend_mode(bits), None, "{bits:#x}");
        }
    }

    #[test]
    fn colours_are_decoded_as_they_were_encoded() {
        for expected in
            [Color::from_rgba8(1, 2, 3, 255), Color::from_rgba8(255, 128, 0, 255), Color::TRANSPARENT]
        {
            let word = vello_encoding::DrawColor::from(expected).rgba;
            assert_eq!(color(word).to_rgba8(), expected.to_rgba8());
        }
        // Encoding the colour again gives the same word.
        for expected in
            (0..=255).flat_map(|alpha| [0, 50, 200].map(|red| Color::from_rgba8(red, 9, 99, alpha)))
        {
            let word = vello_encoding::DrawColor::from(expected).rgba;
            assert_eq!(vello_encoding::DrawColor::from(color(word)).rgba, word);
        }
    }
}
