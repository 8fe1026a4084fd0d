"""The programs in this folder: every drawing has its rows once, even if a process is killed in the middle."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import boxwood
import clean_dataset
import pyarrow
import pyarrow.parquet
import pytest

N_DRAWINGS = int(os.environ.get("BOXWOOD_EXAMPLE_DRAWINGS", "5000"))
N_BROKEN = N_DRAWINGS // 100


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Parquet file of drawings, of which each hundredth is broken."""
    texts = [
        "<svg><g></svg>" if i % 100 == 50 else
        f'<svg xmlns="http://www.w3.org/2000/svg" width="100" height="80"><rect id="r" x="{i % 90}" width="{i % 70 + 1}" '
        f'height="9" stroke="red"/><g clip-path="url(#c)"><circle r="{i % 50 + 1}"/></g><clipPath id="c"><rect width="9" '
        'height="9"/></clipPath></svg>'
        for i in range(N_DRAWINGS)
    ]
    path = tmp_path_factory.mktemp("library") / "drawings.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"id": range(N_DRAWINGS), "svg": texts}), path, row_group_size=500)
    return path


def expected(library: Path) -> list[dict[str, Any]]:
    """The rows by one process."""
    return in_order(boxwood.annotate(pyarrow.parquet.read_table(library), key="id", kinds=["clipped"]))


def in_order(table: pyarrow.Table) -> list[dict[str, Any]]:
    keys = ["id", "order", "kind"]
    return table.sort_by([(key, "ascending") for key in keys]).to_pylist()


def check(found: list[dict[str, Any]], library: Path) -> None:
    assert found == expected(library)
    assert len({row["id"] for row in found}) == N_DRAWINGS
    assert sum(row["error"] is not None for row in found) == N_BROKEN


# The process that first gets to a drawing in the middle kills itself.
KILL = f"""
import os, signal, types
import boxwood
def annotate_and_die(table, **options):
    marker = os.environ["BOXWOOD_KILL_MARKER"]
    if {N_DRAWINGS // 2} in table["id"].to_pylist():
        try:
            os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
            os.kill(os.getpid(), signal.SIGKILL)
        except FileExistsError:
            pass
    return boxwood.annotate(table, **options)
deadly = types.SimpleNamespace(annotate=annotate_and_die)
"""


def run(program: str, tmp_path: Path) -> Path:
    """Runs a program whose first process in the middle of the library is killed. Returns the folder of its output."""
    marker = tmp_path / "killed"
    folder = Path(__file__).parent
    environment = os.environ | {
        "BOXWOOD_KILL_MARKER": str(marker), "PYTHONPATH": str(folder), "PYSPARK_PYTHON": sys.executable,
    }
    done = subprocess.run([sys.executable, "-c", program], env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    assert marker.exists(), "no process was killed"
    return tmp_path / "boxes"


def test_ray_has_every_row_once(library: Path, tmp_path: Path) -> None:
    program = f"""{KILL}
import ray
ray.init(num_cpus=4, include_dashboard=False)
import ray_boxes
ray_boxes.boxwood = deadly
ray_boxes.main([{str(library)!r}, "boxes"])
"""
    check(in_order(pyarrow.parquet.read_table(run(program, tmp_path))), library)


def test_spark_has_every_row_once(library: Path, tmp_path: Path) -> None:
    program = f"""{KILL}
from pyspark.sql import SparkSession
session = SparkSession.builder.master("local[2,4]").config("spark.ui.enabled", "false").getOrCreate()
import spark_boxes
spark_boxes.boxwood = deadly
spark_boxes.main([{str(library)!r}, "boxes"], session)
session.stop()
"""
    check(in_order(pyarrow.parquet.read_table(run(program, tmp_path))), library)


def test_a_cleaned_data_set_has_every_drawing_once(library: Path, tmp_path: Path) -> None:
    program = f"""{KILL}
import ray
ray.init(num_cpus=4, include_dashboard=False)
import clean_dataset
clean = clean_dataset.clean
clean_dataset.clean = lambda table, **options: (annotate_and_die(table, column="svg", kinds="leaf"), clean(table, **options))[1]
clean_dataset.main([{str(library)!r}, "boxes"])
"""
    table = pyarrow.parquet.read_table(run(program, tmp_path)).sort_by("id")
    assert table["id"].to_pylist() == list(range(N_DRAWINGS))
    assert table["error"].null_count == N_DRAWINGS - N_BROKEN
    assert table["signature"].null_count == N_BROKEN


def test_a_cleaned_drawing_has_the_same_picture() -> None:
    start = '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100">'
    dot = '<circle cx="50" cy="50" r="20"/>'
    texts = [
        f"{start}{dot}</svg>",
        f'{start}<g>{dot}</g><rect x="200" width="9" height="9"/></svg>',
        f'{start}<text y="30">Text</text></svg>',
        "<svg>",
        None,
        f"{start}</svg>",
    ]
    rows = clean_dataset.clean(pyarrow.table({"svg": texts, "id": range(6)}), "svg", "id").to_pylist()
    assert [row["error"] is None for row in rows] == [True, True, True, False, False, True]
    assert rows[0]["signature"] == rows[1]["signature"] != rows[2]["signature"]
    assert (rows[1]["width"], rows[1]["height"]) == (40, 40) and b"<rect" not in rows[1]["svg"]
    assert rows[1]["labels"] == [{"path": "/svg/g[1]/circle[1]", "element": "circle", "box": [0, 0, 40, 40]}]
    assert "nothing" in rows[5]["note"]
    before, after = (boxwood.load(text).crop() for text in (texts[1], rows[1]["svg"]))
    assert before.render(2).pixels == after.render(2).pixels
