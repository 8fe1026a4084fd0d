//! The view of the drawing: its position in the picture area.

use kurbo::{Point, Rect, Size, TranslateScale, Vec2};

use super::placement::{centred, fit, zoomed_at};

/// The margin around a drawing that fits the picture area, in logical pixels.
const MARGIN: f64 = 24.0;

/// A rectangle is shown as if its sides were at least this long, in scene units: a point has no
/// scale that it fits at.
const MIN_SIDE: f64 = 1e-3;

/// The factor of one step of zooming.
pub(crate) const ZOOM_STEP: f64 = 1.2;

/// What a view keeps when the size of the picture area changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keep {
    /// 100 %, or smaller if the drawing does not fit.
    Start,
    /// As large as fits.
    Fit,
    /// The view that the user chose.
    Chosen,
}

/// The position of the document in the picture area. All methods work in device pixels of that
/// area.
#[derive(Clone, Debug)]
pub(crate) struct View {
    /// The size of the document that is shown, in scene units. `None` if there is none.
    document: Option<Size>,
    /// The map from scene space to device space.
    device_from_scene: TranslateScale,
    /// The size of the picture area in device pixels.
    size: [u32; 2],
    /// Device pixels per logical pixel.
    scale_factor: f64,
    keep: Keep,
}

impl Default for View {
    fn default() -> Self {
        Self {
            document: None,
            device_from_scene: TranslateScale::default(),
            size: [1, 1],
            scale_factor: 1.0,
            keep: Keep::Start,
        }
    }
}

impl View {
    pub(crate) fn document(&self) -> Option<Size> {
        self.document
    }

    /// The map from scene space to device space.
    pub(crate) fn device_from_scene(&self) -> TranslateScale {
        self.device_from_scene
    }

    pub(crate) fn size(&self) -> [u32; 2] {
        self.size
    }

    pub(crate) fn scale_factor(&self) -> f64 {
        self.scale_factor
    }

    /// The zoom in percent of the drawing's own size in logical pixels.
    pub(crate) fn percent(&self) -> f64 {
        self.device_from_scene.scale / self.scale_factor * 100.0
    }

    /// Shows a document. The view stays if a document was shown before and the user chose the view.
    pub(crate) fn show(&mut self, document: Size) {
        let is_first = self.document.replace(document).is_none();
        if is_first || self.keep != Keep::Chosen {
            self.lay_out();
        }
    }

    /// Shows no document. The next one gets a view of its own.
    pub(crate) fn clear(&mut self) {
        self.document = None;
        self.keep = Keep::Start;
    }

    pub(crate) fn resize(&mut self, size: [u32; 2], scale_factor: f64) {
        if (self.size, self.scale_factor) == (size, scale_factor) {
            return;
        }
        let old = std::mem::replace(&mut self.size, size);
        let factor = scale_factor / std::mem::replace(&mut self.scale_factor, scale_factor);
        if self.keep == Keep::Chosen {
            // The centre stays in the centre, and the drawing keeps its size in logical pixels.
            let [old, new] = [old, size].map(|[width, height]| Vec2::new(width.into(), height.into()) * 0.5);
            let zoomed = zoomed_at(self.device_from_scene, old.to_point(), factor);
            self.device_from_scene = zoomed + (new - old).round();
        } else {
            self.lay_out();
        }
    }

    /// Shows the document as large as fits.
    pub(crate) fn fit(&mut self) {
        self.keep = Keep::Fit;
        self.lay_out();
    }

    /// Shows a rectangle of the scene as large as fits.
    pub(crate) fn zoom_to(&mut self, rect: Rect) {
        let fitted =
            fit(rect.size().max(Size::new(MIN_SIDE, MIN_SIDE)), self.viewport(), MARGIN * self.scale_factor);
        let centre = self.viewport().to_rect().center().to_vec2();
        let shift = (centre - rect.center().to_vec2() * fitted.scale).round();
        self.choose(TranslateScale::new(shift, fitted.scale));
    }

    /// Shows the document at 100 %, or smaller if it does not fit.
    pub(crate) fn reset(&mut self) {
        self.keep = Keep::Start;
        self.lay_out();
    }

    /// Shows the document at 100 %.
    pub(crate) fn show_actual_size(&mut self) {
        self.choose(centred(self.document.unwrap_or_default(), self.viewport(), self.scale_factor));
    }

