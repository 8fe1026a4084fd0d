//! egui in the window: its input, its panels, and its output.

use std::time::Duration;

use egui::epaint::{ImageDelta, TextureAtlas};
use egui::{Context, FullOutput, Pos2, Rect, TextureId, ViewportId};
use egui_winit::{State as Input, accesskit_winit};
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, EventLoopProxy};
use winit::window::Window;

use super::thread::Report;
use crate::panels::{Facts, Panels, set_up};
use crate::state::State;

/// The panels of a window, with the input for them.
pub(crate) struct Gui {
    pub(crate) context: Context,
    input: Input,
    pub(crate) panels: Panels,
    /// Whether the texture of the text must be uploaded as a whole.
    has_lost_textures: bool,
}

/// The output of a pass.
pub(crate) struct Pass {
    pub(crate) output: FullOutput,
    /// How long the window may wait for events before the next pass.
    pub(crate) next_pass_after: Duration,
}

impl Gui {
    /// The panels of a window that has not been shown yet.
    pub(crate) fn new(
        event_loop: &ActiveEventLoop,
        window: &Window,
        proxy: EventLoopProxy<Report>,
        max_texture_side: u32,
    ) -> Self {
        let context = Context::default();
        set_up(&context);
        let mut input = Input::new(
            context.clone(),
            ViewportId::ROOT,
            window,
            None,
            window.theme(),
            Some(max_texture_side as usize),
        );
        input.init_accesskit(event_loop, window, proxy);
        Self { context, input, panels: Panels::default(), has_lost_textures: false }
    }

    /// Takes an event of the window. Returns whether a pass is needed.
    ///
    /// A request to redraw counts as one too, but it must not lead to another request.
    pub(crate) fn take_event(&mut self, window: &Window, event: &WindowEvent) -> bool {
        self.input.on_window_event(window, event).repaint
    }

    /// Takes a request of an assistive technology. Returns whether a pass is needed.
    pub(crate) fn take_access_event(&mut self, event: accesskit_winit::WindowEvent) -> bool {
        match event {
            accesskit_winit::WindowEvent::InitialTreeRequested => {
                self.context.enable_accesskit();
                true
            }
            accesskit_winit::WindowEvent::ActionRequested(request) => {
                self.input.on_accesskit_action_request(request);
                true
            }
            accesskit_winit::WindowEvent::AccessibilityDeactivated => {
                self.context.disable_accesskit();
                false
            }
        }
    }

    /// The device with all textures is lost. The next pass uploads that of the text again. The
    /// pictures must be shown again.
    pub(crate) fn lose_textures(&mut self) {
        self.panels.canvas.clear();
        self.panels.files.forget(|_| true);
        self.has_lost_textures = true;
    }

    /// Shows the panels with the input so far, in the upper left part of the window with this size
    /// in device pixels.
    pub(crate) fn pass(
        &mut self,
        window: &Window,
        size: [u32; 2],
        facts: Facts<'_>,
        state: &mut State,
    ) -> Pass {
        let mut input = self.input.take_egui_input(window);
        let pixels_per_point = egui_winit::pixels_per_point(&self.context, window);
        let size = size.map(|side| side as f32 / pixels_per_point);
        input.screen_rect = Some(Rect::from_min_size(Pos2::ZERO, size.into()));
        let panels = &mut self.panels;
        let mut output = self.context.run_ui(input, |ui| panels.show(ui, facts, state));
        if std::mem::take(&mut self.has_lost_textures) {
            upload_text(&self.context, &mut output);
        }
        self.input.handle_platform_output(window, std::mem::take(&mut output.platform_output));
        let root = output.viewport_output.get(&ViewportId::ROOT);
        let next_pass_after = root.map_or(Duration::MAX, |viewport| viewport.repaint_delay);
        Pass { output, next_pass_after }
    }
}

/// Uploads the whole texture of the text, instead of its changes.
fn upload_text(context: &Context, output: &mut FullOutput) {
    let text = context.fonts(|fonts| fonts.image());
    let whole = ImageDelta::full(text, TextureAtlas::texture_options());
    output.textures_delta.set.insert(TextureId::default(), std::iter::once(whole).collect());
}

#[cfg(test)]
mod tests {
    use egui::RawInput;

    use super::*;

    #[test]
    fn the_texture_of_the_text_is_uploaded_again() {
        let context = Context::default();
        set_up(&context);
        let pass = |text: &str| context.run_ui(RawInput::default(), |ui| _ = ui.label(text));
        let changes = |output: &FullOutput| -> Vec<_> {
            let deltas = output.textures_delta.set.get(&TextureId::default());
            deltas.into_iter().flatten().map(|delta| (delta.pos, delta.image.size())).collect()
        };
        let mut first = pass("abc");
        let mut second = pass("abc");
        assert_eq!(changes(&second), [], "nothing has changed");
        upload_text(&context, &mut second);
        let size = context.fonts(|fonts| fonts.font_image_size());
        assert_eq!(changes(&second), [(None, size)]);
        [&mut first, &mut second].into_iter().for_each(|output| output.textures_delta.clear());
    }
}
