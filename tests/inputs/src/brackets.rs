//! Texts with balanced brackets, in any syntax.

use boxwood_cpu::specification::tree::{BracketRole, BracketSyntax};

use crate::Random;

/// A name, a syntax, and the bytes for texts in it. Bytes that occur several times are more likely.
pub type BracketFamily = (&'static str, BracketSyntax, &'static [u8]);

/// Syntaxes of languages.
pub fn bracket_families() -> [BracketFamily; 3] {
    [
        ("c", BracketSyntax::c(), b"()[]{}()[]{}    ab01;;,,..''\"\"\\//**\n\n\r\xc3\xa9"),
        ("scheme", BracketSyntax::scheme(), b"()[]()[]    abc01;''\"\"\\||##\n\n\xc3\xa9"),
        ("xml", BracketSyntax::xml(), b"<<<<///>>>>  ab:=''\"\"!--??[]]\n\xc3\xa9"),
    ]
}

/// A syntax of arbitrary states, in which every byte leads to any state, and a text may end in some
/// of them.
pub fn random_syntax(random: &mut Random) -> BracketSyntax {
    let mut state = || u8::try_from(random.below(16)).expect("there are 16 states");
    let mut syntax = BracketSyntax::new().end_in(&[state(), state(), state()]);
    for (byte, from) in (0..=u8::MAX).flat_map(|byte| (0..16).map(move |from| (byte, from))) {
        syntax = syntax.on(from, &[byte], state());
        let kind = state();
        let role = match state() {
            0 => Some(BracketRole::Open(kind % BracketRole::N_KINDS)),
            1 => Some(BracketRole::Close(kind % BracketRole::N_KINDS)),
            2 if kind == 0 => Some(BracketRole::Invalid),
            _ => None,
        };
        syntax = role.into_iter().fold(syntax, |syntax, role| syntax.mark(from, byte, role));
    }
    syntax
}

/// A text without errors of some of these bytes: at least `n_bytes`, and more until it is balanced.
pub fn random_brackets(random: &mut Random, syntax: &BracketSyntax, bytes: &[u8], n_bytes: usize) -> Vec<u8> {
    let mut text = Vec::with_capacity(n_bytes + 64);
    let (mut state, mut open) = (0, Vec::new());
    loop {
        let is_ending = text.len() + open.len() >= n_bytes;
        if is_ending && open.is_empty() && syntax.may_end_in(state) {
            return text;
        }
        let byte = bytes[random.below(bytes.len())];
        let (next, role) = syntax.step(state, byte);
        match role {
            None => {}
            Some(BracketRole::Open(kind)) if !is_ending => open.push(kind),
            Some(BracketRole::Close(kind)) if open.last() == Some(&kind) => drop(open.pop()),
            Some(_) => continue,
        }
        text.push(byte);
        state = next;
    }
}
