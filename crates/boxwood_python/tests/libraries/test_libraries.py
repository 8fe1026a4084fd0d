"""Boxes, pictures, and tables in other libraries."""

from __future__ import annotations

from pathlib import Path

import boxwood
import numpy
import polars
import pyarrow
import pytest
import shapely
import shapely.geometry
from conftest import svg

DRAWING = svg('<clipPath id="c"><path d="M0 0h9v9"/></clipPath><rect id="r" width="10" height="4" fill="red"/>'
              '<g id="g" opacity="0.5"><rect width="1" height="1"/></g><rect id="n" display="none"/>')


def test_boxes_are_arrays_and_geometries() -> None:
    box = boxwood.load(DRAWING)["#r"].ink
    assert box is not None
    assert numpy.array(box).tolist() == [0, 0, 10, 4]
    assert shapely.box(*box).area == shapely.geometry.shape(box).area == box.area == 40


def test_pictures_are_arrays() -> None:
    pixels = numpy.asarray(boxwood.load(DRAWING).render(zoom=2))
    assert pixels.shape == (160, 200, 4) and pixels.dtype == numpy.uint8
    assert pixels[2, 2].tolist() == [128, 0, 0, 255] or pixels[7, 19].tolist() == [255, 0, 0, 255]
    assert pixels[8, 20].tolist() == [0, 0, 0, 0]


def test_tables_are_the_same_in_all_libraries() -> None:
    table = boxwood.boxes([DRAWING, "<svg>", DRAWING])
    rows = table.to_pylist()
    by_pyarrow = pyarrow.table(table)
    assert by_pyarrow.schema.names == table.column_names == pyarrow.schema(table).names
    assert by_pyarrow.to_pylist() == rows
    assert polars.DataFrame(table).to_dicts() == rows
    # A table can be read any number of times.
    assert pyarrow.table(table) == by_pyarrow
    by_pyarrow.validate(full=True)


def test_an_empty_batch_has_the_columns() -> None:
    table = pyarrow.table(boxwood.boxes([]))
    assert len(table) == 0 and table.schema.names[0] == "index"


def test_pictures_are_shown_in_notebooks() -> None:
    import nbformat
    from nbclient import NotebookClient

    code = f"import boxwood\nboxwood.load({DRAWING!r})"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    NotebookClient(notebook, timeout=120).execute()
    data = notebook.cells[0].outputs[0].data
    assert data["image/svg+xml"] == data["text/html"] and data["text/html"].startswith("<svg")


def test_annotate_keeps_keys() -> None:
    drawings = pyarrow.table({"id": ["a", "b", "c"], "svg": [DRAWING, None, DRAWING.encode().decode()]})
    rows = boxwood.annotate(drawings, key="id", kinds="leaf", elements="#r").to_pylist()
    assert [(row["id"], row["error"] is None) for row in rows] == [("a", True), ("b", False), ("c", True)]
    assert "index" not in rows[0]
    assert boxwood.annotate(polars.DataFrame(drawings), key="id", kinds="leaf", elements="#r").to_pylist() == rows
    for options, message in [({"column": "text"}, "no column `text`"), ({"key": "name"}, "no column `name`")]:
        with pytest.raises(ValueError, match=message):
            boxwood.annotate(drawings, **options)
    assert len(boxwood.boxes(drawings["svg"], kinds="leaf", elements="#r")) == 3


def test_the_notebook_of_the_examples_runs() -> None:
    import nbformat
    from nbclient import NotebookClient

    path = Path(__file__).parents[4] / "examples/python/notebook.ipynb"
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(path.parent)}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    shown = " ".join(str(output.get("data", {})) for output in outputs)
    assert "cannot read missing.svg" in shown and "<svg" in shown and "image/png" in shown
    # The cells are saved without their outputs.
    assert all(not cell.get("outputs") for cell in nbformat.read(path, as_version=4).cells)
