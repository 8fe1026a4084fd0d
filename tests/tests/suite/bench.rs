//! The benchmark, at sizes that suit software.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use boxwood::Algorithm;
use boxwood::tree::Matcher;
use boxwood_bench::{Check, Row, read_csv};
use boxwood_tests::{benchmark, families, gpu, json_families};

/// A quick sweep measures everything, and its file gives plots.
#[test]
fn a_quick_sweep_measures_and_checks_everything() {
    let folder = tempfile::tempdir().expect("a folder can be created");
    let csv = folder.path().join("rates.csv");
    let mut quick = on_adapter(command(&["measure", "--quick"]));
    quick.arg("--csv").arg(&csv).arg("--plot").arg(folder.path());
    let output = quick.output().expect("the command runs");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{printed}{}", stderr(&output));
    let rows = read_csv(&fs::read_to_string(&csv).expect("it is written")).expect("it is CSV");
    assert_eq!(printed.lines().count(), rows.len());
    check_rows(&rows);
    // Without timestamps, an adapter measures nothing that could be drawn.
    if gpu().adapter.features().contains(wgpu::Features::TIMESTAMP_QUERY) {
        check_plots(folder.path());
        check_files_together(folder.path(), &csv);
    }
}

fn check_rows(rows: &[Row]) {
    let has_timestamps = gpu().adapter.features().contains(wgpu::Features::TIMESTAMP_QUERY);
    for row in rows {
        assert_eq!(row.check, Check::Checked, "{row}");
        // The clock of the CPU measures frames and the variants on the CPU.
        assert!(row.median_s.is_some() || !has_timestamps, "not timed: {row}");
        let times = [Some(0.0), row.min_s, row.median_s, row.max_s];
        assert!(row.median_s.is_none() || times.is_sorted() && row.min_s > Some(0.0), "{row}");
    }
    for what in [
        "copy",
        "empty",
        "match",
        "boxes",
        "boxes.link",
        "boxes.clip",
        "boxes.union",
        "vello",
        "paths",
        "json",
        "json_match",
        "clip_stage",
        "frame",
    ] {
        assert!(rows.iter().any(|row| row.what == what), "no row measures {what}");
    }
    for what in ["select", "query", "pairs", "layers", "damage", "occlusion"] {
        let is_on_gpu = |r: &&Row| !["cpu", "specification"].iter().any(|name| r.variant.starts_with(name));
        let rows = || rows.iter().filter(|r| r.what == what).filter(is_on_gpu);
        assert!(rows().next().is_some(), "no row measures {what}");
        assert!(rows().all(|r| r.with_read_back_s.is_some()), "{what} is not read back");
    }
    for variant in Matcher::ALL.iter().copied().map(Matcher::name).chain(["specification"]) {
        let is_measured = |n| rows.iter().any(|r| r.what == "match" && r.variant == variant && r.n == n);
        assert!([1 << 10, 1 << 14].into_iter().all(is_measured), "{variant} is not measured");
    }
    for (what, variants) in [
        ("boxes", &["cpu", "cpu_all_cores", "specification"][..]),
        ("paths", &["cpu"]),
        ("json", &["specification", "gpu, upload"]),
        ("sort", &["specification"]),
        ("layers", &["cpu"]),
        ("damage", &["cpu"]),
        ("occlusion", &["cpu", "cpu, boxes"]),
    ] {
        for variant in variants {
            let is_measured = |r: &Row| r.what == what && r.variant == *variant && r.median_s.is_some();
            assert!(rows.iter().any(is_measured), "{variant} of {what} is not measured");
        }
    }
    for what in ["match", "boxes"] {
        let has_comb = |r: &Row| r.what == what && r.n == 1 << 12 && r.family == "comb";
        assert!(rows.iter().any(has_comb), "{what} does not measure all families");
    }
}

fn check_plots(folder: &Path) {
    let forms = ["halving, scatter", "contracting, lines"];
    for (plot, labels) in [
        ("match.svg", &["look back", "specification (CPU)"][..]),
        (
            "boxes.svg",
            &["hierarchical", "s clip stage", "one CPU core", "all CPU cores", "specification (CPU)"],
        ),
        ("sort.svg", &["adaptive bitonic", "specification (CPU)", ">4 Ki<"]),
        ("select.svg", &["scatter"]),
        ("index.svg", &["build"]),
        ("query.svg", &["hilbert"]),
        ("stream_reduction_size.svg", &forms),
        ("stream_reduction_block.svg", &["items of a block", ">512<", "scatter"]),
        ("stream_reduction_fill.svg", &["of 4 Ki items", ">40 %<", "Horn"]),
        ("stream_reduction_horn.svg", &["Horn", "select, scatter"]),
        ("cards.svg", &["4 cards relative to one: ", "hiding the occluded"]),
    ] {
        let svg = fs::read_to_string(folder.join(plot)).expect("it is drawn");
        assert!(svg.contains("<polyline"), "{plot}: {svg}");
        for label in labels {
            // The texts of plotters are on lines of their own.
            let is_there = svg.replace('\n', "").contains(label);
            assert!(is_there, "{plot} has no {label}: {svg}");
        }
    }
}

