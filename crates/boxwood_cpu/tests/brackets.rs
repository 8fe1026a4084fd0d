//! The syntaxes of stage *brackets* against lexers and parsers of another design.

use boxwood_cpu::specification::tree::{BracketReason, BracketRole, BracketSyntax, brackets};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;

/// The positions of the brackets of a text, which are not matched. Then whether the text may end,
/// or the offset of the first byte that is not allowed.
type Lexed = (Vec<usize>, Result<bool, usize>);

/// Where a text ends, or a token in it: after its last byte, or not at all.
enum End {
    After(usize),
    Invalid(usize),
    Missing,
}

fn lexed(text: &[u8], syntax: &BracketSyntax) -> Lexed {
    let (mut positions, mut state) = (Vec::new(), 0);
    for (position, byte) in text.iter().enumerate() {
        let (next, role) = syntax.step(state, *byte);
        match role {
            Some(BracketRole::Invalid) => return (positions, Err(position)),
            Some(_) => positions.push(position),
            None => {}
        }
        state = next;
    }
    (positions, Ok(syntax.may_end_in(state)))
}

/// The brackets of a text, found token by token. `token_end` returns the end of the token at a
/// position.
fn lexed_by_tokens(text: &[u8], brackets: &[u8], token_end: impl Fn(&[u8], usize) -> End) -> Lexed {
    let (mut positions, mut at) = (Vec::new(), 0);
    while at < text.len() {
        if brackets.contains(&text[at]) {
            positions.push(at);
        }
        match token_end(text, at) {
            End::After(end) => at = end,
            End::Invalid(position) => return (positions, Err(position)),
            End::Missing => return (positions, Ok(false)),
        }
    }
    (positions, Ok(true))
}

fn find(text: &[u8], from: usize, pattern: &[u8]) -> Option<usize> {
    (from..text.len()).find(|at| text[*at..].starts_with(pattern))
}

/// The end of the bytes from `from` that are like this.
fn run_end(text: &[u8], from: usize, is_inside: impl Fn(u8) -> bool) -> usize {
    (from..text.len()).find(|at| !is_inside(text[*at])).unwrap_or(text.len())
}

/// The end of a quoted token whose content begins at `from`. A backslash hides the next byte, and
/// carriage returns before it.
fn quoted_end(text: &[u8], from: usize, quote: u8, is_of_one_line: bool) -> End {
    let mut at = from;
    while let Some(byte) = text.get(at) {
        match byte {
            b'\\' if is_of_one_line => at = run_end(text, at + 1, |byte| byte == b'\r') + 1,
            b'\\' => at += 2,
            b'\n' if is_of_one_line => return End::Invalid(at),
            _ if *byte == quote => return End::After(at + 1),
            _ => at += 1,
        }
    }
    // A backslash may hide the byte after the end of the text.
    End::Missing
}

/// The end of a comment of one line of C, whose line break may follow a backslash.
fn line_comment_end(text: &[u8], from: usize) -> usize {
    let mut line = from;
    while let Some(end) = find(text, line, b"\n") {
        let last = text[line..end].iter().rfind(|byte| **byte != b'\r');
        // A backslash at the end of a line continues the comment.
        if last != Some(&b'\\') {
            return end + 1;
        }
        line = end + 1;
    }
    text.len()
}

fn c_token_end(text: &[u8], at: usize) -> End {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    match text[at] {
        b'/' if text[at..].starts_with(b"//") => End::After(line_comment_end(text, at + 2)),
        b'/' if text[at..].starts_with(b"/*") => {
            find(text, at + 2, b"*/").map_or(End::Missing, |end| End::After(end + 2))
        }
        quote @ (b'"' | b'\'') => quoted_end(text, at + 1, quote, true),
        // An apostrophe in a number separates digits. It does not begin a character.
        b'0'..=b'9' => End::After(run_end(text, at, |byte| is_word(byte) || b".'".contains(&byte))),
        byte if is_word(byte) => End::After(run_end(text, at, is_word)),
        _ => End::After(at + 1),
    }
}

