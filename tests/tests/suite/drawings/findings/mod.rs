//! The findings of the audit are facts: if one of them is applied, no picture changes.

mod applied;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use boxwood_svg::{Deadline, Drawing, Finding, FindingKind, Options, audit, load, load_file};
use boxwood_tests::{Corpus, Random, chain, in_parallel, own_drawings, own_options};
use kurbo::{Affine, Size};

use self::applied::{applied, removes_element};

/// The seed of the choice of findings.
const SEED: u64 = 1;

/// The maximum number of findings of a kind that are applied to a drawing, one at a time. Without
/// it, most of them would be those of a few large drawings.
const MAX_PER_KIND: usize = 8;

/// The backgrounds of the pictures, premultiplied: transparent, and an opaque colour.
const BACKGROUNDS: [[u8; 4]; 2] = [[0; 4], [40, 200, 120, 255]];

/// The maximum number of pixels of a picture, which is drawn at 100 %.
const MAX_PIXELS: f64 = 16e6;

/// The maximum difference of a channel if a group or clip path is removed: the group and its leaf
/// are each rounded to 8 bits per channel.
const GROUP_TOLERANCE: u8 = 2;

/// The row of the table for all findings that remove elements of a drawing, which are applied at
/// once.
const TOGETHER: &str = "these together";

/// A drawing before and after a finding is applied to it.
struct Pair {
    path: PathBuf,
    /// The kind in one word, or [`TOGETHER`].
    kind: &'static str,
    /// The element, and the reason of the finding.
    what: String,
    size: Size,
    /// The texts before and after. `None` if the finding cannot be applied.
    texts: Option<[String; 2]>,
    tolerance: u8,
    /// The maximum difference of a channel between the pictures, or why they cannot be compared.
    difference: Result<u8, String>,
}

impl Pair {
    fn is_fault(&self) -> bool {
        self.texts.is_some() && self.difference.as_ref().map_or(true, |apart| *apart > self.tolerance)
    }
}

/// The pixels of a drawing as resvg draws it at 100 %, on each background.
fn pictures(drawing: &Drawing) -> Result<Vec<Vec<u8>>, String> {
    let Size { width, height } = drawing.size;
    let sides = [width, height].map(|side| side.ceil().max(1.0));
    if sides[0] * sides[1] > MAX_PIXELS {
        return Err(format!("{width} x {height} pixels are too many"));
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is at most MAX_PIXELS")]
    let size = sides.map(|side| side as u32);
    let on = |background: &[u8; 4]| {
        let mut image = background.repeat(size[0] as usize * size[1] as usize);
        let drawn = drawing.draw_tree(&mut image, size, Affine::IDENTITY, &Deadline::after(None));
        drawn.map(|()| image).map_err(|error| chain(&error))
    };
    BACKGROUNDS.iter().map(on).collect()
}

/// The maximum difference of a channel between a drawing's pictures and those of a text.
fn difference(drawing: &Drawing, before: &[Vec<u8>], text: &str, options: &Options) -> Result<u8, String> {
    let after = load(text.as_bytes(), options).map_err(|error| chain(&error))?;
    if drawing.size != after.size {
        return Err(format!("the size changes from {} to {}", drawing.size, after.size));
    }
    let apart = |(before, after): (&Vec<u8>, &Vec<u8>)| {
        before.iter().zip(after).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or_default()
    };
    Ok(before.iter().zip(&pictures(&after)?).map(apart).max().unwrap_or_default())
}

/// Some findings of a kind, which are random.
fn some<'f>(findings: &'f [Finding], kind: FindingKind, random: &mut Random) -> Vec<&'f Finding> {
    let mut all: Vec<_> = findings.iter().filter(|finding| finding.kind == kind).collect();
    while all.len() > MAX_PER_KIND {
        all.swap_remove(random.below(all.len()));
    }
    all
}

