//! Fonts of the system for the characters that the bundled font lacks, in ids and names of files.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};

use boxwood_svg::{FontFile, Options, fallback_font};
use egui::epaint::text::{FallbackRequest, FontInsert, FontPriority, InsertFontFamily};
use egui::{Context, FontData, FontFamily};

use super::error::ViewError;
use super::thread::{Report, spawn};

/// The maximum number of bytes of all fonts that are loaded for the panels. A font with all
/// characters of Chinese, Japanese, and Korean has 20 MB.
const MAX_BYTES: u64 = 64 << 20;

/// Lets the panels ask for characters that their fonts lack, and starts a thread that reports fonts
/// for them. The thread waits until the first of them is shown, and ends with the context.
pub(crate) fn start(
    ctx: &Context,
    options: Options,
    report: impl Fn(Report) + Send + 'static,
) -> Result<(), ViewError> {
    let (asked, missing) = mpsc::channel();
    // A pass does not wait for fonts. The characters are boxes until they are there.
    ctx.add_font_provider(Arc::new(move |request: &FallbackRequest<'_>| {
        request.cluster.chars().next().and_then(|c| asked.send(c).err());
        None
    }));
    spawn("boxwood_fonts", report, move |report| find(&missing, &options, report))?;
    Ok(())
}

/// Reports a font for each character that the fonts before it lack, and the first character that no
/// font has.
fn find(missing: &Receiver<char>, options: &Options, report: &impl Fn(Report)) {
    let (mut known, mut fonts, mut bytes_left) = (HashSet::new(), Vec::<FontFile>::new(), MAX_BYTES);
    let mut has_reported = false;
    for c in missing {
        // Each family of the panels asks, and asks again after a font was added.
        if !known.insert(c) || fonts.iter().any(|font| font.has_outline(c)) {
            continue;
        }
        match fallback_font(c, options, bytes_left) {
            Some(font) => {
                // The file may have grown since its size was compared.
                bytes_left = bytes_left.saturating_sub((*font.data).as_ref().len() as u64);
                fonts.push(font.clone());
                report(Report::Font(font));
            }
            None if has_reported => {}
            None => {
                has_reported = true;
                report(Report::NoFont(c));
            }
        }
    }
}

/// Adds a font after the others.
pub(crate) fn add(ctx: &Context, FontFile { name, data, index }: FontFile) {
    let last = |family| InsertFontFamily { family, priority: FontPriority::Lowest };
    let families = [FontFamily::Proportional, FontFamily::Monospace].map(last).to_vec();
    ctx.add_font(FontInsert { name, data: FontData::from_blob(data, index), families });
}

/// The notice about a character that no font has.
pub(crate) fn notice(c: char) -> String {
    let code = u32::from(c);
    format!(
        "No font for the character U+{code:04X} was found. Install one with its script, or start with --font-dir."
    )
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::Sender;
    use std::time::Duration;

    use boxwood_svg::Fonts;
    use egui::epaint::text::{FontDefinitions, MissingGlyphPolicy};
    use egui::{FontId, RawInput};

    use super::*;

    /// Sends the names of fonts, and the characters without one.
    fn reporter(sender: Sender<(Option<FontFile>, Option<char>)>) -> impl Fn(Report) {
        move |report| {
            let found = match report {
                Report::Font(font) => (Some(font), None),
                Report::NoFont(c) => (None, Some(c)),
                _ => panic!("another report"),
            };
            sender.send(found).expect("the test waits");
        }
    }

    #[test]
    fn a_font_is_loaded_when_a_character_is_missing_and_once() {
        let dir = tempfile::tempdir().expect("there is room");
        std::fs::write(dir.path().join("font.ttf"), boxwood_assets::NOTO_SANS).expect("there is room");
        let font_dirs = vec![dir.path().to_owned()];
        let options = Options { fonts: Fonts::Bundled, font_dirs, ..Options::default() };
        let (sender, reports) = mpsc::channel();
        let ctx = Context::default();
        // Without any font, every character is missing.
        ctx.set_fonts(FontDefinitions::empty());
        ctx.set_missing_glyph_policy(MissingGlyphPolicy::Tofu);
        start(&ctx, options, reporter(sender)).expect("a thread can start");
        let has = |c: char| {
            let mut found = false;
            let mut output = ctx.run_ui(RawInput::default(), |ui| {
                found = ui.fonts_mut(|fonts| fonts.has_glyph(&FontId::proportional(13.0), c));
            });
            output.textures_delta.clear();
            found
        };
        assert!(!has('a') && !has('b') && !has('中') && !has('文'));
        let next = || reports.recv_timeout(Duration::from_secs(60)).expect("the thread reports");
        let (font, none) = next();
        let font = font.expect("the file has the first character");
        assert!(font.name.contains("font.ttf") && none.is_none());
        add(&ctx, font);
        // The font has the second character too.
        assert_eq!(next().1, Some('中'));
        assert!(has('a') && has('b') && !has('中'));
        drop(ctx);
        assert!(reports.recv_timeout(Duration::from_secs(60)).is_err(), "it is not asked again");
    }
}
