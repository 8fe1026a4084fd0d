//! The legend of the kinds of box in a picture, laid out as a small SVG drawing.

mod layout;

use boxwood_svg::{Deadline, Drawing};
use image::RgbaImage;
use image::imageops::replace;
use kurbo::{Affine, Size, Vec2};

use crate::error::RenderError;
use crate::overlay::{OverlayKinds, OverlayStyle};
use layout::{BASELINE, Layout, MARGIN, PADDING, ROW};
pub(crate) use layout::{PlacedLegend, hole};

/// The side of the square that shows a kind's key, in logical pixels.
const KEY: f64 = 16.0;

/// The length of the line that shows a kind's dashes, in logical pixels.
const SAMPLE: f64 = 48.0;

/// The largest part of a picture that a legend may cover.
const MAX_LEGEND_SHARE: f64 = 0.5;

/// A key is black on a colour with a higher luma (Rec. 601, of 255), and white on others. The value
/// separates the light pink of leaf boxes (151) from the darker colours (up to 119).
const LIGHT_LUMA: f64 = 140.0;

/// The legend at the bottom left of a picture of this size. `None` for no kinds, or if the picture
/// is too small for it.
pub(crate) fn legend(
    kinds: OverlayKinds,
    size: [u32; 2],
    scale_factor: f64,
) -> Result<Option<PlacedLegend>, RenderError> {
    if kinds.is_empty() {
        return Ok(None);
    }
    let layout = Layout(scale_factor);
    let px = |length| layout.px(length);
    let drawing = drawing(kinds.styles(), layout)?;
    let Size { width, height } = drawing.size;
    let [picture_width, picture_height] = size.map(f64::from);
    let top = picture_height - px(MARGIN) - height;
    let fits = width + 2.0 * px(MARGIN) <= picture_width && top >= px(MARGIN);
    let is_small = width * height <= MAX_LEGEND_SHARE * picture_width * picture_height;
    let position = Vec2::new(px(MARGIN), top);
    Ok((fits && is_small).then_some(PlacedLegend { drawing, position }))
}

/// The picture with a legend of these styles below it, if there are any. Both are aligned at the
/// left.
pub(crate) fn with_legend_below<'s>(
    picture: RgbaImage,
    styles: impl Iterator<Item = &'s OverlayStyle> + Clone,
) -> Result<RgbaImage, RenderError> {
    if styles.clone().next().is_none() {
        return Ok(picture);
    }
    let placed = PlacedLegend { drawing: drawing(styles, Layout(1.0))?, position: Vec2::ZERO };
    let [_, _, width, height] = placed.rect().map(i32::unsigned_abs);
    let mut legend = RgbaImage::new(width, height);
    placed.drawing.draw_tree(&mut legend, [width, height], Affine::IDENTITY, &Deadline::default())?;
    // The legend is opaque, and its corner has the colour of its background.
    let background = *legend.get_pixel(0, 0);
    let mut whole = RgbaImage::from_pixel(picture.width().max(width), picture.height() + height, background);
    replace(&mut whole, &picture, 0, 0);
    replace(&mut whole, &legend, 0, picture.height().into());
    Ok(whole)
}

/// A row for each style.
fn drawing<'s>(
    styles: impl Iterator<Item = &'s OverlayStyle> + Clone,
    layout: Layout,
) -> Result<Drawing, RenderError> {
    let px = |length| layout.px(length);
    let text_left = 3.0 * px(PADDING) + px(KEY) + px(SAMPLE);
    let titles = styles.clone().map(|style| style.title);
    let symbols = styles.enumerate().map(|(row, style)| symbols(layout, layout.row_top(row), style));
    layout.drawing(text_left, titles, &symbols.collect::<String>())
}

/// The SVG of a row without its title: the key in a square of the kind's colour, and a sample of
/// its line.
fn symbols(layout: Layout, top: f64, style: &OverlayStyle) -> String {
    let px = |length| layout.px(length);
    let [red, green, blue] = style.color;
    let luma = 0.299 * f64::from(red) + 0.587 * f64::from(green) + 0.114 * f64::from(blue);
    // The dashes are as long as on the picture, but the line is thick enough to show its colour,
    // and covers whole device pixels.
    let thickness = px(2.0).max(2.0);
    let dash = match style.dash {
        [] => "none".to_owned(),
        lengths => lengths.iter().map(|length| format!("{length} ")).collect(),
    };
    format!(
        r##"<rect x="{x}" y="{key_top}" width="{key}" height="{key}" rx="{radius}" fill="{color}"/>
        <text x="{key_middle}" y="{baseline}" text-anchor="middle" fill="{key_color}">{digit}</text>
        <path d="M{line} {middle}h{sample}" stroke="{color}" stroke-width="{thickness}" stroke-dasharray="{dash}"/>"##,
        x = px(PADDING),
        key_top = top + px((ROW - KEY) / 2.0),
        key = px(KEY),
        radius = px(3.0),
        color = style.css_color(),
        key_middle = px(PADDING) + px(KEY) / 2.0,
        baseline = top + px(BASELINE),
        key_color = if luma > LIGHT_LUMA { "#000" } else { "#fff" },
        digit = style.key,
        line = 2.0 * px(PADDING) + px(KEY),
        middle = top + px(ROW / 2.0) - (thickness / 2.0).floor() + thickness / 2.0,
        sample = px(SAMPLE),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_legend_has_a_row_for_each_kind() {
        let height = |kinds, scale_factor| {
            let legend = legend(kinds, [800, 600], scale_factor).expect("the SVG is correct");
            legend.map_or(0, |placed| placed.rect()[3] - placed.rect()[1])
        };
        assert_eq!(height(OverlayKinds::NONE, 1.0), 0);
        assert_eq!(height(OverlayKinds::CLIP, 1.0), 42);
        assert_eq!(height(OverlayKinds::ALL, 1.0), 108);
        assert_eq!(height(OverlayKinds::ALL, 2.0), 216);
    }

    #[test]
    fn a_legend_below_a_picture_leaves_its_pixels_as_they_are() {
        let color = image::Rgba([1, 200, 3, 4]);
        for size in [[16, 16], [500, 1]] {
            let picture = RgbaImage::from_pixel(size[0], size[1], color);
            let whole = |kinds: OverlayKinds| {
                with_legend_below(picture.clone(), kinds.styles()).expect("the SVG is correct")
            };
            assert_eq!(whole(OverlayKinds::NONE), picture);
            let whole = whole(OverlayKinds::ALL);
            assert_eq!(whole.height(), size[1] + 108);
            assert!(whole.width() == size[0].max(whole.width()) && whole.width() > 150, "{}", whole.width());
            for (x, y, pixel) in whole.enumerate_pixels() {
                let is_picture = x < size[0] && y < size[1];
                assert!(if is_picture { *pixel == color } else { pixel.0[3] == 255 }, "{x}, {y}: {pixel:?}");
            }
        }
    }

    #[test]
    fn a_picture_that_is_too_small_has_no_legend() {
        let has_legend = |size| {
            let legend = legend(OverlayKinds::ALL, size, 1.0).expect("the SVG is correct");
            legend
                .inspect(|placed| assert!(placed.rect()[0] > 0 && placed.rect()[1] > 0, "{size:?}"))
                .is_some()
        };
        for size in [[1, 1], [64, 64], [200, 200], [240, 140], [4000, 100], [100, 4000]] {
            assert!(!has_legend(size), "{size:?}");
        }
        for size in [[400, 200], [300, 300], [260, 400]] {
            assert!(has_legend(size), "{size:?}");
        }
    }
}
