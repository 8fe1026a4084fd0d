//! The state that all panels share. It knows no window, no thread, and no file.

mod compare;
mod draw_order;
mod files;
mod hidden;
mod hover;
mod layout;
mod message;
mod picking;
mod placement;
mod readability;
mod request;
mod run;
mod view;

use std::path::PathBuf;

use boxwood_render::{Background, Frame, OverlayKinds, OverlaySource};
use kurbo::{Point, Size};
use vello::AaConfig;

use crate::commands::Command;
use crate::data_views::DataView;
use crate::export::Export;
use crate::model::{HitTest, Model};
pub(crate) use compare::Compare;
pub(crate) use draw_order::DrawOrder;
pub(crate) use files::{FileList, FileName, Step};
pub(crate) use hover::Hover;
pub(crate) use layout::Layout;
pub(crate) use message::{Busy, Message, Severity, Topic};
pub(crate) use readability::Readability;
pub(crate) use request::Request;
pub(crate) use view::{Area, View, ZOOM_STEP};

/// The colour around the document, dark enough for every colour of the overlay.
pub(crate) const SURROUND: [u8; 3] = [0x1c, 0x1c, 0x20];

/// A sheet over everything else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sheet {
    Help,
    Palette,
    Open,
    Export,
    /// The file to compare with.
    Compare,
}

/// The state of the viewer.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) view: View,
    /// The kinds of box that are shown.
    pub(crate) overlay: OverlayKinds,
    /// The source of these boxes.
    pub(crate) boxes: OverlaySource,
    pub(crate) background: Background,
    pub(crate) readability: Readability,
    /// The view of the data that is shown.
    pub(crate) data_view: Option<DataView>,
    /// The point of the scene that the pointer is at.
    pub(crate) pointer: Option<Point>,
    /// What of an element the pointer hits.
    pub(crate) hit_test: HitTest,
    pub(crate) antialiasing: AaConfig,
    /// Whether pictures wait for the screen.
    pub(crate) has_vsync: bool,
    pub(crate) layout: Layout,
    pub(crate) sheet: Option<Sheet>,
    pub(crate) draw_order: DrawOrder,
    /// The selected source.
    pub(crate) selected: Option<u32>,
    /// How the current drawing and another one are compared. `None` if they are not.
    pub(crate) compare: Option<Compare>,
    pub(crate) hover: Hover,
    /// The source that the pointer is over in this pass, in whichever panel.
    pub(crate) pointed_at: Option<u32>,
    /// Whether the painter has failed to draw this version of the file.
    pub(crate) is_undrawable: bool,
    /// The messages over the picture, the earliest first.
    pub(crate) messages: Vec<Message>,
    /// Work that has taken long enough for the window to show it.
    pub(crate) busy: Option<Busy>,
    pub(crate) files: FileList,
    /// The whole path that the window suggests for an export.
    pub(crate) suggested_path: Option<(Export, PathBuf)>,
    /// The files that were opened lately, the latest first.
    pub(crate) recent: Vec<PathBuf>,
    requests: Vec<Request>,
    /// Commands about elements, which need the model.
    element_commands: Vec<Command>,
    /// The number of models so far.
    model_version: u64,
}

impl State {
    /// The state before the current file is shown.
    pub(crate) fn new(
        files: FileList,
        overlay: OverlayKinds,
        boxes: OverlaySource,
        background: Background,
    ) -> Self {
        Self {
            view: View::default(),
            overlay,
            boxes,
            background,
            readability: Readability::default(),
            data_view: None,
            pointer: None,
            hit_test: HitTest::default(),
            antialiasing: AaConfig::Area,
            has_vsync: true,
            layout: Layout::default(),
            sheet: None,
            draw_order: DrawOrder::default(),
            selected: None,
            compare: None,
            hover: Hover::default(),
            pointed_at: None,
            is_undrawable: false,
            messages: Vec::new(),
            busy: None,
            files,
            suggested_path: None,
            recent: Vec::new(),
            requests: Vec::new(),
            element_commands: Vec::new(),
            model_version: 0,
        }
    }

    /// The name of the current file.
    pub(crate) fn file_name(&self) -> &str {
        self.files.current_name()
    }

    /// The requests since the last call.
    pub(crate) fn take_requests(&mut self) -> Vec<Request> {
        std::mem::take(&mut self.requests)
    }

