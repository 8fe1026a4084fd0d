//! Syntaxes of well-known languages.

use alloc::vec::Vec;

use super::syntax::{BracketRole, BracketSyntax};

const DIGITS: &[u8] = b"0123456789";

impl BracketSyntax {
    /// C and languages with the same strings and comments, such as C++ and Java: `()`, `[]`, and
    /// `{}`, which are the kinds 0, 1, and 2, outside of strings, characters, and comments.
    ///
    /// A line break in a string or a character is not allowed, unless a backslash is before it. An
    /// apostrophe in a number is a separator, as in C++14 and C23.
    ///
    /// The preprocessor is not executed. Both branches of an `#if` are read, so a bracket that they
    /// both close is an error. An apostrophe in the text of `#error` begins a character.
    ///
    /// These are not known either: raw, verbatim, and multi-line strings, digraphs, and a backslash
    /// with a line break between the two characters that begin or end a comment.
    #[must_use]
    pub fn c() -> Self {
        const CODE: u8 = 0;
        const WORD: u8 = 1;
        const NUMBER: u8 = 2;
        const SLASH: u8 = 3;
        const LINE_COMMENT: u8 = 4;
        const LINE_COMMENT_BACKSLASH: u8 = 5;
        const COMMENT: u8 = 6;
        const COMMENT_STAR: u8 = 7;
        const STRING: u8 = 8;
        const STRING_BACKSLASH: u8 = 9;
        const CHARACTER: u8 = 10;
        const CHARACTER_BACKSLASH: u8 = 11;
        let letters: Vec<u8> = (0..=u8::MAX)
            .filter(|byte| byte.is_ascii_alphabetic() || *byte == b'_' || *byte >= 0x80)
            .collect();
        let mut syntax = Self::new().end_in(&[WORD, NUMBER, SLASH, LINE_COMMENT, LINE_COMMENT_BACKSLASH]);
        for state in [CODE, WORD, NUMBER, SLASH] {
            syntax = syntax.on_every_byte(state, CODE).on(state, b"\"", STRING).on(state, b"'", CHARACTER);
            syntax = syntax.on(state, &letters, WORD).on(state, DIGITS, NUMBER).on(state, b"/", SLASH);
            for (kind, [open, close]) in (0..).zip([*b"()", *b"[]", *b"{}"]) {
                syntax = syntax.mark(state, open, BracketRole::Open(kind));
                syntax = syntax.mark(state, close, BracketRole::Close(kind));
            }
        }
        // The prefix of a character, as in `u8'x'`, is a word. Between digits, an apostrophe is a
        // separator.
        syntax = syntax.on(WORD, DIGITS, WORD).on(NUMBER, &letters, NUMBER).on(NUMBER, b".'", NUMBER);
        syntax = syntax.on(SLASH, b"/", LINE_COMMENT).on(SLASH, b"*", COMMENT);
        syntax = syntax.on(LINE_COMMENT, b"\n", CODE).on(LINE_COMMENT, b"\\", LINE_COMMENT_BACKSLASH);
        syntax = syntax.on_every_byte(LINE_COMMENT_BACKSLASH, LINE_COMMENT);
        // A line may end in a carriage return and a line feed.
        syntax = syntax.on(LINE_COMMENT_BACKSLASH, b"\\\r", LINE_COMMENT_BACKSLASH);
        syntax = syntax.on(COMMENT, b"*", COMMENT_STAR).on_every_byte(COMMENT_STAR, COMMENT);
        syntax = syntax.on(COMMENT_STAR, b"*", COMMENT_STAR).on(COMMENT_STAR, b"/", CODE);
        for (state, backslash, end) in
            [(STRING, STRING_BACKSLASH, b"\""), (CHARACTER, CHARACTER_BACKSLASH, b"'")]
        {
            syntax = syntax.on(state, end, CODE).on(state, b"\\", backslash);
            syntax = syntax.on_every_byte(backslash, state).on(backslash, b"\r", backslash);
            syntax = syntax.mark(state, b'\n', BracketRole::Invalid);
        }
        syntax
    }

    /// S-expressions as in Scheme: `()` and `[]`, which are the kinds 0 and 1, outside of strings,
    /// `|symbols|`, characters such as `#\(`, and comments after a semicolon.
    ///
    /// The brackets of a datum that `#;` comments out are brackets. Block comments `#|` are not
    /// allowed: they can nest.
    #[must_use]
    pub fn scheme() -> Self {
        const CODE: u8 = 0;
        const WORD: u8 = 1;
        const HASH: u8 = 2;
        const CHARACTER: u8 = 3;
        const COMMENT: u8 = 4;
        const STRING: u8 = 5;
        const STRING_BACKSLASH: u8 = 6;
        const SYMBOL: u8 = 7;
        const SYMBOL_BACKSLASH: u8 = 8;
        let mut syntax = Self::new().end_in(&[WORD, HASH, COMMENT]);
        for state in [CODE, WORD, HASH] {
            syntax = syntax.on_every_byte(state, WORD).on(state, b" \t\r\n\x0c()[]'`,", CODE);
            syntax = syntax.on(state, b"\"", STRING).on(state, b"|", SYMBOL).on(state, b";", COMMENT);
            for (kind, [open, close]) in (0..).zip([*b"()", *b"[]"]) {
                syntax = syntax.mark(state, open, BracketRole::Open(kind));
                syntax = syntax.mark(state, close, BracketRole::Close(kind));
            }
        }
        // Inside a word, `#` has no meaning of its own. `,@` and the label `#1=` are before a
        // datum.
        syntax = syntax.on(CODE, b"@", CODE).on(HASH, DIGITS, HASH).on(HASH, b"=", CODE);
        syntax = syntax.on(CODE, b"#", HASH).on(HASH, b";", CODE).mark(HASH, b'|', BracketRole::Invalid);
        syntax = syntax.on(HASH, b"\\", CHARACTER).on_every_byte(CHARACTER, WORD);
        syntax = syntax.on(COMMENT, b"\n", CODE);
        syntax = syntax.on(STRING, b"\"", CODE).on(STRING, b"\\", STRING_BACKSLASH);
        syntax = syntax.on(SYMBOL, b"|", WORD).on(SYMBOL, b"\\", SYMBOL_BACKSLASH);
        syntax.on_every_byte(STRING_BACKSLASH, STRING).on_every_byte(SYMBOL_BACKSLASH, SYMBOL)
    }

