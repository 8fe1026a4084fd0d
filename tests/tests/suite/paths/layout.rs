//! Layouts and constants agree between Rust and WGSL.

use std::collections::{BTreeMap, BTreeSet};
use std::mem::offset_of;

use boxwood::paths::{MAX_ROW_TAGS, PathConfig, RoundedBox};
use boxwood_cpu::paths::accuracy;
use boxwood_cpu::paths::twin::THRESHOLDS;
use naga::{Expression, Literal, Module, TypeInner};
use vello_encoding::{PathTag, Style};

/// The modules of the stage's shaders, by name.
fn modules() -> BTreeMap<&'static str, Module> {
    let parse = |source| naga::front::wgsl::parse_str(source).expect("the shader is valid");
    boxwood_shaders::paths::all().into_iter().map(|shader| (shader.name, parse(shader.source))).collect()
}

#[test]
fn workgroups_have_the_sizes_that_the_host_expects() {
    for shader in boxwood_shaders::paths::all() {
        let size = match shader.name {
            "path_fill" | "path_stroke" | "path_inside" | "path_pieces" => 128,
            "path_spans" | "path_spans_rounded" => 64,
            _ => 256,
        };
        assert_eq!(shader.workgroup_size, [size, 1, 1], "{}", shader.name);
    }
}

#[test]
fn structs_have_the_same_layout_in_rust_and_in_wgsl() {
    macro_rules! layout {
        ($type:ident: $($field:ident),*) => {
            (stringify!($type), (vec![$((stringify!($field), offset_of!($type, $field))),*], size_of::<$type>()))
        };
    }
    let rust = BTreeMap::from([
        layout!(PathConfig: n_paths, n_tag_words, n_partitions, path_tag_base, path_data_base, n_path_data,
            transform_base, n_transforms, style_base, n_styles, one, minus_zero, has_fills, has_strokes,
            log2_row_tags),
        layout!(RoundedBox: x0, y0, x1, y1, draw_flags, trans_ix),
    ]);
    let mut seen = BTreeSet::new();
    for (shader, module) in &modules() {
        for (_, ty) in module.types.iter() {
            let (Some(name), TypeInner::Struct { members, span }) = (ty.name.as_deref(), &ty.inner) else {
                continue;
            };
            let Some((&name, expected)) = rust.get_key_value(name) else { continue };
            let member = |m: &naga::StructMember| (m.name.clone().unwrap_or_default(), m.offset as usize);
            let found: Vec<_> = members.iter().map(member).collect();
            let found: Vec<_> = found.iter().map(|(name, offset)| (name.as_str(), *offset)).collect();
            assert_eq!((found, *span as usize), *expected, "{name} in {shader}");
            seen.insert(name);
        }
    }
    assert_eq!(seen.len(), rust.len(), "every struct is in some shader, found {seen:?}");
}

/// The constants that the shaders share with `vello_encoding` and with the host.
fn shared_constants() -> Vec<(&'static str, f64)> {
    let constants = [
        ("TAG_LINE", PathTag::LINE_TO_I16.0.into()),
        ("TAG_SUBPATH_END", PathTag::SUBPATH_END_BIT.into()),
        ("TAG_F32", (PathTag::LINE_TO_F32.0 ^ PathTag::LINE_TO_I16.0).into()),
        ("TAG_PATH", PathTag::PATH.0.into()),
        ("TAG_TRANSFORM", PathTag::TRANSFORM.0.into()),
        ("TAG_STYLE", PathTag::STYLE.0.into()),
        ("STYLE_STROKE", Style::FLAGS_STYLE_BIT),
        ("STYLE_EVEN_ODD", Style::FLAGS_FILL_BIT),
        ("JOIN_MITER", Style::FLAGS_JOIN_BITS_MITER >> 28),
        ("JOIN_ROUND", Style::FLAGS_JOIN_BITS_ROUND >> 28),
        ("CAP_SQUARE", Style::FLAGS_CAP_BITS_SQUARE >> 24),
        ("CAP_ROUND", Style::FLAGS_CAP_BITS_ROUND >> 24),
        ("MAX_LOG2_ROW_TAGS", MAX_ROW_TAGS.ilog2()),
    ];
    constants.map(|(name, value): (_, u32)| (name, value.into())).to_vec()
}

