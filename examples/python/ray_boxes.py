"""The boxes of a library of drawings, by Ray Data.

    python ray_boxes.py drawings.parquet boxes/ --key id

The input has a column with the texts of drawings, or with paths, and a column that identifies them. The output has a row
per element and kind of box. A drawing that cannot be loaded has one row, with its error. Ray repeats the work of a process
that has ended.
"""

from __future__ import annotations

import argparse

import boxwood
import ray


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("input", help="a Parquet file, or a folder of them")
    parser.add_argument("output", help="the folder for Parquet files")
    parser.add_argument("--column", default="svg", help="the column with drawings [default: svg]")
    parser.add_argument("--key", default="id", help="the column that identifies a drawing [default: id]")
    parser.add_argument("--kinds", nargs="+", default=["clipped"], help="the kinds of box [default: clipped]")
    parser.add_argument("--batch-size", type=int, default=256, help="drawings per batch [default: 256]")
    options = parser.parse_args(arguments)
    drawings = ray.data.read_parquet(options.input, columns=[options.key, options.column])
    # Ray cuts data into tasks by bytes, and a drawing has few. So a library of icons would be a single task.
    drawings = drawings.repartition(target_num_rows_per_block=8 * options.batch_size)
    boxes = drawings.map_batches(
        boxwood.annotate,
        batch_format="pyarrow",
        batch_size=options.batch_size,
        # Ray gives each task one core.
        fn_kwargs={"column": options.column, "key": options.key, "kinds": options.kinds, "threads": 1},
    )
    boxes.write_parquet(options.output)


if __name__ == "__main__":
    main()
