//! Operators that WGSL does not mix without parentheses.
//!
//! In the [grammar of WGSL], the operands of `&`, `|`, `^`, `<<`, and `>>` are unary expressions,
//! `&&` and `||` do not mix, and comparisons do not chain. Browsers refuse `a * b ^ c`, but naga
//! accepts it, with the precedence of other languages.
//!
//! The check is over tokens. It takes for granted that naga accepts the source. The build script
//! includes this file.
//!
//! [grammar of WGSL]: https://www.w3.org/TR/WGSL/#operator-precedence-associativity

use std::collections::BTreeSet;
use std::fmt;

/// Two operators that need parentheses between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MixedOperators {
    /// The line of the second operator, starting at 1.
    pub line: u32,
    /// The first operator.
    pub first: &'static str,
    /// The second operator.
    pub second: &'static str,
}

impl fmt::Display for MixedOperators {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { first, second, .. } = self;
        write!(
            formatter,
            "`{first}` and `{second}` need parentheses around one of them: WGSL gives them no precedence"
        )
    }
}

impl std::error::Error for MixedOperators {}

/// Checks that the operators of a valid source are only mixed as the grammar of WGSL allows.
///
/// # Errors
///
/// [`MixedOperators`] for the first pair that needs parentheses.
pub fn check_operators(wgsl: &str) -> Result<(), MixedOperators> {
    let source = without_comments(wgsl);
    let templates = template_delimiters(&source);
    // One expression for each open bracket, the innermost last.
    let mut expressions = vec![Expression::default()];
    let mut at = 0;
    while at < source.len() {
        let token = token_at(&source, at, &templates);
        let current = expressions.last_mut().expect("the outermost expression is never closed");
        match token {
            Token::Other => {}
            Token::Operand(_) => current.ends_in_operand = true,
            Token::Operator(operator) => {
                current.add(operator).map_err(|first| {
                    let n_lines = source[..at].iter().filter(|&&byte| byte == b'\n').count();
                    let line = u32::try_from(n_lines + 1).unwrap_or(u32::MAX);
                    MixedOperators { line, first, second: operator.text }
                })?;
            }
            Token::Open => expressions.push(Expression::default()),
            Token::Close => {
                if expressions.len() > 1 {
                    expressions.pop();
                }
                expressions.last_mut().expect("one is left").ends_in_operand = true;
            }
            Token::Boundary(_) => *current = Expression::default(),
        }
        at += token.length();
    }
    Ok(())
}

/// The binary operators of an expression outside of its brackets, so far.
#[derive(Default)]
struct Expression {
    operators: Vec<Operator>,
    /// Whether an operator that comes next is binary.
    ends_in_operand: bool,
}

impl Expression {
    /// Adds an operator. The error is the earlier operator that must not be mixed with it.
    fn add(&mut self, operator: Operator) -> Result<(), &'static str> {
        // An operator without an operand before it is unary, so it belongs to an operand.
        if !std::mem::take(&mut self.ends_in_operand) {
            return Ok(());
        }
        // The earlier operators in the same part of the expression. A part ends at an operator that
        // binds no more tightly than this one. That operator was compared with those before it.
        for earlier in self.operators.iter().rev() {
            if earlier.refuses(operator) {
                return Err(earlier.text);
            }
            if earlier.class >= operator.class {
                break;
            }
        }
        self.operators.push(operator);
        Ok(())
    }
}

/// A binary operator.
#[derive(Clone, Copy)]
struct Operator {
    text: &'static str,
    class: Class,
}

/// The classes of binary operators, the most tightly binding first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Arithmetic,
    Shift,
    Comparison,
    ShortCircuit,
    Bitwise,
}

impl Operator {
    /// Whether a later operator in the same part of an expression must not follow.
    fn refuses(self, later: Self) -> bool {
        match (self.class, later.class) {
            (Class::Bitwise, _) | (_, Class::Bitwise) | (Class::ShortCircuit, Class::ShortCircuit) => {
                self.text != later.text
            }
            (Class::Comparison, Class::Comparison)
            | (Class::Shift, Class::Shift | Class::Arithmetic)
            | (Class::Arithmetic, Class::Shift) => true,
            _ => false,
        }
    }
}

/// A token, with its length in bytes where that may differ from 1.
#[derive(Clone, Copy)]
enum Token {
    /// A space, or a token that changes nothing: `!`, `~`, `.`, or `@`.
    Other,
    /// A number or a name.
    Operand(usize),
    /// A binary or a unary operator.
    Operator(Operator),
    /// `(`, `[`, or the begin of a template list.
    Open,
    Close,
    /// A token that ends an expression and is not a closing bracket.
    Boundary(usize),
}

impl Token {
    fn length(self) -> usize {
        match self {
            Self::Other | Self::Open | Self::Close => 1,
            Self::Operand(length) | Self::Boundary(length) => length,
            Self::Operator(operator) => operator.text.len(),
        }
    }
}

