//! The picture area: the last picture, moved to the current view, and the layers over it.

mod boxes_alone;
mod compare;
mod labels;
mod layers;
mod lined;
mod picture;
#[cfg(test)]
mod tests;

use egui::{
    Context, CursorIcon, Event, MouseWheelUnit, PointerButton, Pos2, Rect, Response, Role, Sense, Ui,
    WidgetInfo,
};
use kurbo::{Point, TranslateScale};

use crate::data_views::{DataPicture, DataView};
use crate::model::Model;
use crate::panels::Facts;
use crate::state::{Area, State, ZOOM_STEP};
pub(crate) use compare::ComparedPictures;
pub(crate) use layers::length;
pub(crate) use lined::LinedPicture;
pub(crate) use picture::{Picture, pixels};

/// The logical pixels that count as one step of zooming, on devices that report pixels and not
/// lines. A swipe of 400 pixels is then ten steps.
const PIXELS_PER_STEP: f32 = 40.0;

/// The picture area.
#[derive(Default)]
pub(crate) struct Canvas {
    /// The last picture.
    pub(crate) picture: Option<LinedPicture>,
    /// The picture of a view of the data, over it.
    data: Option<(DataView, Picture)>,
    /// A small picture of the whole drawing, which is seen where the last picture does not reach.
    pub(crate) preview: Option<Picture>,
    /// The pictures of a comparison.
    pub(crate) compared: Option<ComparedPictures>,
}

/// The place of the drawing on the screen, in points of egui.
#[derive(Clone, Copy, Debug)]
struct CanvasView {
    /// The picture area.
    area: Rect,
    pixels_per_point: f32,
    device_from_scene: TranslateScale,
}

impl CanvasView {
    /// A position on the screen in device pixels of the picture area.
    fn device(&self, at: Pos2) -> Point {
        let offset = (at - self.area.min) * self.pixels_per_point;
        Point::new(offset.x.into(), offset.y.into())
    }

    fn scene(&self, at: Pos2) -> Point {
        self.device_from_scene.inverse() * self.device(at)
    }

    /// A rectangle of device pixels of the picture area on the screen.
    #[expect(clippy::cast_possible_truncation, reason = "egui computes in f32")]
    fn screen(&self, rect: kurbo::Rect) -> Rect {
        let at = |x: f64, y: f64| self.area.min + egui::vec2(x as f32, y as f32) / self.pixels_per_point;
        Rect::from_min_max(at(rect.x0, rect.y0), at(rect.x1, rect.y1))
    }

    /// The pixels that a rectangle of the scene touches, on the screen.
    fn screen_pixels(&self, rect: kurbo::Rect) -> Rect {
        self.screen((self.device_from_scene * rect).expand())
    }
}

impl Canvas {
    /// Replaces the picture of a view of the data, which is seen only while that view is shown.
    pub(crate) fn show_data(&mut self, ctx: &Context, data: Option<&DataPicture>) {
        self.data = data.map(|data| (data.analysis.view, Picture::of_data(ctx, data)));
    }

    /// Whether there is a picture or a preview.
    pub(crate) fn has_picture(&self) -> bool {
        self.picture.is_some() || self.preview.is_some()
    }

