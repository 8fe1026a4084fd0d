//! The structs and the numbers of stage *json* in Rust and in WGSL.

use std::mem::offset_of;

use boxwood::tree::{JsonKind, JsonReason, JsonSpan, Matcher, TextConfig, TextReport};
use boxwood_shaders::tree as shaders;

use super::{GROUP, PARTITION};
use crate::spatial::layout::{assert_same_layout, members};
use crate::tree::{constants, name_in_wgsl};

#[test]
fn structs_have_the_same_layout_in_rust_and_in_wgsl() {
    assert_same_layout!(&shaders::JSON_LEX, TextConfig { n_bytes, capacity, has_lines, padding });
    assert_same_layout!(&shaders::JSON_ROWS, JsonSpan { first, last });
    assert_same_layout!(&shaders::JSON_REPORT, TextReport { n_rows, reason, offset });
}

#[test]
fn kinds_and_reasons_have_the_same_numbers_in_rust_and_in_wgsl() {
    let [lex, rows, report] =
        [&*shaders::JSON_LEX, &*shaders::JSON_ROWS, &*shaders::JSON_REPORT].map(constants);
    for reason in JsonReason::ALL {
        let found = [&lex, &rows, &report].map(|names| names.get(&name_in_wgsl(reason)));
        assert_eq!(found, [Some(&(reason as u32)); 3], "{reason:?}");
    }
    assert_eq!(report["TOO_MANY_ROWS"], 31);
    for kind in JsonKind::ALL {
        assert_eq!(rows.get(&format!("KIND_{}", name_in_wgsl(kind))), Some(&(kind as u32)), "{kind:?}");
    }
}

#[test]
fn partitions_have_the_same_length_in_rust_and_in_wgsl() {
    let count = constants(&shaders::JSON_COUNT);
    let length = |name: &str| count[name] as usize;
    assert_eq!(length("PARTITION_BYTES"), PARTITION);
    assert_eq!(length("GROUP_PARTITIONS") * PARTITION, GROUP);
    assert_eq!(count["MATCH_PARTITION_LENGTH"], Matcher::Hierarchical.partition_length());
}
