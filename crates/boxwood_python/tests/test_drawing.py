"""One drawing: loading, elements, questions, crops, and pictures."""

from __future__ import annotations

import io
import os
import pickle
from pathlib import Path
from typing import Any

import boxwood
import pytest
from boxwood import Box
from conftest import svg

TEXT = svg('<g id="g"><rect id="r" x="90" y="10" width="30" height="20" stroke="red" class="a b"/></g><path d="M0 0h5v5"/>')


def test_a_drawing_is_loaded_from_all_that_has_its_text(tmp_path: Path) -> None:
    file = tmp_path / "a.svg"
    file.write_text(TEXT)
    sources: list[Any] = [TEXT, TEXT.encode(), bytearray(TEXT.encode()), memoryview(TEXT.encode()), file, str(file)]
    sources += [io.StringIO(TEXT), io.BytesIO(TEXT.encode()), "\ufeff \n" + TEXT, bytes(file)]
    for source in sources:
        expected = Box(89.5, 9.5, 100.0, 30.5)
        if isinstance(source, bytes) and not source.startswith(b"<"):
            with pytest.raises(boxwood.LoadError):
                boxwood.load(source)
        else:
            assert boxwood.load(source)["#r"].ink == expected, source
    for source in [None, 1, [TEXT], object()]:
        with pytest.raises(TypeError, match="a path, its text as str or bytes, or a file object"):
            boxwood.load(source)  # type: ignore[arg-type]


def test_a_str_has_no_encoding() -> None:
    text = '<?xml version="1.0" encoding="ISO-8859-1"?>' + svg('<rect id="ä" width="9" height="9"/>')
    assert [boxwood.load(source)["rect"].id for source in (text, text.encode("iso-8859-1"))] == ["ä", "ä"]
    with pytest.raises(boxwood.LoadError) as caught:
        boxwood.load(text.replace("/>", ">"))
    assert (caught.value.line, caught.value.column) == (1, 142)


def test_a_file_has_its_path_and_its_images(tmp_path: Path) -> None:
    (tmp_path / "i.svg").write_text(svg('<rect width="10" height="10"/>'))
    file = tmp_path / "ä b.svg"
    file.write_text(svg('<image id="i" href="i.svg" width="50" height="40"/>'))
    drawing = boxwood.load(file)
    assert drawing.path == str(file)
    assert drawing["#i"].ink == Box(0, 0, 5, 5)
    for copy in [pickle.loads(pickle.dumps(drawing)), drawing.crop(), boxwood.load(file.read_text(), folder=tmp_path)]:
        assert copy["#i"].ink == Box(0, 0, 5, 5)
    assert pickle.loads(pickle.dumps(drawing)).path == drawing.crop().path == str(file)
    assert boxwood.load(file.read_text()).warnings[0]["first"] == "i.svg"


def test_elements_have_names_and_boxes() -> None:
    drawing = boxwood.load(TEXT)
    rect = drawing["#r"]
    assert (rect.name, rect.id, rect.tag, rect.path) == ("r", "r", "rect", "/svg/g[1]/rect[1]")
    assert (rect.line, rect.column, rect.classes) == (1, 75, ["a", "b"])
    assert rect.bbox() == Box(90, 10, 120, 30)
    assert rect.bbox(stroke=True) == Box(89.5, 9.5, 120.5, 30.5)
    assert rect.bbox(fill=True, clipped=True) == Box(90, 10, 120, 30)
    assert rect.boxes() == {"leaf": Box(89.5, 9.5, 120.5, 30.5), "clipped": Box(89.5, 9.5, 100, 30.5)}
    assert drawing["/svg/path[1]"].id is None
    assert [element.name for element in drawing] == ["/svg", "g", "r", "/svg/path[1]"]
    assert [element.name for element in drawing.select(["rect", "ellipse", "/svg/path[1]"])] == ["r", "/svg/path[1]"]
    with pytest.raises(ValueError, match="include is an empty list"):
        drawing.boxes(include=[])
    assert [element.name for element in drawing.select("rect, path")] == ["r", "/svg/path[1]"]
    assert drawing["g"].ink == drawing["#r"].ink
    assert drawing.ink == Box(0, 0, 100, 30.5)