fn scheme_token_end(text: &[u8], at: usize) -> End {
    let is_word = |byte: u8| !b" \t\r\n\x0c()[]'`,\";|".contains(&byte);
    match text[at] {
        b'@' => End::After(at + 1),
        b'#' => {
            // A label may be between `#` and what follows it.
            let after = run_end(text, at + 1, |byte| byte.is_ascii_digit());
            match text.get(after) {
                Some(b'|') => End::Invalid(after),
                Some(b';' | b'=') => End::After(after + 1),
                Some(b'\\') if text.len() == after + 1 => End::Missing,
                Some(b'\\') => End::After(run_end(text, after + 2, is_word)),
                _ => End::After(run_end(text, after, is_word)),
            }
        }
        b';' => End::After(run_end(text, at, |byte| byte != b'\n')),
        b'"' => quoted_end(text, at + 1, b'"', false),
        // What follows a symbol directly belongs to it.
        b'|' => match quoted_end(text, at + 1, b'|', false) {
            End::After(end) => End::After(run_end(text, end, is_word)),
            end => end,
        },
        byte if is_word(byte) => End::After(run_end(text, at, is_word)),
        _ => End::After(at + 1),
    }
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Texts of these parts.
fn texts(parts: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop::collection::vec(select(parts), 0..40).prop_map(|parts| parts.concat())
}

const C_PARTS: &[&str] = &[
    "(", ")", "[", "]", "{", "}", "\"", "'", "\\", "/", "*", "//", "/*", "*/", "\n", "\r", "\r\n", "\\\n",
    "\\\r\n", "a", "_", "u8", "1", "1'0", ".", " ", "é", ";",
];

const SCHEME_PARTS: &[&str] = &[
    "(", ")", "[", "]", "\"", "|", "\\", "#", "#\\", "#;", "#|", ";", "\n", "a", "1", " ", "'", ",", "@",
    "=", "é",
];

proptest! {
    #![proptest_config(config(20_000))]

    #[test]
    fn c_has_the_brackets_of_a_lexer_by_tokens(text in texts(C_PARTS)) {
        let expected = lexed_by_tokens(text.as_bytes(), b"()[]{}", c_token_end);
        prop_assert_eq!(lexed(text.as_bytes(), &BracketSyntax::c()), expected);
    }

    #[test]
    fn scheme_has_the_brackets_of_a_lexer_by_tokens(text in texts(SCHEME_PARTS)) {
        let expected = lexed_by_tokens(text.as_bytes(), b"()[]", scheme_token_end);
        prop_assert_eq!(lexed(text.as_bytes(), &BracketSyntax::scheme()), expected);
    }
}

/// Random elements of XML, with what may hide a `<` or a `>`.
fn xml_elements() -> impl Strategy<Value = String> {
    let leaf = select(
        &[
            "<a/>",
            "<b x='>/' y=\">'\"/>",
            "<é:c  />",
            "text ]]",
            "<!-- <a> - -->",
            "<!---->",
            "<?a <b> ??>",
            "<![CDATA[ <a> ]] ]]]>",
            "/>",
            "<_d></_d >",
        ][..],
    );
    leaf.prop_map(str::to_owned).prop_recursive(6, 60, 6, |inner| {
        prop::collection::vec(inner, 0..6).prop_map(|parts| format!("<e k='/>' >{}</e>", parts.concat()))
    })
}

/// The position and the parent of each element as `roxmltree` reads them, and the position where it
/// is closed.
fn elements_by_roxmltree(text: &str) -> Vec<(usize, Option<usize>, usize)> {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(text, options).expect("it is well-formed");
    let position = |node: roxmltree::Node<'_, '_>| node.range().start + 1;
    let elements = document.descendants().filter(roxmltree::Node::is_element);
    elements
        .map(|node| {
            let range = node.range();
            // The last end tag in the range of an element is its own, unless it is empty.
            let end = match text[range.clone()].rfind("</") {
                Some(end) if !text[range.clone()].ends_with("/>") => range.start + end + 1,
                _ => range.end - 1,
            };
            (position(node), node.parent_element().map(position), end)
        })
        .collect()
}

fn elements_by_brackets(text: &str) -> Vec<(usize, Option<usize>, usize)> {
    let rows = brackets(text.as_bytes(), &BracketSyntax::xml()).expect("it is well-formed");
    let position = |row: i32| usize::try_from(row).ok().map(|row| rows[row].position as usize);
    let opening = rows.iter().filter(|row| matches!(row.role, BracketRole::Open(_)));
    opening
        .map(|row| {
            let end = position(row.link.partner).expect("it is closed");
            (row.position as usize, position(row.link.parent), end)
        })
        .collect()
}

proptest! {
    #![proptest_config(config(1_000))]

    #[test]
    fn xml_has_the_elements_of_roxmltree(elements in xml_elements()) {
        let text = format!("<?xml version='1.0'?><!DOCTYPE r SYSTEM 'a'>\n<r xmlns:é='é'>{elements}</r>\n");
        prop_assert_eq!(elements_by_brackets(&text), elements_by_roxmltree(&text));
    }
}

#[test]
fn drawings_have_the_elements_of_roxmltree() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/svg");
    let mut n_elements = 0;
    for entry in std::fs::read_dir(folder).expect("the folder exists") {
        let path = entry.expect("the folder can be read").path();
        let text = std::fs::read_to_string(&path).expect("the drawing is text");
        let elements = elements_by_brackets(&text);
        n_elements += elements.len();
        assert_eq!(elements, elements_by_roxmltree(&text), "{}", path.display());
    }
    assert!(n_elements > 100, "{n_elements}");
}

