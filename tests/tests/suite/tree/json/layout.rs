//! The structs and the numbers of stage *json* in Rust and in WGSL.

use std::collections::BTreeMap;
use std::mem::offset_of;

use boxwood::EntryLink;
use boxwood::tree::{JsonConfig, JsonKind, JsonReason, JsonReport, JsonSpan, Matcher};
use boxwood_shaders::{Shader, tree as shaders};

use super::{GROUP, PARTITION};
use crate::spatial::layout::{assert_same_layout, members};

#[test]
fn structs_have_the_same_layout_in_rust_and_in_wgsl() {
    assert_same_layout!(&shaders::JSON_LEX, JsonConfig { n_bytes, capacity, has_lines, padding });
    assert_same_layout!(&shaders::JSON_ROWS, JsonSpan { first, last });
    assert_same_layout!(&shaders::JSON_REPORT, JsonReport { n_rows, reason, offset });
    let link = [
        ("parent".to_owned(), offset_of!(EntryLink, parent)),
        ("partner".to_owned(), offset_of!(EntryLink, partner)),
    ];
    assert_eq!(members(&shaders::JSON_ROWS, "JsonLink"), link);
}

/// The constants of a shader that are a `u32`.
fn constants(shader: &Shader) -> BTreeMap<String, u32> {
    let module = naga::front::wgsl::parse_str(shader.source).expect("it is valid");
    let number = |constant: &naga::Constant| match module.global_expressions[constant.init] {
        naga::Expression::Literal(naga::Literal::U32(number)) => Some((constant.name.clone()?, number)),
        _ => None,
    };
    module.constants.iter().filter_map(|(_, constant)| number(constant)).collect()
}

#[test]
fn kinds_and_reasons_have_the_same_numbers_in_rust_and_in_wgsl() {
    // `UnexpectedByte` is `UNEXPECTED_BYTE`.
    let name = |name: String| {
        let mut words = String::new();
        for (i, c) in name.char_indices() {
            words.push_str(if i > 0 && c.is_uppercase() { "_" } else { "" });
            words.extend(c.to_uppercase());
        }
        words
    };
    let [lex, rows, report] =
        [&*shaders::JSON_LEX, &*shaders::JSON_ROWS, &*shaders::JSON_REPORT].map(constants);
    for reason in JsonReason::ALL {
        let found = [&lex, &rows, &report].map(|names| names.get(&name(format!("{reason:?}"))));
        assert_eq!(found, [Some(&(reason as u32)); 3], "{reason:?}");
    }
    for kind in JsonKind::ALL {
        assert_eq!(
            rows.get(&format!("KIND_{}", name(format!("{kind:?}")))),
            Some(&(kind as u32)),
            "{kind:?}"
        );
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
