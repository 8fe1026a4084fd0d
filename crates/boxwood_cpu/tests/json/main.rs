//! The specification of stage *json* against `JSONTestSuite`, and against its own definition.

mod test_suite;

use boxwood_cpu::specification::tree::{JsonError, JsonKind, JsonReason, JsonRoots, JsonRow, json};

fn one(text: &str) -> Result<Vec<JsonRow>, JsonError> {
    json(text.as_bytes(), JsonRoots::One)
}

/// What `error` returns for a text without an error.
const VALID: Option<(u32, JsonReason)> = None;

fn error(text: &[u8], roots: JsonRoots) -> Option<(u32, JsonReason)> {
    json(text, roots).err().map(|error| (error.offset, error.reason))
}

/// The cases that RFC 8259 leaves to the parser, and that are refused: all of them are not UTF-8,
/// or begin with a byte order mark, which section 8.1 forbids in texts.
const REFUSED: [&str; 14] = [
    "i_string_UTF-16LE_with_BOM",
    "i_string_UTF-8_invalid_sequence",
    "i_string_UTF8_surrogate_U+D800",
    "i_string_invalid_utf-8",
    "i_string_iso_latin_1",
    "i_string_lone_utf8_continuation_byte",
    "i_string_not_in_unicode_range",
    "i_string_overlong_sequence_2_bytes",
    "i_string_overlong_sequence_6_bytes",
    "i_string_overlong_sequence_6_bytes_null",
    "i_string_truncated-utf-8",
    "i_string_utf16BE_no_BOM",
    "i_string_utf16LE_no_BOM",
    "i_structure_UTF-8_BOM_empty_object",
];

#[test]
fn the_verdicts_are_those_of_json_test_suite() {
    let cases = test_suite::cases();
    let count = |prefix: &str| cases.iter().filter(|case| case.name.starts_with(prefix)).count();
    assert_eq!([count("y_"), count("n_"), count("i_")], [95, 188, 35]);
    for case in &cases {
        let result = json(&case.text, JsonRoots::One);
        let is_valid = match &case.name[..2] {
            "y_" => true,
            "n_" => false,
            _ => !REFUSED.contains(&case.name),
        };
        assert_eq!(result.is_ok(), is_valid, "{}: {result:?}", case.name);
    }
}

