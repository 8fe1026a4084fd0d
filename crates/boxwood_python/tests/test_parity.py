"""The rows are those of the command."""

from __future__ import annotations

import json
import math
import os
import subprocess
from pathlib import Path
from typing import Any

import boxwood
import pytest
from conftest import drawings

EVERY = int(os.environ.get("BOXWOOD_EVERY", "1"))


def by_command(path: Path, *options: str) -> dict[str, Any]:
    """The JSON of the command."""
    command = [os.environ["BOXWOOD_BIN"], "query", "--format", "json", "--backend", "cpu", *options, str(path)]
    return json.loads(subprocess.run(command, capture_output=True, text=True).stdout)  # type: ignore[no-any-return]


@pytest.mark.parametrize(("options", "arguments"), [
    ({}, []),
    ({"include": ["fill", "fill,stroke,clipped"], "space": "local"},
     ["--include", "fill", "--include", "fill,stroke,clipped", "--space", "local"]),
])
def test_rows_are_those_of_the_command(options: dict[str, Any], arguments: list[str]) -> None:
    paths = drawings()[::EVERY]
    table = boxwood.boxes(paths, **options).to_pylist()
    rows_of: dict[int, list[dict[str, Any]]] = {}
    for row in table:
        rows_of.setdefault(row["index"], []).append(row)
    assert sorted(rows_of) == list(range(len(paths)))
    n_rows = n_errors = 0
    for index, path in enumerate(paths):
        document = by_command(path, *arguments)
        rows = rows_of[index]
        if document["errors"]:
            assert [row["error"] for row in rows] == [document["errors"][0]["message"]], path
            n_errors += 1
            continue
        expected = document["files"][0]
        assert [as_json(row) for row in rows] == [kept(row) for row in expected["rows"]], path
        drawing = boxwood.load(path)
        assert drawing.boxes(**options) == expected["rows"], path
        assert drawing.warnings == expected["warnings"], path
        n_rows += len(rows)
    assert n_rows > 100


SAME = ["name", "has_id", "element", "path", "line", "column", "class", "kind", "order", "parent", "reason"]


def kept(row: dict[str, Any]) -> dict[str, Any]:
    """The members of a row of JSON that a table has, with numbers that an f32 has."""
    return {name: row[name] for name in SAME} | {"include": ",".join(row["include"]), "box": row["box"]}


def as_json(row: dict[str, Any]) -> dict[str, Any]:
    """A row of a table as one of JSON."""
    edges: Any = [shortest(row[edge]) for edge in ("x0", "y0", "x1", "y1")]
    if edges[0] is None:
        edges = None
    elif math.isinf(edges[0]) and math.isinf(edges[2]):
        edges = "plane"
    return {name: row[name] for name in SAME} | {"include": row["include"], "box": edges}


def shortest(value: float | None) -> float | None:
    """JSON has the shortest number that rounds to the f32."""
    if value is None or math.isinf(value):
        return value
    return next(short for digits in range(1, 18) if as_f32(short := float(f"{value:.{digits}g}")) == value)


def as_f32(value: float) -> float:
    import struct

    try:
        return float(struct.unpack("f", struct.pack("f", value))[0])
    except OverflowError:
        return math.inf
