// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: BracketSummary, N_ERRORS, NO_ERROR, keep_error, summary

// What is known of the whole text.

struct BracketSummary {
    n_rows: u32,
    // The state after the text.
    state: u32,
    // The offset of the first byte with each of the errors 1 to 3, see `bracket_reasons`.
    first_errors: array<atomic<u32>, N_ERRORS>,
}

const N_ERRORS = 3u;
// The offset of an error that the text does not have.
const NO_ERROR = 0xffffffffu;

@group(0) @binding(3) var<storage, read_write> summary: BracketSummary;

fn keep_error(reason: u32, offset: u32) {
    // Most errors are after the first one. Atomic minima are slow if many invocations need them.
    if offset < atomicLoad(&summary.first_errors[reason - 1u]) {
        atomicMin(&summary.first_errors[reason - 1u], offset);
    }
}
