//! The renderer, in the manner of `vello::Renderer`.

use std::sync::Arc;

use boxwood::{Staging, max_binding_size};
use peniko::{Blob, ImageAlphaType, ImageData, ImageFormat};
use vello::low_level::{BufferProxy, ImageProxy, Render};
use vello::{AaConfig, RenderParams, Scene};
use vello_encoding::{BumpAllocators, Encoding, Resolver};

use crate::bump::Usage;
use crate::draw_info;
use crate::engine::{Engine, Passes, Target};
use crate::error::Error;
use crate::options::{ClipStage, OnOverflow, RendererOptions};
use crate::plan::{self, With};
use crate::shaders::Shaders;
use crate::sizes::Sizes;

/// Draws Vello's scenes with Vello's shaders, and with Boxwood's clip stage.
pub struct Renderer {
    options: RendererOptions,
    shaders: Shaders,
    engine: Engine,
    resolver: Resolver,
    image_atlas: Option<ImageProxy>,
    /// Boxwood's shaders, none as long as no scene has needed them.
    passes: Option<Passes>,
    sizes: Sizes,
    /// What a frame has counted.
    counters: Staging,
    usage: Option<Usage>,
    /// Whether frames leave their boxes, and whether the last one has.
    with_boxes: bool,
    has_boxes: bool,
}

impl std::fmt::Debug for Renderer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Renderer").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Renderer {
    /// Compiles Vello's shaders for `device`, which needs no feature and no more than WebGPU's default limits, and Boxwood's,
    /// which [`ClipStage::Auto`] leaves to the first scene that needs them.
    ///
    /// # Errors
    ///
    /// Options of Vello's for stages on the CPU, and what the device reports.
    pub fn new(device: &wgpu::Device, options: impl Into<RendererOptions>) -> Result<Self, Error> {
        let options = options.into();
        options.check()?;
        let is_sure = options.clip_stage == ClipStage::Boxwood || options.tighten_layers;
        checked(device, || {
            Ok(Self {
                shaders: Shaders::new(device, options.antialiasing_support, options.pipeline_cache.as_ref()),
                engine: Engine::default(),
                resolver: Resolver::new(),
                image_atlas: None,
                passes: is_sure.then(|| Passes::new(device)),
                sizes: Sizes::new(&options.initial_items),
                counters: Staging::new(device, size_of::<BumpAllocators>()),
                usage: None,
                with_boxes: false,
                has_boxes: false,
                options,
            })
        })
    }

    /// Draws a scene into a texture, as `vello::Renderer::render_to_texture` does: `texture` is of the size that `params` says,
    /// in `Rgba8Unorm`, with the usage `STORAGE_BINDING`.
    ///
    /// It submits, and waits for the device unless the options say [`OnOverflow::Ignore`].
    ///
    /// # Errors
    ///
    /// A way of anti-aliasing that was not asked for, layers that are not closed, images without data, a scene or size beyond a limit,
    /// one of Vello's buffers too small for it, and what the device reports. The texture is then as it was.
    pub fn render_to_texture(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        scene: &Scene,
        texture: &wgpu::TextureView,
        params: &RenderParams,
    ) -> Result<(), Error> {
        self.usage = None;
        self.has_boxes = false;
        let n_info = self.check(device, scene.encoding(), params)?;
        let sizes = self.sizes;
        let result = self.draw(device, queue, scene.encoding(), n_info, texture, params);
        self.has_boxes = result.is_ok() && self.with_boxes;
        // A device that has no memory for buffers that have grown may have enough for the scenes to come.
        if result.is_err() {
            self.sizes = sizes;
        }
        // The resolver takes images for uploaded that may not be, unless all was run.
        if result.is_err() && self.usage.is_none() {
            self.engine.reset();
            self.resolver = Resolver::new();
            self.image_atlas = None;
        }
        result
    }

    fn draw(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoding: &Encoding,
        n_info: u64,
        texture: &wgpu::TextureView,
        params: &RenderParams,
    ) -> Result<(), Error> {
        let without_info = (n_info > draw_info::vello_max()).then(|| draw_info::without(encoding));
        let mut render = Render::new();
        let mut recording = render.render_encoding_coarse(
            without_info.as_ref().unwrap_or(encoding),
            &mut self.resolver,
            &self.shaders.ids,
            &mut self.image_atlas,
            params,
            false,
        );
        let (target, bump) = (render.out_image(), render.bump_buf());
        render.record_fine(&self.shaders.ids, &mut recording);
        if without_info.is_some() {
            draw_info::put_back(&mut recording, encoding)?;
        }
        let has_clips = encoding.n_clips > 0;
        let with = With {
            clip: has_clips && self.options.clip_stage.of(encoding) == ClipStage::Boxwood,
            tighten: has_clips && self.options.tighten_layers,
            boxes: self.with_boxes,
        };

        loop {
            let config = self.sizes.apply(&mut recording)?;
            // What is needed before anything is counted. Vello does not check that at all.
            let mut usage = Usage::new(config, &BumpAllocators::default());
            if usage.overflow().is_none() {
                let run = || self.run(device, queue, &recording, with, (target, texture), bump);
                let submission = checked(device, run)?;
                if self.options.on_overflow == OnOverflow::Ignore {
                    return Ok(());
                }
                usage = Usage::new(config, &self.counters.read_after(device, submission, 1)?[0]);
                self.usage = Some(usage);
            }
            match usage.overflow() {
                None => return Ok(()),
                Some(_) if self.options.on_overflow == OnOverflow::Grow => {
                    self.sizes.grow(&usage, &config, &device.limits())?;
                    self.engine.forget();
                }
                Some(overflow) => return Err(overflow.into()),
            }
        }
    }

    /// How much the last scene took of Vello's buffers; none where nobody looked.
    pub fn usage(&self) -> Option<Usage> {
        self.usage
    }

    /// Lets the frames to come leave their boxes on the GPU, or no longer.
    pub fn set_frame_boxes(&mut self, with_boxes: bool) {
        self.with_boxes = with_boxes;
    }

    /// The boxes that the last frame was drawn with, in its pixels, if it was to leave them. The elements are the draw objects of the
    /// scene, in order; the next frame writes others.
    pub fn frame_boxes(&self) -> Option<&boxwood::Buffers> {
        self.passes.as_ref().filter(|_| self.has_boxes).and_then(|passes| passes.frame.boxes())
    }

    fn run(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        recording: &vello::low_level::Recording,
        with: With,
        target: Target<'_>,
        bump: BufferProxy,
    ) -> Result<wgpu::SubmissionIndex, Error> {
        let plan = plan::plan(recording, &self.shaders.ids, with)?;
        let is_read = self.options.on_overflow != OnOverflow::Ignore;
        let bump = is_read.then_some((bump, &self.counters));
        let result = self.engine.run(device, queue, &self.shaders, &mut self.passes, &plan, target, bump);
        self.engine.release(&plan);
        result
    }

    /// Refuses what Vello would panic about or go wrong with. Gives the number of words of draw info.
    fn check(&self, device: &wgpu::Device, encoding: &Encoding, params: &RenderParams) -> Result<u64, Error> {
        let limit = device.limits().max_texture_dimension_2d;
        let &RenderParams { width, height, antialiasing_method: antialiasing, .. } = params;
        if width.max(height) > limit {
            return Err(Error::Target { width, height, limit });
        }
        let support = self.options.antialiasing_support;
        let is_compiled = match antialiasing {
            AaConfig::Area => support.area,
            AaConfig::Msaa8 => support.msaa8,
            AaConfig::Msaa16 => support.msaa16,
        };
        if !is_compiled {
            return Err(Error::Antialiasing(antialiasing));
        }
        if encoding.n_open_clips > 0 {
            return Err(Error::OpenLayers(encoding.n_open_clips));
        }
        let limit = (max_binding_size(&device.limits()) / size_of::<u32>() as u64).min(u32::MAX.into());
        let need = n_packed_words(encoding);
        if need > limit {
            return Err(Error::Scene { need, limit });
        }
        let n_info = draw_info::n_words(encoding);
        let need = n_info + encoding.draw_tags.len() as u64;
        if n_info > draw_info::vello_max() && need > limit {
            return Err(Error::Info { need, limit });
        }
        Ok(n_info)
    }
}

