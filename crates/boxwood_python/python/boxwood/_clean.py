"""Removes elements that nobody can see from the text of a drawing."""

from __future__ import annotations

from collections import Counter
from xml.parsers import expat

# Words that show that invisible elements may still matter: for clicks, or in style sheets of other files.
_OTHER_USES = (b"pointer-events", b"xml-stylesheet")

# An element of an entity is in the text where the entity is declared, and not where it is used.
_ENTITIES = b"<!ENTITY"


def removable_kinds(text: bytes) -> list[str]:
    """The kinds of finding about elements that can be removed from a drawing.

    ``covered`` is not one of them: a renderer blends an opaque edge with what is below it.
    """
    # In UTF-16, each of these letters has a zero byte beside it.
    letters = text.replace(b"\0", b"")
    if any(word in letters for word in (*_OTHER_USES, _ENTITIES)):
        return []
    structure = Structure(text)
    # Where a text is depends on the fonts of the reader.
    if "text" in structure.tags:
        return []
    certain = ["empty", "clipped-away"]
    return [*certain, "off-canvas"] if structure.has_own_canvas() else certain


def without(text: bytes, paths: set[str]) -> bytes:
    """The text without the elements that have these paths, such as ``/svg/g[2]/rect[1]``."""
    kept: list[bytes] = []
    position = 0
    for start, end in Structure(text, paths).ranges:
        kept.append(text[position:start])
        position = end
    return b"".join([*kept, text[position:]])


class Structure:
    """The places of elements in a text, in bytes."""

    def __init__(self, text: bytes, paths: frozenset[str] | set[str] = frozenset()) -> None:
        self.tags: set[str] = set()
        self.root: dict[str, str] = {}
        self.ranges: list[tuple[int, int]] = []
        self._paths = paths
        # The path of each open element, and how many children with each name it has had.
        self._open: list[tuple[str, Counter[str]]] = []
        self._start: tuple[int, int] | None = None
        self._ends_with_next_event = False
        # A byte order mark overrides the encoding that the text declares.
        encoding = "utf-8" if text.startswith(b"\xef\xbb\xbf") else None
        self._parser = parser = expat.ParserCreate(encoding)
        parser.StartElementHandler = self._begin
        parser.EndElementHandler = self._end
        parser.DefaultHandler = lambda _: self._event()
        parser.Parse(text, True)

    def has_own_canvas(self) -> bool:
        """Whether the root has a width and a height, and clips what is outside of it.

        Without them, a page may show the drawing in any size, and then more than its ``viewBox`` on two sides. A ``view``
        shows another part of it.
        """
        sides = [self.root.get(side, "").strip() for side in ("width", "height")]
        style = self.root.get("style", "")
        is_plain = "overflow" not in self.root and not any(
            word in style for word in ("overflow", "width", "height", "size")
        )
        is_sized = all(side and side != "auto" and not side.endswith("%") for side in sides)
        return is_sized and is_plain and not self.tags & {"style", "view"}

    def _event(self) -> None:
        # The end of an element is the place of the next event.
        if self._ends_with_next_event and self._start is not None:
            self.ranges.append((self._start[0], self._parser.CurrentByteIndex))
            self._start, self._ends_with_next_event = None, False

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        self._event()
        tag = name.rpartition(":")[2]
        self.tags.add(tag)
        if self._open:
            parent, counts = self._open[-1]
            counts[tag] += 1
            path = f"{parent}/{tag}[{counts[tag]}]"
        else:
            path, self.root = f"/{tag}", attributes
        if path in self._paths and self._start is None:
            self._start = self._parser.CurrentByteIndex, len(self._open)
        self._open.append((path, Counter()))

    def _end(self, _: str) -> None:
        self._event()
        self._open.pop()
        self._ends_with_next_event = self._start is not None and self._start[1] == len(self._open)
