//! The spatial stages against their specifications.

mod cluster_sweep;
mod damage;
mod expand;
mod index;
mod layers;
pub(crate) mod layout;
mod lbvh;
mod occlusion;
mod pairs;
mod query;
mod reorder;
mod search;
mod select;
mod sort;
mod stream_reduction;

use boxwood::Aabb;
use boxwood::spatial::TileGrid;
use boxwood_tests::{Random, gpu, read_items};
use bytemuck::Pod;
use wgpu::util::{BufferInitDescriptor, DeviceExt as _};

/// A buffer of a caller.
pub(crate) fn buffer<T: Pod>(items: &[T]) -> wgpu::Buffer {
    // wgpu rejects empty bindings.
    let contents = if items.is_empty() { &[0; 16] } else { bytemuck::cast_slice(items) };
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
    gpu().device.create_buffer_init(&BufferInitDescriptor { label: None, contents, usage })
}

/// The first items of a buffer.
pub(crate) fn read<T: Pod>(buffer: &wgpu::Buffer, n: usize) -> Vec<T> {
    read_items(&gpu().device, &gpu().queue, buffer, n)
}

/// Runs what is recorded into a pass.
pub(crate) fn record(stage: impl FnOnce(&mut wgpu::ComputePass<'_>)) {
    let mut encoder = gpu().device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    stage(&mut encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default()));
    gpu().queue.submit([encoder.finish()]);
}

/// Boxes of any number of whole tiles.
fn rectangles_of_tiles(grid: TileGrid, n: usize, random: &mut Random) -> Vec<Aabb> {
    let [n_columns, n_rows] = grid.n_tiles().map(|n| n as usize);
    let mut edges = |n: usize| {
        let size = 1 + random.below(n.max(1));
        let first = random.below(n.max(size) + 1 - size);
        [first, first + size].map(|tile| {
            f64::from(1_u32 << grid.lg_tile) * f64::from(u32::try_from(tile).expect("it is small"))
        })
    };
    let mut one = |_| {
        let ([x0, x1], [y0, y1]) = (edges(n_columns), edges(n_rows));
        Aabb::new(x0, y0, x1, y1).expect("no NaN")
    };
    (0..n).map(&mut one).collect()
}

#[test]
fn every_shader_has_a_fault_in_a_list() {
    let lists = [
        damage::faults::FAULTS,
        expand::FAULTS,
        index::FAULTS,
        layers::FAULTS,
        lbvh::FAULTS,
        occlusion::FAULTS,
        occlusion::boxes::FAULTS,
        pairs::faults::FAULTS,
        pairs::strips::FAULTS,
        query::faults::FAULTS,
        reorder::FAULTS,
        search::FAULTS,
        select::FAULTS,
        sort::FAULTS,
    ];
    for shader in boxwood_shaders::spatial::all() {
        let has_fault = lists.iter().any(|list| list.iter().any(|fault| fault.0 == shader.name));
        assert!(has_fault, "{} has no fault", shader.name);
    }
}
