//! The state of the viewer: files, view, overlay, and messages. It knows no window.

use kurbo::{Point, Size, TranslateScale, Vec2};
use winit::keyboard::NamedKey;

use super::input::Key;
use super::inputs::ViewInput;
use super::options::WindowOptions;
use super::placement::{centred, fit, zoomed_at};
use crate::overlay::{OVERLAY_STYLES, OverlayKinds};
use crate::panels::{Message, Severity};
use crate::picture::Frame;

/// The colour around the document, dark enough for every colour of the overlay.
const SURROUND: [u8; 3] = [0x1c, 0x1c, 0x20];

/// The margin around a drawing that fits the window, in logical pixels.
const MARGIN: f64 = 24.0;

/// The factor of one step of zooming.
pub(crate) const ZOOM_STEP: f64 = 1.2;

/// The effect of an action on the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// The picture has changed.
    Redraw,
    /// The current file must be loaded.
    Load,
    /// The window closes.
    Quit,
}

/// The view that the window keeps when its size changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keep {
    /// 100 %, or smaller if the drawing does not fit.
    Start,
    /// As large as fits.
    Fit,
    /// The view that the user chose.
    Chosen,
}

/// Work that the user is waiting for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Busy {
    /// The file is being read, and its boxes computed.
    Loading,
    /// The picture is being drawn.
    Drawing,
}

/// The state of the viewer.
#[derive(Debug)]
pub(crate) struct Viewer {
    files: Vec<ViewInput>,
    /// The index of the current file.
    pub(crate) current: usize,
    /// The size of the document that is shown, in scene units.
    pub(crate) document: Option<Size>,
    /// Work that has taken long enough for the window to show it.
    pub(crate) busy: Option<Busy>,
    /// The picture for the window.
    frame: Frame,
    keep: Keep,
}

impl Viewer {
    /// A viewer of `files`, which must not be empty.
    pub(crate) fn new(files: Vec<ViewInput>, options: &WindowOptions) -> Self {
        let frame = Frame {
            size: [1, 1],
            view: TranslateScale::default(),
            scale_factor: 1.0,
            background: options.background,
            surround: Some(SURROUND),
            overlay: options.overlay,
            boxes: options.boxes,
            legend: true,
            message: None,
        };
        Self { files, current: 0, document: None, busy: None, frame, keep: Keep::Start }
    }

    pub(crate) fn file(&self) -> &ViewInput {
        &self.files[self.current]
    }

    /// The picture for the window.
    pub(crate) fn frame(&self) -> Frame {
        let mut frame = self.frame.clone();
        if self.busy == Some(Busy::Loading) && self.document.is_none() {
            let text = format!("loading {} …", self.file().name());
            frame.message.get_or_insert(Message { severity: Severity::Notice, text });
        }
        frame
    }

    /// The title of the window: the file, the state, the zoom, and the index of the file.
    pub(crate) fn title(&self) -> String {
        let name = self.file().name();
        let is_broken = matches!(&self.frame.message, Some(message) if message.severity == Severity::Error);
        let state = match self.busy {
            Some(Busy::Loading) => " — loading",
            Some(Busy::Drawing) => " — drawing",
            None if is_broken => " — error",
            None => "",
        };
        let percent = self.frame.view.scale / self.frame.scale_factor * 100.0;
        let zoom = if percent < 10.0 { format!("{percent:.2}") } else { format!("{percent:.0}") };
        format!("{name}{state} — {zoom} % — {}/{}", self.current + 1, self.files.len())
    }

    /// Shows a document that has been loaded. The view stays if the same file was shown before and
    /// the user chose the view.
    pub(crate) fn show(&mut self, document: Size, notice: Option<String>) {
        let is_first = self.document.replace(document).is_none();
        self.frame.message = notice.map(|text| Message { severity: Severity::Notice, text });
        if is_first || self.keep != Keep::Chosen {
            self.lay_out();
        }
    }

    /// Shows an error about the current file. A document that is shown stays.
    pub(crate) fn fail(&mut self, text: String) {
        self.frame.message = Some(Message { severity: Severity::Error, text });
    }

    /// Shows a notice, unless there is a message already.
    pub(crate) fn notify(&mut self, text: String) {
        self.frame.message.get_or_insert(Message { severity: Severity::Notice, text });
    }

    /// Hides a notice. Errors stay for as long as their cause.
    pub(crate) fn dismiss_notice(&mut self) -> Option<Effect> {
        let notice = self.frame.message.take_if(|message| message.severity == Severity::Notice);
        notice.map(|_| Effect::Redraw)
    }

    pub(crate) fn resize(&mut self, size: [u32; 2], scale_factor: f64) -> Effect {
        let old = std::mem::replace(&mut self.frame.size, size);
        let factor = scale_factor / std::mem::replace(&mut self.frame.scale_factor, scale_factor);
        if self.keep == Keep::Chosen {
            // The centre stays in the centre, and the drawing keeps its size in logical pixels.
            let [old, new] = [old, size].map(|[width, height]| Vec2::new(width.into(), height.into()) * 0.5);
            self.frame.view = zoomed_at(self.frame.view, old.to_point(), factor) + (new - old).round();
        } else {
            self.lay_out();
        }
        Effect::Redraw
    }

