//! The font and the colours of the panels.

use std::sync::Arc;

use egui::{Color32, Context, FontData, FontDefinitions, FontFamily, Stroke, Theme};

/// The fill and the lines of the hovered source.
pub(super) const HOVER: Color32 = Color32::from_rgb(0x56, 0xb4, 0xe9);
/// The lines of the selected source.
pub(super) const SELECTION: Color32 = Color32::from_rgb(0xf0, 0xe4, 0x42);
/// The dashes around the clips that are open in the draw order.
pub(super) const STACK: Color32 = Color32::from_rgb(0xe6, 0x9f, 0x00);
/// The bars of errors.
pub(super) const ERROR: Color32 = Color32::from_rgb(0xd5, 0x5e, 0x00);

pub(super) fn color([red, green, blue]: [u8; 3]) -> Color32 {
    Color32::from_rgb(red, green, blue)
}

/// Sets the font and the colours of all panels. The font is bundled, so the panels look the same on
/// every machine.
pub(crate) fn set_up(ctx: &Context) {
    const NAME: &str = "Noto Sans";
    let mut fonts = FontDefinitions::empty();
    fonts.font_data.insert(NAME.to_owned(), Arc::new(FontData::from_static(boxwood_assets::NOTO_SANS)));
    for family in [FontFamily::Proportional, FontFamily::Monospace] {
        fonts.families.insert(family, vec![NAME.to_owned()]);
    }
    ctx.set_fonts(fonts);
    ctx.set_theme(Theme::Dark);
    ctx.all_styles_mut(|style| {
        style.visuals.panel_fill = Color32::from_rgb(0x2c, 0x2c, 0x33);
        style.visuals.window_fill = style.visuals.panel_fill;
        style.visuals.override_text_color = Some(Color32::from_rgb(0xf4, 0xf4, 0xf4));
        style.visuals.weak_text_color = Some(Color32::from_rgb(0xb4, 0xb4, 0xbc));
        style.visuals.selection.bg_fill = Color32::from_rgb(0x1f, 0x5a, 0x80);
        style.visuals.selection.stroke = Stroke::new(1.0, Color32::WHITE);
        // Animations would draw many pictures for one key.
        style.animation_time = 0.0;
    });
}
