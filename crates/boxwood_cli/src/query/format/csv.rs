//! Comma-separated values, quoted as in RFC 4180.

use std::io::{self, Write};

use boxwood_svg::NoBox;
use serde::Serialize;

use super::{FileBoxes, Naming, parts_name};
use crate::cells::fixed;
use crate::query::args::SpaceArg;
use crate::query::numbers::Numbers;
use crate::query::rows::{BoxKind, Place};

/// The fields of [`Line`]. A file without boxes needs them too.
const HEADER: &str = "file,name,has_id,element,path,line,column,class,kind,order,x,y,width,height,\
    x0,y0,x1,y1,vocabulary,include,space,reason";

/// A line, with its columns in order.
#[derive(Serialize)]
struct Line<'a> {
    file: &'a str,
    name: &'a str,
    has_id: bool,
    element: &'a str,
    place: Place<'a>,
    kind: Option<BoxKind>,
    order: usize,
    numbers: Numbers<String>,
    vocabulary: &'a str,
    include: String,
    space: SpaceArg,
    reason: &'a str,
    /// The last column, which is there with `--at` and `--within`.
    #[serde(skip_serializing_if = "Option::is_none")]
    clips: Option<String>,
}

pub(super) fn print_header(out: &mut impl Write, has_clips: bool) -> io::Result<()> {
    writeln!(out, "{HEADER}{}", if has_clips { ",clips" } else { "" })
}

pub(super) fn print(
    out: &mut impl Write,
    file: &FileBoxes<'_>,
    precision: Option<usize>,
    naming: &Naming,
) -> io::Result<()> {
    let number = |value: f32| match precision {
        Some(decimals) => fixed(value.into(), decimals),
        None => value.to_string(),
    };
    // An error of `out` keeps its kind, because `csv` does not see it.
    let mut table = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    for (row, clips) in file.rows.iter().zip(file.clip_texts()) {
        let numbers = Numbers::of(row.bounds, number, "plane".to_owned(), String::new());
        table.serialize(Line {
            file: &file.path,
            name: row.name,
            has_id: row.has_id,
            element: row.element,
            place: row.place,
            kind: row.kind,
            order: row.order,
            numbers,
            vocabulary: naming.vocabulary,
            include: parts_name(row.include),
            space: naming.space,
            reason: row.reason.map_or("", NoBox::word),
            clips,
        })?;
    }
    out.write_all(&table.into_inner().map_err(csv::IntoInnerError::into_error)?)
}

#[cfg(test)]
mod tests {
    use super::super::tests::printed;
    use crate::json::RowFormat;
    use crate::query::args::Format;

    #[test]
    fn numbers_are_exact_and_names_are_quoted() {
        insta::assert_snapshot!(printed(Format::Rows(RowFormat::Csv), None).replace('\u{7}', "^G"), @r#"
        file,name,has_id,element,path,line,column,class,kind,order,x,y,width,height,x0,y0,x1,y1,vocabulary,include,space,reason
        dir/a b.svg,/path[1],false,path,/svg/path[1],2,7,a b,leaf,1,0.1,-2,0.23333335,2,0.1,-2,0.33333334,0.0000001,ink,,scene,
        dir/a b.svg,"a,""b""",true,path,/svg/path[1],2,7,a b,clipped,2,,,,,,,,,ink,,scene,clipped-away
        dir/a b.svg,größe^G,true,path,/svg/path[1],2,7,a b,clip,3,plane,plane,plane,plane,plane,plane,plane,plane,ink,,scene,
        dir/a b.svg,huge,true,path,/svg/path[1],2,7,a b,group,4,-40000000,-340282350000000000000000000000000000000,56777216,340282350000000000000000000000000000000,-40000000,-340282350000000000000000000000000000000,16777216,0.0004,ink,,scene,
        "#);
    }

    #[test]
    fn the_precision_is_the_number_of_decimals() {
        insta::assert_snapshot!(printed(Format::Rows(RowFormat::Csv), Some(1)).replace('\u{7}', "^G"), @r#"
        file,name,has_id,element,path,line,column,class,kind,order,x,y,width,height,x0,y0,x1,y1,vocabulary,include,space,reason
        dir/a b.svg,/path[1],false,path,/svg/path[1],2,7,a b,leaf,1,0.1,-2.0,0.2,2.0,0.1,-2.0,0.3,0.0,ink,,scene,
        dir/a b.svg,"a,""b""",true,path,/svg/path[1],2,7,a b,clipped,2,,,,,,,,,ink,,scene,clipped-away
        dir/a b.svg,größe^G,true,path,/svg/path[1],2,7,a b,clip,3,plane,plane,plane,plane,plane,plane,plane,plane,ink,,scene,
        dir/a b.svg,huge,true,path,/svg/path[1],2,7,a b,group,4,-40000000.0,-3.4e38,56777216.0,3.4e38,-40000000.0,-3.4e38,16777216.0,0.0,ink,,scene,
        "#);
    }
}