    /// JSON: `{}` and `[]`, which are the kinds 0 and 1, outside of strings.
    #[must_use]
    pub fn json() -> Self {
        const VALUES: u8 = 0;
        const STRING: u8 = 1;
        const BACKSLASH: u8 = 2;
        let mut syntax = Self::new().on(VALUES, b"\"", STRING).on(STRING, b"\"", VALUES);
        syntax = syntax.on(STRING, b"\\", BACKSLASH).on_every_byte(BACKSLASH, STRING);
        for (kind, [open, close]) in (0..).zip([*b"{}", *b"[]"]) {
            syntax = syntax.mark(VALUES, open, BracketRole::Open(kind));
            syntax = syntax.mark(VALUES, close, BracketRole::Close(kind));
        }
        syntax
    }

    /// The elements of XML. The first byte of the name in a start tag opens. The slash of an end
    /// tag closes, and so does the last byte of an empty element. All are of kind 0: names are not
    /// compared.
    ///
    /// Comments, CDATA sections, processing instructions, and a document type are skipped. A
    /// document type has to be without an internal subset, and without `[` and `>` in its
    /// identifiers. A comment may not begin with `->`.
    #[must_use]
    pub fn xml() -> Self {
        const CONTENT: u8 = 0;
        const LESS: u8 = 1;
        const TAG: u8 = 2;
        const TAG_QUOTES: u8 = 3;
        const TAG_APOSTROPHES: u8 = 4;
        const TAG_SLASH: u8 = 5;
        const SKIPPED: u8 = 6;
        const MARK: u8 = 7;
        const COMMENT: u8 = 8;
        const COMMENT_DASH: u8 = 9;
        const COMMENT_DASHES: u8 = 10;
        const INSTRUCTION: u8 = 11;
        const INSTRUCTION_END: u8 = 12;
        const CDATA: u8 = 13;
        const CDATA_BRACKET: u8 = 14;
        const CDATA_BRACKETS: u8 = 15;
        let mut syntax = Self::new().on(CONTENT, b"<", LESS).on_every_byte(LESS, TAG);
        for byte in (0..=u8::MAX).filter(|byte| !b"/!?".contains(byte)) {
            let is_name = byte.is_ascii_alphabetic() || b"_:".contains(&byte) || byte >= 0x80;
            let role = if is_name { BracketRole::Open(0) } else { BracketRole::Invalid };
            syntax = syntax.mark(LESS, byte, role);
        }
        syntax = syntax.on(LESS, b"/", SKIPPED).mark(LESS, b'/', BracketRole::Close(0));
        syntax = syntax.on(LESS, b"!", MARK).on(LESS, b"?", INSTRUCTION);
        for state in [TAG, TAG_SLASH] {
            syntax = syntax.on_every_byte(state, TAG).on(state, b">", CONTENT).on(state, b"/", TAG_SLASH);
            syntax = syntax.on(state, b"\"", TAG_QUOTES).on(state, b"'", TAG_APOSTROPHES);
            syntax = syntax.mark(state, b'<', BracketRole::Invalid);
        }
        syntax = syntax.mark(TAG_SLASH, b'>', BracketRole::Close(0));
        for (state, quote) in [(TAG_QUOTES, b"\""), (TAG_APOSTROPHES, b"'")] {
            syntax = syntax.on(state, quote, TAG).mark(state, b'<', BracketRole::Invalid);
        }
        syntax = syntax.on(SKIPPED, b">", CONTENT).mark(SKIPPED, b'[', BracketRole::Invalid);
        syntax = syntax.on_every_byte(MARK, SKIPPED).on(MARK, b"-", COMMENT).on(MARK, b"[", CDATA);
        syntax = syntax.on(COMMENT, b"-", COMMENT_DASH).on_every_byte(COMMENT_DASH, COMMENT);
        syntax = syntax.on(COMMENT_DASH, b"-", COMMENT_DASHES).on_every_byte(COMMENT_DASHES, COMMENT);
        syntax = syntax.on(COMMENT_DASHES, b"-", COMMENT_DASHES).on(COMMENT_DASHES, b">", CONTENT);
        syntax = syntax.on(INSTRUCTION, b"?", INSTRUCTION_END).on_every_byte(INSTRUCTION_END, INSTRUCTION);
        syntax = syntax.on(INSTRUCTION_END, b"?", INSTRUCTION_END).on(INSTRUCTION_END, b">", CONTENT);
        syntax = syntax.on(CDATA, b"]", CDATA_BRACKET).on_every_byte(CDATA_BRACKET, CDATA);
        syntax = syntax.on(CDATA_BRACKET, b"]", CDATA_BRACKETS).on_every_byte(CDATA_BRACKETS, CDATA);
        syntax.on(CDATA_BRACKETS, b"]", CDATA_BRACKETS).on(CDATA_BRACKETS, b">", CONTENT)
    }
}
