"""The boxes of many drawings."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from boxwood import _boxwood
from boxwood._drawing import listed, named, sets_of_parts, settings, words
from boxwood.types import Fonts, Kind, Part, Source, Space, Unit

if TYPE_CHECKING:
    from typing_extensions import Unpack


class BatchOptions(TypedDict, total=False):
    """The options of ``box_batches``."""

    elements: str | Iterable[str] | None
    kinds: Kind | Iterable[Kind] | None
    include: str | Iterable[str | Sequence[Part]] | None
    space: Space
    zoom: float | None
    unit: Unit
    threads: int | None
    errors: Literal["row", "raise"]
    fonts: Fonts
    font_dirs: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]
    clip: bool
    time_limit: float | None
    folder: str | os.PathLike[str] | None


def boxes(drawings: Iterable[Source | None], **options: Unpack[BatchOptions]) -> _boxwood.Table:
    """A table with the boxes of drawings, which every library that reads Arrow can take.

    ``drawings`` are paths or texts, as for ``boxwood.load``. A drawing that cannot be loaded is a row with its ``error``,
    and one without a wanted box is a row without a ``name``. The options are those of ``box_batches``.

    >>> import boxwood
    >>> table = boxwood.boxes([
    ...     '<svg xmlns="http://www.w3.org/2000/svg"><rect id="r" width="9" height="4"/></svg>',
    ...     'not there.svg',
    ... ], kinds="clipped")
    >>> [(row["index"], row["name"], row["x1"], row["error"]) for row in table.to_pylist() if row["name"] != "/svg"]
    ... # doctest: +ELLIPSIS
    [(0, 'r', 9.0, None), (1, None, None, 'cannot read not there.svg: ...')]

    ``pyarrow.table(table)``, ``polars.DataFrame(table)``, and ``duckdb`` take it. A plane, which clips nothing, has
    infinite edges.
    """
    return _boxwood.Table.concat(list(box_batches(drawings, **options)))


def box_batches(
    drawings: Iterable[Source | None],
    *,
    elements: str | Iterable[str] | None = None,
    kinds: Kind | Iterable[Kind] | None = None,
    include: str | Iterable[str | Sequence[Part]] | None = None,
    space: Space = "scene",
    zoom: float | None = None,
    unit: Unit = "px",
    threads: int | None = None,
    errors: Literal["row", "raise"] = "row",
    fonts: Fonts = None,
    font_dirs: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] = (),
    clip: bool = True,
    time_limit: float | None = 60.0,
    folder: str | os.PathLike[str] | None = None,
) -> Iterator[_boxwood.Table]:
    """Tables with the boxes of drawings, in their order. At most 64 drawings per thread are in memory.

    - ``elements``, ``kinds``, ``include``, ``space``, ``zoom``, ``unit``: the boxes, as for ``Drawing.boxes``.
    - ``threads``: the number of threads, or None for one per core.
    - ``errors``: with ``"raise"``, the first drawing that cannot be loaded ends the batch with a LoadError, whose ``index``
      is the position of the drawing.
    - ``fonts``, ``font_dirs``, ``clip``, ``folder``: as for ``boxwood.load``.
    - ``time_limit``: seconds for each drawing.

    >>> import boxwood
    >>> texts = ('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9v9"/></svg>' for _ in range(100))
    >>> sum(len(table) for table in boxwood.box_batches(texts, kinds="leaf", elements="path"))
    100
    """
    if errors not in ("row", "raise"):
        raise ValueError(f'errors must be "row" or "raise", not {errors!r}')
    question = words(
        kind=listed("kinds", kinds),
        include=sets_of_parts(include),
        space=None if space == "scene" else space,
        zoom=zoom,
        unit=None if unit == "px" else unit,
        **named(elements),
    )
    if isinstance(drawings, (str, bytes, os.PathLike)):
        raise TypeError("drawings must be a list of drawings: put this one into a list")
    options = settings(fonts, font_dirs, clip, time_limit, folder)
    return _boxwood.Batches(drawings, question, options, threads, errors == "raise")


def annotate(table: Any, *, column: str = "svg", key: str | None = None, **options: Unpack[BatchOptions]) -> Any:
    """The boxes of the drawings in a column of a table of pyarrow: a function for ``ray.data.Dataset.map_batches``.

    The column has texts of drawings as strings or binary, or paths. With ``key``, the values of that column are the
    first column of the result, in place of the ``index`` of the drawing in this batch. The options are those of
    ``box_batches``. Every table that ``pyarrow.table`` takes will do.
    """
    import pyarrow

    table = pyarrow.table(table)
    for name, option in ((column, "column"), (key, "key")):
        if name is not None and name not in table.column_names:
            raise ValueError(f"the table has no column `{name}`, the {option}: it has {', '.join(table.column_names)}")
    if key is not None and key != "index" and key in _boxwood.Table.concat([]).column_names:
        raise ValueError(f"the boxes have a column `{key}` as well: rename the key")
    boxes_of_batch = pyarrow.table(boxes(table[column].to_pylist(), **options))
    if key is None:
        return boxes_of_batch
    keys = table[key]
    # pyarrow cannot take items of polars' type of strings.
    if pyarrow.types.is_string_view(keys.type):
        keys = keys.cast(pyarrow.string())
    keys = keys.take(boxes_of_batch["index"])
    return boxes_of_batch.drop_columns("index").add_column(0, key, keys)
