"""What the tests share."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="80">{}</svg>'


def svg(contents: str) -> str:
    """The text of a drawing of 100 x 80 px."""
    return SVG.format(contents)


def drawings() -> list[Path]:
    """The drawings in the folders that BOXWOOD_DRAWINGS lists."""
    folders = os.environ["BOXWOOD_DRAWINGS"].split(os.pathsep)
    found = [path for folder in folders for suffix in ("svg", "svgz") for path in Path(folder).rglob(f"*.{suffix}")]
    return sorted(found)


@pytest.fixture
def resident() -> Callable[[], int]:
    """The memory of this process that is in use, in bytes."""

    def read() -> int:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    return read
