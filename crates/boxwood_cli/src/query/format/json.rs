//! JSON, as one document or as one object per line.

use std::io::{self, Write};

use boxwood_query::{BoxRow, Naming, SCHEMA, warnings};
use serde::Serialize;

use super::FileBoxes;
use crate::json::{list, text};

/// Prints the beginning of the document.
pub(super) fn print_header(out: &mut impl Write, naming: &Naming) -> io::Result<()> {
    let Naming { vocabulary, space, unit } = naming;
    let space = text(space)?;
    write!(
        out,
        r#"{{
  "schema": {SCHEMA},
  "vocabulary": "{vocabulary}",
  "space": {space},
  "unit": "{}",
  "files": ["#,
        unit.word()
    )
}

/// Prints a file as an object, with one line per row.
pub(super) fn print(out: &mut impl Write, file: &FileBoxes<'_>) -> io::Result<()> {
    let (path, adapter) = (text(&file.path)?, text(&file.adapter)?);
    let (drawing, rows) = (file.answer.drawing, &file.answer.rows);
    let (width, height) = (text(&drawing.size.width)?, text(&drawing.size.height)?);
    let backend = if file.adapter.is_some() { "gpu" } else { "cpu" };
    let (warnings, rows) = (list(warnings(drawing), 6)?, list(rows, 6)?);
    write!(
        out,
        r#"
    {{
      "file": {path},
      "width": {width},
      "height": {height},
      "backend": "{backend}",
      "adapter": {adapter},
      "warnings": {warnings},
      "rows": {rows}
    }}"#
    )
}

/// Prints every row as an object that is complete by itself.
pub(super) fn print_lines(out: &mut impl Write, file: &FileBoxes<'_>, naming: &Naming) -> io::Result<()> {
    for row in &file.answer.rows {
        writeln!(out, "{}", text(&JsonLine { schema: SCHEMA, naming, file: &file.path, row })?)?;
    }
    Ok(())
}

#[derive(Serialize)]
struct JsonLine<'a> {
    schema: u32,
    #[serde(flatten)]
    naming: &'a Naming,
    file: &'a str,
    #[serde(flatten)]
    row: &'a BoxRow<'a>,
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::super::tests::printed;
    use crate::json::RowFormat;
    use crate::query::args::Format;

    #[test]
    fn the_document_is_json_with_space_and_unit() {
        let text = printed(Format::Rows(RowFormat::Json), None);
        insta::assert_snapshot!(text, @r#"
        {
          "schema": 6,
          "vocabulary": "ink",
          "space": "scene",
          "unit": "px",
          "files": [
            {
              "file": "dir/a b.svg",
              "width": 100.5,
              "height": 20.0,
              "backend": "gpu",
              "adapter": "llvmpipe \"x\"",
              "warnings": [
                {"message":"a stroke with too many dashes (more than 100000, or beyond 1000000 in the drawing) is bounded as if it were solid","count":2,"first":"m"}
              ],
              "rows": [
                {"name":"/path[1]","has_id":false,"element":"path","path":"/svg/path[1]","line":2,"column":7,"class":"a b","kind":"leaf","include":[],"order":1,"parent":null,"box":[0.1,-2.0,0.33333334,1e-7],"reason":null,"x":0.1,"y":-2.0,"width":0.23333335,"height":2.0,"x0":0.1,"y0":-2.0,"x1":0.33333334,"y1":1e-7,"explanation":null},
                {"name":"a,\"b\"","has_id":true,"element":"path","path":"/svg/path[1]","line":2,"column":7,"class":"a b","kind":"clipped","include":[],"order":2,"parent":"/path[1]","box":null,"reason":"clipped-away","x":null,"y":null,"width":null,"height":null,"x0":null,"y0":null,"x1":null,"y1":null,"explanation":"is entirely clipped away"},
                {"name":"größe\u0007","has_id":true,"element":"path","path":"/svg/path[1]","line":2,"column":7,"class":"a b","kind":"clip","include":[],"order":3,"parent":"/path[1]","box":"plane","reason":null,"x":"plane","y":"plane","width":"plane","height":"plane","x0":"plane","y0":"plane","x1":"plane","y1":"plane","explanation":null},
                {"name":"huge","has_id":true,"element":"path","path":"/svg/path[1]","line":2,"column":7,"class":"a b","kind":"group","include":[],"order":4,"parent":"/path[1]","box":[-40000000.0,-3.4028235e+38,16777216.0,0.0004],"reason":null,"x":-40000000.0,"y":-3.4028235e+38,"width":56777216.0,"height":3.4028235e+38,"x0":-40000000.0,"y0":-3.4028235e+38,"x1":16777216.0,"y1":0.0004,"explanation":null}
              ]
            },
            {
              "file": "-",
              "width": 100.5,
              "height": 20.0,
              "backend": "cpu",
              "adapter": null,
              "warnings": [],
              "rows": []
            }
          ],
          "errors": []
        }
        "#);
        let document: Value = serde_json::from_str(&text).expect("it is JSON");
        let row = &document["files"][0]["rows"][0];
        #[expect(clippy::cast_possible_truncation, reason = "the value is an f32's")]
        let x1 = row["x1"].as_f64().map(|x| x as f32);
        assert_eq!(x1, Some(1.0 / 3.0), "numbers are exact");
    }

    #[test]
    fn every_line_is_json() {
        let text = printed(Format::Rows(RowFormat::Jsonl), None);
        insta::assert_snapshot!(text, @r#"
        {"schema":6,"vocabulary":"ink","space":"scene","unit":"px","file":"dir/a b.svg","name":"/path[1]","has_id":false,"element":"path","path":"/svg/path[1]","line":2,"column":7,"class":"a b","kind":"leaf","include":[],"order":1,"parent":null,"box":[0.1,-2.0,0.33333334,1e-7],"reason":null,"x":0.1,"y":-2.0,"width":0.23333335,"height":2.0,"x0":0.1,"y0":-2.0,"x1":0.33333334,"y1":1e-7,"explanation":null}
        {"schema":6,"vocabulary":"ink","space":"scene","unit":"px","file":"dir/a b.svg","name":"a,\"b\"","has_id":true,"element":"path","path":"/svg/path[1]","line":2,"column":7,"class":"a b","kind":"clipped","include":[],"order":2,"parent":"/path[1]","box":null,"reason":"clipped-away","x":null,"y":null,"width":null,"height":null,"x0":null,"y0":null,"x1":null,"y1":null,"explanation":"is entirely clipped away"}
        {"schema":6,"vocabulary":"ink","space":"scene","unit":"px","file":"dir/a b.svg","name":"größe\u0007","has_id":true,"element":"path","path":"/svg/path[1]","line":2,"column":7,"class":"a b","kind":"clip","include":[],"order":3,"parent":"/path[1]","box":"plane","reason":null,"x":"plane","y":"plane","width":"plane","height":"plane","x0":"plane","y0":"plane","x1":"plane","y1":"plane","explanation":null}
        {"schema":6,"vocabulary":"ink","space":"scene","unit":"px","file":"dir/a b.svg","name":"huge","has_id":true,"element":"path","path":"/svg/path[1]","line":2,"column":7,"class":"a b","kind":"group","include":[],"order":4,"parent":"/path[1]","box":[-40000000.0,-3.4028235e+38,16777216.0,0.0004],"reason":null,"x":-40000000.0,"y":-3.4028235e+38,"width":56777216.0,"height":3.4028235e+38,"x0":-40000000.0,"y0":-3.4028235e+38,"x1":16777216.0,"y1":0.0004,"explanation":null}
        "#);
        assert!(text.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()));
    }
}
