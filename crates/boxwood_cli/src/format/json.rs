//! JSON, as one document or one object a line.

use std::io::{self, Write};

use boxwood_svg::Shown;
use serde::Serialize;

use super::{Answer, Naming, Printer};
use crate::rows::Row;

/// The version of what follows. It grows when a field changes its meaning or goes.
const SCHEMA: u32 = 2;
/// The unit of every number: CSS px, or pixels in the device space.
const UNIT: &str = "px";

/// One document, one row a line.
pub(super) struct Json<W> {
    out: W,
    n_answers: usize,
}

impl<W: Write> Json<W> {
    pub(super) fn new(mut out: W, naming: &Naming) -> io::Result<Self> {
        let Naming { include, space } = naming;
        let include = serde_json::to_string(include)?;
        write!(
            out,
            "{{\n  \"schema\": {SCHEMA},\n  \"vocabulary\": \"{}\",\n  \"include\": {include},\n  \"space\": \"{space}\",\n  \
             \"unit\": \"{UNIT}\",\n  \"files\": [",
            naming.vocabulary()
        )?;
        Ok(Self { out, n_answers: 0 })
    }

    fn field(&mut self, name: &str, value: &impl Serialize) -> io::Result<()> {
        write!(self.out, "      \"{name}\": ")?;
        serde_json::to_writer(&mut self.out, value)?;
        writeln!(self.out, ",")
    }

    /// The list `name`, an item a line, its bracket closed and its line left open.
    fn list(&mut self, name: &str, items: impl Iterator<Item = impl Serialize>) -> io::Result<()> {
        write!(self.out, "      \"{name}\": [")?;
        let mut is_empty = true;
        for item in items {
            self.out.write_all(if is_empty { b"\n        " } else { b",\n        " })?;
            serde_json::to_writer(&mut self.out, &item)?;
            is_empty = false;
        }
        self.out.write_all(if is_empty { b"]" } else { b"\n      ]" })
    }
}

impl<W: Write> Printer for Json<W> {
    fn answer(&mut self, answer: &Answer<'_>) -> io::Result<()> {
        self.out.write_all(if self.n_answers == 0 { b"\n    {\n" } else { b",\n    {\n" })?;
        self.n_answers += 1;
        self.field("path", &answer.path)?;
        self.field("width", &answer.width)?;
        self.field("height", &answer.height)?;
        self.field("backend", &answer.backend)?;
        self.field("adapter", &answer.adapter)?;
        let warnings = answer.warnings.iter().filter_map(|warning| {
            Some(JsonWarning {
                message: warning.message(Shown::BOXES)?,
                count: warning.count,
                first: &warning.first,
            })
        });
        self.list("warnings", warnings)?;
        writeln!(self.out, ",")?;
        self.list("rows", answer.rows.iter())?;
        write!(self.out, "\n    }}")
    }

    fn finish(&mut self) -> io::Result<()> {
        self.out.write_all(if self.n_answers == 0 { b"]\n}\n" } else { b"\n  ]\n}\n" })?;
        self.out.flush()
    }
}

#[derive(Serialize)]
struct JsonWarning<'a> {
    message: String,
    count: usize,
    first: &'a str,
}

/// One object a row, each complete in itself.
pub(super) struct JsonLines<W> {
    out: W,
    naming: Naming,
}

impl<W: Write> JsonLines<W> {
    pub(super) fn new(out: W, naming: Naming) -> Self {
        Self { out, naming }
    }
}

impl<W: Write> Printer for JsonLines<W> {
    fn answer(&mut self, answer: &Answer<'_>) -> io::Result<()> {
        for row in &answer.rows {
            let Naming { include, space } = &self.naming;
            let vocabulary = self.naming.vocabulary();
            let line =
                JsonLine { schema: SCHEMA, vocabulary, include, space, unit: UNIT, file: &answer.path, row };
            serde_json::to_writer(&mut self.out, &line)?;
            writeln!(self.out)?;
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[derive(Serialize)]
struct JsonLine<'a> {
    schema: u32,
    vocabulary: &'static str,
    include: &'a [&'static str],
    space: &'static str,
    unit: &'static str,
    file: &'a str,
    #[serde(flatten)]
    row: &'a Row<'a>,
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use crate::choices::Format;
    use crate::format::tests::printed;

    #[test]
    fn the_document_is_json_and_names_its_space_and_unit() {
        let text = printed(Format::Json, None);
        insta::assert_snapshot!(text, @r#"
        {
          "schema": 2,
          "vocabulary": "ink",
          "include": [],
          "space": "scene",
          "unit": "px",
          "files": [
            {
              "path": "dir/a b.svg",
              "width": 100.5,
              "height": 20.0,
              "backend": "gpu",
              "adapter": "llvmpipe \"x\"",
              "warnings": [
                {"message":"a stroke with more than 100000 dashes, or after 1000000 of others, is bounded as if it were solid","count":2,"first":"m"}
              ],
              "rows": [
                {"name":"/path[1]","has_id":false,"element":"path","kind":"leaf","order":1,"parent":null,"box":[0.1,-2.0,0.33333334,1e-7]},
                {"name":"a,\"b\"","has_id":true,"element":"path","kind":"clipped","order":2,"parent":"/path[1]","box":null},
                {"name":"größe\u0007","has_id":true,"element":"path","kind":"clip","order":3,"parent":"/path[1]","box":"plane"},
                {"name":"huge","has_id":true,"element":"path","kind":"group","order":4,"parent":"/path[1]","box":[-40000000.0,-3.4028235e+38,16777216.0,0.0004]}
              ]
            },
            {
              "path": "-",
              "width": 100.5,
              "height": 20.0,
              "backend": "cpu",
              "adapter": null,
              "warnings": [],
              "rows": []
            }
          ]
        }
        "#);
        let document: Value = serde_json::from_str(&text).expect("it is JSON");
        let edges = document["files"][0]["rows"][0]["box"].as_array().expect("the first box has area");
        #[expect(clippy::cast_possible_truncation, reason = "the value is an f32's")]
        let x1 = edges[2].as_f64().map(|x| x as f32);
        assert_eq!(x1, Some(1.0 / 3.0), "numbers come back as they were");
    }

    #[test]
    fn every_line_is_json() {
        let text = printed(Format::Jsonl, None);
        insta::assert_snapshot!(text, @r#"
        {"schema":2,"vocabulary":"ink","include":[],"space":"scene","unit":"px","file":"dir/a b.svg","name":"/path[1]","has_id":false,"element":"path","kind":"leaf","order":1,"parent":null,"box":[0.1,-2.0,0.33333334,1e-7]}
        {"schema":2,"vocabulary":"ink","include":[],"space":"scene","unit":"px","file":"dir/a b.svg","name":"a,\"b\"","has_id":true,"element":"path","kind":"clipped","order":2,"parent":"/path[1]","box":null}
        {"schema":2,"vocabulary":"ink","include":[],"space":"scene","unit":"px","file":"dir/a b.svg","name":"größe\u0007","has_id":true,"element":"path","kind":"clip","order":3,"parent":"/path[1]","box":"plane"}
        {"schema":2,"vocabulary":"ink","include":[],"space":"scene","unit":"px","file":"dir/a b.svg","name":"huge","has_id":true,"element":"path","kind":"group","order":4,"parent":"/path[1]","box":[-40000000.0,-3.4028235e+38,16777216.0,0.0004]}
        "#);
        assert!(text.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()));
    }
}
