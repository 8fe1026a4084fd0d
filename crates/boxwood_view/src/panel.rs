//! The legend and messages: panels over the picture, composed as small SVGs.

use std::fmt::Write as _;

use boxwood_svg::{Drawing, Fonts, Options};

use crate::error::{RenderError, chain};
use crate::kinds::OverlayKinds;
use crate::lines::Holes;

/// What a message is about, which its panel shows by a bar at its side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// Something is worth knowing.
    Notice,
    /// Something failed.
    Error,
}

/// A text over the picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// How it is marked.
    pub severity: Severity,
    /// The text. Long lines are wrapped.
    pub text: String,
}

/// A panel to be drawn over a picture, at a place in device pixels.
pub(crate) struct Panel {
    /// Its drawing. The scene space of a panel is device space, but for its place.
    pub(crate) drawing: Drawing,
    pub(crate) left: i32,
    pub(crate) top: i32,
}

/// The lengths of panels, in pixels of the desktop.
const MARGIN: f64 = 12.0;
const PADDING: f64 = 10.0;
const FONT_SIZE: f64 = 13.0;
const ROW: f64 = 22.0;
/// The baseline of a row, from its top.
const BASELINE: f64 = 16.0;
const KEY: f64 = 16.0;
const SAMPLE: f64 = 48.0;
const BAR: f64 = 4.0;

/// The most of a picture that a legend may cover.
const MAX_LEGEND_SHARE: f64 = 0.5;

/// A message with more lines than this is cut.
const MAX_LINES: usize = 12;

impl Panel {
    /// The panels over a picture of this size, at most as many as there are [`Holes`].
    pub(crate) fn all(
        legend: Option<OverlayKinds>,
        message: Option<&Message>,
        size: [u32; 2],
        scale: f64,
    ) -> Result<Vec<Self>, RenderError> {
        let legend = legend.map_or(Ok(None), |kinds| Self::legend(kinds, size, scale))?;
        let message = message.map(|message| Self::message(message, size, scale)).transpose()?;
        Ok(legend.into_iter().chain(message).collect())
    }

