"""Cleans a data set of drawings for training, by Ray Data.

    python clean_dataset.py drawings.parquet clean/ --key id

The input has a column with the texts of drawings, or with paths, and a column that identifies them. For each drawing, the
output has:

- `svg`: the text without elements that nobody can see, cropped to what is painted. The picture is the same.
- `width`, `height`: the size of the crop, in px.
- `labels`: the box of each element that paints something, with its path and the name of the element.
- `signature`: equal for drawings that look equal at 64 pixels, whatever their texts are. `unique("signature")` of polars, for
  example, keeps one of each.
- `error`: why the drawing cannot be loaded. `note`: why it is not cropped.
"""

from __future__ import annotations

import argparse
import hashlib
from typing import Any

import boxwood
import pyarrow
import ray

# The longer side of the picture whose hash is the signature, in pixels.
SIGNATURE_SIDE = 64

SCHEMA = pyarrow.schema([
    ("svg", pyarrow.binary()),
    ("width", pyarrow.float64()),
    ("height", pyarrow.float64()),
    ("labels", pyarrow.list_(pyarrow.struct([
        ("path", pyarrow.string()), ("element", pyarrow.string()), ("box", pyarrow.list_(pyarrow.float32(), 4)),
    ]))),
    ("signature", pyarrow.string()),
    ("note", pyarrow.string()),
    ("error", pyarrow.string()),
])


def cleaned(text: str | None) -> dict[str, Any]:
    """The row of one drawing."""
    try:
        drawing = boxwood.load(text, fonts="bundled").clean()  # type: ignore[arg-type]
        note = None
        try:
            drawing = drawing.crop()
        except ValueError as error:
            note = str(error)
        rows = [row for row in drawing.boxes(kinds="clipped") if row["box"] is not None and row["element"] != "g"]
        picture = drawing.render(SIGNATURE_SIDE / max(drawing.width, drawing.height))
    except (boxwood.LoadError, TypeError) as error:
        return {"error": str(error)}
    return {
        "svg": drawing.source,
        "width": drawing.width,
        "height": drawing.height,
        "labels": [{"path": row["path"], "element": row["element"], "box": row["box"]} for row in rows],
        "signature": hashlib.sha256(b"%d %d " % (picture.width, picture.height) + picture.pixels).hexdigest(),
        "note": note,
    }


def clean(table: pyarrow.Table, column: str, key: str) -> pyarrow.Table:
    """The rows of a batch."""
    rows = pyarrow.Table.from_pylist([cleaned(text) for text in table[column].to_pylist()], SCHEMA)
    return rows.add_column(0, key, table[key])


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("input", help="a Parquet file, or a folder of them")
    parser.add_argument("output", help="the folder for Parquet files")
    parser.add_argument("--column", default="svg", help="the column with drawings [default: svg]")
    parser.add_argument("--key", default="id", help="the column that identifies a drawing [default: id]")
    options = parser.parse_args(arguments)
    drawings = ray.data.read_parquet(options.input, columns=[options.key, options.column])
    # Ray cuts data into tasks by bytes, and a drawing has few. So a library of icons would be a single task.
    drawings = drawings.repartition(target_num_rows_per_block=2048)
    rows = drawings.map_batches(
        clean, batch_format="pyarrow", batch_size=256, fn_kwargs={"column": options.column, "key": options.key}
    )
    rows.write_parquet(options.output)


if __name__ == "__main__":
    main()