    /// Asks the window for something.
    pub(crate) fn request(&mut self, request: Request) {
        if request.is_action() {
            self.end_message(Topic::Command);
        }
        self.requests.push(request);
    }

    /// The description of a picture that looks like the picture area, for a file.
    pub(crate) fn frame_for_file(&self) -> Frame {
        Frame { emphasis: self.readability.emphasis(), ..self.frame() }
    }

    /// The description of the picture in the picture area, before the window dims and fades it.
    pub(crate) fn frame(&self) -> Frame {
        Frame {
            size: self.view.size(),
            view: self.view.device_from_scene(),
            scale_factor: self.view.scale_factor(),
            background: self.background,
            surround: Some(SURROUND),
            n_painted: self.draw_order.element.map(|element| element + 1),
            overlay: self.overlay,
            boxes: self.boxes,
            emphasis: self.readability.emphasis_of_layers(),
            antialiasing: self.antialiasing,
            legend: false,
        }
    }

    /// The title of the window: the file, the state, the zoom, and the index of the file.
    pub(crate) fn title(&self) -> String {
        let name = self.file_name();
        let state = match self.busy {
            Some(Busy::Loading | Busy::LoadingOther) => " — loading",
            Some(Busy::Drawing | Busy::Stopping) => " — drawing",
            None if self.has_error() => " — error",
            None => "",
        };
        format!(
            "{name}{state} — {} — {}/{}",
            self.zoom_text(),
            self.files.current() + 1,
            self.files.names().len()
        )
    }

    /// The zoom as text, such as `100 %`.
    pub(crate) fn zoom_text(&self) -> String {
        let percent = self.view.percent();
        if percent < 10.0 { format!("{percent:.2} %") } else { format!("{percent:.0} %") }
    }

    /// Shows a document that has been loaded, with the warnings about it.
    pub(crate) fn show(&mut self, document: Size, warnings: Option<String>) {
        self.view.show(document);
        self.is_undrawable = false;
        self.end_message(Topic::File);
        self.end_message(Topic::Warnings);
        if let Some(warnings) = warnings {
            self.put_message(Topic::Warnings, warnings);
        }
    }

    /// Shows the reason why the painter cannot draw the document. Everything else about it stays.
    pub(crate) fn fail_drawing(&mut self, error: String) {
        self.is_undrawable = true;
        self.put_message(Topic::File, error);
    }

    /// Whether there is a document that the painter can draw, as far as is known.
    pub(crate) fn is_drawable(&self) -> bool {
        self.view.document().is_some() && !self.is_undrawable
    }

    /// Replaces a model by that of the same file as it is now. The selected and hidden sources are
    /// those at the same paths.
    pub(crate) fn replace_model(&mut self, old: Option<&Model>, new: &Model) {
        let path = old.zip(self.selected).map(|(old, selected)| old.source(selected).path.clone());
        self.selected = path.and_then(|path| new.source_at_path(&path));
        self.hover = Hover::default();
        self.readability.replace_model(old, new);
        self.draw_order = DrawOrder::default();
        self.model_version += 1;
    }

    /// A number that changes with the model.
    pub(crate) fn model_version(&self) -> u64 {
        self.model_version
    }

    /// The commands about elements since the last call.
    pub(crate) fn take_element_commands(&mut self) -> Vec<Command> {
        std::mem::take(&mut self.element_commands)
    }

    /// Goes to a file of the list.
    pub(crate) fn go_to(&mut self, index: usize) {
        if self.files.go_to(index) {
            self.start_file();
        }
    }

    /// Shows other files.
    pub(crate) fn show_files(&mut self, files: FileList) {
        self.files = files;
        self.start_file();
    }

    /// Shows the current file, of which nothing is shown yet.
    fn start_file(&mut self) {
        for topic in [Topic::File, Topic::Warnings, Topic::Cancelled] {
            self.end_message(topic);
        }
        self.selected = None;
        self.readability.hidden.clear();
        self.draw_order = DrawOrder::default();
        self.hover = Hover::default();
        self.view.clear();
        self.is_undrawable = false;
        self.request(Request::Load);
    }
}

/// The name of a method of antialiasing.
pub(crate) fn antialiasing_text(antialiasing: AaConfig) -> &'static str {
    match antialiasing {
        AaConfig::Area => "area coverage",
        AaConfig::Msaa8 => "8 samples",
        AaConfig::Msaa16 => "16 samples",
    }
}

#[cfg(test)]
pub(crate) mod tests;
