//! Matching and scans over trees.

mod brackets;
mod json;
mod look_back;
mod matcher_faults;
mod matchers;
mod memory_safety;
mod scan;
mod text_lengths;

use std::collections::BTreeMap;
use std::fmt::Debug;

use boxwood_shaders::Shader;
use boxwood_tests::{Family, families};

/// The family of this name.
fn family(name: &str) -> Family {
    families().into_iter().find(|family| family.name == name).expect("there is such a family")
}

/// The kinds of the entries of a node stream, true for a begin. Leaves are not entries.
fn begins(stream: &str) -> Vec<bool> {
    stream.chars().filter(|c| matches!(c, '(' | ')')).map(|c| c == '(').collect()
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

/// The name of a constant in WGSL for a variant: `UNEXPECTED_BYTE` for `UnexpectedByte`.
fn name_in_wgsl(variant: impl Debug) -> String {
    let mut name = String::new();
    for (i, c) in format!("{variant:?}").char_indices() {
        name.push_str(if i > 0 && c.is_uppercase() { "_" } else { "" });
        name.extend(c.to_uppercase());
    }
    name
}