    /// What some panels cover of the part of a picture whose top left pixel is `corner`.
    pub(crate) fn holes<'a>(panels: impl Iterator<Item = &'a Self>, corner: [i32; 2]) -> Holes {
        let mut holes = Holes::default();
        for (hole, panel) in holes.iter_mut().zip(panels) {
            let [x0, y0, x1, y1] = panel.rect();
            *hole = [x0 - corner[0], y0 - corner[1], x1 - corner[0], y1 - corner[1]];
        }
        holes
    }

    /// The rectangle it covers, in device pixels: `x0, y0, x1, y1`.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "panels are made of whole pixels, few thousand at most"
    )]
    pub(crate) fn rect(&self) -> [i32; 4] {
        let size = self.drawing.size;
        [self.left, self.top, self.left + size.width as i32, self.top + size.height as i32]
    }

    /// The legend of the kinds that are shown, at the bottom left. None where no kind is, and where the picture has no
    /// room for it.
    pub(crate) fn legend(
        kinds: OverlayKinds,
        size: [u32; 2],
        scale: f64,
    ) -> Result<Option<Self>, RenderError> {
        if kinds.is_empty() {
            return Ok(None);
        }
        let px = |length: f64| (length * scale).round();
        let titles: Vec<&str> = kinds.styles().map(|style| style.title).collect();
        let text_left = px(PADDING) + px(KEY) + px(PADDING) + px(SAMPLE) + px(PADDING);
        let width = text_left + text_width(&titles, scale)? + px(PADDING);
        let mut rows = String::new();
        let mut top = px(PADDING);
        for style in kinds.styles() {
            let [red, green, blue] = style.color;
            let color = format!("#{red:02x}{green:02x}{blue:02x}");
            let key_top = top + px((ROW - KEY) / 2.0);
            let key_middle = px(PADDING) + px(KEY) / 2.0;
            // As on the picture, but thick enough to show its colour: whole device pixels, dashes not scaled.
            let thickness = px(2.0).max(2.0);
            let middle = top + px(ROW / 2.0) - (thickness / 2.0).floor() + thickness / 2.0;
            let dash = match style.dash {
                [] => "none".to_owned(),
                runs => runs.iter().map(|run| format!("{run} ")).collect(),
            };
            write!(
                rows,
                r#"<rect x="{x}" y="{key_top}" width="{key}" height="{key}" rx="{round}" fill="{color}"/>
                <text x="{key_middle}" y="{baseline}" text-anchor="middle" fill="{on_key}">{digit}</text>
                <path d="M{line} {middle}h{sample}" stroke="{color}" stroke-width="{thickness}" stroke-dasharray="{dash}"/>
                <text x="{text_left}" y="{baseline}">{title}</text>"#,
                x = px(PADDING),
                key = px(KEY),
                round = px(3.0),
                baseline = top + px(BASELINE),
                on_key = if is_light(style.color) { "#000" } else { "#fff" },
                digit = style.key,
                line = px(PADDING) + px(KEY) + px(PADDING),
                sample = px(SAMPLE),
                title = style.title,
            )
            .expect("a String takes it");
            top += px(ROW);
        }
        let height = top + px(PADDING);
        let [picture_width, picture_height] = size.map(f64::from);
        let fits = width + 2.0 * px(MARGIN) <= picture_width && height + 2.0 * px(MARGIN) <= picture_height;
        if !fits || width * height > MAX_LEGEND_SHARE * picture_width * picture_height {
            return Ok(None);
        }
        let drawing = compose(&svg(width, height, scale, &rows))?;
        let top = f64::from(size[1]) - px(MARGIN) - drawing.size.height;
        Ok(Some(Self::at(drawing, px(MARGIN), top)))
    }

    /// A message in the middle of the top.
    pub(crate) fn message(message: &Message, size: [u32; 2], scale: f64) -> Result<Self, RenderError> {
        let px = |length: f64| (length * scale).round();
        let room = f64::from(size[0]) / scale - 2.0 * (MARGIN + PADDING) - BAR;
        let lines = wrap(&message.text, room / (FONT_SIZE * 0.55));
        let borrowed: Vec<&str> = lines.iter().map(String::as_str).collect();
        let text_left = px(BAR) + px(PADDING);
        let width = text_left + text_width(&borrowed, scale)? + px(PADDING);
        let mut rows = String::new();
        let mut top = px(PADDING);
        for line in &lines {
            let line = escape(line);
            write!(rows, r#"<text x="{text_left}" y="{}">{line}</text>"#, top + px(BASELINE))
                .expect("a String takes it");
            top += px(ROW);
        }
        let height = top + px(PADDING);
        let bar = match message.severity {
            Severity::Notice => "#56b4e9",
            Severity::Error => "#d55e00",
        };
        write!(rows, r#"<rect width="{}" height="{height}" fill="{bar}"/>"#, px(BAR))
            .expect("a String takes it");
        let drawing = compose(&svg(width, height, scale, &rows))?;
        let left = ((f64::from(size[0]) - drawing.size.width) / 2.0).floor();
        Ok(Self::at(drawing, left.max(px(MARGIN)), px(MARGIN)))
    }

    #[expect(clippy::cast_possible_truncation, reason = "a place on a picture, in whole pixels")]
    fn at(drawing: Drawing, left: f64, top: f64) -> Self {
        Self { drawing, left: left as i32, top: top as i32 }
    }
}

/// A panel of this size, in device pixels, with its ground.
fn svg(width: f64, height: f64, scale: f64, contents: &str) -> String {
    let font_size = FONT_SIZE * scale;
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"
            font-family="Noto Sans" font-size="{font_size}" fill="#f4f4f4" xml:space="preserve">
        <rect width="{width}" height="{height}" fill="#2c2c33"/>
        {contents}</svg>"##
    )
}

/// The scene of a panel's SVG. Its text is in the bundled font, the same on every machine.
fn compose(svg: &str) -> Result<Drawing, RenderError> {
    let options = Options { fonts: Fonts::Bundled, ..Options::default() };
    boxwood_svg::load(svg.as_bytes(), &options).map_err(|e| RenderError::Panel(chain(&e)))
}

