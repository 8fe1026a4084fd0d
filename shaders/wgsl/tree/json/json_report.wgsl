// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage json, last dispatch: the number of rows, and the first error.

#import text_config
#import json_context
#import json_outputs
#import json_partitions
#import json_reasons
#import text_report

@group(0) @binding(2) var<storage> contexts: array<u32>;
@group(0) @binding(4) var<storage> spans: array<JsonSpan>;
@group(0) @binding(5) var<storage, read_write> report: TextReport;

@compute @workgroup_size(1)
fn main() {
    let n_rows = partitions.n_rows;
    let first_error = atomicLoad(&partitions.first_error);
    report.n_rows = n_rows;
    report.offset = 0u;
    if n_rows > config.capacity {
        report.reason = TOO_MANY_ROWS;
        return;
    }
    if first_error != NO_ERROR {
        let error = partitions.items[first_error].error;
        report.reason = error % 32u;
        report.offset = first_error * PARTITION_BYTES + error / 32u;
        return;
    }
    // The text ends in a string, which is the last row, or in the brackets that enclose its end.
    let open = row_of(contexts[partitions.n_brackets]);
    if partitions.ends_in_string != 0u && n_rows > 0u {
        report.reason = UNCLOSED_STRING;
        report.offset = spans[n_rows - 1u].first;
    } else if open >= 0 && u32(open) < n_rows {
        report.reason = UNCLOSED_BRACKET;
        report.offset = spans[open].first;
    } else if n_rows == 0u && config.has_lines == 0u {
        report.reason = NO_VALUE;
        report.offset = config.n_bytes;
    } else {
        report.reason = VALID;
    }
}
