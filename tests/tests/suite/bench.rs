//! The commands `boxwood bench` and `boxwood check --synthetic`, at sizes that software takes.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use boxwood::Algorithm;
use boxwood::testing::{Task, Thresholds, kind};
use boxwood::tree::Matcher;
use boxwood_bench::{Check, read_csv};
use boxwood_tests::{families, gpu, program};

#[test]
fn a_quick_sweep_measures_everything_and_checks_it() {
    let folder = tempfile::tempdir().expect("there is room");
    let [csv, table] = ["rates.csv", "thresholds.csv"].map(|name| folder.path().join(name));
    let mut quick = command(&["bench", "--synthetic", "--quick"]);
    quick.arg("--csv").arg(&csv).arg("--plot").arg(folder.path());
    let output = quick.output().expect("it runs");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{printed}{}", String::from_utf8_lossy(&output.stderr));

    let rows = read_csv(&fs::read_to_string(&csv).expect("it is written")).expect("it is CSV");
    assert_eq!(printed.lines().count(), rows.len());
    for row in &rows {
        assert_eq!(row.check, Check::Checked, "{row}");
        let seconds = row.seconds.unwrap_or_else(|| panic!("not timed: {row}"));
        assert!(0.0 < seconds.min && seconds.min <= seconds.median && seconds.median <= seconds.max, "{row}");
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
        "clip_stage",
        "frame",
    ] {
        assert!(rows.iter().any(|row| row.what == what), "no row is of {what}");
    }
    for variant in Matcher::ALL.iter().copied().map(Matcher::name).chain(["cpu"]) {
        let is_of = |n| rows.iter().any(|r| r.what == "match" && r.variant == variant && r.n == n);
        assert!([1 << 10, 1 << 14].into_iter().all(is_of), "{variant} is not matched");
    }
    for (plot, labels) in
        [("match.svg", &["look back", "one CPU core"][..]), ("boxes.svg", &["hierarchical", "s clip stage"])]
    {
        let plot = fs::read_to_string(folder.path().join(plot)).expect("it is drawn");
        assert!(plot.contains("<polyline") && labels.iter().all(|label| plot.contains(label)), "{plot}");
    }

    // The thresholds come from the file, and what is of no use is said.
    let from_file =
        |more: &[&Path]| command(&["bench", "--from"]).arg(&csv).args(more).output().expect("it runs");
    assert!(from_file(&[Path::new("--thresholds"), &table]).status.success());
    let written =
        Thresholds::parse(&fs::read_to_string(&table).expect("it is written")).expect("it is a table");
    let adapter = gpu().adapter.get_info();
    assert!(written.rows().iter().all(|row| row.adapter == kind(adapter.device_type)), "{written}");
    assert!(
        [Task::Match, Task::Boxes].iter().all(|&task| written.fastest(task, 9, &adapter).is_some()),
        "{written}"
    );
    assert!(text(&from_file(&[])).contains("add --plot DIR or --thresholds FILE"));
    fs::write(&table, "n,algorithm\n").expect("there is room");
    let refused = from_file(&[Path::new("--thresholds"), &table]);
    assert!(
        text(&refused).contains("line 1 of the thresholds: ") && text(&refused).contains("cannot read /"),
        "{}",
        text(&refused)
    );
    for (args, error) in [
        (&["--synthetic", "--quick", "--thresholds", "table.csv"][..], "cannot be used with"),
        (&["--from", "rates.csv", "--max", "12", "--plot", "."], "cannot be used with"),
        (&["--synthetic", "--csv", "-"], "the table goes to standard output"),
        (
            &["--from", "rates.csv", "--thresholds", "/dev/zero"],
            "cannot read /dev/zero: it has more than 1048576 bytes",
        ),
    ] {
        let refused = command(&["bench"]).args(args).output().expect("it runs");
        assert!(text(&refused).contains(error), "{}", text(&refused));
    }
}

/// The table that the library was built with names what can hold the input, on every kind of adapter.
#[test]
fn the_default_algorithms_hold_their_inputs() {
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
fn synthetic_inputs_agree_with_the_specification() {
    let output = command(&["check", "--synthetic", "--max", "5"]).output().expect("it runs");
    assert!(output.status.success(), "{}", text(&output));
    let printed = String::from_utf8_lossy(&output.stdout);
    let lines_of =
        |family: &str| printed.lines().filter(|line| line.contains(&format!(" {family}  "))).count();
    for family in families() {
        assert!(lines_of(family.name) > Matcher::ALL.len(), "{family:?} is not checked by all: {printed}");
    }
    assert!(printed.lines().all(|line| line.starts_with("ok  ")), "{printed}");
    assert!(text(&output).contains(" ok, 0 different, 0 skipped, on "), "{}", text(&output));
}

#[test]
fn a_check_takes_part_of_it_and_many_times() {
    let args = ["check", "--synthetic", "--what", "match", "--family", "comb", "--min", "16", "--max", "16"];
    let output = command(&args).args(["--repeat", "20"]).output().expect("it runs");
    assert!(output.status.success(), "{}", text(&output));
    let printed = String::from_utf8_lossy(&output.stdout);
    assert_eq!(printed.lines().count(), Matcher::ALL.len(), "{printed}");
    assert!(printed.lines().next().is_some_and(|line| line.ends_with(", 1 skipped: limit")), "{printed}");
    for (args, error) in [
        (&["check", "--synthetic", "--family", "cobweb"][..], "no family is called \"cobweb\""),
        (&["check", "--synthetic", "drawing.svg"], "cannot be used with"),
        (&["check", "--repeat", "9", "drawing.svg"], "cannot be used with"),
        (&["check", "--repeat", "9"], "<FILE>"),
        (&["check", "--synthetic", "--min", "9", "--max", "8"], "--min 9 is above --max 8"),
        (&["bench", "--synthetic", "--min", "9", "--max", "8"], "--min 9 is above --max 8"),
    ] {
        let output = command(args).output().expect("it runs");
        assert!(
            text(&output).contains(error) && output.status.code() == Some(2),
            "{args:?}: {}",
            text(&output)
        );
    }
}

/// The command on the adapter of the tests.
fn command(args: &[&str]) -> Command {
    let mut command = Command::new(program());
    command.args(args);
    if let Ok(adapter) = std::env::var("BOXWOOD_ADAPTER") {
        command.args(["--adapter", &adapter]);
    }
    command
}

/// Words for people.
fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn an_unknown_family_is_refused_with_those_there_are() {
    let output = Command::new(program())
        .args(["bench", "--synthetic", "--quick", "--family", "cobweb"])
        .output()
        .expect("it runs");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("\"cobweb\"") && error.contains("\"comb\""), "{error}");
}
