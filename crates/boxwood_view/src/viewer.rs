//! What the window shows, without the window: files, view, overlay, messages.

use kurbo::{Point, Size, Vec2};

use crate::background::Background;
use crate::files::ViewInput;
use crate::frame::Frame;
use crate::keys::Action;
use crate::kinds::OverlayKinds;
use crate::panel::{Message, Severity};
use crate::source::OverlaySource;
use crate::view_transform::ViewTransform;

/// The colour around the document: dark enough for every colour of the overlay.
const SURROUND: [u8; 3] = [0x1c, 0x1c, 0x20];

/// The margin of a fitted drawing, in pixels of the desktop.
const MARGIN: f64 = 24.0;

/// The factor of one step of zooming.
const ZOOM_STEP: f64 = 1.2;

/// What must happen after an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// The picture is another.
    Redraw,
    /// The current file is another, or is to be read again.
    Load,
    /// The window closes.
    Quit,
}

/// Which view the window keeps as its size changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keep {
    /// 100 %, or smaller where the drawing does not fit.
    Start,
    /// As large as fits.
    Fit,
    /// What the user has chosen.
    Chosen,
}

/// What keeps the window from showing what it should.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Busy {
    /// The file is read and its boxes are computed.
    Loading,
    /// The picture is drawn.
    Drawing,
}

/// The state of the window.
#[derive(Debug)]
pub(crate) struct Viewer {
    files: Vec<ViewInput>,
    current: usize,
    /// The size of the document that is shown, in scene units.
    document: Option<Size>,
    view: ViewTransform,
    keep: Keep,
    /// The size of the window, in device pixels.
    size: [u32; 2],
    scale_factor: f64,
    overlay: OverlayKinds,
    boxes: OverlaySource,
    background: Background,
    message: Option<Message>,
    /// What takes longer than a moment.
    busy: Option<Busy>,
}

impl Viewer {
    /// A viewer of these files, at least one.
    pub(crate) fn new(
        files: Vec<ViewInput>,
        overlay: OverlayKinds,
        boxes: OverlaySource,
        background: Background,
    ) -> Self {
        Self {
            files,
            current: 0,
            document: None,
            view: ViewTransform::scaled(1.0),
            keep: Keep::Start,
            size: [1, 1],
            scale_factor: 1.0,
            overlay,
            boxes,
            background,
            message: None,
            busy: None,
        }
    }

    /// The place of the current file among all.
    pub(crate) fn place(&self) -> usize {
        self.current
    }

    pub(crate) fn file(&self) -> &ViewInput {
        &self.files[self.current]
    }

    /// The picture that the window shows.
    pub(crate) fn frame(&self) -> Frame {
        Frame {
            size: self.size,
            view: self.view,
            scale_factor: self.scale_factor,
            background: self.background,
            surround: Some(SURROUND),
            overlay: self.overlay,
            boxes: self.boxes,
            legend: true,
            message: self.message.clone().or_else(|| self.loading()),
        }
    }

    /// What is said in place of a drawing that takes long to load.
    fn loading(&self) -> Option<Message> {
        let is_said = self.busy == Some(Busy::Loading) && !self.has_document();
        let text = format!("loading {} …", self.file().name());
        is_said.then_some(Message { severity: Severity::Notice, text })
    }

    /// File, zoom and place among the files.
    pub(crate) fn title(&self) -> String {
        let name = self.file().name();
        let is_broken = matches!(&self.message, Some(message) if message.severity == Severity::Error);
        let state = match self.busy {
            Some(Busy::Loading) => " — loading",
            Some(Busy::Drawing) => " — drawing",
            None if is_broken => " — error",
            None => "",
        };
        let percent = self.view.scale / self.scale_factor * 100.0;
        let zoom = if percent < 10.0 { format!("{percent:.2}") } else { format!("{percent:.0}") };
        format!("{name}{state} — {zoom} % — {}/{}", self.current + 1, self.files.len())
    }

    /// Takes a document that has been read; the view stays if it is the same file as before.
    pub(crate) fn show(&mut self, document: Size, notice: Option<String>) {
        let is_first = self.document.replace(document).is_none();
        self.message = notice.map(|text| Message { severity: Severity::Notice, text });
        if is_first || self.keep != Keep::Chosen {
            self.lay_out();
        }
    }

    /// Shows why the current file is not shown. A document that is shown stays.
    pub(crate) fn fail(&mut self, text: String) {
        self.message = Some(Message { severity: Severity::Error, text });
    }

    /// Shows a notice, unless there is something more important to read.
    pub(crate) fn notify(&mut self, text: String) {
        if self.message.is_none() {
            self.message = Some(Message { severity: Severity::Notice, text });
        }
    }

    /// Says what takes long, if anything.
    pub(crate) fn set_busy(&mut self, busy: Option<Busy>) {
        self.busy = busy;
    }

