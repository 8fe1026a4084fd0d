//! Layouts and constants agree between Rust and WGSL, and every shader keeps WebGPU's default
//! limits.

use std::collections::{BTreeMap, BTreeSet};
use std::mem::offset_of;

use boxwood::paths::PARTITIONS_PER_GROUP;
use boxwood::testing::{
    Chunk, ChunkAxis, Config, Grid, LINKS_PER_ROUND, MAX_PARTITIONS_PER_INVOCATION, PARTITION_LENGTH, Plan,
    PlannedDispatch, chunked_stages, stages,
};
use boxwood::{Algorithm, EntryLink, WORKGROUP_SIZE, tag};
use boxwood_cpu::Bic;
use boxwood_shaders::{BindingKind, Shader};
use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{Literal, Module, TypeInner};

/// The stages of every algorithm, including those for chunks.
fn plans() -> Vec<Plan<Grid>> {
    let whole = Algorithm::ALL.iter().map(|algorithm| stages(*algorithm, 4000, 2000));
    let chunked = Algorithm::ALL.iter().filter_map(|algorithm| chunked_stages(*algorithm, 4000, 2000));
    whole.chain(chunked).collect()
}

/// The dispatches of every algorithm.
fn dispatches(plans: &[Plan<Grid>]) -> impl Iterator<Item = &PlannedDispatch<Grid>> {
    plans.iter().flat_map(Plan::dispatches)
}

fn module(shader: &Shader) -> Module {
    naga::front::wgsl::parse_str(shader.source)
        .unwrap_or_else(|e| panic!("{}: {}", shader.name, e.emit_to_string(shader.source)))
}