/// The constants that have no counterpart elsewhere, or are compared by other tests: sizes of
/// workgroups and lists, bits and kinds, sentinels, and the error of bounds that only decide what
/// is computed exactly.
const OWN_CONSTANTS: [&str; 27] = [
    "BRUSH_NONE",
    "BRUSH_ORDINARY",
    "BRUSH_UNBOUNDED",
    "EMPTY",
    "EMPTY_KEYS",
    "ERROR_IN_PIXELS",
    "INFINITY",
    "JOBS_PER_WORKGROUP",
    "LARGEST",
    "LG_WORKGROUP_SIZE",
    "MAX_BOUNDED",
    "MAX_EXTRA_JOBS",
    "MAX_OWN_JOBS",
    "NOT_FINITE",
    "NO_DATA",
    "NO_INDEX",
    "NO_SPAN",
    "N_SIDES",
    "N_SUMMED",
    "ORDINARY_SQUARES",
    "PARTITIONS_PER_GROUP",
    "PLANE",
    "READERS",
    "RELATIVE_ERROR",
    "SPANS_PER_WORKGROUP",
    "TAG_SEGMENT",
    "WORKGROUP_SIZE",
];

#[test]
fn every_constant_has_the_same_value_in_rust_and_in_wgsl() {
    let mut expected: BTreeMap<&str, f64> = THRESHOLDS.iter().copied().collect();
    assert!(expected.len() == THRESHOLDS.len() && expected.len() > 32, "thresholds have names of their own");
    expected.extend(shared_constants());
    let mut seen = BTreeSet::new();
    for (shader, module) in &modules() {
        for (_, constant) in module.constants.iter() {
            let Some(name) = constant.name.as_deref() else { continue };
            let Some((&name, &value)) = expected.get_key_value(name) else {
                assert!(OWN_CONSTANTS.contains(&name), "{name} in {shader} is compared with nothing");
                continue;
            };
            let found = match module.global_expressions[constant.init] {
                Expression::Literal(Literal::F32(v)) => v.into(),
                Expression::Literal(Literal::U32(v)) => v.into(),
                Expression::Literal(Literal::I32(v)) => v.into(),
                ref other => panic!("{name} in {shader} is not a number: {other:?}"),
            };
            assert!(
                f64::to_bits(found) == value.to_bits(),
                "{name} is {found} in {shader}, and {value} in Rust"
            );
            seen.insert(name);
        }
    }
    let missing: Vec<_> = expected.keys().filter(|name| !seen.contains(*name)).collect();
    assert!(missing.is_empty(), "no shader has {missing:?}");
}

/// The rows of the tables in `docs/strokes.md` that define a number: its name and its value.
fn documented_numbers() -> Vec<(&'static str, f64)> {
    let value_of = |text: &str| -> f64 {
        if let Some(exponent) = text.strip_prefix("2^") {
            return exponent.parse::<f64>().expect("an exponent").exp2();
        }
        match text.strip_prefix("0x") {
            Some(digits) => u32::from_str_radix(digits, 16).expect("hexadecimal digits").into(),
            None => text.parse().expect("a number"),
        }
    };
    let row = |line: &'static str| {
        let mut cells = line.strip_prefix("| `")?.split(" | ");
        let name = cells.next()?.strip_suffix('`')?;
        let value = cells.next()?.strip_prefix('`')?.strip_suffix('`')?;
        Some((name, value_of(value)))
    };
    include_str!("../../../../docs/strokes.md").lines().filter_map(row).collect()
}

#[test]
fn the_documentation_has_every_threshold_with_its_value() {
    macro_rules! numbers {
        ($($name:ident),*) => { [$((stringify!($name), accuracy::$name)),*] };
    }
    let accuracy = numbers!(
        CONTAINMENT,
        FILL_TIGHTNESS,
        FILL_ULPS,
        STROKE_TIGHTNESS,
        STROKE_RELATIVE_TIGHTNESS,
        STROKE_ROUNDING,
        MITER_ROUNDING
    );
    let expected: BTreeMap<&str, f64> = THRESHOLDS.iter().copied().chain(accuracy).collect();
    let documented = documented_numbers();
    assert_eq!(
        documented.iter().map(|(name, _)| *name).collect::<BTreeSet<_>>(),
        expected.keys().copied().collect(),
        "docs/strokes.md has a row for each number"
    );
    for (name, value) in documented {
        #[expect(clippy::cast_possible_truncation, reason = "decimal fractions are those of `f32`")]
        let rounded = f64::from(value as f32);
        assert!([value, rounded].contains(&expected[name]), "{name} is {value} in docs/strokes.md");
    }
}