#[test]
fn the_tree_of_a_text() {
    let row = |kind, first, last, parent, partner| JsonRow { kind, first, last, parent, partner };
    assert_eq!(
        one(r#" {"a": [-1, "b\""], "c": null} "#),
        Ok(vec![
            row(JsonKind::Object, 1, 29, -1, 8),
            row(JsonKind::Key, 2, 4, 0, -1),
            row(JsonKind::Array, 7, 17, 0, 5),
            row(JsonKind::Number, 8, 9, 2, -1),
            row(JsonKind::String, 12, 16, 2, -1),
            row(JsonKind::ArrayEnd, 17, 17, 0, 2),
            row(JsonKind::Key, 20, 22, 0, -1),
            row(JsonKind::Null, 25, 28, 0, -1),
            row(JsonKind::ObjectEnd, 29, 29, -1, 0),
        ])
    );
    let kinds = one("[true,false]").map(|rows| rows.iter().map(|row| row.kind).collect::<Vec<_>>());
    assert_eq!(kinds, Ok(vec![JsonKind::Array, JsonKind::True, JsonKind::False, JsonKind::ArrayEnd]));
}

/// Each reason, with its offset.
#[test]
fn errors_have_offsets_and_reasons() {
    use JsonReason as R;
    let cases: [(&str, u32, R); 44] = [
        ("[a]", 1, R::UnexpectedByte),
        ("[+1]", 1, R::UnexpectedByte),
        ("[\u{feff}]", 1, R::UnexpectedByte),
        ("[\\\"]", 1, R::UnexpectedByte),
        ("[truE]", 1, R::Literal),
        ("[nulll]", 1, R::Literal),
        ("[01]", 1, R::Number),
        ("[-01]", 1, R::Number),
        ("[1.]", 2, R::Number),
        ("[1.5.2]", 4, R::Number),
        ("[1e5e2]", 4, R::Number),
        ("[-]", 1, R::Number),
        ("[1e+]", 3, R::Number),
        ("[12a]", 3, R::Number),
        ("[\"a\n\"]", 3, R::ControlCharacter),
        ("[\"\\x\"]", 2, R::Escape),
        ("[\"\\u12g4\"]", 2, R::Escape),
        ("[\"\\\n\"]", 2, R::Escape),
        ("]", 0, R::Unopened),
        ("[1]]", 3, R::Unopened),
        ("[1}", 2, R::Mismatched),
        ("{\"a\":1]", 6, R::Mismatched),
        ("[1 2]", 3, R::MissingComma),
        ("[[1][2]]", 4, R::MissingComma),
        ("{\"a\":1 \"b\":2}", 7, R::MissingComma),
        ("[1,]", 3, R::ExtraComma),
        ("[,1]", 1, R::ExtraComma),
        ("[1,,2]", 3, R::ExtraComma),
        ("{\"a\":1,}", 7, R::ExtraComma),
        ("{\"a\" 1}", 5, R::MissingColon),
        ("{\"a\"}", 4, R::MissingColon),
        ("{\"a\",1}", 4, R::MissingColon),
        ("[1:2]", 2, R::ExtraColon),
        ("{\"a\":\"b\":1}", 8, R::ExtraColon),
        ("{\"a\"::1}", 5, R::ExtraColon),
        ("{1:2}", 1, R::MissingKey),
        ("{\"a\":1,[]}", 7, R::MissingKey),
        ("{\"a\":}", 5, R::MissingValue),
        ("{\"a\":,}", 5, R::MissingValue),
        ("1 2", 2, R::OutsideRoot),
        ("[],", 2, R::OutsideRoot),
        (" [\"a\\\"]", 2, R::UnclosedString),
        ("[[1],{", 5, R::UnclosedBracket),
        ("  ", 2, R::NoValue),
    ];
    for (text, offset, reason) in cases {
        assert_eq!(error(text.as_bytes(), JsonRoots::One), Some((offset, reason)), "{text}");
    }
    let bytes: [(&[u8], u32); 9] = [
        (b"[\"\x80\"]", 2),
        (b"[\"a\xc3\"]", 3),
        (b"[\"\xc3\xa9\xa9\"]", 4),
        (b"[\"\xc1\xbf\"]", 2),
        (b"[\"\xe0\x9f\xbf\"]", 2),
        (b"[\"\xed\xa0\x80\"]", 2),
        (b"[\"\xf0\x8f\xbf\xbf\"]", 2),
        (b"[\"\xf4\x90\x80\x80\"]", 2),
        (b"[\"\xf5\x80\x80\x80\"]", 2),
    ];
    for (text, offset) in bytes {
        assert_eq!(error(text, JsonRoots::One), Some((offset, JsonReason::Utf8)), "{text:x?}");
    }
    // Of two errors, the first is reported, and of two at the same byte, the smaller reason.
    assert_eq!(error(b"[1 2,tru,01]", JsonRoots::One), Some((3, JsonReason::MissingComma)));
    assert_eq!(error(b"[1 tru]", JsonRoots::One), Some((3, JsonReason::Literal)));
}

#[test]
fn lines_are_roots() {
    let lines = |text: &str| error(text.as_bytes(), JsonRoots::Lines);
    for text in ["", "\n\n", "1", "1\n2", "{\"a\":1}\r\n\n[]\n \"x\" \n"] {
        assert_eq!(lines(text), VALID, "{text:?}");
    }
    assert_eq!(lines("1 2"), Some((2, JsonReason::OutsideRoot)));
    assert_eq!(lines("1,\n2"), Some((1, JsonReason::OutsideRoot)));
    assert_eq!(lines("[1,\n2]"), Some((3, JsonReason::LineBreak)));
    assert_eq!(lines("1\n[1\n"), Some((4, JsonReason::LineBreak)));
    assert_eq!(lines("1\n[1"), Some((2, JsonReason::UnclosedBracket)));
    let parents =
        json(b"[1]\n{}", JsonRoots::Lines).map(|rows| rows.iter().map(|r| r.parent).collect::<Vec<_>>());
    assert_eq!(parents, Ok(vec![-1, 0, -1, -1, -1]));
    assert_eq!(error(b"1\n2", JsonRoots::One), Some((2, JsonReason::OutsideRoot)));
}

#[test]
fn errors_are_readable() {
    let error = one("{\"a\" 1}").expect_err("a colon is missing").to_string();
    assert_eq!(error, "byte 5: a colon is missing after the key before this");
    for (number, reason) in (1..).zip(JsonReason::ALL) {
        assert_eq!((reason as u32, JsonReason::of_number(number)), (number, Some(reason)));
    }
    for (number, kind) in (0..).zip(JsonKind::ALL) {
        assert_eq!(kind as u32, number);
    }
}
