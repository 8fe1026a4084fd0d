//! Shaders that change while the window is open.

use super::{Job, OpenWindow, RenderError, with_sources};
use crate::live_shaders::LiveShaders;
use crate::state::Topic;

impl OpenWindow {
    /// Takes shaders that were read from files. The previous ones stay if there is an error.
    pub(super) fn take_shaders(&mut self, shaders: Result<LiveShaders, String>) {
        match shaders {
            Ok(LiveShaders { overlay, meshes }) => {
                self.state.end_message(Topic::Shaders);
                let replaced = self.screen.set_shader(&meshes);
                self.take_pipeline(replaced);
                self.next_shader = Some(overlay);
            }
            Err(error) => self.show_shader_error(&error),
        }
    }

    /// The overlay has another shader, or keeps the previous one.
    pub(super) fn take_overlay(&mut self, replaced: Result<(), RenderError>) {
        self.requested = None;
        self.take_pipeline(replaced);
    }

    /// Gives the painter the next shader.
    pub(super) fn begin_shader(&mut self, source: String) {
        self.painting.begin(Job::SetOverlayShader(source));
    }

    fn take_pipeline(&mut self, made: Result<(), RenderError>) {
        if let Err(error) = made {
            self.show_shader_error(&with_sources(&error));
        }
    }

    fn show_shader_error(&mut self, error: &str) {
        self.state.put_message(Topic::Shaders, format!("The shaders are not replaced. {error}"));
    }
}
