// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage brackets, last dispatch: the number of brackets, and the first error.

#import text_config
#import bracket_syntax
#import bracket_reasons
#import bracket_summary
#import text_report

@group(0) @binding(4) var<storage> matches: array<i32>;
@group(0) @binding(5) var<storage> positions: array<u32>;
@group(0) @binding(6) var<storage, read_write> report: TextReport;

@compute @workgroup_size(1)
fn main() {
    let n_rows = summary.n_rows;
    if n_rows > config.capacity {
        report = TextReport(n_rows, TOO_MANY_ROWS, 0u);
        return;
    }
    var reason = VALID;
    var offset = NO_ERROR;
    for (var i = 1u; i <= N_ERRORS; i++) {
        let first = atomicLoad(&summary.first_errors[i - 1u]);
        if first < offset {
            reason = i;
            offset = first;
        }
    }
    if reason == VALID {
        let open = matches[n_rows];
        offset = 0u;
        if ((syntax.final_states >> summary.state) & 1u) == 0u {
            reason = UNFINISHED;
            offset = config.n_bytes;
        } else if open >= 0 {
            reason = UNCLOSED;
            offset = positions[open];
        }
    }
    report = TextReport(n_rows, reason, offset);
}
