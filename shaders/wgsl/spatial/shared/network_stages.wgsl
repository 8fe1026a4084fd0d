// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: NetworkStage, first_stage, is_last_stage, next_stage

// The stages of a sorting network for a power of two of wires. The comparators of a stage have no
// wire in common. While runs of the length `merged` are merged into runs of twice that length,
// `distance` halves from `merged` to 1.

struct NetworkStage {
    merged: u32,
    distance: u32,
}

fn first_stage() -> NetworkStage {
    return NetworkStage(1u, 1u);
}

fn next_stage(stage: NetworkStage) -> NetworkStage {
    if stage.distance > 1u {
        return NetworkStage(stage.merged, stage.distance / 2u);
    }
    return NetworkStage(2u * stage.merged, 2u * stage.merged);
}

fn is_last_stage(stage: NetworkStage, n_wires: u32) -> bool {
    return stage.distance == 1u && 2u * stage.merged >= n_wires;
}
