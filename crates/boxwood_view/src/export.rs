//! What a window exports.

use std::fmt::Debug;
use std::fs::File;
use std::io::{self, Cursor, Write as _};
use std::path::{Path, PathBuf};

use boxwood_cpu::Boxes;
use boxwood_svg::Drawing;
use image::ImageFormat;

use crate::error::with_sources;
use crate::overlay::{OverlayKinds, OverlaySource};
use crate::picture::{Background, Legend, RenderOptions};
use crate::software::render_software;

/// A format in which a window exports boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoxFormat {
    /// The drawing with its boxes as a group.
    Svg,
    /// Rows in JSON.
    Json,
    /// Rows with commas.
    Csv,
}

/// Formats boxes for a window, which knows no text formats itself.
pub trait Exporter: Debug + Send + Sync {
    /// The ink boxes of a drawing with this name.
    ///
    /// # Errors
    ///
    /// The boxes cannot be formatted.
    fn boxes(&self, format: BoxFormat, name: &str, drawing: &Drawing, boxes: &Boxes) -> io::Result<Vec<u8>>;
}

/// Something that a window exports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Export {
    /// The picture with the kinds of box that are shown.
    PictureWithBoxes,
    /// The picture alone.
    Picture,
    /// The boxes.
    Boxes(BoxFormat),
}

impl Export {
    /// The end of the name of the file, after the name of the drawing.
    fn suffix(self) -> &'static str {
        match self {
            Self::PictureWithBoxes => "-boxes.png",
            Self::Picture => ".png",
            Self::Boxes(BoxFormat::Svg) => "-boxes.svg",
            Self::Boxes(BoxFormat::Json) => "-boxes.json",
            Self::Boxes(BoxFormat::Csv) => "-boxes.csv",
        }
    }
}

/// A drawing to export, and how it is shown.
#[derive(Debug)]
pub(crate) struct Subject<'a> {
    /// The path or the name of the drawing.
    pub(crate) name: &'a Path,
    pub(crate) drawing: &'a Drawing,
    pub(crate) boxes: &'a Boxes,
    pub(crate) background: Background,
    pub(crate) overlay: OverlayKinds,
}

/// Exports a drawing into a new file next to it. Returns the path of that file, or the reason why
/// there is none.
pub(crate) fn export(
    export: Export,
    subject: &Subject<'_>,
    exporter: Option<&dyn Exporter>,
) -> Result<PathBuf, String> {
    let contents = match (export, exporter) {
        (Export::PictureWithBoxes, _) => picture(subject, subject.overlay)?,
        (Export::Picture, _) => picture(subject, OverlayKinds::NONE)?,
        (Export::Boxes(format), Some(exporter)) => exporter
            .boxes(format, &subject.name.display().to_string(), subject.drawing, subject.boxes)
            .map_err(|error| with_sources(&error))?,
        (Export::Boxes(_), None) => return Err("this program exports pictures only".to_owned()),
    };
    write_beside(subject.name, export.suffix(), &contents)
        .map_err(|error| format!("cannot write next to {}: {error}", subject.name.display()))
}

/// The picture of a whole drawing at 100 %, as a PNG file.
fn picture(subject: &Subject<'_>, overlay: OverlayKinds) -> Result<Vec<u8>, String> {
    let options = RenderOptions {
        background: subject.background,
        overlay,
        boxes: OverlaySource::Scene,
        legend: if overlay.is_empty() { Legend::None } else { Legend::Below },
        ..RenderOptions::default()
    };
    let picture = render_software(subject.drawing, subject.boxes, &options);
    let picture = picture.map_err(|error| with_sources(&error))?;
    let mut png = Cursor::new(Vec::new());
    picture.write_to(&mut png, ImageFormat::Png).map_err(|error| with_sources(&error))?;
    Ok(png.into_inner())
}

/// Writes a new file next to another, and returns its path. It replaces no file: if there is one
/// with its name, the new one gets a number.
fn write_beside(file: &Path, suffix: &str, contents: &[u8]) -> io::Result<PathBuf> {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    for number in 1_u32.. {
        let name = if number == 1 { format!("{stem}{suffix}") } else { format!("{stem}-{number}{suffix}") };
        let path = file.with_file_name(name);
        match File::options().write(true).create_new(true).open(&path) {
            Ok(mut new) => return new.write_all(contents).map(|()| path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::tests::model;

    #[derive(Debug)]
    struct Fake;

    impl Exporter for Fake {
        fn boxes(&self, format: BoxFormat, name: &str, _: &Drawing, boxes: &Boxes) -> io::Result<Vec<u8>> {
            Ok(format!("{format:?} {name} {}", boxes.clipped_boxes.len()).into_bytes())
        }
    }

    #[test]
    fn exports_are_new_files_next_to_the_drawing() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let model = model(r##"<rect width="50" height="50" fill="#f00"/>"##);
        let name = folder.path().join("a.b.svg");
        let subject = Subject {
            name: &name,
            drawing: &model.drawing,
            boxes: &model.boxes,
            background: Background::WHITE,
            overlay: OverlayKinds::CLIPPED,
        };
        let path = |what| export(what, &subject, Some(&Fake)).expect("there is room for a file");
        let plain = path(Export::Picture);
        assert_eq!(plain, folder.path().join("a.b.png"));
        assert_eq!(path(Export::Picture), folder.path().join("a.b-2.png"), "no file is replaced");
        let with_boxes = path(Export::PictureWithBoxes);
        assert_eq!(with_boxes, folder.path().join("a.b-boxes.png"));
        let [plain, with_boxes] =
            [plain, with_boxes].map(|path| image::open(path).expect("it is a picture").to_rgba8());
        assert_eq!((plain.dimensions(), plain.get_pixel(0, 0).0), ((100, 100), [255, 0, 0, 255]));
        assert_ne!(with_boxes.get_pixel(0, 0).0, [255, 0, 0, 255], "the line of the box");
        assert!(with_boxes.height() > 100, "the legend");
        let json = path(Export::Boxes(BoxFormat::Json));
        let expected = format!("Json {} {}", name.display(), model.boxes.clipped_boxes.len());
        assert_eq!(std::fs::read_to_string(json)?, expected);
        assert!(export(Export::Boxes(BoxFormat::Csv), &subject, None).is_err());
        let gone = Subject { name: &folder.path().join("gone/a.svg"), ..subject };
        let error = export(Export::Picture, &gone, None).expect_err("there is no such folder");
        assert!(error.starts_with("cannot write next to "), "{error}");
        Ok(())
    }
}
