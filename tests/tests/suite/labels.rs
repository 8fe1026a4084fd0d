//! Everything that the crates create on a device has a label, which debuggers such as RenderDoc
//! show.

use std::fs;
use std::path::{Path, PathBuf};

use boxwood_tests::repository;

/// The descriptors whose labels are checked. A command buffer has the label of its encoder.
const DESCRIPTORS: [&str; 14] = [
    "BindGroupDescriptor",
    "BindGroupLayoutDescriptor",
    "BufferDescriptor",
    "BufferInitDescriptor",
    "CommandEncoderDescriptor",
    "ComputePassDescriptor",
    "ComputePipelineDescriptor",
    "PipelineLayoutDescriptor",
    "QuerySetDescriptor",
    "RenderPassDescriptor",
    "RenderPipelineDescriptor",
    "SamplerDescriptor",
    "ShaderModuleDescriptor",
    "TextureDescriptor",
];

/// The source files in a folder, except those with tests.
fn source_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{error}: {}", folder.display())) {
        let path = entry.expect("the folder can be read").path();
        if path.file_stem().is_some_and(|name| name == "tests") {
            continue;
        }
        if path.is_dir() {
            files.extend(source_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// The code of a file, without comments and without its tests.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{error}: {}", path.display()));
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// The fields of a descriptor: the text up to the brace that closes it.
fn fields(text: &str) -> &str {
    let mut depth = 1;
    let end = text.find(|c| {
        depth += match c {
            '{' => 1,
            '}' => -1,
            _ => 0,
        };
        depth == 0
    });
    end.map_or(text, |end| &text[..end])
}

/// The descriptors without a label, and the number of all.
fn without_label(code: &str) -> (Vec<String>, usize) {
    let (mut found, mut n_descriptors) = (Vec::new(), 0);
    for name in DESCRIPTORS {
        for (start, _) in code.match_indices(name) {
            // Another descriptor may have this name as the end of its own.
            if code[..start].ends_with(|c: char| c.is_alphanumeric()) {
                continue;
            }
            let rest = &code[start + name.len()..];
            let is_labelled = match rest.strip_prefix(" {").map(fields) {
                Some(fields) => fields.contains("label") && !fields.contains("label: None"),
                None if rest.starts_with("::default()") => false,
                None => continue,
            };
            n_descriptors += 1;
            if !is_labelled {
                found.push(format!("{name}{}", rest.lines().next().unwrap_or_default()));
            }
        }
    }
    (found, n_descriptors)
}

#[test]
fn a_descriptor_without_a_label_is_found() {
    let labelled = "wgpu::BufferDescriptor { label: Some(name), size: { 3 }, usage }";
    assert_eq!(without_label(labelled), (vec![], 1));
    assert_eq!(without_label("let x = BufferDescriptor { size: { 3 }, usage }; label").0.len(), 1);
    assert_eq!(without_label("ComputePassDescriptor { label: None, timestamp_writes }").0.len(), 1);
    assert_eq!(without_label("wgpu::CommandEncoderDescriptor::default()").0.len(), 1);
    assert_eq!(without_label("fn x() -> ShaderModuleDescriptor<'_> {"), (vec![], 0));
}

#[test]
fn everything_on_a_device_has_a_label() {
    let mut n_all = 0;
    for name in ["boxwood", "boxwood_vello", "boxwood_render", "boxwood_view"] {
        for path in source_files(&repository().join("crates").join(name).join("src")) {
            let (found, n_descriptors) = without_label(&code(&path));
            assert!(found.is_empty(), "{}: {found:?}", path.display());
            n_all += n_descriptors;
        }
    }
    assert!(n_all > 40, "{n_all} descriptors were found");
}
