//! The exports of a window.

mod target;

use std::io::Cursor;
use std::path::{Path, PathBuf};

use boxwood_cli::BoxFormat;
use boxwood_render::{
    Background, CpuRenderer, Legend, OverlayKinds, OverlaySource, RenderError, RenderOptions, render_on_cpu,
    with_sources,
};
use boxwood_svg::{Drawing, load};
use image::{ImageFormat, RgbaImage};

pub(crate) use target::{Target, free_path};

/// Something that a window exports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Export {
    /// The picture with the kinds of box that are shown.
    PictureWithBoxes,
    /// The picture alone.
    Picture,
    /// The part of the drawing that the window shows, with the boxes that it shows.
    View,
    /// The boxes.
    Boxes(BoxFormat),
}

impl Export {
    pub(crate) const ALL: [Self; 6] = [
        Self::PictureWithBoxes,
        Self::Picture,
        Self::View,
        Self::Boxes(BoxFormat::Svg),
        Self::Boxes(BoxFormat::Json),
        Self::Boxes(BoxFormat::Csv),
    ];

    /// The end of the name of the file, after the name of the drawing.
    fn suffix(self) -> &'static str {
        match self {
            Self::PictureWithBoxes => "-boxes.png",
            Self::Picture => ".png",
            Self::View => "-view.png",
            Self::Boxes(BoxFormat::Svg) => "-boxes.svg",
            Self::Boxes(BoxFormat::Json) => "-boxes.json",
            Self::Boxes(BoxFormat::Csv) => "-boxes.csv",
        }
    }

    /// The name of the format, and the extension of its files.
    pub(crate) fn format(self) -> [&'static str; 2] {
        match self {
            Self::PictureWithBoxes | Self::Picture | Self::View => ["PNG pictures", "png"],
            Self::Boxes(BoxFormat::Svg) => ["SVG drawings", "svg"],
            Self::Boxes(BoxFormat::Json) => ["JSON files", "json"],
            Self::Boxes(BoxFormat::Csv) => ["CSV files", "csv"],
        }
    }

    /// A path with the extension of the format. A path without an extension gets it.
    ///
    /// # Errors
    ///
    /// The path has the extension of another format.
    pub(crate) fn with_extension(self, path: &Path) -> Result<PathBuf, String> {
        let [format, wanted] = self.format();
        match path.extension() {
            None => Ok(path.with_extension(wanted)),
            Some(extension) if extension.eq_ignore_ascii_case(wanted) => Ok(path.to_owned()),
            Some(_) => {
                Err(format!("cannot write {}: the names of {format} end with .{wanted}", path.display()))
            }
        }
    }

    /// The path of the file next to a drawing.
    pub(crate) fn path_beside(self, drawing: &Path) -> PathBuf {
        let stem = drawing.file_stem().unwrap_or_default().to_string_lossy();
        drawing.with_file_name(format!("{stem}{}", self.suffix()))
    }
}

/// A drawing to export, and how it is shown.
#[derive(Debug)]
pub(crate) struct Subject<'a> {
    /// The path or the name of the drawing.
    pub(crate) name: &'a Path,
    pub(crate) drawing: &'a Drawing,
    pub(crate) background: Background,
    pub(crate) overlay: OverlayKinds,
    /// How the drawing was loaded.
    pub(crate) load: &'a boxwood_svg::Options,
    /// The picture that [`Export::View`] exports.
    pub(crate) view: Option<&'a RgbaImage>,
}

/// The contents of a file that a window exports, or the reason why there are none.
pub(crate) fn contents(export: Export, subject: &Subject<'_>) -> Result<Vec<u8>, String> {
    match export {
        Export::PictureWithBoxes => picture(subject, subject.overlay),
        Export::Picture => picture(subject, OverlayKinds::NONE),
        Export::View => subject.view.map_or(Err("the view is not drawn".to_owned()), png),
        Export::Boxes(format) => formatted(format, subject),
    }
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
    let picture = render_on_cpu(subject.drawing, CpuRenderer::Resvg, &options);
    let picture = picture.map_err(|error| match error {
        RenderError::Size { .. } => format!("cannot export the picture: {error}: export the view instead"),
        error => with_sources(&error),
    });
    png(&picture?)
}

/// A picture as a PNG file.
fn png(picture: &RgbaImage) -> Result<Vec<u8>, String> {
    let mut png = Cursor::new(Vec::new());
    picture.write_to(&mut png, ImageFormat::Png).map_err(|error| with_sources(&error))?;
    Ok(png.into_inner())
}

/// The boxes of a drawing in a format. A group of boxes that the drawing has already, from an
/// earlier export, is not part of it.
fn formatted(format: BoxFormat, subject: &Subject<'_>) -> Result<Vec<u8>, String> {
    let name = subject.name.display().to_string();
    let text = |drawing: &Drawing| format.format(&name, drawing).map_err(|error| with_sources(&error));
    let earlier = format.added_id().map(|id| (id, subject.drawing.text_with("")));
    let Some((id, svg)) = earlier.filter(|(id, svg)| svg.contains(id)) else {
        return text(subject.drawing);
    };
    let folder = subject.name.parent().filter(|folder| !folder.as_os_str().is_empty());
    let options = boxwood_svg::Options {
        removed_id: Some(id.to_owned()),
        resources_dir: subject.load.resources_dir.clone().or(folder.map(Path::to_owned)),
        ..subject.load.clone()
    };
    let drawing = load(svg.as_bytes(), &options).map_err(|error| with_sources(&error))?;
    text(&drawing)
}

