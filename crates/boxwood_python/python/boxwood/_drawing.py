"""One drawing, its elements, and pictures of it."""

from __future__ import annotations

import base64
import html
import json
import math
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, cast
from xml.parsers.expat import ExpatError

from boxwood import _boxwood
from boxwood._box import Box, box_of
from boxwood._clean import removable_kinds, without
from boxwood.types import BoxRow, BoxWarning, Finding, Fonts, Kind, Part, Source, Space, Unit

# A notebook shows at most so many pixels on a side, and so many boxes, because it is saved with them.
MAX_SHOWN_SIDE = 1500
MAX_SHOWN_BOXES = 2000


def load(
    source: Source,
    *,
    fonts: Fonts = None,
    font_dirs: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] = (),
    clip: bool = True,
    time_limit: float | None = 60.0,
    folder: str | os.PathLike[str] | None = None,
) -> Drawing:
    """Loads an SVG or SVGZ drawing from a path, from its text, or from a file object.

    - ``source``: a ``str`` that begins with ``<`` is the text of a drawing, and every other one is a path.
    - ``fonts``: those of the system, ``"bundled"`` (Noto Sans only), or a list of font files, as paths or bytes.
    - ``font_dirs``: folders with more fonts.
    - ``clip``: whether the viewport clips the drawing.
    - ``time_limit``: seconds for loading, and for each picture.
    - ``folder``: the folder that the addresses of images are relative to. A file has its own.

    Raises LoadError, which has ``path``, ``line``, ``column``, and ``limit``, or None in their place:

    >>> import boxwood
    >>> try:
    ...     boxwood.load("<svg><g></svg>")
    ... except boxwood.LoadError as error:
    ...     print(error.line, error.column)
    1 9
    """
    # Copies and crops are loaded with the same options, from another folder perhaps, so these are read once.
    files = font_files(fonts)
    dirs = [os.path.abspath(path) for path in folders(font_dirs)]
    folder = None if folder is None else os.path.abspath(folder)
    native = _boxwood.load(source, settings(files, dirs, clip, time_limit, folder))
    return Drawing(native, (files, dirs, clip, time_limit))


def settings(
    fonts: Fonts,
    font_dirs: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    clip: bool,
    time_limit: float | None,
    folder: str | os.PathLike[str] | None = None,
) -> _boxwood.Settings:
    """The settings of the native module."""
    return _boxwood.Settings(font_files(fonts), folders(font_dirs), clip, time_limit, folder)


def font_files(fonts: Fonts) -> str | list[bytes] | None:
    """The bytes of font files, or the word for other fonts."""
    if fonts is None or isinstance(fonts, str):
        return fonts
    files = []
    for font in fonts:
        if isinstance(font, bytes):
            files.append(font)
        else:
            with open(font, "rb") as file:
                files.append(file.read())
    return files


