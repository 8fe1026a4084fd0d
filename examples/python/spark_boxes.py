"""The boxes of a library of drawings, by Spark.

    spark-submit spark_boxes.py drawings.parquet boxes/ --key id

The input has a column with the texts of drawings, or with paths, and a column that identifies them. The output has a row
per element and kind of box. A drawing that cannot be loaded has one row, with its error. Spark repeats the work of a
process that has ended.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import boxwood
import pyarrow
from pyspark.sql import SparkSession
from pyspark.sql.pandas.types import from_arrow_schema


def main(arguments: list[str] | None = None, session: SparkSession | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("input", help="a Parquet file, or a folder of them")
    parser.add_argument("output", help="the folder for Parquet files")
    parser.add_argument("--column", default="svg", help="the column with drawings [default: svg]")
    parser.add_argument("--key", default="id", help="the column that identifies a drawing [default: id]")
    parser.add_argument("--kinds", nargs="+", default=["clipped"], help="the kinds of box [default: clipped]")
    options = parser.parse_args(arguments)
    column, key, kinds = options.column, options.key, options.kinds

    def boxes(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            # Spark gives each task one core.
            table = boxwood.annotate(pyarrow.table(batch), column=column, key=key, kinds=kinds, threads=1)
            yield from table.to_batches()

    session = session or SparkSession.builder.getOrCreate()
    # Few drawings per batch, because each has many boxes.
    session.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "256")
    drawings = session.read.parquet(options.input).select(key, column)
    empty = pyarrow.table({key: pyarrow.array([], pyarrow.string()), column: pyarrow.array([], pyarrow.string())})
    schema = from_arrow_schema(boxwood.annotate(empty, column=column, key=key).schema)
    schema[key].dataType = drawings.schema[key].dataType
    drawings.mapInArrow(boxes, schema).write.parquet(options.output)


if __name__ == "__main__":
    main()
