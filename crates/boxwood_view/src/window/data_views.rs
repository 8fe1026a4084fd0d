//! Computes the picture of the current view of the data in another thread.

use std::sync::Arc;

use boxwood::native::Gpu;

use super::error::ViewError;
use super::thread::{Report, spawn};
use crate::data_views::{Analysis, DataPicture, DataView, Place, Subject};
use crate::model::Model;
use crate::state::State;

/// The views of the data of the current drawing.
#[derive(Default)]
pub(crate) struct DataViews {
    /// The number of drawings so far. Results for another one are outdated.
    n_models: u64,
    /// The previous version of the file.
    previous: Option<Arc<Model>>,
    /// The last analysis of the current drawing.
    analysis: Option<Arc<Analysis>>,
    /// The view and the position that the last picture was asked for. `None` if it must be asked
    /// again.
    requested: Option<(DataView, Place)>,
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
        let place = Place {
            size: state.view.size(),
            scale: device_from_scene.scale,
            translation: [device_from_scene.translation.x, device_from_scene.translation.y],
        };
        if self.is_computing || self.requested == Some((view, place)) {
            return Ok(());
        }
        self.requested = Some((view, place));
        self.is_computing = true;
        let known = self.analysis.clone().filter(|analysis| analysis.view == view);
        let (n_models, previous, gpu) = (self.n_models, self.previous.clone(), gpu.clone());
        let model = Arc::clone(model);
        spawn("boxwood_data", report, move |report| {
            let analysis = known.unwrap_or_else(|| {
                let previous = previous.as_deref();
                Arc::new(Analysis::new(view, Subject { model: &model, previous, gpu: Some(&gpu) }))
            });
            report(Report::Data(n_models, Box::new(DataPicture::new(analysis, place))));
        })
        .map(drop)
    }

    /// Takes a picture of a drawing. Returns whether it shows the current one. The first difference
    /// from the specification is selected.
    pub(crate) fn receive(&mut self, n_models: u64, picture: Box<DataPicture>, state: &mut State) -> bool {
        self.is_computing = false;
        if n_models != self.n_models {
            return false;
        }
        let analysis = &picture.analysis;
        let is_new = self.analysis.as_ref().is_none_or(|known| !Arc::ptr_eq(known, analysis));
        if is_new && analysis.view == DataView::Check {
            state.selected = analysis.entries.first().map(|entry| entry.source).or(state.selected);
        }
        self.analysis = Some(Arc::clone(analysis));
        self.picture = Some(picture);
        true
    }
}
