//! The parsing cases of Nicolas Seriot's `JSONTestSuite`.

/// A case.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// Its name. `y_` is valid, `n_` is not, `i_` is left to the parser.
    pub(crate) name: &'static str,
    /// The text.
    pub(crate) text: Vec<u8>,
}

/// All cases.
///
/// A line of the file has the name of a case and its text, in which `\xHH` is a byte. `*N ` before
/// a text repeats it N times. The text after ` + ` is not repeated.
pub(crate) fn cases() -> Vec<Case> {
    let lines = include_str!("test_suite.txt").lines().skip(1);
    lines
        .map(|line| {
            let (name, escaped) = line.split_once(' ').expect("a line has a name");
            Case { name, text: text_of(escaped) }
        })
        .collect()
}

fn text_of(escaped: &str) -> Vec<u8> {
    let repetition = escaped.strip_prefix('*').and_then(|rest| {
        let (count, rest) = rest.split_once(' ')?;
        Some((count.parse::<usize>().ok()?, rest))
    });
    let Some((count, rest)) = repetition else {
        return unescaped(escaped);
    };
    let (repeated, tail) = rest.split_once(" + ").unwrap_or((rest, ""));
    [unescaped(repeated).repeat(count), unescaped(tail)].concat()
}

fn unescaped(escaped: &str) -> Vec<u8> {
    let mut text = Vec::new();
    let mut bytes = escaped.bytes();
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            text.push(byte);
        } else if bytes.next() == Some(b'x') {
            let digits: String = bytes.by_ref().take(2).map(char::from).collect();
            text.push(u8::from_str_radix(&digits, 16).expect("two digits follow"));
        } else {
            text.push(b'\\');
        }
    }
    text
}