#[cfg(test)]
mod tests {
    use std::{fs, io};

    use boxwood_svg::{Fonts, Options};
    use image::Rgba;

    use super::*;
    use crate::model::Model;
    use crate::model::tests::model;

    fn subject<'a>(model: &'a Model, name: &'a Path, load: &'a Options) -> Subject<'a> {
        Subject {
            name,
            drawing: &model.drawing,
            background: Background::WHITE,
            overlay: OverlayKinds::CLIPPED,
            load,
            view: None,
        }
    }

    /// Exports next to a drawing in a folder.
    fn beside(what: Export, name: &Path, contents_of: &str) -> Result<PathBuf, String> {
        let model = model(contents_of);
        let load = Options { fonts: Fonts::Bundled, ..Options::default() };
        let view = RgbaImage::from_pixel(3, 2, Rgba([0, 0, 255, 255]));
        let subject = Subject { view: Some(&view), ..subject(&model, name, &load) };
        let contents = contents(what, &subject)?;
        Target::Beside.write(&what.path_beside(name), &contents)
    }

    #[test]
    fn a_file_has_the_extension_of_its_format() {
        let named = |path: &str| Export::View.with_extension(Path::new(path));
        assert_eq!(named("/a/b.png"), Ok("/a/b.png".into()));
        assert_eq!(named("b.PNG"), Ok("b.PNG".into()));
        assert_eq!(named("/a.txt/b"), Ok("/a.txt/b.png".into()));
        let error = "cannot write b.txt: the names of PNG pictures end with .png";
        assert_eq!(named("b.txt"), Err(error.to_owned()));
        let svg = Export::Boxes(BoxFormat::Svg).with_extension(Path::new("b.svgz"));
        assert!(svg.is_err(), "it is not compressed");
    }

    const SQUARE: &str = r##"<rect width="50" height="50" fill="#f00"/>"##;

    #[test]
    fn exports_are_new_files_next_to_the_drawing() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let name = folder.path().join("a.b.svg");
        let path = |what| beside(what, &name, SQUARE).expect("there is room for a file");
        let plain = path(Export::Picture);
        assert_eq!(plain, folder.path().join("a.b.png"));
        assert_eq!(path(Export::Picture), folder.path().join("a.b-2.png"), "no file is replaced");
        let with_boxes = path(Export::PictureWithBoxes);
        assert_eq!(with_boxes, folder.path().join("a.b-boxes.png"));
        let [plain, with_boxes, view] = [plain, with_boxes, path(Export::View)]
            .map(|path| image::open(path).expect("it is a picture").to_rgba8());
        assert_eq!((plain.dimensions(), plain.get_pixel(0, 0).0), ((100, 100), [255, 0, 0, 255]));
        assert_ne!(with_boxes.get_pixel(0, 0).0, [255, 0, 0, 255], "the line of the box");
        assert!(with_boxes.height() > 100, "the legend");
        assert_eq!((view.dimensions(), view.get_pixel(0, 0).0), ((3, 2), [0, 0, 255, 255]));
        let json = path(Export::Boxes(BoxFormat::Json));
        let json = fs::read_to_string(json)?;
        assert!(json.starts_with('{') && json.contains("a.b.svg"), "{json}");
        let error = beside(Export::Picture, &folder.path().join("gone/a.svg"), SQUARE);
        let error = error.expect_err("there is no such folder");
        assert!(error.starts_with("cannot write "), "{error}");
        Ok(())
    }

    #[test]
    fn a_picture_that_is_too_large_has_a_remedy_that_the_window_offers() {
        let (mut model, load) = (model(SQUARE), Options::default());
        model.drawing.size = kurbo::Size::new(1e5, 1e5);
        let subject = subject(&model, Path::new("a.svg"), &load);
        let error = contents(Export::Picture, &subject).expect_err("it has 10 Gi pixels");
        assert!(error.contains("a picture of 100000 x 100000 pixels is outside the limits"), "{error}");
        assert!(error.ends_with(": export the view instead"), "{error}");
    }

    #[test]
    fn the_boxes_of_an_earlier_export_are_replaced() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let name = folder.path().join("a.svg");
        let export = |contents: &str| {
            let path = beside(Export::Boxes(BoxFormat::Svg), &name, contents);
            fs::read_to_string(path.expect("there is room for a file"))
        };
        let id = BoxFormat::Svg.added_id().expect("the boxes are a group");
        let earlier = format!(r#"<g id="{id}"><rect width="90" height="90" stroke="red"/></g>"#);
        assert_eq!(export(&format!("{SQUARE}{earlier}"))?, export(SQUARE)?);
        Ok(())
    }
}
