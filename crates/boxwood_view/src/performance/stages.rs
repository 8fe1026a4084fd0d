//! The stages of pictures, in words.

use boxwood_render::OverlayKinds;

use crate::commands::Command;
use crate::data_views::DataView;

/// A stage, or several whose names have the same beginning.
#[derive(Debug)]
pub(crate) struct StageInfo {
    /// The beginning of the name, without the prefix of the renderer.
    start: &'static str,
    /// Its title in a table, if it has exactly this name. Otherwise, the name is the title.
    title: Option<&'static str>,
    /// What the stage does.
    pub(crate) purpose: &'static str,
    pub(crate) advice: Advice,
}

/// Where to look for the reason why a stage is slow.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Advice {
    None,
    Reason(&'static str),
    /// A command, and what its key is pressed for.
    Press(Command, &'static str),
}

impl Advice {
    /// A sentence. Empty without advice.
    pub(crate) fn text(self) -> String {
        match self {
            Self::None => String::new(),
            Self::Reason(reason) => reason.to_owned(),
            Self::Press(command, purpose) => format!("Press {} to {purpose}.", command.info().keys_text()),
        }
    }
}

const OVERDRAW: Advice =
    Advice::Press(Command::ShowData(DataView::Overdraw), "see where many shapes overlap");
const TILES: Advice = Advice::Press(Command::ShowData(DataView::Tiles), "see the tiles with many shapes");
const WASTE: Advice = Advice::Press(Command::ShowData(DataView::Occluded), "find needless effects");
const CLIPS: Advice = Advice::Press(Command::ToggleKind(OverlayKinds::CLIP), "see the clips");
const SCENE: Advice = Advice::Press(Command::ToggleBoxSource, "show the boxes of the scene instead");
const FEWER_PIXELS: Advice = Advice::Reason("A smaller window has fewer pixels.");
const CURVES: Advice = Advice::Reason("The drawing has many lines or curves.");
const STROKES: Advice = Advice::Reason("The drawing has many curves or strokes.");

const fn stage(start: &'static str, purpose: &'static str, advice: Advice) -> StageInfo {
    StageInfo { start, title: None, purpose, advice }
}

const fn titled(
    start: &'static str,
    title: &'static str,
    purpose: &'static str,
    advice: Advice,
) -> StageInfo {
    StageInfo { start, title: Some(title), purpose, advice }
}

/// All stages. A longer beginning precedes a shorter one that it starts with.
const STAGES: [StageInfo; 20] = [
    stage("shaders", "compiling shaders", Advice::None),
    stage("boxes of the scene", "computing the boxes of the scene", Advice::None),
    titled("images", "images, CPU", "drawing images, filters, and patterns on the CPU", WASTE),
    stage("draw_", "reading the shapes", Advice::None),
    titled("draw", "draw, GPU", "drawing on the GPU", OVERDRAW),
    titled("overlay", "overlay, recorded", "drawing the boxes", Advice::None),
    titled("read back", "read back, GPU", "copying the picture to memory", FEWER_PIXELS),
    titled("render_to_texture", "all stages", "all stages of the renderer", Advice::None),
    stage("fine", "painting pixels", OVERDRAW),
    stage("coarse", "sorting shapes into tiles", TILES),
    stage("binning", "sorting shapes into large tiles", TILES),
    stage("tile_alloc", "finding room for the tiles of shapes", TILES),
    stage("backdrop", "finding the insides of shapes", TILES),
    stage("path_", "cutting lines at the edges of tiles", CURVES),
    stage("flatten", "dividing curves and strokes into lines", STROKES),
    stage("pathtag_", "reading the paths", CURVES),
    stage("bbox_clear", "preparing the boxes of shapes", Advice::None),
    stage("clip", "computing the boxes of clips", CLIPS),
    stage("frame_boxes", "computing the boxes of the frame", SCENE),
    stage(WAITS, "recording and waiting, outside of the stages of the GPU", Advice::None),
];

/// The time in which the CPU draws or reads back, and the GPU is in no stage.
pub(super) const WAITS: &str = "waits";

/// What is known about a stage with this name.
pub(crate) fn stage_info(name: &str) -> Option<&'static StageInfo> {
    STAGES.iter().find(|info| short_name(name).starts_with(info.start))
}