def test_local_boxes_are_in_the_space_of_the_element() -> None:
    drawing = boxwood.load(svg('<g transform="scale(2)"><rect id="r" width="9" height="4" transform="translate(1)"/></g>'))
    assert drawing["#r"].bbox() == Box(0, 0, 9, 4)
    assert drawing["#r"].bbox(space="scene") == Box(2, 0, 20, 8)


def test_an_element_that_is_not_there_is_a_key_error() -> None:
    drawing = boxwood.load(TEXT)
    for name in ["#missing", "/svg/g[7]", "ellipse"]:
        with pytest.raises(KeyError):
            drawing[name]
        assert drawing.select(name) == []
    with pytest.raises(ValueError, match="selector"):
        drawing["##"]


def test_elements_are_equal_in_one_drawing() -> None:
    drawing, other = boxwood.load(TEXT), boxwood.load(TEXT)
    assert drawing["#r"] in drawing.select("rect") and drawing["#r"] == drawing["rect"] != other["#r"]
    assert len({drawing["#r"], drawing["rect"], drawing["path"]}) == 2
    assert "#r" in drawing and "#q" not in drawing and drawing["#r"] in drawing and other["#r"] not in drawing
    with pytest.raises(KeyError, match="did you mean the id `#r`"):
        drawing["r"]
    wrong: Any = 0
    with pytest.raises(TypeError, match="not by int"):
        drawing[wrong]


def test_numbers_are_those_of_json() -> None:
    drawing = boxwood.load(svg('<rect id="r" x="0.1" y="0.7" width="15.1" height="9.3"/>'))
    assert drawing["#r"].ink == drawing["#r"].boxes()["clipped"] == Box(*drawing.boxes("#r", kinds="leaf")[0]["box"] or [])


def test_elements_that_paint_nothing_have_a_reason() -> None:
    drawing = boxwood.load(svg('<rect id="a" width="9" height="9" display="none"/><rect id="b" width="9" height="9"/>'))
    assert drawing["#a"].ink is None
    assert drawing["#a"].bbox() is None
    assert (drawing["#a"].reason, drawing["#b"].reason) == ("display-none", None)


def test_ids_may_have_any_characters() -> None:
    drawing = boxwood.load(svg('<rect id="a b,c#" width="9" height="9"/><rect id="dup" width="1" height="1"/>'
                               '<rect id="dup" width="2" height="2"/>'))
    assert drawing["rect"].ink == Box(0, 0, 9, 9)
    assert [element.ink for element in drawing.select("#dup")] == [Box(0, 0, 1, 1), Box(0, 0, 2, 2)]


def test_places_have_the_top_most_element_first() -> None:
    drawing = boxwood.load(svg('<rect id="a" width="50" height="50"/><circle id="b" cx="25" cy="25" r="20"/>'))
    names = [element.name for element in drawing.at(25, 25)]
    assert names == ["b", "a"]
    assert [element.name for element in drawing.at(6, 6)] == ["a"]
    assert [element.name for element in drawing.at(6, 6, precise=False)] == ["b", "a"]
    assert [element.name for element in drawing.within(46, 46, 60, 60)] == ["a"]
    for bad in [(float("nan"), 0), (float("inf"), 0)]:
        with pytest.raises(ValueError, match="at"):
            drawing.at(*bad)


def test_questions_without_a_meaning_are_refused() -> None:
    drawing = boxwood.load(TEXT)
    for options, message in [
        ({"kinds": "ink"}, "ink"),
        ({"unit": "cm"}, "cm"),
        ({"space": "local"}, "include"),
        ({"zoom": 2}, "device"),
        ({"kinds": "leaf", "include": "fill"}, "leave one of them out"),
    ]:
        with pytest.raises(ValueError, match=message):
            drawing.boxes(**options)  # type: ignore[arg-type]