/// The tokens that begin like an operator, but are not one. Longer ones come first.
const BOUNDARIES: [&str; 13] =
    ["<<=", ">>=", "->", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="];

/// The binary operators. Longer ones come first. Some are also unary.
const OPERATORS: [(&str, Class); 18] = [
    ("<<", Class::Shift),
    (">>", Class::Shift),
    ("<=", Class::Comparison),
    (">=", Class::Comparison),
    ("==", Class::Comparison),
    ("!=", Class::Comparison),
    ("&&", Class::ShortCircuit),
    ("||", Class::ShortCircuit),
    ("<", Class::Comparison),
    (">", Class::Comparison),
    ("&", Class::Bitwise),
    ("|", Class::Bitwise),
    ("^", Class::Bitwise),
    ("*", Class::Arithmetic),
    ("/", Class::Arithmetic),
    ("%", Class::Arithmetic),
    ("+", Class::Arithmetic),
    ("-", Class::Arithmetic),
];

/// The keywords that an expression may follow, so that an operator after them is unary.
const KEYWORDS: [&str; 6] = ["return", "if", "while", "switch", "case", "const_assert"];

/// The token at an offset of a source without comments.
fn token_at(source: &[u8], at: usize, templates: &BTreeSet<usize>) -> Token {
    let rest = &source[at..];
    if templates.contains(&at) {
        return if rest[0] == b'<' { Token::Open } else { Token::Close };
    }
    if rest[0].is_ascii_digit() || (rest[0] == b'.' && rest.get(1).is_some_and(u8::is_ascii_digit)) {
        return Token::Operand(number_length(rest));
    }
    if is_in_word(rest[0]) {
        let length = rest.iter().take_while(|&&byte| is_in_word(byte)).count();
        let is_keyword = KEYWORDS.iter().any(|keyword| keyword.as_bytes() == &rest[..length]);
        return if is_keyword { Token::Boundary(length) } else { Token::Operand(length) };
    }
    match rest[0] {
        b'(' | b'[' => return Token::Open,
        b')' | b']' => return Token::Close,
        b'{' | b'}' | b',' | b';' | b':' => return Token::Boundary(1),
        _ => {}
    }
    if let Some(boundary) = BOUNDARIES.iter().find(|text| rest.starts_with(text.as_bytes())) {
        return Token::Boundary(boundary.len());
    }
    match OPERATORS.iter().find(|(text, _)| rest.starts_with(text.as_bytes())) {
        Some(&(text, class)) => Token::Operator(Operator { text, class }),
        None if rest[0] == b'=' => Token::Boundary(1),
        None => Token::Other,
    }
}

/// The length of the number that a text begins with.
fn number_length(text: &[u8]) -> usize {
    // In a hexadecimal number, `e` is a digit.
    let is_hexadecimal = text.starts_with(b"0x") || text.starts_with(b"0X");
    let exponent = if is_hexadecimal { b'p' } else { b'e' };
    let mut length = 1;
    while let Some(&byte) = text.get(length) {
        let is_sign = matches!(byte, b'+' | b'-') && text[length - 1].eq_ignore_ascii_case(&exponent);
        if !(is_in_word(byte) || byte == b'.' || is_sign) {
            break;
        }
        length += 1;
    }
    length
}

/// Whether a byte is part of a name. All bytes outside of ASCII are.
fn is_in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

/// The source with spaces in place of its comments, on the same lines.
fn without_comments(wgsl: &str) -> Vec<u8> {
    let mut source = wgsl.as_bytes().to_vec();
    // Block comments nest.
    let mut depth = 0;
    let mut at = 0;
    while at < source.len() {
        let rest = &source[at..];
        let length = if depth == 0 && rest.starts_with(b"//") {
            rest.iter().take_while(|&&byte| byte != b'\n').count()
        } else if rest.starts_with(b"/*") {
            depth += 1;
            2
        } else if depth > 0 && rest.starts_with(b"*/") {
            depth -= 1;
            2
        } else if depth > 0 {
            1
        } else {
            at += 1;
            continue;
        };
        source[at..at + length].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
        at += length;
    }
    source
}

/// The offsets of `<` and `>` around template lists such as `<f32>`, by the algorithm in the
/// section [Template Lists] of the specification.
///
/// [Template Lists]: https://www.w3.org/TR/WGSL/#template-lists-sec
fn template_delimiters(source: &[u8]) -> BTreeSet<usize> {
    let mut delimiters = BTreeSet::new();
    // For each `<` that may begin a list, its offset and the brackets around it.
    let mut candidates: Vec<(usize, usize)> = Vec::new();
    let mut n_brackets = 0_usize;
    let mut at = 0;
    while at < source.len() {
        let byte = source[at];
        let next = source.get(at + 1).copied().unwrap_or_default();
        let mut length = 1;
        match byte {
            b'0'..=b'9' => length = number_length(&source[at..]),
            _ if is_in_word(byte) => {
                length = source[at..].iter().take_while(|&&byte| is_in_word(byte)).count();
                length += source[at + length..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
                if source.get(at + length) == Some(&b'<') {
                    match source.get(at + length + 1) {
                        // A shift or a comparison.
                        Some(b'<' | b'=') => length += 1,
                        _ => candidates.push((at + length, n_brackets)),
                    }
                    length += 1;
                }
            }
            b'>' => match candidates.last() {
                Some(&(begin, outside)) if outside == n_brackets => {
                    delimiters.extend([begin, at]);
                    candidates.pop();
                }
                _ if next == b'=' => length = 2,
                _ => {}
            },
            b'(' | b'[' => n_brackets += 1,
            b')' | b']' => {
                candidates.retain(|&(_, outside)| outside < n_brackets);
                n_brackets = n_brackets.saturating_sub(1);
            }
            b'!' | b'=' | b'<' if next == b'=' => length = 2,
            b'=' | b';' | b'{' | b':' => {
                n_brackets = 0;
                candidates.clear();
            }
            // No list contains these operators outside of brackets.
            b'&' | b'|' if next == byte => {
                candidates.retain(|&(_, outside)| outside < n_brackets);
                length = 2;
            }
            _ => {}
        }
        at += length;
    }
    delimiters
}

#[cfg(test)]
mod tests;