    /// Performs the action of a key, if it has one.
    pub(crate) fn press(&mut self, key: Key) -> Option<Effect> {
        let effect = match key {
            Key::Character('0') => self.show_kinds(OverlayKinds::NONE),
            Key::Character('f') => self.lay_out_as(Keep::Fit),
            Key::Named(NamedKey::Space) => self.lay_out_as(Keep::Start),
            Key::Command('0') => {
                let document = self.document.unwrap_or_default();
                self.choose(centred(document, self.viewport(), self.frame.scale_factor))
            }
            Key::Character('+' | '=') | Key::Command('+' | '=') => self.zoom(self.centre(), ZOOM_STEP),
            Key::Character('-') | Key::Command('-') => self.zoom(self.centre(), 1.0 / ZOOM_STEP),
            Key::Named(NamedKey::ArrowLeft) => self.go(self.files.len() - 1),
            Key::Named(NamedKey::ArrowRight) => self.go(1),
            Key::Character('b') => {
                self.frame.background = self.frame.background.next();
                Effect::Redraw
            }
            Key::Character('r') => Effect::Load,
            Key::Named(NamedKey::Escape) | Key::Character('q') | Key::Command('q') => Effect::Quit,
            Key::Character(digit) => {
                let style = OVERLAY_STYLES.iter().find(|style| style.key == digit)?;
                self.show_kinds(self.frame.overlay.symmetric_difference(style.kind))
            }
            _ => return None,
        };
        self.dismiss_notice();
        Some(effect)
    }

    fn show_kinds(&mut self, kinds: OverlayKinds) -> Effect {
        self.frame.overlay = kinds;
        Effect::Redraw
    }

    /// Zooms by a factor around `anchor`, a point in device pixels.
    pub(crate) fn zoom(&mut self, anchor: Point, factor: f64) -> Effect {
        self.choose(zoomed_at(self.frame.view, anchor, factor))
    }

    /// Moves the drawing by `delta` device pixels.
    pub(crate) fn pan(&mut self, delta: Vec2) -> Effect {
        self.choose(self.frame.view + delta)
    }

    /// Shows a view that the user chose.
    fn choose(&mut self, view: TranslateScale) -> Effect {
        self.keep = Keep::Chosen;
        self.frame.view = view;
        Effect::Redraw
    }

    /// Goes `steps` files ahead, and from the last file to the first.
    fn go(&mut self, steps: usize) -> Effect {
        let next = (self.current + steps) % self.files.len();
        if next == self.current {
            return Effect::Redraw;
        }
        self.current = next;
        self.frame.message = None;
        self.document = None;
        self.keep = Keep::Start;
        Effect::Load
    }

    fn lay_out_as(&mut self, keep: Keep) -> Effect {
        self.keep = keep;
        self.lay_out();
        Effect::Redraw
    }

    fn lay_out(&mut self) {
        let Some(document) = self.document else {
            return;
        };
        let viewport = self.viewport();
        let fit = fit(document, viewport, MARGIN * self.frame.scale_factor);
        self.frame.view = if self.keep == Keep::Start && fit.scale > self.frame.scale_factor {
            centred(document, viewport, self.frame.scale_factor)
        } else {
            fit
        };
    }

    fn viewport(&self) -> Size {
        Size::new(self.frame.size[0].into(), self.frame.size[1].into())
    }