def test_a_crop_changes_only_the_start_tag(tmp_path: Path) -> None:
    drawing = boxwood.load(TEXT)
    cropped = drawing.crop("path", padding="1mm", square=True)
    assert cropped.width == cropped.height > 12
    assert cropped.source.endswith(drawing.source[-100:])
    with pytest.raises(ValueError, match="use less padding"):
        drawing.crop("#r", padding=1)
    cropped.save(tmp_path / "cropped.svg")
    assert (tmp_path / "cropped.svg").read_bytes() == cropped.source
    with pytest.raises(ValueError, match="padding"):
        drawing.crop(padding="x")


def test_pictures_have_straight_alpha() -> None:
    drawing = boxwood.load(svg('<rect width="1" height="1" fill="#ff8040" opacity="0.5"/>'))
    picture = drawing.render()
    assert (picture.width, picture.height) == (100, 80)
    red, green, blue, alpha = picture.pixels[:4]
    assert abs(alpha - 128) <= 1 and abs(red - 255) <= 1 and abs(green - 128) <= 2 and abs(blue - 64) <= 2
    assert picture.pixels[4:8] == bytes(4)
    assert picture.png().startswith(b"\x89PNG")
    for zoom in [0, -1, float("nan"), float("inf")]:
        with pytest.raises(ValueError, match="zoom"):
            drawing.render(zoom)
    with pytest.raises(boxwood.LoadError, match="use a smaller zoom"):
        drawing.render(1e6)
    with pytest.raises(ValueError, match="four bytes per pixel"):
        boxwood.Picture(2, 2, bytes(15))


def test_pickles_are_equal(tmp_path: Path) -> None:
    drawing = boxwood.load(TEXT, clip=False)
    again = pickle.loads(pickle.dumps(drawing))
    assert again.boxes() == drawing.boxes()
    with pytest.raises(boxwood.LoadError) as first:
        boxwood.load("<svg><g></svg>")
    error = pickle.loads(pickle.dumps(first.value))
    assert (str(error), error.line, error.column) == (str(first.value), 1, 9)


def test_notebooks_show_boxes() -> None:
    drawing = boxwood.load(svg('<rect id="&lt;script&gt;" width="9" height="9"/>'))
    shown = drawing._repr_svg_()
    assert "<script>" not in shown and "data:image/png;base64," in shown
    assert drawing._repr_html_() == shown
    assert boxwood.load(shown).width == 100


def test_fonts_are_of_the_system_bundled_or_given(tmp_path: Path) -> None:
    text = svg('<text id="t" y="20" font-family="Noto Sans">Text</text>')
    bundled = boxwood.load(text, fonts="bundled")["#t"].bbox()
    assert bundled is not None and bundled.width > 20
    assert boxwood.load(text)["#t"].bbox() is not None
    assert boxwood.load(text, fonts=[])["#t"].ink is None
    font = Path(os.environ["BOXWOOD_FONT"])
    given = boxwood.load(text, fonts=iter([font]))
    assert given["#t"].bbox() == given.crop()["#t"].bbox() == bundled
    with pytest.raises(ValueError, match="bundled"):
        boxwood.load(text, fonts="arial")
    with pytest.raises(ValueError, match="font 1 cannot be read"):
        boxwood.load(text, fonts=[b"no font"])
    missing: list[Any] = [[tmp_path / "missing"], str(tmp_path / "missing")]
    for dirs in missing:
        with pytest.raises(ValueError, match="font folder .*missing"):
            boxwood.load(text, font_dirs=dirs)
    with pytest.raises(FileNotFoundError, match="nope.ttf"):
        boxwood.load(text, fonts=["nope.ttf"])
