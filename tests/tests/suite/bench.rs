//! The command `boxwood bench`, at sizes that software takes.

use std::fs;
use std::process::Command;

use boxwood::matcher::Matcher;
use boxwood_bench::{Check, read_csv};
use boxwood_tests::program;

#[test]
fn a_quick_sweep_measures_everything_and_checks_it() {
    let folder = tempfile::tempdir().expect("there is room");
    let csv = folder.path().join("rates.csv");
    let mut command = Command::new(program());
    command.args(["bench", "--synthetic", "--quick", "--csv"]).arg(&csv).arg("--plot").arg(folder.path());
    if let Ok(adapter) = std::env::var("BOXWOOD_ADAPTER") {
        command.args(["--adapter", &adapter]);
    }
    let output = command.output().expect("it runs");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{printed}{}", String::from_utf8_lossy(&output.stderr));

    let rows = read_csv(&fs::read_to_string(&csv).expect("it is written")).expect("it is CSV");
    assert_eq!(printed.lines().count(), rows.len());
    for row in &rows {
        assert_eq!(row.check, Check::Checked, "{row}");
        let seconds = row.seconds.unwrap_or_else(|| panic!("not timed: {row}"));
        assert!(0.0 < seconds.min && seconds.min <= seconds.median && seconds.median <= seconds.max, "{row}");
    }
    for what in ["copy", "empty", "match", "boxes", "boxes.match", "boxes.clip", "boxes.union", "vello"] {
        assert!(rows.iter().any(|row| row.what == what), "no row is of {what}");
    }
    for variant in Matcher::ALL.map(Matcher::name).into_iter().chain(["cpu"]) {
        let is_of = |n| rows.iter().any(|r| r.what == "match" && r.variant == variant && r.n == n);
        assert!([1 << 10, 1 << 14].into_iter().all(is_of), "{variant} is not matched");
    }
    for plot in ["match.svg", "boxes.svg", "vello.svg"] {
        let plot = fs::read_to_string(folder.path().join(plot)).expect("it is drawn");
        assert!(plot.contains("<polyline"), "{plot}");
    }
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
