//! The structs and the numbers of stage *brackets* in Rust and in WGSL.

use std::mem::offset_of;

use boxwood::tree::{BracketReason, BracketRole, BracketSyntax, TextConfig, TextReport};
use boxwood_shaders::tree as shaders;
use boxwood_tests::Random;

use super::random_syntax;
use crate::spatial::layout::{assert_same_layout, members};
use crate::tree::{constants, name_in_wgsl};

#[test]
fn structs_have_the_same_layout_in_rust_and_in_wgsl() {
    assert_same_layout!(&shaders::BRACKET_COUNT, TextConfig { n_bytes, capacity, has_lines, padding });
    assert_same_layout!(&shaders::BRACKET_REPORT, TextReport { n_rows, reason, offset });
    let syntax = members(&shaders::BRACKET_COUNT, "BracketSyntax");
    let offsets: Vec<usize> = syntax.iter().map(|(_, offset)| *offset).collect();
    assert_eq!(offsets, [0, 256 * 16, 256 * 16 + 4]);
    assert_eq!(BracketSyntax::new().to_words().len(), 256 * 4 + 4);
}

/// Each byte in each state, read from the words as `bracket_syntax.wgsl` does.
#[test]
fn the_words_of_a_syntax_have_its_steps() {
    let syntax = random_syntax(&mut Random::new(1)).end_in(&[3, 15]);
    let words = syntax.to_words();
    for (byte, state) in (0..=u8::MAX).flat_map(|byte| (0..16).map(move |state| (byte, state))) {
        let word = words[4 * usize::from(byte) + usize::from(state) / 4];
        let step = word >> (8 * (state % 4)) & 0xff;
        let (next, role) = syntax.step(state, byte);
        let role_number = role.map_or(0, BracketRole::number);
        assert_eq!((step & 15, step >> 4), (next.into(), role_number.into()), "byte {byte} in state {state}");
        assert_eq!(BracketRole::of_number(step >> 4), role);
    }
    let final_states = (0..16).filter(|state| syntax.may_end_in(*state)).map(|state| 1 << state).sum::<u32>();
    assert_eq!(words[1024], final_states);
    assert_eq!(final_states & 0x8009, 0x8009);
}

#[test]
fn reasons_and_roles_have_the_same_numbers_in_rust_and_in_wgsl() {
    let report = constants(&shaders::BRACKET_REPORT);
    for reason in BracketReason::ALL {
        assert_eq!(report.get(&name_in_wgsl(reason)), Some(&(reason as u32)), "{reason:?}");
    }
    assert_eq!(report["TOO_MANY_ROWS"], 31);
    let links = constants(&shaders::BRACKET_LINKS);
    let [open, close] = [BracketRole::Open(0), BracketRole::Close(0)].map(|role| u32::from(role.number()));
    assert_eq!([links["ROLE_OPENS"], links["ROLE_CLOSES"]], [open, close]);
    let invalid = u32::from(BracketRole::Invalid.number());
    assert_eq!(constants(&shaders::BRACKET_COUNT)["ROLE_INVALID"], invalid);
}
