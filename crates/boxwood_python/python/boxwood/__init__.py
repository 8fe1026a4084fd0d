"""Boxes of SVG drawings as browsers have them, without a browser.

>>> import boxwood
>>> drawing = boxwood.load('<svg xmlns="http://www.w3.org/2000/svg" width="100" height="50">'
...     '<rect id="logo" x="80" y="10" width="40" height="20" stroke="red"/></svg>')
>>> drawing["#logo"].bbox()
Box(x0=80.0, y0=10.0, x1=120.0, y1=30.0)
>>> drawing["#logo"].ink
Box(x0=79.5, y0=9.5, x1=100.0, y1=30.5)
"""

from boxwood import _interpreter  # noqa: F401, first, because it refuses subinterpreters
from boxwood import types
from boxwood._boxwood import LoadError, Table
from boxwood._box import Box
from boxwood._drawing import Drawing, Element, Picture, load
from boxwood._batches import annotate, box_batches, boxes

__all__ = [
    "Box",
    "Drawing",
    "Element",
    "LoadError",
    "Picture",
    "Table",
    "annotate",
    "box_batches",
    "boxes",
    "load",
    "types",
]
# An error that a program makes itself has no place.
for _name in ("path", "index", "line", "column", "limit"):
    setattr(LoadError, _name, None)

__version__ = "0.1.0"
