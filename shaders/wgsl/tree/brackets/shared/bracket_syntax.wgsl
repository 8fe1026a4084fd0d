// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: BracketSyntax, step_of, syntax

// The syntax of a text: a state machine with 16 states that reads its bytes.

// `boxwood_cpu::specification::tree::BracketSyntax` has the same layout.
struct BracketSyntax {
    // For each byte, 8 bits per state: the next state in bits 0..4, and the role of the byte in
    // bits 4..8.
    steps: array<vec4<u32>, 256>,
    // Bit i is set if a text may end in state i.
    final_states: u32,
    padding: array<u32, 3>,
}

@group(0) @binding(2) var<storage> syntax: BracketSyntax;

// The next state and the role of a byte.
fn step_of(state: u32, byte: u32) -> vec2<u32> {
    let step = syntax.steps[byte][state / 4u] >> (8u * (state % 4u));
    return vec2(step & 15u, (step >> 4u) & 15u);
}
