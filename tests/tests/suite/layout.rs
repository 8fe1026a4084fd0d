//! What Rust and WGSL say of the same thing agrees, and every shader keeps within WebGPU's default limits.

use std::collections::{BTreeMap, BTreeSet};
use std::mem::offset_of;

use boxwood::stage::{Axis, Grid, Stage, bound};
use boxwood::{
    Bic, Config, Matching, NodeLink, PARTITIONS_PER_GROUP, PartitionCrossings, PartitionDepth,
    PartitionEntry, PartitionSummary, SmallPartition, SmallSummary, WORKGROUP_SIZE, Window, tag,
};
use boxwood_shaders::{BindingKind, SHADERS, Shader};
use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{Literal, Module, TypeInner};

/// The stages of every algorithm, those in windows too.
fn stages() -> impl Iterator<Item = &'static Stage> {
    let in_windows = Matching::ALL.iter().filter_map(|matching| matching.stages_in_windows());
    Matching::ALL.iter().map(|matching| matching.stages()).chain(in_windows).flatten().copied()
}

fn module(shader: &Shader) -> Module {
    naga::front::wgsl::parse_str(shader.source)
        .unwrap_or_else(|e| panic!("{}: {}", shader.name, e.emit_to_string(shader.source)))
}

#[test]
fn every_shader_is_valid_without_any_feature() {
    let mut failures = Vec::new();
    for shader in SHADERS.all() {
        let result = Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(&module(shader));
        failures
            .extend(result.err().map(|e| format!("{}: {}", shader.name, e.emit_to_string(shader.source))));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_shader_keeps_the_default_limits() {
    let limits = wgpu::Limits::default();
    for shader in SHADERS.all() {
        let name = shader.name;
        let invocations: u32 = shader.workgroup_size.iter().product();
        assert!(invocations <= limits.max_compute_invocations_per_workgroup, "{name}");
        let memory = shader.workgroup_memory;
        assert!(memory <= limits.max_compute_workgroup_storage_size, "{name} takes {memory} bytes");
        let storage = shader.bindings.iter().filter(|b| b.kind != BindingKind::Uniform).count();
        assert!(storage <= limits.max_storage_buffers_per_shader_stage as usize, "{name} binds {storage}");
    }
}

#[test]
fn every_stage_has_the_workgroup_size_of_the_limits() {
    for dispatch in stages().flat_map(Stage::dispatches) {
        let size = dispatch.shader.workgroup_size;
        // Less only where what a workgroup takes does not hang on it: a partition of other elements.
        let least = if [Grid::Partitions, Grid::SeveralPartitions].contains(&dispatch.grid) {
            64
        } else {
            WORKGROUP_SIZE
        };
        assert!((least..=WORKGROUP_SIZE).contains(&size[0]), "{}: {size:?}", dispatch.shader.name);
        assert_eq!(size[1..], [1, 1], "{}", dispatch.shader.name);
    }
}

/// The members of a struct: name, offset and size of each, then the stride of an array of it.
type Layout = (Vec<(String, usize, usize)>, usize);

fn wgsl_layouts(module: &Module) -> BTreeMap<String, Layout> {
    let mut layouter = naga::proc::Layouter::default();
    layouter.update(module.to_ctx()).expect("a valid module has layouts");
    let structs = module.types.iter().filter_map(|(handle, ty)| {
        let TypeInner::Struct { members, .. } = &ty.inner else {
            return None;
        };
        let members = members
            .iter()
            .map(|m| (m.name.clone().unwrap_or_default(), m.offset as usize, layouter[m.ty].size as usize));
        Some((ty.name.clone()?, (members.collect(), layouter[handle].to_stride() as usize)))
    });
    structs.collect()
}

macro_rules! rust_layout {
    ($type:ident { $($field:ident),* }) => {
        (stringify!($type).to_owned(), (
            vec![$((stringify!($field).to_owned(), offset_of!($type, $field), size_of_field(|s: &$type| &s.$field))),*],
            size_of::<$type>(),
        ))
    };
}

fn size_of_field<S, F>(_: impl Fn(&S) -> &F) -> usize {
    size_of::<F>()
}

#[test]
fn structs_have_the_layout_of_their_rust_twins() {
    let rust: BTreeMap<String, Layout> = BTreeMap::from([
        rust_layout!(Config { n_elements, n_nodes, n_partitions, n_tree_leaves }),
        rust_layout!(Bic { a, b }),
        rust_layout!(NodeLink { parent, partner }),
        rust_layout!(PartitionDepth { start, lowest }),
        rust_layout!(PartitionSummary { bic, first_node, n_nodes, n_levels, quads, slice }),
        rust_layout!(SmallSummary { bic, n_nodes, first_node, total_box }),
        rust_layout!(SmallPartition { slice_boxes, slice, places, begins }),
        rust_layout!(Window {
            first_partition,
            end_partition,
            first_source,
            end_source,
            first_node,
            end_node
        }),
    ]);
    let mut seen = BTreeSet::new();
    for shader in stages().flat_map(Stage::dispatches).map(|d| d.shader) {
        for (name, wgsl) in wgsl_layouts(&module(shader)) {
            // WGSL leaves padding unnamed.
            let (offsets, size): (&[(&str, usize)], usize) = match &*name {
                "PartitionEntry" => (
                    &[
                        ("clip_box", offset_of!(PartitionEntry, clip_box)),
                        ("link", offset_of!(PartitionEntry, link)),
                    ],
                    size_of::<PartitionEntry>(),
                ),
                "PartitionCrossings" => (
                    &[
                        ("floor_box", offset_of!(PartitionCrossings, floor_box)),
                        ("total_box", offset_of!(PartitionCrossings, total_box)),
                        ("floor_begin", offset_of!(PartitionCrossings, floor_begin)),
                        ("pairs", offset_of!(PartitionCrossings, pairs)),
                    ],
                    size_of::<PartitionCrossings>(),
                ),
                _ => (&[], wgsl.1),
            };
            assert_eq!(wgsl.1, size, "{name}");
            for (rust, wgsl) in offsets.iter().zip(&wgsl.0) {
                assert_eq!(*rust, (&*wgsl.0, wgsl.1), "{name} in {}.wgsl", shader.name);
            }
            if let Some(rust) = rust.get(&name) {
                assert_eq!(&wgsl, rust, "{name} in {}.wgsl", shader.name);
                seen.insert(name);
            }
        }
    }
    assert_eq!(seen.len(), rust.len(), "every struct of the crate is in some shader, found {seen:?}");
}

#[test]
fn buffers_have_the_stride_of_the_arrays_that_bind_them() {
    let mut strides: BTreeMap<&str, usize> =
        stages().flat_map(|stage| stage.buffers).map(|b| (b.name, b.stride)).collect();
    strides.extend([("draw_tags", size_of::<u32>()), ("element_boxes", size_of::<boxwood::Aabb>())]);
    for shader in stages().flat_map(Stage::dispatches).map(|d| d.shader) {
        let module = module(shader);
        for (_, variable) in module.global_variables.iter().filter(|(_, v)| v.binding.is_some()) {
            let name = variable.name.as_deref().unwrap_or_default();
            let TypeInner::Array { stride, .. } = module.types[variable.ty].inner else {
                assert!(["config", "window"].contains(&name), "{name} in {} is no array", shader.name);
                continue;
            };
            // Atomics have no vectors: four words in turn are one box.
            // A round reads and writes the entries by other names.
            let name = name.trim_end_matches("_before").trim_end_matches("_after");
            let words = if (shader.name, name) == ("clip_elements", "run_boxes") { 4 } else { 1 };
            let stride = words * stride as usize;
            let own = *strides.get(name).unwrap_or_else(|| panic!("{name} in {} is no buffer", shader.name));
            // Words may be taken one at a time or four.
            let in_fours = ["draw_tags", "places", "partition_nodes"].contains(&name) && stride.min(own) == 4;
            assert!(
                stride == own || (in_fours && stride.max(own) == 16),
                "{name} in {}: {stride} bytes, not {own}",
                shader.name
            );
        }
    }
}

/// A variable that is misspelt would be bound whole.
#[test]
fn what_is_bound_in_windows_is_a_variable_of_the_shader() {
    for dispatch in stages().flat_map(Stage::dispatches) {
        let name = dispatch.shader.name;
        for (variable, axis) in dispatch.windows {
            let is_bound = dispatch.shader.bindings.iter().any(|binding| binding.name == *variable);
            assert!(is_bound, "{name} has no variable {variable}, which is bound along {axis:?}");
        }
        // Along the partitions alone, a window is a scene of its own; whatever else is bound in part says which part.
        let is_in_parts = dispatch.windows.iter().any(|&(_, axis)| axis != Axis::Partitions);
        let has_window = dispatch.shader.bindings.iter().any(|binding| binding.name == "window");
        assert_eq!(is_in_parts, has_window, "{name}");
    }
}

#[test]
fn the_fused_algorithms_have_one_length_of_partitions() {
    let bound = [&bound::TWO_LEVEL, &bound::HIERARCHICAL, &bound::IN_WINDOWS];
    let bound = bound.into_iter().flat_map(Stage::dispatches);
    let mut n_found = 0;
    for shader in bound.map(|dispatch| dispatch.shader) {
        let module = module(shader);
        for (_, constant) in module.constants.iter() {
            if constant.name.as_deref() == Some("PARTITION_LENGTH") {
                let found = &module.global_expressions[constant.init];
                let expected = naga::Expression::Literal(Literal::U32(bound::PARTITION_LENGTH));
                assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{}", shader.name);
                n_found += 1;
            }
        }
    }
    assert!(n_found >= 2, "it is in the shaders");
}

#[test]
fn constants_agree() {
    let rust = BTreeMap::from([
        ("WORKGROUP_SIZE", WORKGROUP_SIZE),
        ("LG_WORKGROUP_SIZE", WORKGROUP_SIZE.ilog2()),
        ("PARTITIONS_PER_GROUP", PARTITIONS_PER_GROUP),
        ("TAG_NOP", tag::NOP),
        ("TAG_BEGIN", tag::BEGIN),
        ("TAG_END", tag::END),
    ]);
    let mut seen = BTreeSet::new();
    for shader in SHADERS.all() {
        let module = module(shader);
        for (_, constant) in module.constants.iter() {
            let Some((&name, &value)) = constant.name.as_deref().and_then(|n| rust.get_key_value(n)) else {
                continue;
            };
            let literal = &module.global_expressions[constant.init];
            let naga::Expression::Literal(Literal::U32(found)) = *literal else {
                panic!("{name} in {} is not a u32", shader.name)
            };
            assert_eq!(found, value, "{name} in {}", shader.name);
            seen.insert(name);
        }
    }
    assert_eq!(seen.len(), rust.len(), "every constant is in some shader, found {seen:?}");
}
