"""Batches lose nothing, keep the order, and end when they are told to."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import boxwood
import pytest
from conftest import svg

GOOD = svg('<rect id="r" width="9" height="4"/>')
BAD = "<svg><g></svg>"


def test_every_drawing_has_rows_in_order() -> None:
    drawings = [BAD if i % 7 == 0 else svg(f'<rect width="{i}" height="1"/>') for i in range(1, 500)]
    for threads in [1, 2, 5]:
        rows = boxwood.boxes(drawings, kinds="leaf", elements="rect", threads=threads).to_pylist()
        assert [row["index"] for row in rows] == list(range(499))
        for number, row in enumerate(rows, start=1):
            if number % 7 == 0:
                assert row["error"].startswith("the text is not well-formed XML") and row["x1"] is None
                assert (row["error_line"], row["error_column"]) == (1, 9)
            else:
                assert (row["x1"], row["error"]) == (min(number, 1e9), None)


def test_what_is_not_a_drawing_is_a_row(tmp_path: Path) -> None:
    drawings: list[Any] = [GOOD, None, 3, tmp_path, b"", "<svg>\ud800</svg>", "missing.svg", GOOD.encode()]
    table = boxwood.boxes(drawings, kinds="leaf", elements="rect")
    rows = table.to_pylist()
    assert [row["index"] for row in rows] == list(range(8))
    assert [row["error"] is None for row in rows] == [True, False, False, False, False, False, False, True]
    assert rows[3]["file"] == str(tmp_path) and "NoneType" in rows[1]["error"]


def test_the_first_error_ends_the_batch_if_wanted() -> None:
    n_rows = 0
    with pytest.raises(boxwood.LoadError) as caught:
        for table in boxwood.box_batches([GOOD] * 40 + [BAD, GOOD], errors="raise", kinds="leaf", elements="rect"):
            n_rows += len(table)
    assert (caught.value.line, caught.value.column, caught.value.index, n_rows) == (1, 9, 40, 40)
    with pytest.raises(ValueError, match="errors"):
        boxwood.boxes([GOOD], errors="ignore")  # type: ignore[arg-type]


def test_wrong_options_are_refused_at_once() -> None:
    for options in [{"kinds": "box"}, {"threads": 0}, {"threads": -1}, {"threads": 10**6}, {"elements": "##"}, {"elements": []}, {"kinds": []}, {"space": "local"}]:
        with pytest.raises(ValueError):
            boxwood.boxes([GOOD], **options)  # type: ignore[arg-type]
    no_lists: list[Any] = [GOOD, b"<svg/>", Path("a.svg"), 3]
    for drawings in no_lists:
        with pytest.raises(TypeError):
            boxwood.boxes(drawings)


def test_an_exception_of_the_generator_is_raised() -> None:
    def drawings() -> Iterator[str]:
        yield from [GOOD] * 500
        raise RuntimeError("the disk is gone")

    n_rows = 0
    with pytest.raises(RuntimeError, match="the disk is gone"):
        for table in boxwood.box_batches(drawings(), kinds="leaf", elements="rect"):
            n_rows += len(table)
    assert n_rows == 500


def test_a_drawing_without_a_wanted_box_has_a_row() -> None:
    rows = boxwood.boxes([svg(""), GOOD], kinds="leaf", elements="path").to_pylist()
    assert [(row["index"], row["name"], row["drawing_width"], row["error"]) for row in rows] == [
        (0, None, 100, None), (1, None, 100, None),
    ]


def fork_and_load(text: str) -> float:
    return boxwood.load(text).width + len(boxwood.boxes([text] * 100))


def test_a_forked_process_loads_drawings() -> None:
    boxwood.load(GOOD)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert len(set(pool.map_async(fork_and_load, [GOOD] * 8).get(60))) == 1


def test_a_batch_reads_only_a_little_ahead() -> None:
    n_read = 0

    def drawings() -> Iterator[str]:
        nonlocal n_read
        while True:
            n_read += 1
            yield GOOD

    batches = boxwood.box_batches(drawings(), threads=2)
    for _ in itertools.islice(batches, 10):
        pass
    assert n_read < 2_000


def test_a_generator_takes_no_memory(resident: Callable[[], int]) -> None:
    def rows(count: int) -> int:
        texts = (GOOD for _ in range(count))
        return sum(len(table) for table in boxwood.box_batches(texts, kinds="leaf", elements="rect"))

    rows(5_000)
    before = resident()
    assert rows(40_000) == 40_000
    assert resident() - before < 16 << 20


def test_loading_takes_no_memory(resident: Callable[[], int]) -> None:
    for _ in range(500):
        boxwood.load(GOOD).boxes()
    before = resident()
    for _ in range(10_000):
        boxwood.load(GOOD).boxes()
    assert resident() - before < 8 << 20


def test_python_threads_load_at_the_same_time() -> None:
    found = []

    def work() -> None:
        for i in range(50):
            box = boxwood.load(svg(f'<rect id="r" width="{i + 1}" height="4"/>'))["#r"].ink
            assert box is not None
            found.append(box.width)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == sorted(list(range(1, 51)) * 8)


@pytest.mark.parametrize("call", [
    "for table in boxwood.box_batches(itertools.repeat(slow), threads=2): pass",
    "for table in boxwood.box_batches(itertools.repeat('<svg>'), threads=1): pass",
    "boxwood.boxes(itertools.repeat('<svg>'))",
    "boxwood.load(hard).render(20)",
    "boxwood.load(fifo)",
    "boxwood.load(slow.replace('<path', '<path d=\"M0 0h1\"/>' * 500000 + '<path'))",
])
def test_ctrl_c_ends_work_within_a_second(call: str, tmp_path: Path) -> None:
    program = tmp_path / "endless.py"
    program.write_text(
        "import boxwood, itertools, sys\n"
        f"slow = {svg('{}')!r}.format('<path stroke=\"red\" d=\"M0 0' + 'C9 9 5 0 4 8' * 20000 + '\"/>')\n"
        "hard = slow.replace('<path', '<filter id=\"f\"><feTurbulence baseFrequency=\"0.1\" numOctaves=\"9\"/></filter>'"
        "'<rect width=\"100\" height=\"80\" filter=\"url(#f)\"/><path')\n"
        f"fifo = {str(tmp_path / 'fifo')!r}\nimport os\nos.mkfifo(fifo)\n"
        f"print('ready', flush=True)\n{call}\n"
    )
    process = subprocess.Popen([sys.executable, str(program)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None and process.stderr is not None
    assert process.stdout.readline() == b"ready\n"
    time.sleep(1)
    start = time.monotonic()
    process.send_signal(signal.SIGINT)
    process.wait(10)
    assert time.monotonic() - start < 1
    assert b"KeyboardInterrupt" in process.stderr.read()


def test_a_hostile_drawing_does_not_stop_the_others() -> None:
    huge = svg("<g>" * 5000)
    cycle = svg('<pattern id="p" width="9" height="9"><rect width="9" height="9" fill="url(#p)"/></pattern>'
                '<rect width="9" height="9" fill="url(#p)"/>')
    drawings = [GOOD, huge, cycle, svg("<rect" + ' a{}="1"' * 300 + "/>"), GOOD]
    rows = boxwood.boxes(drawings, kinds="leaf").to_pylist()
    assert sorted({row["index"] for row in rows}) == [0, 1, 2, 3, 4]
    assert [row["index"] for row in rows if row["name"] == "r"] == [0, 4]


def test_subinterpreters_are_refused() -> None:
    program = (
        "try:\n    import _interpreters\nexcept ImportError:\n    import _xxsubinterpreters as _interpreters\n"
        "i = _interpreters.create()\n"
        "try:\n    result = _interpreters.run_string(i, 'import boxwood')\n"
        "except Exception as error:\n    result = error\nprint(result)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=dict(os.environ))
    assert "ImportError" in done.stdout + done.stderr and "subinterpreter" in done.stdout + done.stderr
