//! Code that was written for `vello::Renderer` runs with Boxwood's renderer after a change of one
//! line.

mod with_boxwood {
    use boxwood_vello::Renderer;

    include!("drop_in/program.rs");
}

mod with_vello {
    use vello::Renderer;

    include!("drop_in/program.rs");
}

use boxwood_tests::pixels_apart;

#[test]
fn a_program_for_vello_draws_the_same_pictures() {
    let found = with_boxwood::pictures();
    for (index, (found, expected)) in found.iter().zip(&with_vello::pictures()).enumerate() {
        assert_eq!(pixels_apart(found, expected), (0, 0), "picture {index}");
    }
}

/// The targets that `vello::util` makes for surfaces have no such usage.
#[test]
fn debug_layers_over_a_target_that_is_not_a_render_attachment_are_an_error() {
    let device = &boxwood_tests::gpu().device;
    let target = device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: 16, height: 16, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::STORAGE_BINDING,
        view_formats: &[],
    });
    let view = target.create_view(&wgpu::TextureViewDescriptor::default());
    let mut renderer = boxwood_tests::new_renderer(boxwood_vello::RendererOptions::default());
    let scene = vello::Scene::new();
    let params = boxwood_tests::params([16, 16], vello::AaConfig::Area);
    let layers = vello::low_level::DebugLayers::all();
    #[expect(deprecated, reason = "only this method draws debug layers")]
    let drawing =
        renderer.render_to_texture_async(device, &boxwood_tests::gpu().queue, &scene, &view, &params, layers);
    let result = vello::util::block_on_wgpu(device, drawing);
    assert!(matches!(result, Err(boxwood_vello::Error::Gpu(_))), "{result:?}");
}