/// Applies findings to a drawing: some of each kind one at a time, and those that remove elements
/// at once. Other tests are about drawings that do not load.
fn pairs_of(path: &Path, options: &Options, audit: impl Fn(&Drawing) -> Vec<Finding>) -> Vec<Pair> {
    let Ok(drawing) = load_file(path, options) else { return Vec::new() };
    let (found, text) = (audit(&drawing), drawing.text_with(""));
    let mut random = Random::new(SEED);
    let mut chosen: Vec<(&str, Vec<&Finding>)> = Vec::new();
    for kind in FindingKind::ALL.into_iter().filter(|kind| *kind != FindingKind::MostlyOutside) {
        chosen.extend(some(&found, kind, &mut random).into_iter().map(|one| (kind.word(), vec![one])));
    }
    let together: Vec<_> = found.iter().filter(|finding| removes_element(finding.kind)).collect();
    if together.len() > 1 {
        chosen.push((TOGETHER, together));
    }
    if chosen.is_empty() {
        return Vec::new();
    }
    let before = pictures(&drawing);
    let options = Options { resources_dir: path.parent().map(Path::to_owned), ..options.clone() };
    let pair = |(kind, findings): (&'static str, Vec<&Finding>)| {
        let after = before.as_ref().ok().and_then(|_| applied(&drawing, &text, &findings));
        let difference = match (&before, &after) {
            (Ok(before), Some(after)) => difference(&drawing, before, after, &options),
            (Ok(_), None) => Err("it cannot be applied".to_owned()),
            (Err(error), _) => Err(error.clone()),
        };
        Pair {
            path: path.to_owned(),
            kind,
            what: format!("{}: {}", findings[0].path, findings[0].reason),
            size: drawing.size,
            texts: after.map(|after| [text.clone(), after]),
            tolerance: if removes_element(findings[0].kind) { 0 } else { GROUP_TOLERANCE },
            difference,
        }
    };
    chosen.into_iter().map(pair).collect()
}

/// All pairs of some drawings.
fn pairs(paths: &[PathBuf], options: &Options) -> Vec<Pair> {
    let of_path = |path: &Path| pairs_of(path, options, audit);
    in_parallel(paths, of_path).into_iter().flatten().collect()
}

/// Prints a table of the pairs by kind. Returns how many findings are applied.
#[expect(clippy::print_stdout, reason = "the table is to be read")]
fn print(pairs: &[Pair]) -> usize {
    println!("| kind | applied | not applied | pictures differ | by more than the tolerance |");
    println!("|---|---|---|---|---|");
    let mut kinds: BTreeMap<&str, Vec<&Pair>> = BTreeMap::new();
    pairs.iter().for_each(|pair| kinds.entry(pair.kind).or_default().push(pair));
    for (kind, pairs) in &kinds {
        let applied: Vec<_> = pairs.iter().filter(|pair| pair.texts.is_some()).collect();
        let n_apart = applied.iter().filter(|pair| pair.difference != Ok(0)).count();
        let n_faults = applied.iter().filter(|pair| pair.is_fault()).count();
        let n_left = pairs.len() - applied.len();
        println!("| {kind} | {} | {n_left} | {n_apart} | {n_faults} |", applied.len());
    }
    for pair in pairs.iter().filter(|pair| pair.texts.is_none()) {
        println!("not applied: {}", line(pair));
    }
    pairs.iter().filter(|pair| pair.kind != TOGETHER && pair.texts.is_some()).count()
}

fn line(pair: &Pair) -> String {
    let difference = match &pair.difference {
        Ok(difference) => format!("differs by {difference} of 255"),
        Err(error) => error.clone(),
    };
    format!("{}: {}: {}: {difference}", pair.path.display(), pair.kind, pair.what)
}

/// The false findings.
fn faults_in(pairs: &[Pair]) -> Vec<String> {
    pairs.iter().filter(|pair| pair.is_fault()).map(line).collect()
}