    pub(crate) fn busy(&self) -> Option<Busy> {
        self.busy
    }

    /// Shows no document any more.
    pub(crate) fn clear(&mut self) {
        self.document = None;
    }

    pub(crate) fn has_document(&self) -> bool {
        self.document.is_some()
    }

    /// Hides a notice once it may have been read. Errors stay as long as they hold.
    pub(crate) fn dismiss_notice(&mut self) -> Option<Effect> {
        let notice = self.message.take_if(|message| message.severity == Severity::Notice);
        notice.map(|_| Effect::Redraw)
    }

    pub(crate) fn resize(&mut self, size: [u32; 2], scale_factor: f64) {
        let old = std::mem::replace(&mut self.size, size);
        let factor = scale_factor / std::mem::replace(&mut self.scale_factor, scale_factor);
        if self.keep == Keep::Chosen {
            // The middle stays in the middle, and the drawing as large as it was on the desktop.
            let [old, new] = [old, size].map(|[width, height]| Vec2::new(width.into(), height.into()) * 0.5);
            self.view = self.view.zoomed_at(old.to_point(), factor).panned((new - old).round());
        } else {
            self.lay_out();
        }
    }

    pub(crate) fn act(&mut self, action: Action) -> Effect {
        let _ = self.dismiss_notice();
        match action {
            Action::Toggle(kind) => self.overlay = self.overlay.toggled(kind),
            Action::HideBoxes => self.overlay = OverlayKinds::NONE,
            Action::Fit => self.lay_out_as(Keep::Fit),
            Action::Reset => self.lay_out_as(Keep::Start),
            Action::ActualSize => {
                self.keep = Keep::Chosen;
                let document = self.document.unwrap_or_default();
                self.view = ViewTransform::centred(document, self.viewport(), self.scale_factor);
            }
            Action::ZoomIn => return self.zoom(self.middle(), 1.0),
            Action::ZoomOut => return self.zoom(self.middle(), -1.0),
            Action::NextBackground => self.background = self.background.next(),
            Action::NextFile => return self.go(1),
            Action::PreviousFile => return self.go(self.files.len() - 1),
            Action::Reload => return Effect::Load,
            Action::Quit => return Effect::Quit,
        }
        Effect::Redraw
    }

    /// Zooms by so many steps, where the point under `anchor`, in device pixels, stays.
    pub(crate) fn zoom(&mut self, anchor: Point, steps: f64) -> Effect {
        self.keep = Keep::Chosen;
        self.view = self.view.zoomed_at(anchor, ZOOM_STEP.powf(steps));
        Effect::Redraw
    }

    /// Zooms by a factor, where the point under `anchor`, in device pixels, stays.
    pub(crate) fn pinch(&mut self, anchor: Point, factor: f64) -> Effect {
        self.keep = Keep::Chosen;
        self.view = self.view.zoomed_at(anchor, factor);
        Effect::Redraw
    }

    /// Moves the drawing by `delta` device pixels.
    pub(crate) fn pan(&mut self, delta: Vec2) -> Effect {
        self.keep = Keep::Chosen;
        self.view = self.view.panned(delta);
        Effect::Redraw
    }

    /// Goes so many files ahead, around the end.
    fn go(&mut self, ahead: usize) -> Effect {
        let next = (self.current + ahead) % self.files.len();
        if next == self.current {
            return Effect::Redraw;
        }
        self.current = next;
        self.message = None;
        self.document = None;
        self.keep = Keep::Start;
        Effect::Load
    }

    fn lay_out_as(&mut self, keep: Keep) {
        self.keep = keep;
        self.lay_out();
    }

    fn lay_out(&mut self) {
        let Some(document) = self.document else {
            return;
        };
        let viewport = self.viewport();
        let fit = ViewTransform::fit(document, viewport, MARGIN * self.scale_factor);
        self.view = if self.keep == Keep::Start && fit.scale > self.scale_factor {
            ViewTransform::centred(document, viewport, self.scale_factor)
        } else {
            fit
        };
    }

    fn viewport(&self) -> Size {
        Size::new(self.size[0].into(), self.size[1].into())
    }