/// How many words the streams of a scene are when they are packed, but for padding and glyphs.
fn n_packed_words(encoding: &Encoding) -> u64 {
    let n_bytes = encoding.path_tags.len()
        + size_of_val(&encoding.path_data[..])
        + size_of_val(&encoding.draw_tags[..])
        + size_of_val(&encoding.draw_data[..])
        + size_of_val(&encoding.transforms[..])
        + size_of_val(&encoding.styles[..]);
    n_bytes as u64 / size_of::<u32>() as u64
}

/// The textures that stand in for images, as in `vello::Renderer`.
impl Renderer {
    /// Draws `texture` wherever a scene has `image`, or no longer, and gives what was drawn before.
    ///
    /// The texture is of the size of the image, in `Rgba8Unorm`, with straight alpha and the usage `COPY_SRC`.
    pub fn override_image(
        &mut self,
        image: &ImageData,
        texture: Option<wgpu::TexelCopyTextureInfoBase<wgpu::Texture>>,
    ) -> Option<wgpu::TexelCopyTextureInfoBase<wgpu::Texture>> {
        self.resolver.mark_image_dirty(image);
        match texture {
            Some(texture) => self.engine.image_overrides.insert(image.data.id(), texture),
            None => self.engine.image_overrides.remove(&image.data.id()),
        }
    }

    /// Copies the texture that stands in for `image` again, which has changed.
    pub fn mark_override_image_dirty(&mut self, image: &ImageData) {
        self.resolver.mark_image_dirty(image);
    }

    /// An image for scenes of this renderer that is a texture on the GPU, as [`override_image`](Self::override_image) takes it.
    pub fn register_texture(&mut self, texture: wgpu::Texture) -> ImageData {
        let image = ImageData {
            data: Blob::new(Arc::new([])),
            format: ImageFormat::Rgba8,
            alpha_type: ImageAlphaType::Alpha,
            width: texture.width(),
            height: texture.height(),
        };
        let whole = wgpu::TexelCopyTextureInfoBase {
            texture,
            mip_level: 0,
            origin: wgpu::Origin3d::ZERO,
            aspect: wgpu::TextureAspect::All,
        };
        self.override_image(&image, Some(whole));
        image
    }

    /// Gives a texture back.
    #[expect(clippy::needless_pass_by_value, reason = "the image is of no use afterwards")]
    pub fn unregister_texture(&mut self, image: ImageData) {
        self.override_image(&image, None);
    }
}

/// Runs what may make the device report an error, and returns the error instead of letting it end the process.
fn checked<T>(device: &wgpu::Device, work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    let memory = device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
    let validation = device.push_error_scope(wgpu::ErrorFilter::Validation);
    let result = work();
    let validation = pollster::block_on(validation.pop());
    let memory = pollster::block_on(memory.pop());
    match validation.or(memory) {
        Some(error) => result.and(Err(Error::Gpu(error.to_string()))),
        None => result,
    }
}
