//! The structs of the spatial stages in Rust and in WGSL.

use std::mem::offset_of;

use boxwood::papers::ClusterConfig;
use boxwood::papers::stream_reduction::ReductionConfig;
use boxwood::spatial::{
    ExpandConfig, IndexConfig, LayersConfig, PackedTree, PairsConfig, QueryConfig, ReorderConfig, ScanConfig,
    SearchConfig, SelectConfig, SortConfig, TilesConfig,
};
use boxwood_shaders::{Shader, papers, spatial as shaders};
use naga::TypeInner;

/// The name and the offset of each member of a struct of a shader.
pub(crate) fn members(shader: &Shader, name: &str) -> Vec<(String, usize)> {
    let module = naga::front::wgsl::parse_str(shader.source).expect("it is valid");
    let members = module.types.iter().find_map(|(_, ty)| match &ty.inner {
        TypeInner::Struct { members, .. } if ty.name.as_deref() == Some(name) => Some(members),
        _ => None,
    });
    let name_and_offset = |member: &naga::StructMember| {
        (member.name.clone().expect("members have names"), member.offset as usize)
    };
    members.expect("the shader has the struct").iter().map(name_and_offset).collect()
}

macro_rules! assert_same_layout {
    ($shader:expr, $type:ident { $($field:ident),* $(,)? }) => {
        let expected = [$((stringify!($field).to_owned(), offset_of!($type, $field))),*];
        assert_eq!(members($shader, stringify!($type)), expected);
    };
}
pub(crate) use assert_same_layout;

#[test]
fn configurations_have_the_same_layout_in_rust_and_in_wgsl() {
    assert_same_layout!(
        &papers::REDUCTION_SUM,
        ReductionConfig { n_items, block_length, n_sums, distance, width, height }
    );
    assert_same_layout!(
        &papers::CLUSTER_MEANS,
        ClusterConfig { capacity, count_word, n_clusters, n_shares, box_capacity, box_count_word }
    );
    assert_same_layout!(&shaders::SCAN_SPINE, ScanConfig { capacity, count_word });
    assert_same_layout!(
        &shaders::SEARCH_LAYOUT,
        SearchConfig { capacity, count_word, key_capacity, key_count_word, n_levels, levels }
    );
    assert_same_layout!(&shaders::EXPAND, ExpandConfig { capacity, count_word, output_capacity });
    assert_same_layout!(
        &shaders::SELECT_SCAN,
        SelectConfig { region, low, high, capacity, count_word, n_vertices }
    );
    assert_same_layout!(
        &shaders::DAMAGE_MARK,
        TilesConfig {
            width,
            height,
            lg_tile,
            n_columns,
            n_rows,
            n_column_levels,
            n_row_levels,
            capacity,
            count_word,
            max_rectangles,
            old_capacity,
            old_count_word,
        }
    );
    assert_same_layout!(&shaders::LAYERS_OVERLAP, LayersConfig { capacity, count_word, first, key_bits });
    assert_same_layout!(
        &shaders::PAIRS_KEYS,
        PairsConfig {
            capacity,
            count_word,
            output_capacity,
            n_chunks,
            box_capacity,
            box_count_word,
            lg_strips,
        }
    );
    assert_same_layout!(&shaders::REORDER_RUNS, ReorderConfig { capacity, count_word, query_count_word });
    assert_same_layout!(
        &shaders::RADIX_SPINE,
        SortConfig { capacity, count_word, key_mask, shift, n_chunks, run_length }
    );
    assert_same_layout!(
        &shaders::INDEX_KEYS_HILBERT,
        IndexConfig { capacity, count_word, key_shift, n_unions, base_height }
    );
    assert_same_layout!(&shaders::INDEX_PACK, PackedTree { height, first_leaf, last_siblings });
    assert_same_layout!(
        &shaders::QUERY_TOP_AT,
        QueryConfig {
            capacity,
            count_word,
            output_capacity,
            minus_zero,
            box_capacity,
            box_count_word,
            n_shares
        }
    );
}
