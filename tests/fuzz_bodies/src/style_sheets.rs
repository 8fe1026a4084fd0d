//! Random tokens of CSS in a small drawing.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use boxwood_svg::{Drawing, Error, Fonts, Options, load};

/// The time limit for loading the drawing, which is small.
const TIME_LIMIT: Duration = Duration::from_secs(5);

/// The time by which a load may exceed the limit, since it reads the clock only now and then.
const SLACK: Duration = Duration::from_secs(2);

/// The byte that ends a part of an input.
const END: u8 = 255;

/// The tokens that the bytes of an input stand for. A larger byte stands for the same tokens again.
const TOKENS: [&str; 148] = [
    " ",
    " ",
    "\n",
    "{",
    "}",
    "{",
    "}",
    ":",
    ";",
    ":",
    ";",
    ",",
    "(",
    ")",
    "[",
    "]",
    "/* */",
    "/*",
    "*/",
    "<!--",
    "-->",
    "!important",
    "!",
    "/",
    "*",
    ">",
    "+",
    "~",
    "|",
    "||",
    "&",
    "& ",
    "=",
    "^=",
    "\"",
    "'",
    "\\",
    "\\66 ",
    "@",
    "#",
    ".",
    "#a",
    "#b",
    ".c",
    ".d",
    "g",
    "rect",
    "path",
    "svg",
    "*",
    "[x]",
    "[id^=a i]",
    ":is(",
    ":not(",
    ":where(",
    ":has(",
    ":nth-child(",
    "2n+1",
    " of ",
    ":root",
    ":first-child",
    ":lang(en)",
    ":hover",
    "::before",
    ":foo",
    "@media ",
    "screen",
    "print",
    "not ",
    " and ",
    " or ",
    "(min-width: 10px)",
    "@supports ",
    "@layer ",
    "@import 'x';",
    "@namespace ",
    "'http://www.w3.org/2000/svg'",
    "@keyframes x",
    "@font-face",
    "@container",
    "all",
    "fill",
    "stroke",
    "color",
    "opacity",
    "display",
    "transform",
    "filter",
    "clip-path",
    "mask",
    "font",
    "font-size",
    "marker",
    "x",
    "width",
    "d",
    "overflow",
    "background",
    "stroke-dasharray",
    "stroke-width",
    "--a",
    "--b",
    "--a:",
    "--b:",
    "fill:",
    "x:",
    "var(--a)",
    "var(--b, ",
    "var(",
    "env(",
    "inherit",
    "initial",
    "unset",
    "revert",
    "revert-layer",
    "none",
    "red",
    "currentcolor",
    "#123",
    "#12345678",
    "rgb(",
    "oklch(",
    "color-mix(in srgb, ",
    "light-dark(",
    "url(#e)",
    "url(",
    "calc(",
    "min(",
    "1px",
    "2",
    "50%",
    "1e9",
    "-3em",
    "45deg",
    "path('M0 0H9')",
    "circle(9px)",
    "drop-shadow(",
    "rotate(",
    "translate(1px)",
    "scale(0)",
    "<",
    "é",
    "\u{0}",
    "\t",
    "12px/1.5 A",
    "normal",
    "auto",
    "x|y",
];

/// The text of some bytes, as the contents of an element or in an attribute.
fn text(bytes: &[u8]) -> String {
    let tokens: String = bytes.iter().map(|byte| TOKENS[usize::from(*byte) % TOKENS.len()]).collect();
    let escaped = tokens.replace('&', "&amp;").replace('<', "&lt;").replace(['"', '\''], "&quot;");
    // XML has no such character.
    escaped.replace('\u{0}', "")
}

/// A drawing with a style sheet, a `style` attribute, and a presentation attribute.
fn drawing(sheet: &str, style: &str, fill: &str) -> String {
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='90' height='60'><style>{sheet}</style>
        <defs><clipPath id='e'><path d='M0 0H50V50z'/></clipPath></defs>
        <g id='a' class='c d' fill='{fill}'><rect id='b' x='5' width='20' height='10' style='{style}'/>
        <path class='c' d='M0 0H9V9' stroke='red'/><svg width='9' height='9'><circle r='5'/></svg></g></svg>"
    )
}

/// The paths of all elements of a drawing.
fn paths(drawing: &Drawing) -> BTreeSet<String> {
    let listed = drawing.sources.iter().map(|source| source.path.clone());
    listed.chain(drawing.unlisted().into_iter().map(|element| element.path)).collect()
}

/// Checks that a drawing has the same elements whatever CSS it has. A byte of 255 separates the
/// style sheet, the `style` attribute, and the presentation attribute.
///
/// # Panics
///
/// If the loader panics or exceeds the time limit, or if an element is missing.
pub fn style_sheets(bytes: &[u8]) {
    let mut parts = bytes.splitn(3, |byte| *byte == END).map(text);
    let [sheet, style, fill] = std::array::from_fn(|_| parts.next().unwrap_or_default());
    let options = Options { fonts: Fonts::Bundled, time_limit: Some(TIME_LIMIT), ..Options::default() };
    let load = |text: &str| load(text.as_bytes(), &options);
    let expected = paths(&load(&drawing("", "", "")).expect("a drawing without CSS loads"));
    let start = Instant::now();
    let loaded = load(&drawing(&sheet, &style, &fill));
    assert!(start.elapsed() < TIME_LIMIT + SLACK, "loading took {:?}", start.elapsed());
    match loaded {
        Ok(drawing) => assert_eq!(paths(&drawing), expected),
        // A size of the root in CSS may be too large.
        Err(Error::Panicked { message, .. }) => panic!("{message}"),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
