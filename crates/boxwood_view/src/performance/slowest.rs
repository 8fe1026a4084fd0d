//! The stage that takes the largest part of a picture's time.

use std::time::Duration;

use wgpu_profiler::GpuTimerQueryResult;

use super::PictureCosts;

/// The stage that takes the largest part of a picture's time.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Slowest {
    /// What the stage does.
    pub(crate) words: &'static str,
    /// Where to look for the reason. May be empty.
    pub(crate) advice: &'static str,
    /// The time of the stage in seconds.
    pub(crate) seconds: f64,
    /// The time of the whole picture in seconds.
    pub(crate) all: f64,
}

/// The beginnings of the names of stages, what these stages do, and where to look for the reason if
/// they are slow. Names that are longer come before their beginnings.
const STAGES: [(&str, &str, &str); 16] = [
    ("images", "drawing images, filters, and patterns on the CPU", "7 finds needless effects."),
    ("draw_", "reading the shapes", ""),
    ("draw", "drawing on the GPU", "5 shows where many shapes lie above each other."),
    ("overlay", "drawing the boxes", ""),
    ("read back", "copying the picture to memory", "A smaller window has fewer pixels."),
    ("fine", "painting pixels", "5 shows where many shapes lie above each other."),
    ("coarse", "sorting shapes into tiles", "9 shows the tiles with many shapes."),
    ("binning", "sorting shapes into large tiles", "9 shows the tiles with many shapes."),
    ("tile_alloc", "finding room for the tiles of shapes", "9 shows the tiles with many shapes."),
    ("backdrop", "finding the insides of shapes", "9 shows the tiles with many shapes."),
    ("path_", "cutting lines at the edges of tiles", "The drawing has many lines or curves."),
    ("flatten", "dividing curves and strokes into lines", "The drawing has many curves or strokes."),
    ("pathtag_", "reading the paths", "The drawing has many curves or lines."),
    ("bbox_clear", "preparing the boxes of shapes", ""),
    ("clip", "computing the boxes of clips", "3 shows the clips."),
    ("frame_boxes", "computing the boxes of the frame", "X switches to those of the scene."),
];

/// What a stage does, and where to look for the reason if it is slow.
pub(crate) fn explained(stage: &str) -> Option<(&'static str, &'static str)> {
    let found = STAGES.iter().find(|(start, ..)| short_name(stage).starts_with(start));
    found.map(|(_, words, advice)| (*words, *advice))
}

/// The name of a stage without the prefix of the renderer.
pub(crate) fn short_name(stage: &str) -> &str {
    stage.strip_prefix("vello").map_or(stage, |rest| rest.trim_start_matches(['.', '_']))
}

impl PictureCosts {
    /// The stage with the largest time, of those whose purpose is known.
    pub(crate) fn slowest(&self) -> Option<Slowest> {
        let all: Duration = self.cpu.iter().map(|(_, time)| *time).sum();
        let mut sums: Vec<(&'static str, &'static str, f64)> = Vec::new();
        let mut add = |stage: &str, seconds: f64| {
            let Some((words, advice)) = explained(stage) else { return };
            match sums.iter_mut().find(|(known, ..)| *known == words) {
                Some((.., sum)) => *sum += seconds,
                None => sums.push((words, advice, seconds)),
            }
        };
        let mut open: Vec<&GpuTimerQueryResult> = self.gpu.iter().collect();
        let has_stages = !open.is_empty();
        while let Some(query) = open.pop() {
            open.extend(&query.nested_queries);
            if let (Some(time), []) = (&query.time, &query.nested_queries[..]) {
                add(&query.label, time.end - time.start);
            }
        }
        // The CPU waits for the GPU in these two.
        let waits = |stage: &str| has_stages && matches!(stage, "draw" | "read back");
        for (stage, time) in self.cpu.iter().filter(|(stage, _)| !waits(stage)) {
            add(stage, time.as_secs_f64());
        }
        let (words, advice, seconds) = sums.into_iter().max_by(|a, b| a.2.total_cmp(&b.2))?;
        Some(Slowest { words, advice, seconds, all: all.as_secs_f64().max(seconds) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::Command;
    use crate::data_views::DataView;
    use crate::overlay::OverlayKinds;
    use crate::performance::tests::query;

    fn cpu(stages: [(&'static str, u64); 3]) -> Vec<(&'static str, Duration)> {
        stages.map(|(stage, ms)| (stage, Duration::from_millis(ms))).to_vec()
    }

    #[test]
    fn the_slowest_stage_is_the_one_with_the_largest_sum() {
        let nested =
            || vec![query("vello.fine_area", 0.3, Vec::new()), query("vello.coarse", 0.4, Vec::new())];
        // The last part has many pixels.
        let mut gpu =
            vec![query("render_to_texture", 0.7, nested()), query("render_to_texture", 0.7, nested())];
        gpu.push(query("vello.fine_area", 0.5, Vec::new()));
        let cpu = cpu([("images", 200), ("draw", 1900), ("read back", 100)]);
        let slowest =
            PictureCosts { cpu, gpu, ..PictureCosts::default() }.slowest().expect("there are stages");
        assert_eq!(slowest.words, "painting pixels");
        assert!((slowest.seconds - 1.1).abs() < 1e-9 && (slowest.all - 2.2).abs() < 1e-9, "{slowest:?}");
    }

    #[test]
    fn images_and_pictures_without_timestamps_have_a_slowest_stage_too() {
        let words = |cpu| {
            let costs = PictureCosts { cpu, ..PictureCosts::default() };
            costs.slowest().map(|slowest| slowest.words)
        };
        assert_eq!(
            words(cpu([("images", 9), ("draw", 3), ("read back", 1)])),
            Some("drawing images, filters, and patterns on the CPU")
        );
        assert_eq!(words(cpu([("images", 1), ("draw", 3), ("read back", 1)])), Some("drawing on the GPU"));
        assert_eq!(words(Vec::new()), None);
    }

    #[test]
    fn the_keys_in_the_advice_are_those_of_the_commands() {
        for (command, key) in [
            (Command::ToggleKind(OverlayKinds::CLIP), "3"),
            (Command::ShowData(DataView::Overdraw), "5"),
            (Command::ShowData(DataView::Occluded), "7"),
            (Command::ShowData(DataView::Tiles), "9"),
            (Command::ToggleBoxSource, "X"),
        ] {
            assert_eq!(command.info().keys_text(), key);
        }
    }

    #[test]
    fn stages_are_known_by_the_beginnings_of_their_names() {
        for (stage, expected) in [
            ("vello.fine_msaa16", "painting pixels"),
            ("vello.draw_leaf", "reading the shapes"),
            ("draw", "drawing on the GPU"),
            ("vello.pathtag_scan_large", "reading the paths"),
            ("vello.path_tiling_setup", "cutting lines at the edges of tiles"),
            ("vello_clip", "computing the boxes of clips"),
        ] {
            assert_eq!(explained(stage).map(|(words, _)| words), Some(expected), "{stage}");
        }
        assert_eq!(explained("render_to_texture"), None);
    }
}