def folders(paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> list[str | os.PathLike[str]]:
    """One folder, or several."""
    return [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)


def words(**options: Any) -> list[str]:
    """A question to the native module: the name of an option before each of its values."""
    pairs: list[str] = []
    for name, values in options.items():
        if values is None or values is False:
            continue
        for value in values if isinstance(values, (list, tuple)) else [values]:
            pairs += [name, "" if value is True else str(value)]
    return pairs


def listed(name: str, values: str | Iterable[str] | None) -> list[str]:
    """One word, or several. An empty list is an error, because a question without words is about everything."""
    if values is None:
        return []
    if isinstance(values, str):
        return [values]
    try:
        words_of_list = list(values)
    except TypeError:
        raise TypeError(f"{name} must be a str or a list of them, not {type(values).__name__}") from None
    if not words_of_list:
        raise ValueError(f"{name} is an empty list: leave it out for all")
    return words_of_list


def sets_of_parts(include: str | Iterable[str | Sequence[str]] | None) -> list[str]:
    """Sets of parts as words: ``"fill"``, ``"fill,stroke"``, or a list of such sets."""
    if include is None or isinstance(include, str):
        return listed("include", include)
    sets = [parts if isinstance(parts, str) else ",".join(parts) for parts in include]
    return listed("include", sets)


def named(elements: str | Iterable[str] | None) -> dict[str, list[str]]:
    """The elements that a question is about: paths such as ``/svg/g[1]``, or else CSS selectors."""
    names = listed("elements", elements)
    return {
        "id": [name for name in names if name.startswith("/")],
        "select": [name for name in names if not name.startswith("/")],
    }


class Drawing:
    """A loaded drawing. ``boxwood.load`` makes it.

    >>> import boxwood
    >>> drawing = boxwood.load('<svg xmlns="http://www.w3.org/2000/svg" width="100" height="50">'
    ...     '<g id="g"><circle r="30" class="dot"/></g></svg>')
    >>> drawing.width, drawing.height
    (100.0, 50.0)
    >>> [element.name for element in drawing]
    ['/svg', 'g', '/svg/g[1]/circle[1]']
    >>> drawing["circle.dot"].ink
    Box(x0=0.0, y0=0.0, x1=30.0, y1=30.0)
    """

    def __init__(self, native: _boxwood.LoadedDrawing, options: tuple[Any, ...]) -> None:
        self._native = native
        self._options = options

    @property
    def path(self) -> str | None:
        """The path of the file, or None if the drawing was loaded from its text."""
        return self._native.path

    @property
    def width(self) -> float:
        """The width in px."""
        return self._native.size[0]

    @property
    def height(self) -> float:
        """The height in px."""
        return self._native.size[1]

    @property
    def source(self) -> bytes:
        """The text of the drawing, decompressed."""
        return self._native.text

    @property
    def warnings(self) -> list[BoxWarning]:
        """What makes some boxes differ from those that SVG prescribes."""
        return cast("list[BoxWarning]", json.loads(self._native.warnings()))

    @property
    def ink(self) -> Box | None:
        """The box of everything that is painted, inside of its clips. None if that is nothing."""
        edges = self._native.ink()
        return None if edges is None else Box(*edges)

    def __iter__(self) -> Iterator[Element]:
        """The elements that have boxes, or an id, in document order."""
        return iter(self._elements({}))

    def select(self, elements: str | Iterable[str]) -> list[Element]:
        """The elements that match a CSS selector, or have a path such as ``/svg/g[1]``, in document order.

        >>> import boxwood
        >>> drawing = boxwood.load('<svg xmlns="http://www.w3.org/2000/svg"><path id="a" d="M0 0h9v9"/></svg>')
        >>> drawing.select("path")
        [<boxwood.Element path 'a'>]
        >>> drawing.select("rect")
        []
        """
        try:
            return self._elements(named(elements))
        except KeyError:
            return []

    def __getitem__(self, name: str) -> Element:
        """The first element that matches a CSS selector, or has a path. Raises KeyError if there is none.

        An id is ``#id``. What a ``use`` draws has a path of its own, so a definition may have several elements.
        """
        if not isinstance(name, str):
            raise TypeError(f"an element is named by a selector or a path, not by {type(name).__name__}")
        try:
            return self._elements(named(name))[0]
        except KeyError as error:
            if not any(row["has_id"] and row["name"] == name for row in self._rows()):
                raise
            raise KeyError(f"{error.args[0]}: did you mean the id `#{name}`?") from None

    def __contains__(self, element: object) -> bool:
        """Whether an element is of this drawing, or a selector matches one."""
        if isinstance(element, Element):
            return element.drawing is self
        return isinstance(element, str) and bool(self.select(element))

    def _elements(self, elements: dict[str, list[str]]) -> list[Element]:
        # The rows of an element follow each other.
        by_order: dict[int, Element] = {}
        for row in self._rows(**elements):
            by_order.setdefault(row["order"], Element(self, row))
        return list(by_order.values())

    def _rows(self, **options: Any) -> list[BoxRow]:
        return cast("list[BoxRow]", json.loads(self._native.boxes(words(**options)))["rows"])

    def boxes(
        self,
        elements: str | Iterable[str] | None = None,
        *,
        kinds: Kind | Iterable[Kind] | None = None,
        include: str | Iterable[str | Sequence[Part]] | None = None,
        space: Space = "scene",
        zoom: float | None = None,
        unit: Unit = "px",
    ) -> list[BoxRow]:
        """The rows that ``boxwood query --format json`` prints, as dictionaries.

        These are ink boxes of some kinds, or of all of them. With ``include``, they are object boxes of these parts:
        ``"fill"`` for those that ``getBBox`` returns, ``"fill,stroke"``, or a list of such sets.

        >>> import boxwood
        >>> drawing = boxwood.load('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">'
        ...     '<rect id="r" width="4" height="20"/></svg>')
        >>> [row["box"] for row in drawing.boxes("#r", kinds=["leaf", "clipped"])]
        [[0.0, 0.0, 4.0, 20.0], [0.0, 0.0, 4.0, 9.0]]
        """
        return self._rows(
            kind=listed("kinds", kinds),
            include=sets_of_parts(include),
            space=None if space == "scene" else space,
            zoom=zoom,
            unit=None if unit == "px" else unit,
            **named(elements),
        )

    def at(self, x: float, y: float, *, precise: bool = True) -> list[Element]:
        """The elements that paint a point, the top-most first. Without ``precise``, those whose clipped box contains it.

        >>> import boxwood
        >>> drawing = boxwood.load('<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100">'
        ...     '<circle id="c" cx="50" cy="50" r="50"/></svg>')
        >>> drawing.at(50, 50)
        [<boxwood.Element circle 'c'>]
        >>> drawing.at(1, 1), drawing.at(1, 1, precise=False)
        ([], [<boxwood.Element circle 'c'>])
        """
        return self._at(at=f"{float(x)!r},{float(y)!r}", precise=precise)

    def within(self, x0: float, y0: float, x1: float, y1: float) -> list[Element]:
        """The elements whose clipped box overlaps a rectangle, the top-most first."""
        return self._at(within=",".join(repr(float(edge)) for edge in (x0, y0, x1, y1)))

    def _at(self, **place: Any) -> list[Element]:
        by_order: dict[int, Element] = {}
        for row in self._rows(**place):
            # A group at the place has a row, but paints nothing itself.
            if row["kind"] == "clipped":
                by_order.setdefault(row["order"], Element(self, row))
        return list(by_order.values())

    def explain(self, elements: str | Iterable[str] | None = None) -> list[dict[str, Any]]:
        """What each effect around elements leaves of their boxes, as ``boxwood explain --format json`` prints it.

        >>> import boxwood
        >>> drawing = boxwood.load('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">'
        ...     '<rect id="r" x="20" width="4" height="4"/></svg>')
        >>> drawing.explain("#r")[0]["parts"][0]["hidden"]["why"]
        'off-canvas'
        """
        answer = self._native.explain(words(**named(elements)))
        return cast("list[dict[str, Any]]", json.loads(answer))

    def audit(self, kinds: str | Iterable[str] | None = None, *, view_box: bool = False) -> list[Finding]:
        """What is wasted in the drawing, as ``boxwood audit --format json`` prints it.

        With the kind ``"sticks-out"``, also what sticks out of the canvas, or of the viewBox with ``view_box``.

        >>> import boxwood
        >>> drawing = boxwood.load('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">'
        ...     '<rect id="r" x="20" width="4" height="4"/></svg>')
        >>> [finding["kind"] for finding in drawing.audit()]
        ['off-canvas']
        """
        answer = self._native.findings(words(kind=listed("kinds", kinds), viewBox=view_box))
        return cast("list[Finding]", json.loads(answer))

    def outside(self) -> list[Finding]:
        """What sticks out of the viewBox, or of the canvas if there is no viewBox.

        >>> import boxwood
        >>> drawing = boxwood.load('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">'
        ...     '<path id="p" d="M2 2h30v6h-30z"/></svg>')
        >>> [finding["explanation"] for finding in drawing.outside()]
        ['sticks out of the viewBox: 8 px right']
        """
        return self.audit("sticks-out", view_box=True)

    def crop(
        self, elements: str | Iterable[str] | None = None, *, padding: float | str = 0, square: bool = False
    ) -> Drawing:
        """The drawing without the empty space around what it paints. Only the start tag of the root changes.

        ``padding`` is in px, or a text such as ``"2mm"``. Raises ValueError if something would change.

        >>> import boxwood
        >>> drawing = boxwood.load('<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90">'
        ...     '<rect x="10" y="20" width="30" height="40"/></svg>')
        >>> cropped = drawing.crop(padding=5)
        >>> cropped.width, cropped.height
        (40.0, 50.0)
        """
        text = self._native.crop(words(padding=padding or None, square=square, **named(elements)))
        return self if text is None else self._with_text(text)

    def clean(self) -> Drawing:
        """The drawing without elements that nobody can see: outside of the canvas or of their clips, or without paint.

        It stays as it is if that is not certain: with texts, scripts, animations, warnings, entities, or
        ``pointer-events``. What is outside of the canvas stays if the root has no ``width`` and ``height``, because a
        page may show more than the ``viewBox`` then.

        >>> import boxwood
        >>> drawing = boxwood.load('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">'
        ...     '<rect width="4" height="4"/><rect x="20" width="4" height="4"/></svg>')
        >>> drawing.clean().source.decode()
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="4" height="4"/></svg>'
        """
        try:
            kinds = removable_kinds(self.source)
        except (ExpatError, ValueError, LookupError):
            # The parser of Python knows fewer encodings.
            return self
        if not kinds or self.warnings or self._native.may_change():
            return self
        paths = {finding["path"] for finding in self.audit(kinds)}
        return self._with_text(without(self.source, paths)) if paths else self

    def _with_text(self, text: bytes) -> Drawing:
        return _reloaded(text, self._options, self._native.folder, self.path)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the text of the drawing to a file."""
        with open(path, "wb") as file:
            file.write(self.source)

    def render(self, zoom: float = 1.0) -> Picture:
        """A picture of the drawing by resvg, with a transparent background.

        >>> import boxwood
        >>> drawing = boxwood.load('<svg xmlns="http://www.w3.org/2000/svg" width="4" height="3">'
        ...     '<rect width="9" height="9" fill="red"/></svg>')
        >>> picture = drawing.render(zoom=2)
        >>> picture.width, picture.height, picture.pixels[:4]
        (8, 6, b'\\xff\\x00\\x00\\xff')
        """
        return Picture(*self._native.render(zoom))

    def __repr__(self) -> str:
        where = f" {self.path!r}" if self.path else ""
        return f"<boxwood.Drawing{where}, {self.width:g} x {self.height:g} px>"

    def _repr_svg_(self) -> str:
        """A picture of the drawing with its clipped boxes, whose names the pointer shows."""
        width, height = self.width, self.height
        picture = self.render(min(1.0, MAX_SHOWN_SIDE / max(width, height)))
        data = base64.b64encode(picture.png()).decode()
        boxes = []
        for row in self.boxes(kinds="clipped")[:MAX_SHOWN_BOXES]:
            box = box_of(row["box"])
            if box is not None and math.isfinite(box.x0):
                title = html.escape(f"{row['name']}: {box.x0:g}, {box.y0:g}, {box.x1:g}, {box.y1:g}")
                boxes.append(
                    f'<rect x="{box.x0}" y="{box.y0}" width="{box.width}" height="{box.height}" vector-effect="non-scaling-stroke">'
                    f'<title>{title}</title></rect>'
                )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
            f'<image width="{width}" height="{height}" href="data:image/png;base64,{data}"/>'
            '<g fill="transparent" stroke="#d33">' + "".join(boxes) + "</g></svg>"
        )

    def _repr_html_(self) -> str:
        # JupyterLab shows an SVG as an image, in which the pointer shows no names.
        return self._repr_svg_()

    def __reduce__(self) -> tuple[Any, ...]:
        # A pickle has the text, because the drawing in memory is large.
        return _reloaded, (self.source, self._options, self._native.folder, self.path)


def _reloaded(text: bytes, options: tuple[Any, ...], folder: str | None, path: str | None) -> Drawing:
    """The drawing with another text, and with the images of the same folder."""
    fonts, font_dirs, clip, time_limit = options
    return Drawing(_boxwood.load(text, settings(fonts, font_dirs, clip, time_limit, folder), path), options)


class Element:
    """An element of a drawing.

    - ``name``: its id, or its path if it has none. ``id``: its id, or None.
    - ``tag``: its name in SVG, such as ``rect``. ``classes``: the words of its attribute ``class``.
    - ``path``: its path in the document, such as ``/svg/g[2]/rect[1]``. ``line``, ``column``: its place in the text,
      starting at 1.
    - ``drawing``: its drawing.

    Elements are equal if they are the same element of the same ``Drawing``.
    """

    def __init__(self, drawing: Drawing, row: BoxRow) -> None:
        self.drawing = drawing
        self.name: str = row["name"]
        self.id: str | None = row["name"] if row["has_id"] else None
        self.tag: str = row["element"]
        self.path: str = row["path"]
        self.line: int = row["line"]
        self.column: int = row["column"]
        self.classes: list[str] = row["class"].split()
        self._order: int = row["order"]

    @property
    def ink(self) -> Box | None:
        """The box of what the element paints, inside of the clips around it. None if that is nothing."""
        edges = self.drawing._native.ink_of(self._order)
        return None if edges is None else Box(*edges)

    def bbox(
        self,
        *,
        fill: bool = True,
        stroke: bool = False,
        markers: bool = False,
        clipped: bool = False,
        space: Literal["local", "scene"] = "local",
    ) -> Box | None:
        """The box that ``getBBox`` returns in a browser with these options, or None if there is none.

        It is in the user space of the element. With ``space="scene"``, it is in that of the drawing.
        """
        parts = {"fill": fill, "stroke": stroke, "markers": markers, "clipped": clipped}
        include = ",".join(part for part, is_included in parts.items() if is_included)
        rows = self._rows(include=[include], space=None if space == "scene" else space)
        return box_of(rows[0]["box"]) if rows else None

    def boxes(self, kinds: Kind | Iterable[Kind] | None = None) -> dict[str, Box | None]:
        """The ink boxes of the element by their kinds: ``leaf``, ``clipped``, ``clip``, and ``group``."""
        return {row["kind"]: box_of(row["box"]) for row in self._rows(kind=listed("kinds", kinds)) if row["kind"]}

    @property
    def reason(self) -> str | None:
        """Why the element paints nothing, such as ``display-none``. None if it paints something."""
        return cast("str | None", self.explain()["reason"])

    def explain(self) -> dict[str, Any]:
        """What each effect around the element leaves of its box."""
        return cast("dict[str, Any]", json.loads(self.drawing._native.explain(["id", self.path]))[0])

    def _rows(self, **options: Any) -> list[BoxRow]:
        # An id may occur twice, but each path is of one element.
        rows = self.drawing._rows(id=[self.path], **options)
        return [row for row in rows if row["order"] == self._order]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Element):
            return NotImplemented
        return self.drawing is other.drawing and self._order == other._order

    def __hash__(self) -> int:
        return hash((id(self.drawing), self._order))

    def __repr__(self) -> str:
        return f"<boxwood.Element {self.tag} {self.name!r}>"


class Picture:
    """Pixels: rows of red, green, blue, and alpha from 0 to 255. ``numpy.asarray(picture)`` is an array of them."""

    def __init__(self, width: int, height: int, pixels: bytes) -> None:
        if len(pixels) != 4 * width * height:
            raise ValueError("a picture has four bytes per pixel")
        self.width = width
        self.height = height
        self.pixels = pixels

    @property
    def __array_interface__(self) -> dict[str, Any]:
        return {"version": 3, "shape": (self.height, self.width, 4), "typestr": "|u1", "data": self.pixels}

    def png(self) -> bytes:
        """The picture as a PNG file."""
        return _boxwood.png(self.width, self.height, self.pixels)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the picture to a PNG file."""
        with open(path, "wb") as file:
            file.write(self.png())

    def _repr_png_(self) -> bytes:
        return self.png()

    def __repr__(self) -> str:
        return f"<boxwood.Picture, {self.width} x {self.height} pixels>"