    fn centre(&self) -> Point {
        self.viewport().to_rect().center()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn viewer(n_files: usize, document: Size) -> Viewer {
        let files = (0..n_files).map(|i| ViewInput::Path(format!("folder/{i}.svg").into())).collect();
        let mut viewer = Viewer::new(files, &WindowOptions::default());
        viewer.resize([800, 600], 2.0);
        viewer.show(document, None);
        viewer
    }

    const FIT: Key = Key::Character('f');
    const NEXT_FILE: Key = Key::Named(NamedKey::ArrowRight);

    /// The scale and the translation of the drawing.
    fn placement(viewer: &Viewer) -> (f64, Vec2) {
        (viewer.frame.view.scale, viewer.frame.view.translation)
    }

    #[test]
    fn a_small_drawing_starts_at_100_percent_and_a_large_one_fits() {
        let small = viewer(1, Size::new(100.0, 100.0));
        assert_eq!(placement(&small), (2.0, Vec2::new(300.0, 200.0)));
        assert_eq!(small.title(), "0.svg — 100 % — 1/1");
        let large = viewer(1, Size::new(7520.0, 100.0));
        assert_eq!(large.frame.view.scale, 704.0 / 7520.0);
        assert_eq!(large.title(), "0.svg — 4.68 % — 1/1");
    }

    #[test]
    fn reloading_keeps_the_view_and_another_file_resets_it() {
        let mut viewer = viewer(3, Size::new(100.0, 100.0));
        let start = placement(&viewer);
        viewer.zoom(Point::new(10.0, 10.0), 1.7);
        viewer.pan(Vec2::new(5.0, 6.0));
        let chosen = placement(&viewer);
        viewer.show(Size::new(50.0, 50.0), None);
        assert_eq!(placement(&viewer), chosen);
        assert_eq!(viewer.press(Key::Named(NamedKey::ArrowLeft)), Some(Effect::Load));
        assert_eq!(viewer.file().to_string(), "folder/2.svg");
        viewer.show(Size::new(100.0, 100.0), None);
        assert_eq!(placement(&viewer), start);
        assert_eq!(viewer.press(NEXT_FILE), Some(Effect::Load));
        assert_eq!(viewer.title(), "0.svg — 100 % — 1/3");
    }

    #[test]
    fn a_failed_reload_keeps_the_drawing_and_its_error_until_the_next_load() {
        let mut viewer = viewer(1, Size::new(100.0, 100.0));
        viewer.fail("no SVG".to_owned());
        assert!(viewer.document.is_some());
        assert_eq!(viewer.title(), "0.svg — error — 100 % — 1/1");
        assert_eq!(viewer.press(FIT), Some(Effect::Redraw));
        assert_eq!(viewer.dismiss_notice(), None);
        assert!(viewer.frame().message.is_some(), "an error stays");
        viewer.show(Size::new(100.0, 100.0), Some("a mask".to_owned()));
        assert!(viewer.frame().message.is_some_and(|m| m.severity == Severity::Notice));
        viewer.press(Key::Character('3'));
        assert_eq!(viewer.frame().message, None, "the next key hides a notice");
        assert_eq!(viewer.frame().overlay, OverlayKinds::CLIP);
    }

    #[test]
    fn resizing_keeps_the_fit_or_the_centre() {
        let mut viewer = viewer(1, Size::new(100.0, 100.0));
        viewer.press(FIT);
        viewer.resize([496, 496], 2.0);
        assert_eq!(placement(&viewer), (4.0, Vec2::new(48.0, 48.0)));
        viewer.pan(Vec2::new(1.0, 0.0));
        let centre = viewer.frame.view.inverse() * viewer.centre();
        viewer.resize([600, 300], 1.0);
        assert_eq!(viewer.frame.view.scale, 2.0, "half as many device pixels for the same logical size");
        assert!(centre.distance(viewer.frame.view.inverse() * viewer.centre()) < 1e-9);
    }

    #[test]
    fn actions_without_a_document_only_redraw() {
        let files = vec![ViewInput::Path("a.svg".into())];
        let mut viewer = Viewer::new(files, &WindowOptions::default());
        let reset = Key::Named(NamedKey::Space);
        for key in [FIT, Key::Command('0'), reset, Key::Character('+'), NEXT_FILE] {
            assert_eq!(viewer.press(key), Some(Effect::Redraw));
        }
        assert!(viewer.frame.view.scale > 0.0);
    }

    #[test]
    fn long_work_is_in_the_title_and_replaces_a_missing_picture() {
        let mut viewer = viewer(2, Size::new(100.0, 100.0));
        viewer.busy = Some(Busy::Loading);
        assert_eq!(viewer.title(), "0.svg — loading — 100 % — 1/2");
        assert_eq!(viewer.frame().message, None, "the old picture stays during a reload");
        viewer.press(NEXT_FILE);
        let message = viewer.frame().message.expect("there is nothing else to show");
        assert_eq!((message.severity, message.text.as_str()), (Severity::Notice, "loading 1.svg …"));
        viewer.show(Size::new(100.0, 100.0), None);
        viewer.busy = Some(Busy::Drawing);
        assert_eq!(viewer.title(), "1.svg — drawing — 100 % — 2/2");
        assert_eq!(viewer.frame().message, None);
    }

    #[test]
    fn bytes_have_a_name_and_no_path() {
        let stdin = ViewInput::Bytes { name: "stdin".to_owned(), bytes: Default::default() };
        let viewer = Viewer::new(vec![stdin], &WindowOptions::default());
        assert!(viewer.title().starts_with("stdin — "), "{}", viewer.title());
        assert_eq!(viewer.file().path(), None);
    }

    #[test]
    fn the_key_of_each_kind_shows_or_hides_it() {
        let mut viewer = viewer(1, Size::new(100.0, 100.0));
        for style in &OVERLAY_STYLES {
            viewer.press(Key::Character(style.key));
            assert_eq!(viewer.frame.overlay, style.kind);
            viewer.press(Key::Character(style.key));
            assert_eq!(viewer.frame.overlay, OverlayKinds::NONE);
        }
        assert_eq!(viewer.press(Key::Character('5')), None);
    }

    #[test]
    fn a_key_with_ctrl_has_an_action_of_its_own() {
        let mut viewer = viewer(1, Size::new(100.0, 100.0));
        viewer.frame.overlay = OverlayKinds::ALL;
        viewer.press(FIT);
        viewer.press(Key::Command('0'));
        assert_eq!((placement(&viewer).0, viewer.frame.overlay), (2.0, OverlayKinds::ALL));
        viewer.press(Key::Character('0'));
        assert_eq!(viewer.frame.overlay, OverlayKinds::NONE);
        assert_eq!(viewer.press(Key::Command('1')), None);
    }
}
