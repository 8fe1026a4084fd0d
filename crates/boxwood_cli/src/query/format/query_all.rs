//! The lines that `inkscape --query-all` and `resvg --query-all` print: `id,x,y,width,height`.

use std::io::{self, Write};

use boxwood_cpu::Aabb;
use boxwood_query::Numbers;

use super::FileBoxes;
use crate::cells::fixed;

/// The default number of decimals, which is that of resvg.
const PRECISION: usize = 3;

pub(super) fn print(out: &mut impl Write, file: &FileBoxes<'_>, precision: Option<usize>) -> io::Result<()> {
    let number = |value: f32| {
        let text = fixed(value.into(), precision.unwrap_or(PRECISION));
        let is_plain = text.contains('.') && !text.contains('e');
        if is_plain { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
    };
    for row in file.answer.rows.iter().filter(|row| row.has_id) {
        if row.bounds != Aabb::EMPTY {
            let Numbers { x, y, width, height, .. } = Numbers::from(row.bounds);
            let [x, y, width, height] = [x, y, width, height].map(number);
            writeln!(out, "{},{x},{y},{width},{height}", row.name)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::printed;
    use crate::query::args::Format;

    /// The row of an empty box and the row of an element without an id have no line.
    #[test]
    fn every_id_with_a_box_has_a_line_of_five_fields() {
        let text = printed(Format::QueryAll, None);
        assert_eq!(text.lines().count(), 2, "{text}");
        assert!(text.ends_with("\nhuge,-40000000,-3.403e38,56777216,3.403e38\n"), "{text}");
    }
}
