//! A correction of Vello 0.11's shaders: replacements in their text.
//!
//! Vello samples gradients and blurred rectangles at the top left corners of pixels, and images at
//! their centres. Here the functions that read them add the half pixel.

use std::borrow::Cow;

/// Texts of the shaders `fine_*`, and their replacements.
const REPLACEMENTS: [[&str; 2]; 4] = [
    [
        "return CmdLinGrad(index, extend_mode, line_x, line_y, line_c);",
        "return CmdLinGrad(index, extend_mode, line_x, line_y, line_c + 0.5 * (line_x + line_y));",
    ],
    [
        "return CmdRadGrad(index, extend_mode, matrx, xlat, ",
        "return CmdRadGrad(index, extend_mode, matrx, xlat + 0.5 * (matrx.xy + matrx.zw), ",
    ],
    [
        "return CmdSweepGrad(index, extend_mode, matrx, xlat, ",
        "return CmdSweepGrad(index, extend_mode, matrx, xlat + 0.5 * (matrx.xy + matrx.zw), ",
    ],
    [
        "return CmdBlurRect(rgba_color, matrx, xlat, ",
        "return CmdBlurRect(rgba_color, matrx, xlat + 0.5 * (matrx.xy + matrx.zw), ",
    ],
];

/// The source of the shader with this name, which samples at the centres of pixels.
///
/// A text that is not found is left as it is, with a message in the log, because a later version
/// of Vello may have corrected it.
pub(super) fn with_centred_samples<'a>(shader: &str, source: Cow<'a, str>) -> Cow<'a, str> {
    if !shader.starts_with("fine") {
        return source;
    }
    REPLACEMENTS.iter().fold(source, |source, [wrong, right]| {
        if source.contains(wrong) {
            return source.replace(wrong, right).into();
        }
        log::warn!("Vello's shader {shader} may sample at the corners of pixels: it lacks `{wrong}`");
        source
    })
}

#[cfg(test)]
mod tests {
    use vello_shaders::SHADERS;

    use super::*;

    #[test]
    fn each_text_is_replaced_once() {
        for shader in [SHADERS.fine_area, SHADERS.fine_msaa8, SHADERS.fine_msaa16] {
            let source = with_centred_samples(&shader.name, shader.wgsl.code.clone());
            for [wrong, right] in REPLACEMENTS {
                assert_eq!(shader.wgsl.code.matches(wrong).count(), 1, "{}: {wrong}", shader.name);
                assert_eq!(source.matches(right).count(), 1, "{}: {right}", shader.name);
            }
        }
        let flatten = with_centred_samples(&SHADERS.flatten.name, SHADERS.flatten.wgsl.code.clone());
        assert_eq!(flatten, SHADERS.flatten.wgsl.code);
    }
}
