// A program in the manner of Vello's examples `headless` and `with_winit`. It uses every public
// method of `Renderer`, which the including module imports from `vello` or from `boxwood_vello`.

use std::num::NonZeroUsize;

use boxwood_tests::{checkered_image, gpu, vello_scenes};
use image::RgbaImage;
use vello::kurbo::Affine;
use vello::low_level::DebugLayers;
use vello::peniko::Color;
use vello::util::block_on_wgpu;
use vello::{AaConfig, RenderParams, RendererOptions, Scene, wgpu};

const SIDE: u32 = 128;

struct App {
    device: wgpu::Device,
    queue: wgpu::Queue,
    renderers: Vec<Option<Renderer>>,
    target: wgpu::Texture,
}

impl App {
    fn new() -> Self {
        let device = gpu().device.clone();
        let target = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("target"),
            size: wgpu::Extent3d { width: SIDE, height: SIDE, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba8Unorm,
            usage: wgpu::TextureUsages::STORAGE_BINDING
                | wgpu::TextureUsages::RENDER_ATTACHMENT
                | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let renderer = Renderer::new(
            &device,
            RendererOptions {
                use_cpu: false,
                antialiasing_support: [AaConfig::Area, AaConfig::Msaa8].iter().copied().collect(),
                num_init_threads: NonZeroUsize::new(2),
                pipeline_cache: None,
            },
        )
        .map_err(|e| format!("{e}"))
        .expect("the renderer can be made");
        Self { device, queue: gpu().queue.clone(), renderers: vec![Some(renderer)], target }
    }

    fn params(antialiasing_method: AaConfig) -> RenderParams {
        RenderParams { base_color: Color::BLACK, width: SIDE, height: SIDE, antialiasing_method }
    }

    fn renderer(&mut self) -> &mut Renderer {
        self.renderers[0].as_mut().expect("it was made")
    }

    fn render(&mut self, scene: &Scene, antialiasing: AaConfig) -> RgbaImage {
        self.render_with(scene, &Self::params(antialiasing))
    }

    fn render_with(&mut self, scene: &Scene, params: &RenderParams) -> RgbaImage {
        let Self { device, queue, renderers, target } = self;
        let view = target.create_view(&wgpu::TextureViewDescriptor::default());
        renderers[0]
            .as_mut()
            .expect("it was made")
            .render_to_texture(device, queue, scene, &view, params)
            .expect("the scene can be rendered");
        self.picture()
    }

    fn render_async(&mut self, scene: &Scene, layers: DebugLayers) -> RgbaImage {
        let Self { device, queue, renderers, target } = self;
        let renderer = renderers[0].as_mut().expect("it was made");
        let view = target.create_view(&wgpu::TextureViewDescriptor::default());
        let params = Self::params(AaConfig::Area);
        #[expect(deprecated, reason = "only this method draws debug layers")]
        let complexity = block_on_wgpu(
            device,
            renderer.render_to_texture_async(device, queue, scene, &view, &params, layers),
        )
        .expect("the scene can be rendered");
        if let Some(complexity) = complexity {
            assert!(complexity.lines > 0 && complexity.memory().total > 0);
        }
        self.picture()
    }

    fn picture(&self) -> RgbaImage {
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("picture"),
            size: u64::from(4 * SIDE * SIDE),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(4 * SIDE),
            rows_per_image: None,
        };
        encoder.copy_texture_to_buffer(
            self.target.as_image_copy(),
            wgpu::TexelCopyBufferInfo { buffer: &buffer, layout },
            self.target.size(),
        );
        self.queue.submit([encoder.finish()]);
        let bytes = boxwood::read_items(&self.device, &self.queue, &buffer, (4 * SIDE * SIDE) as usize);
        RgbaImage::from_raw(SIDE, SIDE, bytes.expect("the device answers")).expect("it has every pixel")
    }
}

/// The pictures that the program draws.
pub(super) fn pictures() -> Vec<RgbaImage> {
    let mut app = App::new();
    let scenes = vello_scenes();
    let scaled = |name: &str| {
        let (_, scene) = scenes.iter().find(|(own, _)| *own == name).expect("it is in the list");
        let mut scaled = Scene::new();
        scaled.append(scene, Some(Affine::scale(0.5)));
        scaled
    };
    let shapes = scaled("fills and strokes");
    let mut pictures = vec![app.render(&shapes, AaConfig::Area), app.render(&shapes, AaConfig::Msaa8)];

    // Pictures that are smaller and larger than the target.
    for side in [SIDE / 2 + 5, 2 * SIDE] {
        let params = RenderParams { width: side, height: side, ..App::params(AaConfig::Area) };
        pictures.push(app.render_with(&scaled("nested clips"), &params));
    }

    // Textures in place of images.
    let texture = app.target_sized_copy();
    let registered = app.renderer().register_texture(texture.clone());
    let image = checkered_image(40);
    let mut images = Scene::new();
    images.draw_image(&registered, Affine::scale(0.5));
    images.draw_image(&image, Affine::translate((70.0, 70.0)));
    pictures.push(app.render(&images, AaConfig::Area));
    let whole = wgpu::TexelCopyTextureInfoBase {
        texture,
        mip_level: 0,
        origin: wgpu::Origin3d::ZERO,
        aspect: wgpu::TextureAspect::All,
    };
    assert!(app.renderer().override_image(&image, Some(whole)).is_none());
    pictures.push(app.render(&images, AaConfig::Area));
    assert!(app.renderer().override_image(&image, None).is_some());
    app.renderer().mark_override_image_dirty(&image);
    pictures.push(app.render(&images, AaConfig::Area));
    app.renderer().unregister_texture(registered);

    let layers = DebugLayers::BOUNDING_BOXES | DebugLayers::VALIDATION;
    for layers in [DebugLayers::none(), layers, DebugLayers::all()] {
        pictures.push(app.render_async(&scaled("nested clips"), layers));
    }

    let device = app.device.clone();
    app.renderer()
        .profiler
        .change_settings(wgpu_profiler::GpuProfilerSettings {
            enable_timer_queries: true,
            enable_debug_groups: true,
            ..Default::default()
        })
        .expect("the number of pending frames does not change");
    pictures.push(app.render(&shapes, AaConfig::Area));
    device.poll(wgpu::PollType::wait_indefinitely()).expect("the device answers");
    pictures.push(app.render(&shapes, AaConfig::Area));
    let times = app.renderer().profile_result.take().expect("a frame has finished");
    assert!(!times.is_empty() && times[0].label == "render_to_texture", "{times:?}");
    assert!(!times[0].nested_queries.is_empty());
    block_on_wgpu(&device, app.renderer().reload_shaders(&device)).expect("the shaders are valid");
    pictures.push(app.render(&shapes, AaConfig::Area));
    pictures
}

impl App {
    /// A texture with the pixels of the target.
    fn target_sized_copy(&self) -> wgpu::Texture {
        let texture = self.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("copy"),
            size: self.target.size(),
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba8Unorm,
            usage: wgpu::TextureUsages::COPY_SRC | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_texture_to_texture(
            self.target.as_image_copy(),
            texture.as_image_copy(),
            texture.size(),
        );
        self.queue.submit([encoder.finish()]);
        texture
    }
}