/// The width of the widest of some lines, in whole device pixels.
fn text_width(lines: &[&str], scale: f64) -> Result<f64, RenderError> {
    let texts: String = lines.iter().map(|line| format!("<text>{}</text>", escape(line))).collect();
    let drawing = compose(&svg(1.0, 1.0, scale, &format!(r#"<g id="measured">{texts}</g>"#)))?;
    let measured = drawing.tree.node_by_id("measured").and_then(|node| {
        // The group has a box where any line has ink.
        let bounds = node.abs_bounding_box();
        (bounds.right() > 0.0).then_some(f64::from(bounds.right()))
    });
    Ok(measured.unwrap_or(0.0).ceil())
}

/// Breaks a text into lines of about `columns` characters, between words where there are any.
fn wrap(text: &str, columns: f64) -> Vec<String> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates, and NaN is 0")]
    let columns = (columns as usize).clamp(16, 110);
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            let mut word: Vec<char> = word.chars().collect();
            if !line.is_empty() && line.chars().count() + 1 + word.len() > columns {
                lines.push(std::mem::take(&mut line));
            }
            while word.len() > columns {
                lines.push(word.drain(..columns).collect());
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.extend(word);
        }
        lines.push(line);
    }
    if lines.len() > MAX_LINES {
        lines.truncate(MAX_LINES);
        lines.push("…".to_owned());
    }
    lines
}

/// A text as XML, without the characters that XML forbids.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '\u{fffe}' | '\u{ffff}' => escaped.push(char::REPLACEMENT_CHARACTER),
            other if other.is_control() => escaped.push(' '),
            other => escaped.push(other),
        }
    }
    escaped
}

/// Whether black is easier to read on a colour than white.
fn is_light([red, green, blue]: [u8; 3]) -> bool {
    299 * u32::from(red) + 587 * u32::from(green) + 114 * u32::from(blue) > 140_000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_wrapped_between_words_or_within_long_ones() {
        assert_eq!(wrap("one two three four five", 16.0), ["one two three", "four five"]);
        assert_eq!(wrap("a\nb", 16.0), ["a", "b"]);
        assert_eq!(wrap(&"x".repeat(40), 16.0), ["x".repeat(16), "x".repeat(16), "x".repeat(8)]);
        assert_eq!(wrap(&"y\n".repeat(99), f64::NAN).len(), MAX_LINES + 1);
    }

    #[test]
    fn a_legend_has_a_row_for_each_kind_and_none_for_none() {
        let height = |kinds, scale| {
            let legend = Panel::legend(kinds, [800, 600], scale).expect("it is composed here");
            legend.map_or(0, |panel| panel.rect()[3] - panel.rect()[1])
        };
        assert_eq!(height(OverlayKinds::NONE, 1.0), 0);
        assert_eq!(height(OverlayKinds::CLIP, 1.0), 42);
        assert_eq!(height(OverlayKinds::ALL, 1.0), 108);
        assert_eq!(height(OverlayKinds::ALL, 2.0), 216);
    }

    #[test]
    fn a_picture_without_room_has_no_legend() {
        let has_legend = |size| {
            let legend = Panel::legend(OverlayKinds::ALL, size, 1.0).expect("it is composed here");
            legend.inspect(|panel| assert!(panel.rect()[0] > 0 && panel.rect()[1] > 0, "{size:?}")).is_some()
        };
        for size in [[1, 1], [64, 64], [200, 200], [240, 140], [4000, 100], [100, 4000]] {
            assert!(!has_legend(size), "{size:?}");
        }
        for size in [[400, 200], [300, 300], [260, 400]] {
            assert!(has_legend(size), "{size:?}");
        }
    }

    #[test]
    fn a_message_may_hold_anything_and_stays_within_the_picture() {
        let text = "cannot read <svg> & \"more\" \u{1}\u{ffff} ".repeat(30);
        for scale in [1.0, 1.5, 3.0] {
            let message = Message { severity: Severity::Error, text: text.clone() };
            let panel = Panel::message(&message, [900, 600], scale).expect("any text can be shown");
            let [x0, y0, x1, _] = panel.rect();
            assert!(x0 >= 0 && y0 >= 0 && x1 <= 900, "{:?}", panel.rect());
        }
    }
}