#[test]
fn errors_have_the_first_offset() {
    use BracketReason::{InvalidByte, Mismatched, Unclosed, Unfinished, Unopened};
    let cases = [
        (BracketSyntax::c(), "f(a[1)]", 5, Mismatched),
        (BracketSyntax::c(), "{ ')' ) }", 6, Mismatched),
        (BracketSyntax::c(), "/*(*/ ] \"", 6, Unopened),
        (BracketSyntax::c(), "{ ( } \" ", 4, Mismatched),
        (BracketSyntax::c(), "{ ( \"a\n) }", 6, InvalidByte),
        (BracketSyntax::c(), "{ ( // )", 2, Unclosed),
        (BracketSyntax::c(), "{ ( /* )", 8, Unfinished),
        (BracketSyntax::scheme(), "(a #|b|# c)", 4, InvalidByte),
        (BracketSyntax::scheme(), "(a #\\) [", 7, Unclosed),
        (BracketSyntax::scheme(), "`(,@#\\( #0=#\\( ]", 15, Mismatched),
        (BracketSyntax::json(), r#"{"}\"]": [ "\\" }"#, 16, Mismatched),
        (BracketSyntax::xml(), "<a><b></a>", 1, Unclosed),
        (BracketSyntax::xml(), "<a>1 < 2</a>", 6, InvalidByte),
        (BracketSyntax::xml(), "<!DOCTYPE a [<!ENTITY b '<c>'>]><a/>", 12, InvalidByte),
        (BracketSyntax::xml(), "<a></a></b>", 8, Unopened),
        (BracketSyntax::xml(), "<a b='", 6, Unfinished),
        (BracketSyntax::xml(), "<a b='></a>", 7, InvalidByte),
    ];
    for (syntax, text, offset, reason) in cases {
        let error = brackets(text.as_bytes(), &syntax).expect_err(text);
        assert_eq!((error.offset, error.reason), (offset, reason), "{text}");
    }
}
