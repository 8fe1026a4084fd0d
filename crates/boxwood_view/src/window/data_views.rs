//! Computes the picture of the current view of the data in another thread.

use std::sync::Arc;

use boxwood::native::Gpu;
use boxwood_render::{FrameBoxes, OverlaySource};

use super::error::ViewError;
use super::thread::{Report, spawn};
use crate::data_views::{Analysis, DataPicture, DataView, DrawingPosition, Subject};
use crate::model::Model;
use crate::state::State;

/// The views of the data of the current drawing.
#[derive(Default)]
pub(crate) struct DataViews {
    /// The number of drawings so far. Results for another one are outdated.
    n_models: u64,
    /// The previous version of the file.
    previous: Option<Arc<Model>>,
    /// The boxes of the last frame whose boxes were read back, with the number of such frames.
    frame: Option<(u64, Arc<FrameBoxes>)>,
    /// The last analysis of the current drawing, with the number of the frame that it is about.
    analysis: Option<(Option<u64>, Arc<Analysis>)>,
    /// The view, the position, and the number of the frame that the last picture was asked for.
    /// `None` if it must be asked again.
    requested: Option<(DataView, DrawingPosition, Option<u64>)>,
    is_computing: bool,
    /// The last picture.
    pub(crate) picture: Option<Box<DataPicture>>,
}

impl DataViews {
    /// The drawing is replaced. `previous` is the same file as it was before, if it is known.
    pub(crate) fn replace_model(&mut self, previous: Option<Arc<Model>>) {
        let (n_models, is_computing) = (self.n_models + 1, self.is_computing);
        *self = Self { n_models, previous, is_computing, ..Self::default() };
    }

    /// Whether the state shows a view of the frame's boxes.
    pub(crate) fn reads_frame_boxes(state: &State) -> bool {
        state.boxes == OverlaySource::Frame && state.data_view.is_some_and(DataView::counts_boxes)
    }

    /// The boxes of another frame are there.
    pub(crate) fn set_frame_boxes(&mut self, boxes: FrameBoxes) {
        let number = self.frame.as_ref().map_or(0, |(number, _)| number + 1);
        self.frame = Some((number, Arc::new(boxes)));
    }

    /// The picture on the screen is lost.
    pub(crate) fn lose_picture(&mut self) {
        self.requested = None;
    }

    /// Starts computing what the state asks for, unless it is known or being computed.
    pub(crate) fn update(
        &mut self,
        state: &State,
        model: Option<&Arc<Model>>,
        gpu: &Gpu,
        report: impl Fn(Report) + Send + 'static,
    ) -> Result<(), ViewError> {
        let (Some(view), Some(model)) = (state.data_view, model) else {
            self.picture = None;
            self.requested = None;
            return Ok(());
        };
        let device_from_scene = state.view.device_from_scene();
        let place = DrawingPosition {
            size: state.view.size(),
            scale: device_from_scene.scale,
            translation: [device_from_scene.translation.x, device_from_scene.translation.y],
        };
        let frame = self.frame.clone().filter(|_| Self::reads_frame_boxes(state));
        if Self::reads_frame_boxes(state) && frame.is_none() {
            // The next picture brings them.
            return Ok(());
        }
        let number = frame.as_ref().map(|(number, _)| *number);
        if self.is_computing || self.requested == Some((view, place, number)) {
            return Ok(());
        }
        self.requested = Some((view, place, number));
        self.is_computing = true;
        let known = self.analysis.clone();
        let known = known.filter(|(of_frame, analysis)| analysis.view == view && *of_frame == number);
        let (n_models, previous, gpu) = (self.n_models, self.previous.clone(), gpu.clone());
        let model = Arc::clone(model);
        spawn("boxwood_data", report, move |report| {
            let known = known.map(|(_, analysis)| analysis);
            let analysis = known.unwrap_or_else(|| {
                let (previous, frame) = (previous.as_deref(), frame.as_ref().map(|(_, frame)| &**frame));
                Arc::new(Analysis::new(view, Subject { model: &model, previous, frame, gpu: Some(&gpu) }))
            });
            report(Report::Data(n_models, number, Box::new(DataPicture::new(analysis, place))));
        })
        .map(drop)
    }

    /// Takes a picture of a drawing, about the frame with a number. Returns whether it shows the
    /// current drawing. The first difference from the specification is selected.
    pub(crate) fn receive(
        &mut self,
        n_models: u64,
        frame: Option<u64>,
        picture: Box<DataPicture>,
        state: &mut State,
    ) -> bool {
        self.is_computing = false;
        if n_models != self.n_models {
            return false;
        }
        let analysis = &picture.analysis;
        let is_new = self.analysis.as_ref().is_none_or(|(_, known)| !Arc::ptr_eq(known, analysis));
        if is_new && analysis.view == DataView::Check {
            state.selected = analysis.entries.first().map(|entry| entry.source).or(state.selected);
        }
        self.analysis = Some((frame, Arc::clone(analysis)));
        self.picture = Some(picture);
        true
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;
    use crate::model::tests::model;
    use crate::state::tests::state;

    #[test]
    fn a_late_analysis_is_that_of_the_frame_that_it_was_computed_for() {
        let gpu = Gpu::open(None).expect("tests need an adapter: install mesa-vulkan-drivers");
        let (sender, reports) = channel();
        let report = move |report| sender.send(report).expect("the test waits");
        let (mut views, mut state) = (DataViews::default(), state(1));
        let model = Arc::new(model(r#"<rect width="50" height="50"/>"#));
        let clipped_boxes = model.boxes().clipped_boxes.clone();
        views.set_frame_boxes(FrameBoxes { clipped_boxes, view: state.view.device_from_scene() });
        (state.boxes, state.data_view) = (OverlaySource::Frame, Some(DataView::Overdraw));
        views.update(&state, Some(&model), &gpu, report.clone()).expect("it starts");
        state.data_view = None;
        views.update(&state, Some(&model), &gpu, report).expect("there is nothing to do");
        let Ok(Report::Data(n_models, frame, picture)) = reports.recv() else {
            panic!("nothing is computed")
        };
        assert!(views.receive(n_models, frame, picture, &mut state));
        assert_eq!(views.analysis.map(|(frame, _)| frame), Some(Some(0)));
    }
}