/// The rows of several files are drawn together.
fn check_files_together(folder: &Path, csv: &Path) {
    let plots = folder.join("plots");
    let cub = folder.join("cub.csv");
    let row = |n: u32| {
        format!("sort,{n},32 bits,cub_radix,1e-5,1e-5,1e-5,1e8,n/a,3,checked,CUDA,discrete,2026-01-31\n")
    };
    let header =
        "what,n,family,variant,median_s,min_s,max_s,per_s,ratio_to_copy,runs,check,adapter,device,date\n";
    fs::write(&cub, [header, &row(1024), &row(16384)].concat()).expect("the file can be written");
    let from_files = |files: &[&Path], more: &[&Path]| {
        let mut command = command(&["measure"]);
        files.iter().for_each(|file| _ = command.arg("--from").arg(file));
        command.args(more).output().expect("the command runs")
    };
    let both = from_files(&[csv, &cub], &[Path::new("--plot"), &plots]);
    assert!(both.status.success(), "{}", stderr(&both));
    let sort = fs::read_to_string(plots.join("sort.svg")).expect("it is drawn");
    assert!(sort.contains("cub_radix") && sort.contains("adaptive bitonic"), "{sort}");
    assert!(stderr(&from_files(&[csv], &[])).contains("--plot <DIR>"));
}

#[test]
fn options_that_contradict_each_other_are_refused() {
    for (args, error) in [
        (&["measure", "--from", "rates.csv", "--max", "12", "--plot", "."][..], "cannot be used with"),
        (&["measure", "--csv", "-"], "the table goes to standard output"),
        (&["measure", "--min", "9", "--max", "8"], "--min 9 is above --max 8"),
        (&["check", "--min", "9", "--max", "8"], "--min 9 is above --max 8"),
        (&["check", "drawing.svg"], "unexpected argument"),
    ] {
        assert_refused(args, &[error]);
    }
}

#[test]
fn an_unknown_family_is_refused_with_the_known_names() {
    assert_refused(&["measure", "--quick", "--family", "cobweb"], &["\"cobweb\"", "\"comb\""]);
    assert_refused(&["check", "--family", "cobweb"], &["no family is called \"cobweb\""]);
    let text = ["text", "--family", "comb", "--bytes", "99", "text.json"];
    assert_refused(&text, &["no family is called \"comb\"", "\"deep nest\""]);
}

#[test]
fn a_generated_text_is_written_to_a_file() {
    let folder = tempfile::tempdir().expect("a folder can be created");
    let file = folder.path().join("text.json");
    for family in json_families() {
        let mut text = command(&["text", "--family", family.name, "--bytes", "5000"]);
        let output = text.arg(&file).output().expect("the command runs");
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(output.stdout.is_empty());
        let written = fs::read(&file).expect("it is written");
        assert!(written == family.generate(5000, 1), "the text of {family:?} differs");
    }
}

/// The default is an algorithm that can hold the input, on every kind of adapter.
#[test]
fn the_default_algorithms_can_hold_their_inputs() {
    let mut adapter = gpu().adapter.get_info();
    for device_type in [wgpu::DeviceType::Cpu, wgpu::DeviceType::DiscreteGpu, wgpu::DeviceType::IntegratedGpu]
    {
        adapter.device_type = device_type;
        for n in (0..26).flat_map(|k| [(1 << k) - 1, 1 << k, (1 << k) + 1]) {
            assert!(n as u64 <= Matcher::for_entries(n, &adapter).max_entries());
            let algorithm = Algorithm::for_elements(n, &adapter);
            assert!(algorithm.limits().check(n, n).is_ok(), "{algorithm:?} cannot hold {n}");
        }
    }
}

#[test]
fn every_algorithm_agrees_with_the_specification_on_synthetic_trees() {
    let args = ["check", "--max", "5"];
    let output = on_adapter(command(&args)).output().expect("the command runs");
    assert!(output.status.success(), "{}", stderr(&output));
    let printed = String::from_utf8_lossy(&output.stdout);
    for family in families() {
        let name = format!(" {}  ", family.name);
        let n_lines = printed.lines().filter(|line| line.contains(&name)).count();
        assert!(n_lines > Matcher::ALL.len(), "not every algorithm checks {family:?}: {printed}");
    }
    assert!(printed.lines().all(|line| line.starts_with("ok  ")), "{printed}");
    assert!(stderr(&output).contains(" ok, 0 different, 0 skipped, on "), "{}", stderr(&output));
}

#[test]
fn a_check_can_be_restricted_and_repeated() {
    let args = ["check", "--what", "match", "--family", "comb", "--min", "16", "--max", "16"];
    let output = on_adapter(command(&args)).args(["--repeat", "20"]).output().expect("the command runs");
    assert!(output.status.success(), "{}", stderr(&output));
    let printed = String::from_utf8_lossy(&output.stdout);
    assert_eq!(printed.lines().count(), Matcher::ALL.len(), "{printed}");
    assert!(printed.lines().next().is_some_and(|line| line.ends_with(", 1 skipped: limit")), "{printed}");
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(benchmark());
    command.args(args);
    command
}

/// The command on the adapter of the tests.
fn on_adapter(mut command: Command) -> Command {
    if let Ok(adapter) = std::env::var("BOXWOOD_ADAPTER") {
        command.args(["--adapter", &adapter]);
    }
    command
}

#[track_caller]
fn assert_refused(args: &[&str], messages: &[&str]) {
    let output = command(args).output().expect("the command runs");
    let error = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
    assert!(messages.iter().all(|message| error.contains(message)), "{args:?}: {error}");
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
