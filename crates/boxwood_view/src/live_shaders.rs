//! The shaders of the room `view`, read from files while the window is open.

use std::path::Path;

use boxwood_render::with_sources;
use boxwood_shaders::LiveShader;
use wgpu::naga::front::wgsl::parse_str;
use wgpu::naga::valid::{Capabilities, ValidationFlags, Validator};
use wgpu::naga::{SourceLocation, Span};

/// The shaders of the window, as valid WGSL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LiveShaders {
    pub(crate) overlay: String,
    pub(crate) meshes: String,
}

impl LiveShaders {
    /// Reads the shaders from a folder such as `shaders/wgsl`.
    ///
    /// # Errors
    ///
    /// A text with the file, the line, and the error of naga.
    pub(crate) fn read(folder: &Path) -> Result<Self, String> {
        Ok(Self { overlay: read(folder, "overlay")?, meshes: read(folder, "meshes")? })
    }
}

fn read(folder: &Path, name: &str) -> Result<String, String> {
    let shader = LiveShader::read(folder, "view", name)?;
    let source = shader.source();
    let refuse = |line: Option<u32>, message: &str| {
        let place = line.and_then(|line| shader.place(line)).unwrap_or_else(|| format!("{name}.wgsl"));
        format!("{place}: {message}")
    };
    let line = |location: Option<SourceLocation>| location.map(|location| location.line_number);
    let module = parse_str(&source).map_err(|error| {
        // The first label of an error may be about a type that has no place.
        let span = error.labels().map(|(span, _)| span).find(Span::is_defined);
        refuse(line(span.map(|span| span.location(&source))), error.message())
    })?;
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
    let validated = validator.validate(&module);
    validated.map_err(|error| refuse(line(error.location(&source)), &with_sources(error.as_inner())))?;
    Ok(source)
}

#[cfg(test)]
pub(crate) mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn an_error_has_the_file_and_the_line_of_an_import() {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("it is in a room")).expect("there is room for a folder");
            fs::write(path, text).expect("there is room for a file");
        };
        let read = || LiveShaders::read(folder.path());
        write("view/meshes.wgsl", "fn f() {}\n");
        assert!(read().expect_err("a file is missing").contains("overlay.wgsl: "));
        write("view/overlay.wgsl", "// A comment.\n#import entry\nfn g() -> u32 { return f(); }\n");
        assert!(read().expect_err("a file is missing").starts_with("overlay.wgsl:2: "));
        write("core/shared/entry.wgsl", "\n\nfn f() -> u32 { return 1.5; }\n");
        let error = read().expect_err("the type is wrong");
        assert!(error.starts_with("entry.wgsl:3: "), "{error}");
        write("core/shared/entry.wgsl", "\n\nfn f() -> u32 { return 1 }\n");
        let error = read().expect_err("the syntax is wrong");
        assert!(error.starts_with("entry.wgsl:3: expected "), "{error}");
        write("core/shared/entry.wgsl", "fn f() -> u32 { return 1; }\n");
        let shaders = read().expect("it is right");
        assert_eq!(shaders.meshes, "fn f() {}\n");
        assert!(shaders.overlay.contains("return 1; }\nfn g()"), "{}", shaders.overlay);
    }
}
