//! Threads that load and draw, and their reports to the event loop.

use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};

use boxwood_render::{FrameBoxes, PictureCosts, RenderError};
use boxwood_svg::{Error, FontFile};
use egui::ColorImage;
use egui_winit::accesskit_winit;
use image::RgbaImage;
use kurbo::TranslateScale;
use winit::event_loop::EventLoopProxy;

use super::comparer::Compared;
use super::error::ViewError;
use super::inputs::ViewInput;
use super::open_window::{ExportedDrawing, ViewExport};
use crate::data_views::DataPicture;
use crate::export::Export;
use crate::live_shaders::LiveShaders;
use crate::model::{Details, Model};
use crate::panels::pixels;
use crate::state::Sheet;

/// A report of another thread, or of an assistive technology.
pub(crate) enum Report {
    /// The current file has changed.
    FileChanged,
    /// The files in the folders of the list are these now. Some may have changed.
    Listed(Vec<ViewInput>),
    /// The thumbnail of the file with this path is drawn. `None` if the file cannot be drawn.
    Thumbnail(String, Option<Painted>),
    /// The user has chosen these files in the dialog of a sheet.
    Chosen(Sheet, Vec<PathBuf>),
    /// The user has chosen this path for an export of the drawing in the dialog for saving.
    ChosenToSave(Export, ExportedDrawing, Option<PathBuf>),
    /// The drawing with this ticket is loaded.
    Loaded(u64, Result<Arc<Model>, Error>),
    /// The preview of the drawing with this ticket is drawn. `None` if resvg refuses the drawing.
    Previewed(u64, Option<Painted>),
    /// The details of a source of the drawing with this ticket are computed.
    Details(u64, Box<Details>),
    /// The picture of a view of the data is computed. The first number is that of the drawing, and
    /// the second that of the frame whose boxes are counted.
    Data(u64, Option<u64>, Box<DataPicture>),
    /// The file to compare with has changed.
    OtherChanged,
    /// The load with this number, of the file to compare with, has ended.
    OtherLoaded(u64, Result<Box<Model>, String>),
    /// The pair of drawings with this number is compared.
    Compared(u64, Box<Compared>),
    /// An export has ended.
    Exported,
    /// The shaders of the window, or the reason why they cannot be read.
    Shaders(Result<LiveShaders, String>),
    /// The picture with this number was captured.
    Captured(u32),
    /// The panels lack a character, which this font has.
    Font(FontFile),
    /// The panels lack this character, and no font has it.
    NoFont(char),
    /// The painter has lost its device for this reason, and draws on another one.
    DeviceLost(String),
    /// The painter has finished a job, and is idle.
    Painter(Done),
    /// The thread has ended with an error.
    Failed(ViewError),
    /// An assistive technology wants something.
    Access(accesskit_winit::Event),
}

/// A finished job of the painter.
pub(crate) enum Done {
    /// The drawing is removed.
    Cleared,
    /// The drawing with this ticket is set, and the boxes of its scene are computed.
    DrawingSet(u64, Result<(), RenderError>),
    /// The picture is drawn.
    Painted(Result<Box<Painted>, RenderError>),
    /// The shader of the overlay is replaced.
    ShaderSet(Result<(), RenderError>),
    /// The picture of the view is drawn for an export.
    View(Box<ViewExport>, Result<RgbaImage, RenderError>),
}

/// A picture of a view.
pub(crate) struct Painted {
    pub(crate) image: ColorImage,
    /// The overlay, if it is not part of the image.
    pub(crate) overlay: Option<ColorImage>,
    pub(crate) device_from_scene: TranslateScale,
    /// Its costs, if it is not a preview.
    pub(crate) costs: PictureCosts,
    /// The boxes that it is drawn with, if the window has asked for them.
    pub(crate) boxes: Option<FrameBoxes>,
}

impl Painted {
    /// A picture with premultiplied alpha.
    pub(crate) fn new(image: &RgbaImage, device_from_scene: TranslateScale) -> Self {
        let (image, costs) = (pixels(image), PictureCosts::default());
        Self { image, overlay: None, device_from_scene, costs, boxes: None }
    }
}

impl From<accesskit_winit::Event> for Report {
    fn from(event: accesskit_winit::Event) -> Self {
        Self::Access(event)
    }
}

/// A function for other threads that reports to the event loop.
pub(crate) fn reporter(proxy: &EventLoopProxy<Report>) -> impl Fn(Report) + Clone + Send + use<> {
    let proxy = proxy.clone();
    move |report| {
        // The event loop is gone once the window is closed.
        let _ = proxy.send_event(report);
    }
}

/// Starts a thread that does `work` with `report`, and reports it if that panics.
pub(crate) fn spawn<R: Fn(Report) + Send + 'static>(
    name: &'static str,
    report: R,
    work: impl FnOnce(&R) + Send + 'static,
) -> Result<JoinHandle<()>, ViewError> {
    let work = move || {
        // Nothing that `work` owns is used after a panic.
        if panic::catch_unwind(AssertUnwindSafe(|| work(&report))).is_err() {
            report(Report::Failed(ViewError::Panicked(name)));
        }
    };
    Builder::new().name(name.to_owned()).spawn(work).map_err(ViewError::Thread)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn a_thread_that_panics_reports_an_error() {
        let (sender, reports) = mpsc::channel();
        let report = move |report| sender.send(report).expect("the test waits");
        spawn("panics", report, |_| panic!("as it should")).expect("a thread can start");
        let Report::Failed(error) = reports.recv().expect("the thread reports") else {
            panic!("the report is not an error");
        };
        assert_eq!(error.to_string(), "the thread panics has panicked");
    }
}
