//! `boxwood info`.

use crate::run::Folder;

#[test]
fn versions_adapters_and_limits() {
    let run = Folder::new().run(&["info"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let text = run.text();
    assert!(text.starts_with(concat!("boxwood ", env!("CARGO_PKG_VERSION"), "\nwith wgpu 30.")), "{text}");
    for part in
        ["vello 0.11", "usvg 0.49", "kurbo 0.13", "\n* ", "elements in a scene   ", "\n  used by query   "]
    {
        assert!(text.contains(part), "no {part:?} in {text}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn without_an_adapter_it_prints_what_to_install() {
    let run = Folder::new().run_without_adapter(&["info"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert!(run.text().contains("\n  none: boxes are computed on the CPU"), "{}", run.text());
    assert!(run.text().contains("install"), "{}", run.text());
}

#[test]
fn an_unknown_adapter_is_an_error() {
    let run = Folder::new().run(&["info", "--adapter", "no such thing"]);
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.starts_with("boxwood: error: no adapter has \"no such thing\" in its name"),
        "{}",
        run.stderr
    );
}
