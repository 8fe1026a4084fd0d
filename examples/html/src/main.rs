//! Draws a web page through Blitz and `vello_cpu`, scrolled in steps. A recorder between both
//! leaves out what is not in view. The picture stays the same, which the program checks at each
//! step.
//!
//!     cd examples/html && cargo run --release -- pages/dashboard.html [out.png] [recorded.zip]
//!
//! The last file gets the commands of the whole page.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use anyrender::recording::RenderCommand;
use anyrender::{ImageRenderer as _, PaintScene, Scene};
use anyrender_serialize::{SceneArchive, SerializeConfig};
use anyrender_vello_cpu::VelloCpuImageRenderer;
use blitz_dom::{BaseDocument, DocumentConfig};
use blitz_html::HtmlDocument;
use blitz_traits::shell::{ColorScheme, Viewport};
use boxwood_anyrender::{Cull, Recorder};
use image::RgbaImage;
use kurbo::{Affine, Rect};
use parley::FontContext;
use parley::fontique::{Blob, Collection, CollectionOptions, SourceCache};
use peniko::Fill;

const SIZE: [u32; 2] = [900, 700];

/// The maximum number of layers that Blitz pushes in one paint. Beyond that, its pictures are
/// silently wrong.
const MAX_BLITZ_LAYERS: usize = 1025;

fn main() -> Result<()> {
    let mut arguments = std::env::args_os().skip(1);
    let path = arguments.next().context("name an HTML file, such as pages/article.html")?;
    let html = std::fs::read_to_string(&path)?;
    let mut document = load(&html);
    let page_height = document.root_element().final_layout().size.height.ceil() as u32;
    let page = painted(&mut document, 0, page_height);
    println!("{} commands, {page_height} px high", page.commands.len());

    let picture = scroll(&page, page_height.saturating_sub(SIZE[1]))?;
    if let Some(path) = arguments.next() {
        let [width, height] = SIZE;
        RgbaImage::from_raw(width, height, picture).expect("a pixel has four bytes").save(path)?;
    }
    if let Some(path) = arguments.next() {
        let config = SerializeConfig::new().with_subset_fonts(true).with_woff2_fonts(true);
        SceneArchive::from_scene(&page, &config)?.serialize(std::fs::File::create(path)?)?;
    }
    Ok(())
}

/// Lays a page out, with the bundled font alone.
fn load(html: &str) -> HtmlDocument {
    let [width, height] = SIZE;
    let options = CollectionOptions { shared: false, system_fonts: false };
    let mut collection = Collection::new(options);
    collection.register_fonts(Blob::new(Arc::new(boxwood_assets::NOTO_SANS)), None);
    let font_ctx = FontContext { collection, source_cache: SourceCache::new_shared() };
    let config = DocumentConfig {
        viewport: Some(Viewport::new(width, height, 1.0, ColorScheme::Light)),
        font_ctx: Some(font_ctx),
        ..DocumentConfig::default()
    };
    let mut document = HtmlDocument::from_html(html, config);
    document.resolve(0.0);
    document
}

/// The commands of a part of a page. A part with too many layers for Blitz is painted in two
/// halves.
fn painted(document: &mut BaseDocument, top: u32, height: u32) -> Scene {
    let mut scene = Scene::new();
    document.set_viewport_scroll(blitz_dom::Point { x: 0.0, y: f64::from(top) });
    blitz_paint::paint_scene(&mut scene, document, 1.0, SIZE[0], height, 0, 0);
    let is_push =
        |command: &&_| matches!(command, RenderCommand::PushLayer(_) | RenderCommand::PushClipLayer(_));
    let upper = height / 2;
    if upper == 0 || scene.commands.iter().filter(is_push).count() < MAX_BLITZ_LAYERS {
        return scene;
    }
    scene.reset();
    for (from, height) in [(0, upper), (upper, height - upper)] {
        let half = painted(document, top + from, height);
        let at = Affine::translate((0.0, from.into()));
        let clip = Rect::new(0.0, 0.0, SIZE[0].into(), height.into());
        scene.push_clip_layer(Fill::NonZero, at, &clip);
        scene.append_scene(half, at);
        scene.pop_layer();
    }
    scene
}

/// Draws the page at several places. Returns the last picture.
fn scroll(page: &Scene, end: u32) -> Result<Vec<u8>> {
    const N_STEPS: u32 = 8;
    let [width, height] = SIZE;
    let [mut whole, mut culled] = [(); 2].map(|()| VelloCpuImageRenderer::new(width, height));
    let (mut expected, mut found) = (Vec::new(), Vec::new());
    let mut recorder = Recorder::new(SIZE);
    let mut times = [Duration::ZERO; 2];
    // The first step fills the caches of glyphs, and the last one returns to the top for the
    // picture that is saved.
    for step in (0..=N_STEPS).chain([0]) {
        let at = Affine::translate((0.0, -f64::from(end * step / N_STEPS)));
        let scenes = [page.clone(), page.clone()];
        let [for_whole, for_recorder] = scenes;

        let start = Instant::now();
        whole.reset();
        whole.render_to_vec(|target| target.append_scene(for_whole, at), &mut expected);
        let whole_time = start.elapsed();

        let start = Instant::now();
        culled.reset();
        recorder.append_scene(for_recorder, at);
        let mut frame = recorder.finish()?;
        culled.render_to_vec(|target| frame.draw_into(target, Cull::ALL), &mut found);
        let culled_time = start.elapsed();

        ensure!(found == expected, "the pictures at step {step} differ");
        println!("step {step}: {}", frame.report(Cull::ALL));
        recorder.recycle(frame);
        if step > 0 {
            times[0] += whole_time;
            times[1] += culled_time;
        }
    }
    let [whole, culled] = times.map(|time| time.as_secs_f64() * 1e3 / f64::from(N_STEPS));
    println!("a frame takes {culled:.2} ms instead of {whole:.2} ms, and looks the same");
    Ok(found)
}
