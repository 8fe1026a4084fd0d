//! Comma-separated values, quoted as in RFC 4180.

use std::io::{self, Write};

use boxwood_query::Naming;

use super::FileBoxes;
use super::columns::{Cells, Column};
use crate::cells::fixed;

pub(super) fn print_header(out: &mut impl Write, columns: &[Column]) -> io::Result<()> {
    let titles: Vec<_> = columns.iter().map(|column| column.title()).collect();
    writeln!(out, "{}", titles.join(","))
}

pub(super) fn print(
    out: &mut impl Write,
    file: &FileBoxes<'_>,
    precision: Option<usize>,
    naming: &Naming,
    columns: &[Column],
) -> io::Result<()> {
    let number = |value: f32| match precision {
        Some(decimals) => fixed(value.into(), decimals),
        None => value.to_string(),
    };
    // An error of `out` keeps its kind, because `csv` does not see it.
    let mut table = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    let cells = Cells { file, naming, number: &number };
    for row in cells.rows(columns) {
        table.write_record(row.iter().map(|cell| cell.as_bytes()))?;
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
        file,name,has_id,element,path,line,column,class,kind,order,x,y,width,height,x0,y0,x1,y1,vocabulary,include,space,unit,reason
        dir/a b.svg,/path[1],false,path,/svg/path[1],2,7,a b,leaf,1,0.1,-2,0.23333335,2,0.1,-2,0.33333334,0.0000001,ink,,scene,px,
        dir/a b.svg,"a,""b""",true,path,/svg/path[1],2,7,a b,clipped,2,,,,,,,,,ink,,scene,px,clipped-away
        dir/a b.svg,größe^G,true,path,/svg/path[1],2,7,a b,clip,3,plane,plane,plane,plane,plane,plane,plane,plane,ink,,scene,px,
        dir/a b.svg,huge,true,path,/svg/path[1],2,7,a b,group,4,-40000000,-340282350000000000000000000000000000000,56777216,340282350000000000000000000000000000000,-40000000,-340282350000000000000000000000000000000,16777216,0.0004,ink,,scene,px,
        "#);
    }

    #[test]
    fn the_precision_is_the_number_of_decimals() {
        insta::assert_snapshot!(printed(Format::Rows(RowFormat::Csv), Some(1)).replace('\u{7}', "^G"), @r#"
        file,name,has_id,element,path,line,column,class,kind,order,x,y,width,height,x0,y0,x1,y1,vocabulary,include,space,unit,reason
        dir/a b.svg,/path[1],false,path,/svg/path[1],2,7,a b,leaf,1,0.1,-2.0,0.2,2.0,0.1,-2.0,0.3,0.0,ink,,scene,px,
        dir/a b.svg,"a,""b""",true,path,/svg/path[1],2,7,a b,clipped,2,,,,,,,,,ink,,scene,px,clipped-away
        dir/a b.svg,größe^G,true,path,/svg/path[1],2,7,a b,clip,3,plane,plane,plane,plane,plane,plane,plane,plane,ink,,scene,px,
        dir/a b.svg,huge,true,path,/svg/path[1],2,7,a b,group,4,-40000000.0,-3.4e38,56777216.0,3.4e38,-40000000.0,-3.4e38,16777216.0,0.0,ink,,scene,px,
        "#);
    }
}