#[test]
fn every_shader_is_valid_without_any_feature() {
    let mut failures = Vec::new();
    for shader in boxwood_shaders::all() {
        let result = Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(&module(shader));
        failures
            .extend(result.err().map(|e| format!("{}: {}", shader.name, e.emit_to_string(shader.source))));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_shader_keeps_the_default_limits() {
    let limits = wgpu::Limits::default();
    for shader in boxwood_shaders::all() {
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
    for dispatch in dispatches(&plans()) {
        let size = dispatch.shader.workgroup_size;
        // A smaller workgroup is allowed if the length of its partition does not depend on its
        // size.
        let least = if [Grid::Partitions, Grid::SeveralPartitions].contains(&dispatch.workgroups) {
            64
        } else {
            WORKGROUP_SIZE
        };
        assert!((least..=WORKGROUP_SIZE).contains(&size[0]), "{}: {size:?}", dispatch.shader.name);
        assert_eq!(size[1..], [1, 1], "{}", dispatch.shader.name);
    }
}

/// The members of a struct: the name, offset, and size of each.
type Members = Vec<(String, usize, usize)>;

fn wgsl_structs(module: &Module) -> BTreeMap<String, Members> {
    let mut layouter = naga::proc::Layouter::default();
    layouter.update(module.to_ctx()).expect("a valid module has layouts");
    let structs = module.types.iter().filter_map(|(_, ty)| {
        let TypeInner::Struct { members, .. } = &ty.inner else {
            return None;
        };
        let members = members
            .iter()
            .map(|m| (m.name.clone().unwrap_or_default(), m.offset as usize, layouter[m.ty].size as usize));
        Some((ty.name.clone()?, members.collect()))
    });
    structs.collect()
}

macro_rules! rust_struct {
    ($type:ident { $($field:ident),* $(,)? }) => {
        (stringify!($type).to_owned(), vec![
            $((stringify!($field).to_owned(), offset_of!($type, $field), size_of_field(|s: &$type| &s.$field))),*
        ])
    };
}

fn size_of_field<S, F>(_: impl Fn(&S) -> &F) -> usize {
    size_of::<F>()
}

#[test]
fn structs_have_the_same_layout_in_rust_and_in_wgsl() {
    let rust: BTreeMap<String, Members> = BTreeMap::from([
        rust_struct!(Config { n_elements, n_entries, n_partitions, n_tree_leaves }),
        rust_struct!(Bic { a, b }),
        rust_struct!(EntryLink { parent, partner }),
        rust_struct!(Chunk {
            first_partition,
            end_partition,
            first_source,
            end_source,
            first_entry,
            end_entry
        }),
    ]);
    let mut seen = BTreeSet::new();
    for shader in dispatches(&plans()).map(|dispatch| dispatch.shader) {
        for (name, wgsl) in wgsl_structs(&module(shader)) {
            if let Some(rust) = rust.get(&name) {
                assert_eq!(&wgsl, rust, "{name} in {}.wgsl", shader.name);
                seen.insert(name);
            }
        }
    }
    assert_eq!(seen.len(), rust.len(), "every struct is in some shader, found {seen:?}");
}

#[test]
fn buffers_have_the_stride_of_the_arrays_that_bind_them() {
    for plan in plans() {
        for dispatch in plan.dispatches() {
            let module = module(dispatch.shader);
            let variables =
                || module.global_variables.iter().filter_map(|(_, v)| Some((v, v.binding.as_ref()?)));
            for (binding, slots) in
                dispatch.rounds.iter().flat_map(|round| dispatch.shader.bindings.iter().zip(round))
            {
                let (variable, _) =
                    variables().find(|(_, own)| own.binding == binding.index).expect("it is reflected");
                let (shader, name) = (dispatch.shader.name, binding.name);
                let TypeInner::Array { stride, .. } = module.types[variable.ty].inner else {
                    assert!(["config", "chunk"].contains(&name), "{name} in {shader}");
                    continue;
                };
                let buffer = &plan.buffers()[slots.index()];
                // Some shaders access the words of a vector one at a time.
                let is_word_of_vector = (stride, buffer.stride) == (4, 16);
                assert!(
                    u64::from(stride) == buffer.stride || is_word_of_vector,
                    "{name} in {shader}: {stride}, and {} of {}",
                    buffer.stride,
                    buffer.name
                );
            }
        }
    }
}

/// Along the partitions alone, a chunk is a scene of its own. Along any other axis, the shader
/// needs the chunk's bounds.
#[test]
fn dispatches_in_chunks_know_their_bounds() {
    for dispatch in dispatches(&plans()) {
        let mut axes = dispatch.rounds.iter().flatten().filter_map(|slot| slot.axis());
        let has_other_axis = axes.any(|axis| axis != ChunkAxis::Partitions);
        let has_chunk = dispatch.shader.bindings.iter().any(|binding| binding.name == "chunk");
        assert_eq!(has_other_axis, has_chunk, "{}", dispatch.shader.name);
    }
}

#[test]
fn constants_agree() {
    let rust = BTreeMap::from([
        ("WORKGROUP_SIZE", WORKGROUP_SIZE),
        ("LG_WORKGROUP_SIZE", WORKGROUP_SIZE.ilog2()),
        ("LINKS_PER_ROUND", LINKS_PER_ROUND),
        ("PARTITION_LENGTH", PARTITION_LENGTH),
        ("PARTITIONS_PER_GROUP", PARTITIONS_PER_GROUP),
        ("MAX_PARTITIONS_PER_INVOCATION", MAX_PARTITIONS_PER_INVOCATION),
        ("TAG_NOP", tag::NOP),
        ("TAG_BEGIN", tag::BEGIN),
        ("TAG_END", tag::END),
        (
            "PACKET_LENGTH",
            u32::try_from(boxwood_cpu::specification::spatial::PACKET_LENGTH).expect("it is small"),
        ),
    ]);
    let plans = plans();
    let stages: BTreeSet<&str> = dispatches(&plans).map(|dispatch| dispatch.shader.name).collect();
    let mut seen = BTreeSet::new();
    for shader in boxwood_shaders::all() {
        let module = module(shader);
        for (_, constant) in module.constants.iter() {
            // Matching by itself and the spatial stages have partitions of other lengths.
            let is_of_scene = stages.contains(shader.name);
            if !is_of_scene && constant.name.as_deref() == Some("PARTITION_LENGTH") {
                continue;
            }
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