    /// Shows no picture.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Shows the picture in the rest of `ui`, and moves it by the pointer. Returns the picture
    /// area.
    pub(crate) fn show(&mut self, ui: &mut Ui, facts: Facts<'_>, state: &mut State) -> Rect {
        let model = facts.model;
        let area = whole_pixels(ui.available_rect_before_wrap(), ui.pixels_per_point());
        // The area must not take the keyboard focus.
        let response = ui.allocate_rect(area, Sense::CLICK | Sense::DRAG);
        response.widget_info(|| WidgetInfo::labeled(Role::Image, true, "Drawing"));
        resize(state, area, ui);
        let place = |state: &State| CanvasView {
            area,
            pixels_per_point: ui.pixels_per_point(),
            device_from_scene: state.view.device_from_scene(),
        };
        navigate(ui, &response, place(state), state);
        let place = place(state);
        if let Some(model) = model {
            select(ui, &response, place, model, state);
        }
        // The screen has the colour around the document already. On an adapter in software, each
        // layer over the whole area takes milliseconds.
        let painter = ui.painter_at(area);
        let is_covered = self.picture.as_ref().is_some_and(|picture| picture.covers(place));
        match (&self.preview, model) {
            // These have all elements, and none may look as if it were painted already.
            _ if is_covered || state.draw_order.element.is_some() => {}
            (Some(preview), _) => preview.paint_with(&painter, place, state.readability.drawing_opacity()),
            (None, Some(model)) => boxes_alone::paint(&painter, place, model),
            (None, None) => {}
        }
        if let Some(picture) = &mut self.picture {
            picture.paint(&painter, place, &state.readability, !state.overlay.is_empty());
        }
        if let (Some(compared), Some(mode)) = (&self.compared, state.compare) {
            compared.paint(ui, &painter, place, mode);
        }
        if let Some((_, data)) = self.data.as_ref().filter(|(view, _)| state.data_view == Some(*view)) {
            data.paint(&painter, place);
        }
        if let Some(model) = model {
            layers::paint(&painter, place, model, state);
        }
        area
    }
}

/// The largest rectangle of whole pixels in a rectangle.
fn whole_pixels(rect: Rect, pixels_per_point: f32) -> Rect {
    let min = (rect.min.to_vec2() * pixels_per_point).ceil() / pixels_per_point;
    let max = (rect.max.to_vec2() * pixels_per_point).floor() / pixels_per_point;
    Rect::from_min_max(min.to_pos2(), max.max(min).to_pos2())
}

/// Tells the view the place of the picture area, unless egui will discard this pass.
fn resize(state: &mut State, area: Rect, ui: &Ui) {
    if ui.ctx().will_discard() {
        return;
    }
    let pixels_per_point = ui.pixels_per_point();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates, and NaN is 0")]
    let pixels = |vec: egui::Vec2| [vec.x, vec.y].map(|side| (side * pixels_per_point).round() as u32);
    let window = ui.ctx().content_rect();
    let place = Area {
        corner: pixels(area.min - window.min),
        size: pixels(area.size()).map(|side| side.max(1)),
        window: pixels(window.size()),
    };
    state.view.resize(place, pixels_per_point.into());
}

/// Pans by dragging, and zooms by the wheel or by two fingers.
fn navigate(ui: &Ui, response: &Response, place: CanvasView, state: &mut State) {
    if response.dragged_by(PointerButton::Primary) || response.dragged_by(PointerButton::Middle) {
        if let Some(to) = response.interact_pointer_pos() {
            // Moves by whole pixels keep the pixels of the picture as they are.
            let [from, to] = [to - response.drag_delta(), to].map(|at| place.device(at).round());
            state.view.pan(to - from);
            state.dismiss_notices();
        }
        ui.set_cursor_icon(CursorIcon::Grabbing);
    }
    let Some(at) = response.hover_pos() else { return };
    let anchor = place.device(at);
    let events = ui.input(|input| input.events.clone());
    for event in events {
        match event {
            Event::MouseWheel { unit, delta, .. } => {
                let steps = match unit {
                    MouseWheelUnit::Line | MouseWheelUnit::Page => delta.y,
                    MouseWheelUnit::Point => delta.y / PIXELS_PER_STEP,
                };
                state.view.zoom(anchor, ZOOM_STEP.powf(steps.into()));
            }
            Event::Zoom(factor) => state.view.zoom(anchor, factor.into()),
            _ => {}
        }
    }
}

/// Points at the source under the pointer, and selects it on a click.
fn select(ui: &Ui, response: &Response, place: CanvasView, model: &Model, state: &mut State) {
    state.pointer = response.hover_pos().map(|at| place.scene(at));
    let picked = state.picked(model);
    if let Some(picked) = &picked {
        state.pointed_at = picked.first().copied();
    }
    state.hover.point_at(state.pointed_at.take());
    if !response.clicked() {
        return;
    }
    state.dismiss_notices();
    // Most window managers move the window by Alt and the pointer.
    let is_through = ui.input(|input| input.modifiers.alt || input.modifiers.command);
    if is_through && picked.is_some_and(|picked| !picked.is_empty()) {
        state.select_below(model);
    } else {
        state.selected = state.hover.source(model);
    }
}
