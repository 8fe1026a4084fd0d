//! The choice between the GPU and the CPU.

use crate::run::Folder;

#[cfg(target_os = "linux")]
#[test]
fn without_an_adapter_the_cpu_computes_and_one_line_reports_it() {
    let folder = Folder::with_small();
    let query = ["query", "small.svg", "small.svg", "--format", "csv", "--quiet"];
    let auto = folder.run_without_adapter(&query);
    assert_eq!((auto.code, auto.stderr.as_str()), (0, ""), "no adapter is opened for a small drawing");
    assert_eq!(auto.text(), folder.run(&[query.as_slice(), &["--backend", "cpu"]].concat()).text());
    let render = folder.run_without_adapter(&["render", "small.svg", "-o", "out.png"]);
    assert_eq!((render.code, render.stderr.lines().count()), (0, 1), "{}", render.stderr);
    let note = "computing on the CPU: no graphics adapter";
    assert!(render.stderr.contains(note), "{}", render.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn without_an_adapter_requiring_the_gpu_is_an_error() {
    let folder = Folder::with_small();
    for how in [["--backend", "gpu"], ["--adapter", "llvmpipe"]] {
        let run =
            folder.run_without_adapter(&[&["query", "small.svg", "--format", "json"], &how[..]].concat());
        assert_eq!(run.code, 2);
        assert!(run.stderr.starts_with("boxwood: error: no graphics adapter"), "{}", run.stderr);
        assert!(run.stderr.contains("install"), "{}", run.stderr);
        assert_eq!(run.text(), "");
    }
}

#[test]
fn an_unknown_adapter_is_an_error_that_lists_the_adapters() {
    let run = Folder::with_small().run(&["query", "small.svg", "--adapter", "no such thing"]);
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.starts_with("boxwood: error: no adapter has \"no such thing\" in its name; there are: ")
    );
}

/// The scene has more partitions than one workgroup can hold.
#[test]
fn a_scene_of_many_groups_is_computed_on_the_gpu() {
    let many = r#"<g opacity="0.5"><path d="M0 0h9v9z"/><path d="M0 0h9v9z"/></g>"#.repeat(40_000);
    let svg = format!(r#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">{many}</svg>"#);
    let folder = Folder::new().with("large.svg", svg);
    let args = ["query", "large.svg", "--format", "csv", "--id", "/svg"];
    let on_gpu = folder.run(&[args.as_slice(), &["--backend", "gpu"]].concat());
    assert_eq!((on_gpu.code, on_gpu.stderr.as_str()), (0, ""));
    let on_cpu = folder.run(&[args.as_slice(), &["--backend", "cpu"]].concat());
    assert_eq!(on_gpu.text(), on_cpu.text());
}