/// The name of a stage in a table.
pub(crate) fn stage_title(name: &str) -> &str {
    let title = stage_info(name).filter(|info| info.start == name).and_then(|info| info.title);
    title.unwrap_or_else(|| short_name(name))
}

/// The name of a stage without the prefix of the renderer.
fn short_name(stage: &str) -> &str {
    stage.strip_prefix("vello").map_or(stage, |rest| rest.trim_start_matches(['.', '_']))
}

#[cfg(test)]
mod tests {
    use boxwood::native::Gpu;
    use boxwood_render::{Frame, Painter};
    use wgpu_profiler::GpuProfiler;

    use super::*;
    use crate::model::tests::model;
    use crate::state::tests::state;

    #[test]
    fn stages_are_known_by_the_beginnings_of_their_names() {
        for (stage, title, purpose) in [
            ("vello.fine_msaa16", "fine_msaa16", "painting pixels"),
            ("vello.draw_leaf", "draw_leaf", "reading the shapes"),
            ("draw", "draw, GPU", "drawing on the GPU"),
            ("vello.pathtag_scan_large", "pathtag_scan_large", "reading the paths"),
            ("vello.path_tiling_setup", "path_tiling_setup", "cutting lines at the edges of tiles"),
            ("vello_clip", "clip", "computing the boxes of clips"),
        ] {
            let found = stage_info(stage).map(|info| info.purpose);
            assert_eq!((stage_title(stage), found), (title, Some(purpose)), "{stage}");
        }
        assert!(stage_info("unknown").is_none());
        assert_eq!(stage_title("vello.unknown"), "unknown");
    }

    #[test]
    fn every_stage_is_found_by_its_own_row() {
        for info in &STAGES {
            let found = stage_info(info.start).map(|found| found.start);
            assert_eq!(found, Some(info.start), "a row before it has a beginning of its name");
        }
    }

    #[test]
    fn advice_names_the_key_of_a_command() {
        let advice = |stage| stage_info(stage).map(|info| info.advice.text());
        assert_eq!(advice("fine").as_deref(), Some("Press 5 to see where many shapes overlap."));
        assert_eq!(advice("flatten").as_deref(), Some("The drawing has many curves or strokes."));
        assert_eq!(advice("overlay").as_deref(), Some(""));
    }

    #[test]
    fn advice_names_only_commands_with_a_key() {
        for StageInfo { start, advice, .. } in &STAGES {
            if let Advice::Press(command, _) = advice {
                assert!(!command.info().keys_text().is_empty(), "{start}");
            }
        }
    }

    /// The names come from the renderers, which may change them.
    #[test]
    fn every_dispatch_of_a_picture_is_known() {
        let gpu = Gpu::open_with_features(None, GpuProfiler::ALL_WGPU_TIMER_FEATURES);
        let gpu = gpu.expect("tests need an adapter");
        let mut painter = Painter::new(&gpu).expect("the adapter runs the renderer");
        let model = model(r#"<circle cx="20" cy="12" r="9"/>"#);
        painter.set_drawing(&model.drawing).expect("it is small");
        let picture = painter.paint(&Frame { size: [40, 24], ..state(1).frame() }).expect("it is small");
        painter.read(&picture).expect("the device answers");
        let costs = painter.take_costs();
        let has_timestamps = gpu.device.features().contains(GpuProfiler::ALL_WGPU_TIMER_FEATURES);
        assert_eq!(!costs.gpu.is_empty(), has_timestamps, "{:?}", costs.gpu);
        for frame in &costs.gpu {
            let unknown = frame.nested_queries.iter().find(|query| stage_info(&query.label).is_none());
            assert!(unknown.is_none(), "people cannot know what this stage does: {unknown:?}");
        }
    }
}
