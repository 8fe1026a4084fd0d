//! Scenes beyond the limits of Vello's clip stage.

use kurbo::{Affine, Circle, Rect, RoundedRect};
use peniko::{Color, Fill, Mix};
use vello::Scene;

/// The size of the pictures of these scenes.
pub const LIMIT_SIZE: [u32; 2] = [256, 256];

/// A page that clips 33,000 cells, each with a clip of its own: 66,002 clip operations, of which
/// Vello's clip stage matches 65,792. The last 144 cells are large enough to be seen.
pub fn page_of_clips() -> Scene {
    let mut scene = Scene::new();
    let cell = |scene: &mut Scene, x: f64, y: f64, side: f64, color: Color| {
        let square = Rect::new(x, y, x + side, y + side);
        if side > 1.0 {
            let circle = Circle::new(square.center(), side / 2.0);
            scene.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &circle);
        } else {
            scene.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &square);
        }
        scene.fill(Fill::NonZero, Affine::IDENTITY, color, None, &square);
        scene.pop_layer();
    };
    scene.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &RoundedRect::new(16.0, 16.0, 240.0, 240.0, 60.0));
    scene.fill(
        Fill::NonZero,
        Affine::IDENTITY,
        Color::from_rgb8(250, 240, 220),
        None,
        &Rect::new(0.0, 0.0, 256.0, 256.0),
    );
    for i in 0..32_856_u32 {
        let (x, y) = (f64::from(i % 222) * 1.16, f64::from(i / 222) * 1.73);
        cell(&mut scene, x, y, 1.0, Color::from_rgb8(200, 190, 170));
    }
    for i in 0..144_u32 {
        let (x, y) = (f64::from(i % 12) * 21.0 + 4.0, f64::from(i / 12) * 21.0 + 4.0);
        let shade = |n: u32| u8::try_from(n).expect("it is below 256");
        cell(&mut scene, x, y, 18.0, Color::from_rgb8(shade(i % 12 * 20), shade(i / 12 * 20), 160));
    }
    scene.pop_layer();
    scene
}

/// 300 nested clips, of which only the outermost cuts anything, with cells in the innermost, each
/// in a layer of its own. Vello's clip stage sees the innermost 256 levels.
pub fn deep_nest() -> Scene {
    let mut scene = Scene::new();
    let page = RoundedRect::new(56.0, 40.0, 200.0, 216.0, 40.0);
    scene.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &page);
    for _ in 1..300 {
        let all = Rect::new(-10.0, -10.0, 266.0, 266.0);
        scene.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &all);
    }
    for i in 0..169_u32 {
        let (x, y) = (f64::from(i % 13) * 20.0, f64::from(i / 13) * 20.0);
        let square = Rect::new(x, y, x + 17.0, y + 17.0);
        let shade = |n: u32| u8::try_from(n).expect("it is below 256");
        let color = Color::from_rgb8(shade(i % 13 * 19), 120, shade(i / 13 * 19));
        scene.push_layer(Fill::NonZero, Mix::Normal, 0.8, Affine::IDENTITY, &square.to_rounded_rect(4.0));
        scene.fill(Fill::NonZero, Affine::IDENTITY, color, None, &square);
        scene.pop_layer();
    }
    for _ in 0..300 {
        scene.pop_layer();
    }
    scene
}
