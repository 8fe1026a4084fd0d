"""Boxes."""

from __future__ import annotations

from typing import Any, NamedTuple


class Box(NamedTuple):
    """The edges of a box, in px unless another unit was asked for.

    It is a tuple, so ``numpy.array(box)`` and ``shapely.box(*box)`` work, and ``shapely.geometry.shape(box)`` does too.
    The box of a plane, which clips nothing, has infinite edges.

    >>> box = Box(10.0, 20.0, 40.0, 30.0)
    >>> box.width, box.height, box.area
    (30.0, 10.0, 300.0)
    >>> x0, y0, x1, y1 = box
    """

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        """The distance between the left and the right edge."""
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        """The distance between the top and the bottom edge."""
        return self.y1 - self.y0

    @property
    def area(self) -> float:
        """The product of width and height."""
        return self.width * self.height

    @property
    def center(self) -> tuple[float, float]:
        """The point in the middle."""
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2

    def union(self, other: Box) -> Box:
        """The smallest box around both.

        >>> Box(0, 0, 1, 1).union(Box(2, 0, 3, 4))
        Box(x0=0, y0=0, x1=3, y1=4)
        """
        return Box(min(self.x0, other.x0), min(self.y0, other.y0), max(self.x1, other.x1), max(self.y1, other.y1))

    def intersection(self, other: Box) -> Box | None:
        """The part of the box that is in the other one, or None if they do not overlap.

        >>> Box(0, 0, 2, 2).intersection(Box(1, 1, 3, 3))
        Box(x0=1, y0=1, x1=2, y1=2)
        >>> Box(0, 0, 2, 2).intersection(Box(3, 0, 4, 1)) is None
        True
        """
        box = Box(max(self.x0, other.x0), max(self.y0, other.y0), min(self.x1, other.x1), min(self.y1, other.y1))
        return box if box.x0 < box.x1 and box.y0 < box.y1 else None

    @property
    def __geo_interface__(self) -> dict[str, Any]:
        """The box as a polygon of GeoJSON."""
        x0, y0, x1, y1 = self
        return {"type": "Polygon", "coordinates": (((x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)),)}


def box_of(edges: list[float] | str | None) -> Box | None:
    """A box from the member ``box`` of JSON."""
    if edges is None:
        return None
    if isinstance(edges, str):
        return Box(float("-inf"), float("-inf"), float("inf"), float("inf"))
    return Box(*edges)
