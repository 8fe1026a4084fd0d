"""Drawings that cannot be loaded."""

from __future__ import annotations

import gzip
import os
import threading
import time
from pathlib import Path

import boxwood
import pytest
from conftest import svg

BOMB = svg('<g id="a0"><rect width="1" height="1"/></g>' + "".join(
    f'<g id="a{i}">' + f'<use href="#a{i - 1}"/>' * 10 + "</g>" for i in range(1, 12)))


def error_of(source: object, **options: object) -> boxwood.LoadError:
    with pytest.raises(boxwood.LoadError) as caught:
        boxwood.load(source, **options)  # type: ignore[arg-type]
    return caught.value


def test_errors_name_the_place_the_file_and_the_limit(tmp_path: Path) -> None:
    file = tmp_path / "a.svg"
    file.write_text("<svg>\n<g></svg>")
    error = error_of(file)
    assert (error.path, error.line, error.column, error.limit) == (str(file), 2, 4, None)
    assert str(error).startswith(f"cannot load {file}: the text is not well-formed XML")
    error = error_of(BOMB)
    assert error.limit == 1_000_000 and error.line is None
    error = error_of(svg("<g>" * 2000 + "</g>" * 2000))
    assert error.limit == 1_024 and error.path is None


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (b"", "empty"),
        (b"\x89PNG\r\n\x1a\n", "PNG"),
        (b"\xff\xfe\x00", "the encoding UTF-16LE"),
        (gzip.compress(svg("").encode())[:20], "truncated or damaged"),
        ("<html></html>", "not <svg>"),
        ('<svg xmlns="http://www.w3.org/2000/svg" width="0" height="1"/>', "size"),
        ("<svg>\ud800</svg>", "surrogate"),
        ("no such file.svg", "cannot read no such file.svg"),
        ("", "the path or text is empty"),
        ("\ud800.svg", "no file has the name"),
    ],
)
def test_what_is_not_a_drawing_is_refused(source: object, message: str) -> None:
    assert message in str(error_of(source))


def test_a_folder_is_refused(tmp_path: Path) -> None:
    assert error_of(tmp_path).path == str(tmp_path)


def test_a_file_that_changes_is_loaded_or_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.svg"
    texts = [svg(f'<rect id="r" width="{size}" height="9"/>' + "<g/>" * 20 * size).encode() for size in (1, 90)]
    is_done = threading.Event()

    def change() -> None:
        while not is_done.is_set():
            for text in texts:
                file.write_bytes(text)

    file.write_bytes(texts[0])
    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(300):
            try:
                ink = boxwood.load(file)["#r"].ink
                assert ink is not None and ink.width in (1, 90)
            except (boxwood.LoadError, KeyError):
                pass
    finally:
        is_done.set()
        thread.join()


def test_paths_may_have_bytes_that_are_not_utf_8(tmp_path: Path) -> None:
    path = os.fsdecode(bytes(tmp_path) + b"/\xff.svg")
    try:
        Path(path).write_text(svg('<rect id="r" width="9" height="9"/>'))
    except OSError:
        pytest.skip("the file system has no such names")
    drawing = boxwood.load(path)
    assert drawing["#r"].ink is not None and drawing.path == path
    Path(path).write_text("<svg>")
    assert error_of(path).path == path


def test_an_error_of_another_program_has_no_place() -> None:
    error = boxwood.LoadError("x")
    assert (error.path, error.index, error.line, error.column, error.limit) == (None,) * 5


def test_time_limits_end_a_load() -> None:
    slow = svg("".join(f'<path d="M{i} 0' + "L9 9L0 5" * 2000 + '"/>' for i in range(300)))
    start = time.monotonic()
    error = error_of(slow, time_limit=0.001)
    assert error.limit == 0.001 and time.monotonic() - start < 2
    for limit in [0, -1, float("nan")]:
        with pytest.raises(ValueError, match="time_limit"):
            boxwood.load(slow, time_limit=limit)
