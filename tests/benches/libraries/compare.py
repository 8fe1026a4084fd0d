"""Compares the boxes of shapes by Python libraries with Chromium's, and their times.

    node packages/reports/shapes.js FILE... > shapes.jsonl
    python tests/benches/libraries/compare.py shapes.jsonl [--inkscape N]

It needs `pip install svgelements svgpathtools cairosvg` and, for --inkscape, the program. A box is right if each edge is within
0.05 units or a thousandth of the size of Chromium's. Every library is compared in the space that its boxes have: the user
space of the element (Boxwood, svgpathtools, CairoSVG), or that of the root (Boxwood, svgelements, Inkscape), in which
shapes that are rotated do not count. Inkscape's boxes contain strokes, so shapes with strokes do not count for it.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import os
import subprocess
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import boxwood

Edges = tuple[float, float, float, float]
Boxes = dict[str, Edges]


def by_boxwood(file: str, _: float) -> Boxes:
    rows = boxwood.load(file).boxes(include="fill", space="local")
    return {row["name"]: tuple(row["box"]) for row in rows if row["has_id"] and row["box"]}


def by_boxwood_in_root(file: str, _: float) -> Boxes:
    rows = boxwood.load(file).boxes(include="fill", unit="user")
    return {row["name"]: tuple(row["box"]) for row in rows if row["has_id"] and row["box"]}


def by_svgpathtools(file: str, _: float) -> Boxes:
    from svgpathtools import svg2paths

    paths, attributes = svg2paths(file)
    boxes = {}
    for path, values in zip(paths, attributes):
        if "id" in values and len(path):
            x0, x1, y0, y1 = path.bbox()
            boxes[values["id"]] = (x0, y0, x1, y1)
    return boxes


def by_svgelements(file: str, _: float) -> Boxes:
    from svgelements import SVG, Matrix, Shape

    drawing = SVG.parse(file)
    inverse = Matrix(drawing.viewbox_transform or "")
    inverse.inverse()
    boxes = {}
    for element in drawing.elements():
        if isinstance(element, Shape) and element.id and (box := element.bbox()) is not None:
            corners = [inverse.point_in_matrix_space((x, y)) for x in box[::2] for y in box[1::2]]
            xs, ys = [corner[0] for corner in corners], [corner[1] for corner in corners]
            boxes[element.id] = (min(xs), min(ys), max(xs), max(ys))
    return boxes


def by_cairosvg(file: str, _: float) -> Boxes:
    from cairosvg.bounding_box import calculate_bounding_box
    from cairosvg.parser import Tree
    from cairosvg.surface import PNGSurface

    tree = Tree(url=file)
    surface = PNGSurface(tree, None, 96)
    boxes = {}

    def visit(node: Any) -> None:
        box = calculate_bounding_box(surface, node) if node.get("id") else None
        if box:
            x, y, width, height = box
            boxes[node["id"]] = (x, y, x + width, y + height)
        for child in node.children:
            visit(child)

    visit(tree)
    return boxes


def by_inkscape(file: str, scale: float) -> Boxes:
    done = subprocess.run(["inkscape", "--query-all", file], capture_output=True, text=True, timeout=60)
    boxes = {}
    for line in done.stdout.splitlines():
        name, *numbers = line.rsplit(",", 4)
        if len(numbers) == 4:
            x, y, width, height = (float(number) / scale for number in numbers)
            boxes[name] = (x, y, x + width, y + height)
    return boxes


def processor_time() -> float:
    """The time of this process and its children, in seconds."""
    user, system, user_of_children, system_of_children, _ = os.times()
    return user + system + user_of_children + system_of_children


def is_near(found: Edges | None, expected: list[float]) -> bool:
    # svgelements leaves some lengths unresolved.
    if found is None or not all(isinstance(edge, (int, float)) and math.isfinite(edge) for edge in found):
        return False
    tolerance = max(0.05, 1e-3 * max(expected[2] - expected[0], expected[3] - expected[1]))
    return all(abs(a - b) <= tolerance for a, b in zip(found, expected))


def compare(name: str, boxes_of: Callable[[str, float], Boxes], space: str, drawings: list[dict[str, Any]]) -> None:
    n_shapes = n_right = n_failed = 0
    # The library is imported, and reads its fonts.
    with contextlib.suppress(ValueError, KeyError):
        boxes_of(drawings[0]["file"], drawings[0]["scale"])
    start = processor_time()
    for drawing in drawings:
        try:
            found = boxes_of(drawing["file"], drawing["scale"])
        except (ImportError, FileNotFoundError):
            raise
        except Exception:
            found, n_failed = {}, n_failed + 1
        for shape in drawing["shapes"]:
            expected = shape[space]
            if expected is not None and not (name == "Inkscape" and shape["isStroked"]):
                n_shapes += 1
                n_right += is_near(found.get(shape["id"]), expected)
    seconds = processor_time() - start
    share = 100 * n_right / n_shapes
    print(f"| {name} | {space} | {n_shapes:,} | {share:.2f} % | {n_failed} | {1000 * seconds / len(drawings):.2f} ms |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shapes", type=Path, help="what packages/reports/shapes.js has printed")
    parser.add_argument("--inkscape", type=int, default=0, metavar="N", help="compare N drawings with Inkscape as well")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    drawings = [json.loads(line) for line in options.shapes.read_text().splitlines()]
    print("| library | space | shapes | right | drawings refused | processor per drawing |\n|---|---|---|---|---|---|")
    compare("Boxwood", by_boxwood, "local", drawings)
    compare("svgpathtools", by_svgpathtools, "local", drawings)
    compare("CairoSVG", by_cairosvg, "local", drawings)
    compare("Boxwood", by_boxwood_in_root, "root", drawings)
    compare("svgelements", by_svgelements, "root", drawings)
    if options.inkscape:
        step = max(len(drawings) // options.inkscape, 1)
        compare("Inkscape", by_inkscape, "root", drawings[::step])


if __name__ == "__main__":
    main()