    fn middle(&self) -> Point {
        self.viewport().to_rect().center()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn viewer(n_files: usize, document: Size) -> Viewer {
        let files = (0..n_files).map(|i| ViewInput::Path(format!("folder/{i}.svg").into())).collect();
        let mut viewer = Viewer::new(files, OverlayKinds::NONE, OverlaySource::Scene, Background::White);
        viewer.resize([800, 600], 2.0);
        viewer.show(document, None);
        viewer
    }

    #[test]
    fn a_small_drawing_starts_at_100_percent_and_a_large_one_fits() {
        let small = viewer(1, Size::new(100.0, 100.0));
        assert_eq!(small.view, ViewTransform { scale: 2.0, translation: Vec2::new(300.0, 200.0) });
        assert_eq!(small.title(), "0.svg — 100 % — 1/1");
        let large = viewer(1, Size::new(7520.0, 100.0));
        assert_eq!(large.view.scale, 704.0 / 7520.0);
        assert_eq!(large.title(), "0.svg — 4.68 % — 1/1");
    }

    #[test]
    fn a_reload_keeps_the_view_and_another_file_does_not() {
        let mut viewer = viewer(3, Size::new(100.0, 100.0));
        let start = viewer.view;
        viewer.zoom(Point::new(10.0, 10.0), 3.0);
        viewer.pan(Vec2::new(5.0, 6.0));
        let chosen = viewer.view;
        viewer.show(Size::new(50.0, 50.0), None);
        assert_eq!(viewer.view, chosen);
        assert_eq!(viewer.act(Action::PreviousFile), Effect::Load);
        assert_eq!(viewer.file().to_string(), "folder/2.svg");
        viewer.show(Size::new(100.0, 100.0), None);
        assert_eq!(viewer.view, start);
        assert_eq!(viewer.act(Action::NextFile), Effect::Load);
        assert_eq!(viewer.title(), "0.svg — 100 % — 1/3");
    }

    #[test]
    fn a_broken_reload_keeps_the_drawing_until_a_good_one_comes() {
        let mut viewer = viewer(1, Size::new(100.0, 100.0));
        viewer.fail("no SVG".to_owned());
        assert!(viewer.has_document());
        assert_eq!(viewer.title(), "0.svg — error — 100 % — 1/1");
        assert_eq!(viewer.act(Action::Fit), Effect::Redraw);
        assert_eq!(viewer.dismiss_notice(), None);
        assert!(viewer.frame().message.is_some(), "an error stays");
        viewer.show(Size::new(100.0, 100.0), Some("a mask".to_owned()));
        assert!(viewer.frame().message.is_some_and(|m| m.severity == Severity::Notice));
        viewer.act(Action::Toggle(OverlayKinds::CLIP));
        assert_eq!(viewer.frame().message, None, "a notice goes with the next key");
        assert_eq!(viewer.frame().overlay, OverlayKinds::CLIP);
    }

    #[test]
    fn a_resized_window_keeps_the_fit_or_the_middle() {
        let mut viewer = viewer(1, Size::new(100.0, 100.0));
        viewer.act(Action::Fit);
        viewer.resize([496, 496], 2.0);
        assert_eq!(viewer.view, ViewTransform { scale: 4.0, translation: Vec2::new(48.0, 48.0) });
        viewer.pan(Vec2::new(1.0, 0.0));
        let middle = viewer.view.scene_from_device(viewer.middle());
        viewer.resize([600, 300], 1.0);
        assert_eq!(viewer.view.scale, 2.0, "half the device pixels on the same desktop");
        assert!(middle.distance(viewer.view.scene_from_device(viewer.middle())) < 1e-9);
    }

    #[test]
    fn actions_without_a_document_do_nothing_bad() {
        let files = vec![ViewInput::Path("a.svg".into())];
        let mut viewer = Viewer::new(files, OverlayKinds::ALL, OverlaySource::Scene, Background::Black);
        for action in [Action::Fit, Action::ActualSize, Action::Reset, Action::ZoomIn, Action::NextFile] {
            assert_eq!(viewer.act(action), Effect::Redraw);
        }
        assert!(viewer.view.scale > 0.0);
    }

    #[test]
    fn what_takes_long_is_said() {
        let mut viewer = viewer(2, Size::new(100.0, 100.0));
        viewer.set_busy(Some(Busy::Loading));
        assert_eq!(viewer.title(), "0.svg — loading — 100 % — 1/2");
        assert_eq!(viewer.frame().message, None, "the old picture stays while it is read again");
        viewer.act(Action::NextFile);
        let message = viewer.frame().message.expect("there is nothing else to show");
        assert_eq!((message.severity, message.text.as_str()), (Severity::Notice, "loading 1.svg …"));
        viewer.show(Size::new(100.0, 100.0), None);
        viewer.set_busy(Some(Busy::Drawing));
        assert_eq!(viewer.title(), "1.svg — drawing — 100 % — 2/2");
        assert_eq!(viewer.frame().message, None);
    }

    #[test]
    fn bytes_have_a_name_and_no_file() {
        let stdin = ViewInput::Bytes { name: "stdin".to_owned(), bytes: Default::default() };
        let viewer = Viewer::new(vec![stdin], OverlayKinds::NONE, OverlaySource::Scene, Background::White);
        assert!(viewer.title().starts_with("stdin — "), "{}", viewer.title());
        assert_eq!(viewer.file().path(), None);
    }
}