    /// Zooms by a factor around `anchor`.
    pub(crate) fn zoom(&mut self, anchor: Point, factor: f64) {
        self.choose(zoomed_at(self.device_from_scene, anchor, factor));
    }

    /// Zooms by a factor around the centre.
    pub(crate) fn zoom_at_centre(&mut self, factor: f64) {
        self.zoom(self.viewport().to_rect().center(), factor);
    }

    /// Moves the drawing.
    pub(crate) fn pan(&mut self, delta: Vec2) {
        self.choose(self.device_from_scene + delta);
    }

    /// Shows a view that the user chose.
    fn choose(&mut self, view: TranslateScale) {
        self.keep = Keep::Chosen;
        self.device_from_scene = view;
    }

    fn lay_out(&mut self) {
        let Some(document) = self.document else {
            return;
        };
        let viewport = self.viewport();
        let fit = fit(document, viewport, MARGIN * self.scale_factor);
        let at_100_percent = centred(document, viewport, self.scale_factor);
        let is_fit = self.keep == Keep::Fit || fit.scale < at_100_percent.scale;
        self.device_from_scene = if is_fit { fit } else { at_100_percent };
    }

    fn viewport(&self) -> Size {
        Size::new(self.size[0].into(), self.size[1].into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A view of a document of this size in an area of 800 x 600 with two device pixels per logical
    /// pixel.
    fn view(document: Size) -> View {
        let mut view = View::default();
        view.resize([800, 600], 2.0);
        view.show(document);
        view
    }

    fn placement(view: &View) -> (f64, Vec2) {
        (view.device_from_scene.scale, view.device_from_scene.translation)
    }

    #[test]
    fn a_small_drawing_starts_at_100_percent_and_a_large_one_fits() {
        let small = view(Size::new(100.0, 100.0));
        assert_eq!(placement(&small), (2.0, Vec2::new(300.0, 200.0)));
        assert_eq!(small.percent(), 100.0);
        let large = view(Size::new(7520.0, 100.0));
        assert_eq!(large.device_from_scene.scale, 704.0 / 7520.0);
    }

    #[test]
    fn a_chosen_view_stays_until_it_is_cleared() {
        let mut view = view(Size::new(100.0, 100.0));
        let start = placement(&view);
        view.zoom(Point::new(10.0, 10.0), 1.7);
        view.pan(Vec2::new(5.0, 6.0));
        let chosen = placement(&view);
        view.show(Size::new(50.0, 50.0));
        assert_eq!(placement(&view), chosen);
        view.clear();
        view.show(Size::new(100.0, 100.0));
        assert_eq!(placement(&view), start);
    }

    #[test]
    fn resizing_keeps_the_fit_or_the_centre() {
        let mut view = view(Size::new(100.0, 100.0));
        view.fit();
        view.resize([496, 496], 2.0);
        assert_eq!(placement(&view), (4.0, Vec2::new(48.0, 48.0)));
        view.pan(Vec2::new(1.0, 0.0));
        let centre = |view: &View| view.device_from_scene.inverse() * view.viewport().to_rect().center();
        let before = centre(&view);
        view.resize([600, 300], 1.0);
        assert_eq!(view.device_from_scene.scale, 2.0, "half as many device pixels for the same logical size");
        assert!(before.distance(centre(&view)) < 1e-9);
    }

    #[test]
    fn zooming_to_a_rectangle_centres_it() {
        let mut view = view(Size::new(100.0, 100.0));
        view.zoom_to(Rect::new(10.0, 20.0, 20.0, 21.0));
        assert_eq!(view.device_from_scene.scale, 70.4, "with a margin of 48 pixels at each side");
        let centre = view.device_from_scene * Point::new(15.0, 20.5);
        assert!(centre.distance(Point::new(400.0, 300.0)) < 1.0, "{centre}");
        view.zoom_to(Rect::new(5.0, 5.0, 5.0, 5.0));
        assert!(view.device_from_scene.scale.is_finite());
    }

    #[test]
    fn a_view_without_a_document_has_a_scale() {
        let mut view = View::default();
        for action in [View::fit, View::show_actual_size, View::reset] {
            action(&mut view);
            view.zoom_at_centre(ZOOM_STEP);
            assert!(view.device_from_scene.scale > 0.0);
        }
    }
}
