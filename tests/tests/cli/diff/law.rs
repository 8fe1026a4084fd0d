//! The law of damage: every pixel that differs between two drawings is in a rectangle.

use std::fs;
use std::path::{Path, PathBuf};

use boxwood_svg::{Deadline, Drawing, Options, load};
use boxwood_tests::{Corpus, in_parallel, own_drawings, own_options};
use kurbo::Affine;
use resvg::usvg::roxmltree::Document;
use serde_json::Value;

use super::edits::edits;
use crate::run::Folder;

/// The longest side of a drawing, in pixels. Larger ones take too long.
const MAX_SIDE: f64 = 1200.0;

/// The results for the edits of a drawing.
#[derive(Default)]
struct Counts {
    pairs: usize,
    /// Pairs with different pixels.
    different: usize,
    /// Pairs without different pixels that the command finds changes in.
    only_changed: usize,
    /// The pixels of all pairs, those that differ, and those of the damage.
    pixels: [usize; 3],
    failures: Vec<String>,
}

#[test]
fn every_pixel_that_differs_is_in_the_damage() {
    let counts = all(&own_drawings(), &own_options());
    assert!(counts.pairs > 500 && counts.different > 300, "{} of {}", counts.different, counts.pairs);
}

#[test]
#[ignore = "needs a folder of drawings: set BOXWOOD_CORPUS"]
fn every_pixel_of_the_corpus_that_differs_is_in_the_damage() {
    let corpus = Corpus::from_env();
    all(&corpus.some_drawings(), &corpus.options());
}

/// Checks the law for all edits of these drawings, and prints the counts.
#[expect(clippy::print_stdout, reason = "the counts are a result of the test")]
fn all(paths: &[PathBuf], options: &Options) -> Counts {
    let mut sum = Counts::default();
    for counts in in_parallel(paths, |path| of_drawing(path, options)) {
        sum.pairs += counts.pairs;
        sum.different += counts.different;
        sum.only_changed += counts.only_changed;
        (0..3).for_each(|i| sum.pixels[i] += counts.pixels[i]);
        sum.failures.extend(counts.failures);
    }
    let [pixels, different, damaged] = sum.pixels;
    println!(
        "{} pairs of {} drawings: {} differ, {} have only changes; {pixels} pixels, {different} differ, {damaged} damaged",
        sum.pairs,
        paths.len(),
        sum.different,
        sum.only_changed
    );
    assert!(sum.failures.is_empty(), "{} failures:\n{}", sum.failures.len(), sum.failures.join("\n"));
    sum
}

fn of_drawing(path: &Path, options: &Options) -> Counts {
    let mut counts = Counts::default();
    // Compressed drawings and those in other encodings are left out.
    let Ok(text) = fs::read_to_string(path) else { return counts };
    if Document::parse(&text).is_err() {
        return counts;
    }
    let options = Options { resources_dir: path.parent().map(Path::to_owned), ..options.clone() };
    let Ok(drawing) = load(text.as_bytes(), &options) else { return counts };
    if drawing.size.width.max(drawing.size.height) > MAX_SIDE {
        return counts;
    }
    let Some(old) = picture(&drawing) else { return counts };
    for (name, edited) in edits(&text) {
        // An edit may make a cycle.
        let Ok(new) = load(edited.as_bytes(), &options) else { continue };
        if new.size.width.max(new.size.height) > MAX_SIDE {
            continue;
        }
        let Some(new) = picture(&new) else { continue };
        counts.check(path, name, [(&text, &old), (&edited, &new)], &options);
    }
    counts
}

/// Premultiplied pixels, row by row, and the width and height.
type Picture = (Vec<[u8; 4]>, [usize; 2]);

/// resvg's picture of a drawing at 100 %.
fn picture(drawing: &Drawing) -> Option<Picture> {
    #[expect(clippy::cast_possible_truncation, reason = "at most MAX_SIDE")]
    let [width, height] = [drawing.size.width, drawing.size.height].map(|side| side.ceil() as u32);
    let mut pixels = vec![0; 4 * (width * height) as usize];
    drawing.draw_tree(&mut pixels, [width, height], Affine::IDENTITY, &Deadline::default()).ok()?;
    let pixels = pixels.chunks_exact(4).map(|pixel| [pixel[0], pixel[1], pixel[2], pixel[3]]).collect();
    Some((pixels, [width as usize, height as usize]))
}

impl Counts {
    /// Compares the pixels of two drawings with the damage that the command reports.
    fn check(&mut self, path: &Path, name: &str, [old, new]: [(&str, &Picture); 2], options: &Options) {
        let folder = Folder::new().with("old.svg", old.0).with("new.svg", new.0);
        let mut args = vec!["diff", "old.svg", "new.svg", "--format", "json", "--quiet", "--no-system-fonts"];
        let dirs: Vec<_> = options.font_dirs.iter().map(|dir| dir.display().to_string()).collect();
        dirs.iter().for_each(|dir| args.extend(["--font-dir", dir]));
        let run = folder.run(&args);
        let document: Value = serde_json::from_str(run.text()).expect("it is JSON");
        let rectangles = document["files"][0]["damage"]["rectangles"].as_array().expect("there is damage");
        let edge = |rectangle: &Value, i: usize| {
            rectangle[i].as_u64().map_or(0, |edge| usize::try_from(edge).expect("it is small"))
        };
        let [width, height] = [0, 1].map(|axis| old.1.1[axis].max(new.1.1[axis]));
        let mut is_damaged = vec![false; width * height];
        for rectangle in rectangles {
            for y in edge(rectangle, 1)..edge(rectangle, 3) {
                for x in edge(rectangle, 0)..edge(rectangle, 2) {
                    assert!(!is_damaged[y * width + x], "the rectangles are disjoint");
                    is_damaged[y * width + x] = true;
                }
            }
        }
        let at = |(pixels, [width, height]): &Picture, x: usize, y: usize| {
            if x < *width && y < *height { pixels[y * width + x] } else { [0; 4] }
        };
        let differs = |i: &usize| at(old.1, i % width, i / width) != at(new.1, i % width, i / width);
        let different: Vec<usize> = (0..is_damaged.len()).filter(differs).collect();
        let outside: Vec<_> = different.iter().filter(|i| !is_damaged[**i]).collect();
        if let Some(first) = outside.first() {
            let [x, y] = [**first % width, **first / width];
            let [was, is] = [at(old.1, x, y), at(new.1, x, y)];
            self.failures.push(format!(
                "{}, {name}: {} of {} different pixels are outside, first {x},{y}: {was:?} -> {is:?}",
                path.display(),
                outside.len(),
                different.len()
            ));
        }
        if run.code > 1 || (run.code == 0 && !different.is_empty()) {
            self.failures.push(format!("{}, {name}: exit code {}: {}", path.display(), run.code, run.stderr));
        }
        self.pairs += 1;
        self.different += usize::from(!different.is_empty());
        self.only_changed += usize::from(different.is_empty() && run.code == 1);
        let damaged = is_damaged.iter().filter(|is| **is).count();
        for (sum, n) in self.pixels.iter_mut().zip([is_damaged.len(), different.len(), damaged]) {
            *sum += n;
        }
    }
}
