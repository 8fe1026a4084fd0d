//! Comma-separated values, quoted as RFC 4180 prescribes.

use std::borrow::Cow;
use std::io::{self, Write};

use boxwood_cpu::Aabb;

use super::{Answer, Naming, Printer};

/// The first line. Edges rather than sizes, so that the numbers are those of the box and none is rounded.
const HEADER: &str = "file,name,has_id,element,kind,order,x0,y0,x1,y1,vocabulary,space";

pub(super) struct Csv<W> {
    out: W,
    precision: Option<usize>,
    naming: Naming,
}

impl<W: Write> Csv<W> {
    pub(super) fn new(mut out: W, precision: Option<usize>, naming: Naming) -> io::Result<Self> {
        writeln!(out, "{HEADER}")?;
        Ok(Self { out, precision, naming })
    }

    fn number(&self, value: f32) -> String {
        match self.precision {
            Some(decimals) => super::table::fixed(value.into(), decimals),
            None => value.to_string(),
        }
    }
}

impl<W: Write> Printer for Csv<W> {
    fn answer(&mut self, answer: &Answer<'_>) -> io::Result<()> {
        for row in &answer.rows {
            let edges = match row.bounds {
                Aabb::PLANE => ["plane"; 4].map(String::from),
                Aabb::EMPTY => [const { String::new() }; 4],
                Aabb { x0, y0, x1, y1 } => [x0, y0, x1, y1].map(|edge| self.number(edge)),
            };
            writeln!(
                self.out,
                "{},{},{},{},{},{},{},{},{}",
                quoted(&answer.path),
                quoted(row.name),
                row.has_id,
                row.element,
                row.kind.name(),
                row.order,
                edges.join(","),
                self.naming.vocabulary(),
                self.naming.space
            )?;
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn quoted(field: &str) -> Cow<'_, str> {
    if field.contains([',', '"', '\n', '\r']) {
        Cow::Owned(format!("\"{}\"", field.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(field)
    }
}

#[cfg(test)]
mod tests {
    use crate::choices::Format;
    use crate::format::tests::printed;

    #[test]
    fn numbers_tell_every_value_apart_and_names_are_quoted() {
        insta::assert_snapshot!(printed(Format::Csv, None).replace('\u{7}', "^G"), @r#"
        file,name,has_id,element,kind,order,x0,y0,x1,y1,vocabulary,space
        dir/a b.svg,/path[1],false,path,leaf,1,0.1,-2,0.33333334,0.0000001,ink,scene
        dir/a b.svg,"a,""b""",true,path,clipped,2,,,,,ink,scene
        dir/a b.svg,größe^G,true,path,clip,3,plane,plane,plane,plane,ink,scene
        dir/a b.svg,huge,true,path,group,4,-40000000,-340282350000000000000000000000000000000,16777216,0.0004,ink,scene
        "#);
    }

    #[test]
    fn precision_sets_the_decimals() {
        insta::assert_snapshot!(printed(Format::Csv, Some(1)).replace('\u{7}', "^G"), @r#"
        file,name,has_id,element,kind,order,x0,y0,x1,y1,vocabulary,space
        dir/a b.svg,/path[1],false,path,leaf,1,0.1,-2.0,0.3,0.0,ink,scene
        dir/a b.svg,"a,""b""",true,path,clipped,2,,,,,ink,scene
        dir/a b.svg,größe^G,true,path,clip,3,plane,plane,plane,plane,ink,scene
        dir/a b.svg,huge,true,path,group,4,-40000000.0,-3.4e38,16777216.0,0.0,ink,scene
        "#);
    }
}
