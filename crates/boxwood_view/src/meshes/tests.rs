//! The meshes of egui, compared with those of egui-wgpu.

use boxwood::native::Gpu;
use boxwood::read_texels;
use egui::{Color32, ColorImage, Context, RawInput, Rect, TextureHandle, TextureOptions, Ui, pos2, vec2};
use egui_wgpu::{Renderer, RendererOptions, ScreenDescriptor};

use image::{Rgba, RgbaImage};

use super::*;
use crate::panels::set_up;

/// The format of the pictures that are compared.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

const SIZE: [u32; 2] = [240, 160];
const PIXELS_PER_POINT: f32 = 1.25;
const BACKGROUND: [u8; 3] = [10, 60, 110];

/// An adapter, which may be a software one.
fn gpu() -> Gpu {
    Gpu::open(None).expect("tests need an adapter: install mesa-vulkan-drivers")
}

/// A new texture for a picture.
fn picture_texture(device: &wgpu::Device) -> wgpu::Texture {
    let [width, height] = SIZE;
    device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: FORMAT,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    })
}

/// Draws the same passes with both renderers.
struct Both {
    device: wgpu::Device,
    queue: wgpu::Queue,
    context: Context,
    ours: MeshRenderer,
    theirs: Renderer,
}

impl Both {
    fn new() -> Self {
        let Gpu { device, queue, .. } = gpu();
        let context = Context::default();
        set_up(&context);
        let ours = MeshRenderer::new(&device, &queue, FORMAT);
        let options = RendererOptions { dithering: false, ..RendererOptions::default() };
        let theirs = Renderer::new(&device, FORMAT, options);
        Self { device, queue, context, ours, theirs }
    }

    /// Draws a pass. Returns our picture.
    fn draw(&mut self, show: impl FnMut(&mut Ui)) -> RgbaImage {
        let [width, height] = SIZE.map(|side| side as f32 / PIXELS_PER_POINT);
        let screen_rect = Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(width, height)));
        let mut input = RawInput { screen_rect, ..RawInput::default() };
        let viewport = input.viewports.entry(input.viewport_id).or_default();
        viewport.native_pixels_per_point = Some(PIXELS_PER_POINT);
        let mut output = self.context.run_ui(input, show);
        assert_eq!(output.pixels_per_point, PIXELS_PER_POINT);
        let primitives = self.context.tessellate(output.shapes, output.pixels_per_point);
        let [ours, theirs] = [0, 1].map(|_| picture_texture(&self.device));
        let views =
            [&ours, &theirs].map(|texture| texture.create_view(&wgpu::TextureViewDescriptor::default()));
        let target = Target {
            view: &views[0],
            size: SIZE,
            pixels_per_point: PIXELS_PER_POINT,
            background: BACKGROUND,
        };
        self.ours.draw(&primitives, &output.textures_delta, target);
        self.draw_theirs(&primitives, &output.textures_delta, &views[1]);
        output.textures_delta.clear();
        let [ours, theirs] = [ours, theirs].map(|texture| {
            let pixels = read_texels(&self.device, &self.queue, &texture).expect("the device answers");
            RgbaImage::from_raw(SIZE[0], SIZE[1], pixels).expect("each pixel has four bytes")
        });
        let difference = |(a, b): (&Rgba<u8>, &Rgba<u8>)| (0..3).map(|c| a.0[c].abs_diff(b.0[c])).max();
        let difference = ours.pixels().zip(theirs.pixels()).filter_map(difference).max();
        // Rounding may differ.
        assert!(difference <= Some(1), "{difference:?}");
        ours
    }

    fn draw_theirs(
        &mut self,
        primitives: &[ClippedPrimitive],
        textures: &TexturesDelta,
        view: &wgpu::TextureView,
    ) {
        let Self { device, queue, theirs, .. } = self;
        for (id, deltas) in &textures.set {
            deltas.iter().for_each(|delta| theirs.update_texture(device, queue, *id, delta));
        }
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let screen = ScreenDescriptor { size_in_pixels: SIZE, pixels_per_point: PIXELS_PER_POINT };
        theirs.update_buffers(device, queue, &mut encoder, primitives, &screen);
        let [r, g, b] = BACKGROUND.map(|channel| f64::from(channel) / 255.0);
        let load = wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a: 1.0 });
        let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load, store: wgpu::StoreOp::Store },
            })],
            ..Default::default()
        });
        theirs.render(&mut pass.forget_lifetime(), primitives, &screen);
        queue.submit([encoder.finish()]);
    }
}

/// A picture of four colours, some of them translucent.
fn image(ctx: &Context, options: TextureOptions) -> TextureHandle {
    let colors =
        [Color32::RED, Color32::from_rgba_premultiplied(0, 90, 0, 120), Color32::BLUE, Color32::WHITE];
    ctx.load_texture("image", ColorImage::new([2, 2], colors.to_vec()), options)
}

#[test]
fn meshes_look_as_those_of_egui_wgpu() {
    let mut both = Both::new();
    let is_background = |pixel: &Rgba<u8>| pixel.0[..3] == BACKGROUND;
    let empty = both.draw(|_| {});
    assert!(empty.pixels().all(is_background));
    let text = both.draw(|ui| _ = ui.label("Boxes"));
    let n_painted = text.pixels().filter(|pixel| !is_background(pixel)).count();
    assert!((100..10_000).contains(&n_painted), "{n_painted} pixels are painted");

    // Further letters change a part of the font's texture.
    let images = [TextureOptions::LINEAR, TextureOptions::NEAREST, TextureOptions::NEAREST_REPEAT]
        .map(|options| image(&both.context, options));
    let mut show = |ui: &mut Ui| {
        ui.label("GROUPS, and clips: 0123456789");
        for (image, x) in images.iter().zip([10.3, 70.0, 130.0]) {
            let whole = Rect::from_min_max(pos2(-0.5, 0.0), pos2(1.5, 1.0));
            let rect = Rect::from_min_size(pos2(x, 40.0), vec2(50.0, 45.5));
            let clip = Rect::from_min_max(pos2(0.0, 50.2), pos2(160.0, 80.0));
            ui.painter_at(clip).image(image.id(), rect, whole, Color32::from_white_alpha(200));
        }
        ui.painter().circle_filled(pos2(90.0, 100.0), 20.5, Color32::from_rgba_unmultiplied(200, 0, 90, 99));
    };
    let rich = both.draw(&mut show);
    let n_painted = rich.pixels().filter(|pixel| !is_background(pixel)).count();
    assert!((4_000..20_000).contains(&n_painted), "{n_painted} pixels are painted");
    // Textures that are no longer used are freed.
    drop(images);
    both.draw(|ui| _ = ui.label("Boxes"));
    assert_eq!(both.ours.n_textures(), 1, "the font");
}

#[test]
fn the_panels_keep_their_shader_if_another_has_an_error() {
    let Gpu { device, queue, .. } = gpu();
    let mut renderer = MeshRenderer::new(&device, &queue, FORMAT);
    let source = boxwood_shaders::view::MESHES.source;
    renderer.set_shader(source).expect("it is right");
    let error = renderer.set_shader("fn f() {}").expect_err("it has no entry point");
    assert!(matches!(error, RenderError::Device(_)), "{error}");
}
