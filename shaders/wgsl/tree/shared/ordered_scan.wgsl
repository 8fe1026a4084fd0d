// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: Scanned, WORKGROUP_SIZE, scan_join
// provides: ordered_scan, scanned_through

// The inclusive scan over the invocations of a workgroup with an associative operation, which need
// not be commutative. The importing file declares the type `Scanned` and `scan_join(x, y)`, the
// result of x and then y.
//
// Invocations are scanned in runs of eight, each run by one invocation. The runs are then scanned
// in rounds that join four terms. This takes a third of the instructions of rounds over all.

const SCAN_RUN = 8u;
const N_SCAN_RUNS = WORKGROUP_SIZE / SCAN_RUN;
// The result of each run up to each invocation. An unused item after each run avoids bank
// conflicts.
var<workgroup> scanned: array<Scanned, WORKGROUP_SIZE + N_SCAN_RUNS>;
// The results up to each run: two arrays for alternate rounds. There are three rounds, so that the
// second one has the result.
var<workgroup> scanned_runs: array<Scanned, 2u * N_SCAN_RUNS>;

// Scans the items of all invocations. Ends with a barrier. The caller needs another one before the
// next scan.
fn ordered_scan(local: u32, own: Scanned) {
    scanned[local + local / SCAN_RUN] = own;
    workgroupBarrier();
    var joined = own;
    if local < N_SCAN_RUNS {
        let first = (SCAN_RUN + 1u) * local;
        joined = scanned[first];
        for (var i = 1u; i < SCAN_RUN; i++) {
            joined = scan_join(joined, scanned[first + i]);
            scanned[first + i] = joined;
        }
        scanned_runs[local] = joined;
    }
    var half = 0u;
    for (var length = 1u; length < N_SCAN_RUNS; length *= 4u) {
        workgroupBarrier();
        if local < N_SCAN_RUNS {
            #repeat k 3
            let distance = ($k + 1u) * length;
            if local >= distance {
                joined = scan_join(scanned_runs[half + local - distance], joined);
            }
            #endrepeat
            scanned_runs[(half ^ N_SCAN_RUNS) + local] = joined;
        }
        half ^= N_SCAN_RUNS;
    }
    workgroupBarrier();
}

// The result up to and including an invocation.
fn scanned_through(invocation: u32) -> Scanned {
    let run = invocation / SCAN_RUN;
    let own = scanned[invocation + run];
    if run == 0u {
        return own;
    }
    return scan_join(scanned_runs[N_SCAN_RUNS + run - 1u], own);
}
