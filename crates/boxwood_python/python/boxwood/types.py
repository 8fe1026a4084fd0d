"""The types of arguments and answers, for annotations."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Literal, Optional, Protocol, TypedDict, Union

Kind = Literal["leaf", "clipped", "clip", "group"]
"""A kind of ink box."""

Part = Literal["fill", "stroke", "markers", "clipped"]
"""A part of an object box."""

Space = Literal["scene", "local", "device"]
"""The space of boxes."""

Unit = Literal["px", "user", "mm"]
"""The unit of boxes in the scene."""


class Readable(Protocol):
    """A file object."""

    def read(self) -> str | bytes: ...


Source = Union[str, bytes, bytearray, memoryview, "os.PathLike[str]", "os.PathLike[bytes]", Readable]
"""What a drawing is loaded from."""

Fonts = Union[Literal["system", "bundled"], Iterable[Union[str, bytes, "os.PathLike[str]"]], None]
"""The fonts of texts."""


class BoxWarning(TypedDict):
    """Why some boxes differ from those that SVG prescribes."""

    message: str
    count: int
    first: str


Edge = Union[float, Literal["plane"], None]
"""A number, ``"plane"`` for a box without bounds, or None for no box."""

# The syntax of classes does not allow a field with the name `class`.
BoxRow = TypedDict(
    "BoxRow",
    {
        "name": str,
        "has_id": bool,
        "element": str,
        "path": str,
        "line": int,
        "column": int,
        "class": str,
        "kind": Optional[str],
        "include": list[str],
        "order": int,
        "parent": Optional[str],
        "box": Union[list[float], Literal["plane"], None],
        "reason": Optional[str],
        "explanation": Optional[str],
        "x": Edge,
        "y": Edge,
        "width": Edge,
        "height": Edge,
        "x0": Edge,
        "y0": Edge,
        "x1": Edge,
        "y1": Edge,
    },
)
"""One box of one element, or the reason why it has none."""


class Finding(TypedDict):
    """Something that is wasted, or sticks out."""

    kind: str
    name: str
    element: str
    path: str
    line: int
    column: int
    explanation: str
    elements: int
    area: float
    outside: Optional[dict[str, float]]