/// Writes the texts before and after each finding into a folder, with a list for
/// `tests/compare_in_chromium`.
fn write(pairs: &[Pair], folder: &Path) -> std::io::Result<()> {
    let mut list = "drawing\tbefore\tafter\twidth\theight\ttolerance\tkind\tfinding\n".to_owned();
    for (index, pair) in pairs.iter().enumerate() {
        let Some(texts) = &pair.texts else { continue };
        let names = ["before", "after"].map(|when| format!("{index:04}_{when}.svg"));
        for (name, text) in names.iter().zip(texts) {
            std::fs::write(folder.join(name), text)?;
        }
        let Pair { path, kind, what, size, tolerance, .. } = pair;
        let (path, [before, after], Size { width, height }) = (path.canonicalize()?, names, *size);
        let path = path.display();
        let line = format!("{path}\t{before}\t{after}\t{width}\t{height}\t{tolerance}\t{kind}\t{what}\n");
        list.push_str(&line);
    }
    std::fs::write(folder.join("pairs.tsv"), list)
}

/// The folder that the environment variable `BOXWOOD_PICTURES` names gets the drawings before and
/// after each finding.
fn write_if_requested(pairs: &[Pair]) {
    if let Some(folder) = std::env::var_os("BOXWOOD_PICTURES") {
        write(pairs, Path::new(&folder)).unwrap_or_else(|e| panic!("{e}: {}", folder.display()));
    }
}

/// Applies what is found in some drawings, and asserts that no picture changes.
fn assert_facts(paths: &[PathBuf], options: &Options, min_applied: usize) {
    let pairs = pairs(paths, options);
    let n_applied = print(&pairs);
    write_if_requested(&pairs);
    let faults = faults_in(&pairs);
    assert!(faults.is_empty(), "{} false findings:\n{}", faults.len(), faults.join("\n"));
    assert!(n_applied >= min_applied, "only {n_applied} findings are applied");
}

#[test]
fn no_own_drawing_changes_without_what_the_audit_finds() {
    assert_facts(&own_drawings(), &own_options(), 15);
}

#[test]
#[ignore = "needs a folder of drawings: set BOXWOOD_CORPUS"]
fn no_drawing_of_the_corpus_changes_without_what_the_audit_finds() {
    let corpus = Corpus::from_env();
    assert_facts(&corpus.drawings(), &corpus.options(), 300);
}

/// A drawing with an element and an effect that are visible, for each way to apply a finding.
const VISIBLE: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">
<clipPath id="c"><rect width="30" height="30"/></clipPath>
<rect width="20" height="20" fill="navy"/>
<g clip-path="url(#c)" style="fill:red"><rect x="25" y="25" width="9" height="9"/></g>
<g opacity=".5"><rect width="9" height="9" fill="teal"/><rect x="4" width="9" height="9" fill="lime"/></g>
<rect style="mix-blend-mode:screen" x="4" y="10" width="9" height="9" fill="gray"/>
<g style="isolation:isolate"><rect y="20" width="9" height="9"/><rect y="15" width="9" height="9" fill="tan"
style="mix-blend-mode:difference"/></g>
</svg>"#;

#[test]
fn a_false_finding_changes_a_picture() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("visible.svg");
    std::fs::write(&path, VISIBLE).expect("a file can be written");
    let false_finding = |kind, path: &str, line, reason: &str| Finding {
        kind,
        name: path.to_owned(),
        tag: String::new(),
        path: path.to_owned(),
        line,
        column: 1,
        reason: reason.to_owned(),
        n_elements: 1,
        area: 1.0,
    };
    use FindingKind::{ClippedAway, Covered, Empty, NeedlessClip, NeedlessGroup, OffCanvas};
    let mut planted: Vec<_> = [Empty, OffCanvas, ClippedAway, Covered]
        .map(|kind| false_finding(kind, "/svg/rect[1]", 3, "is not visible"))
        .into();
    planted.push(false_finding(NeedlessClip, "/svg/g[1]", 4, "cuts nothing"));
    planted.push(false_finding(NeedlessGroup, "/svg/g[2]", 5, "has an opacity on 2 leaves"));
    planted.push(false_finding(NeedlessGroup, "/svg/rect[2]", 6, "has a blend mode"));
    planted.push(false_finding(NeedlessGroup, "/svg/g[3]", 7, "is isolated"));
    for finding in &planted {
        let pairs = pairs_of(&path, &own_options(), |_| vec![finding.clone()]);
        let [pair] = &pairs[..] else { panic!("one finding is applied") };
        assert!(pair.is_fault(), "{}", line(pair));
    }
}
