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

/// The picture area in the window, in device pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Area {
    /// The upper left corner in the window.
    pub(crate) corner: [u32; 2],
    pub(crate) size: [u32; 2],
    /// The size of the window.
    pub(crate) window: [u32; 2],
}

impl Area {
    /// The area of a window without panels.
    #[cfg(test)]
    pub(crate) fn whole(window: [u32; 2]) -> Self {
        Self { corner: [0, 0], size: window, window }
    }
}

/// The position of the document in the picture area. All methods work in device pixels of that
/// area.
#[derive(Clone, Debug)]
pub(crate) struct View {
    /// The size of the document that is shown, in scene units. `None` if there is none.
    document: Option<Size>,
    /// The map from scene space to device space.
    device_from_scene: TranslateScale,
    area: Area,
    /// Device pixels per logical pixel.
    scale_factor: f64,
    keep: Keep,
}

impl Default for View {
    fn default() -> Self {
        Self {
            document: None,
            device_from_scene: TranslateScale::default(),
            area: Area { corner: [0, 0], size: [1, 1], window: [0, 0] },
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
        self.area.size
    }

    pub(crate) fn scale_factor(&self) -> f64 {
        self.scale_factor
    }

    /// The zoom in percent of the drawing's own size in logical pixels.
    pub(crate) fn percent(&self) -> f64 {
        self.device_from_scene.scale / self.scale_factor * 100.0
    }

    /// Shows a document. Lays out the first one, and one of another size unless the user has chosen
    /// the view.
    pub(crate) fn show(&mut self, document: Size) {
        let before = self.document.replace(document);
        if before.is_none() || before != Some(document) && self.keep != Keep::Chosen {
            self.lay_out();
        }
    }

    /// Shows no document. The next one gets a view of its own.
    pub(crate) fn clear(&mut self) {
        self.document = None;
        self.keep = Keep::Start;
    }

    /// Moves and resizes the picture area.
    ///
    /// A panel that opens, closes, or is resized leaves each point of the drawing at its place on
    /// the screen. A window that is resized keeps the centre or the fit.
    pub(crate) fn resize(&mut self, area: Area, scale_factor: f64) {
        if (self.area, self.scale_factor) == (area, scale_factor) {
            return;
        }
        let old = std::mem::replace(&mut self.area, area);
        let factor = scale_factor / std::mem::replace(&mut self.scale_factor, scale_factor);
        let vec2 = |[x, y]: [u32; 2]| Vec2::new(x.into(), y.into());
        if old.window == area.window && factor == 1.0 {
            self.device_from_scene += vec2(old.corner) - vec2(area.corner);
        } else if self.keep == Keep::Chosen {
            // The centre stays in the centre, and the drawing keeps its size in logical pixels.
            let [old, new] = [old.size, area.size].map(|size| vec2(size) * 0.5);
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
        let [width, height] = self.area.size;
        Size::new(width.into(), height.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A view of a document of this size in an area of 800 x 600 with two device pixels per logical
    /// pixel.
    fn view(document: Size) -> View {
        let mut view = View::default();
        view.resize(Area::whole([800, 600]), 2.0);
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
        view.resize(Area::whole([496, 496]), 2.0);
        assert_eq!(placement(&view), (4.0, Vec2::new(48.0, 48.0)));
        view.pan(Vec2::new(1.0, 0.0));
        let centre = |view: &View| view.device_from_scene.inverse() * view.viewport().to_rect().center();
        let before = centre(&view);
        view.resize(Area::whole([600, 300]), 1.0);
        assert_eq!(view.device_from_scene.scale, 2.0, "half as many device pixels for the same logical size");
        assert!(before.distance(centre(&view)) < 1e-9);
    }

    #[test]
    fn a_panel_leaves_the_drawing_at_its_place_on_the_screen() {
        let start = view(Size::new(100.0, 100.0));
        let mut fitted = start.clone();
        fitted.fit();
        let mut chosen = start.clone();
        chosen.zoom(Point::new(10.0, 10.0), 1.7);
        for before in [start, fitted, chosen] {
            let mut after = before.clone();
            let area = Area { corner: [200, 0], size: [500, 400], window: [800, 600] };
            after.resize(area, 2.0);
            let on_screen = |view: &View| {
                let corner = view.area.corner.map(f64::from);
                view.device_from_scene * Point::new(7.0, 9.0) + Vec2::from((corner[0], corner[1]))
            };
            assert_eq!(on_screen(&after), on_screen(&before));
            after.show(Size::new(100.0, 100.0));
            assert_eq!(on_screen(&after), on_screen(&before), "the file was loaded again");
            after.resize(Area::whole([800, 600]), 2.0);
            assert_eq!(placement(&after), placement(&before));
        }
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
