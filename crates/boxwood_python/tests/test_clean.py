"""Cleaning removes what nobody can see, and changes no picture."""

from __future__ import annotations

import boxwood
import pytest
from conftest import drawings, svg

FAR = '<rect x="200" width="9" height="9"/>'


@pytest.mark.parametrize(
    ("contents", "cleaned"),
    [
        (f"a{FAR}b", "ab"),
        (f"<g>{FAR}</g><g><g>{FAR}</g><path d='M0 0h9v9'/></g>", "<g><path d='M0 0h9v9'/></g>"),
        ('<x:g xmlns:x="http://www.w3.org/2000/svg"><x:rect x="200" width="9" height="9"></x:rect  ></x:g>é', "é"),
        ('<rect id="a>b" x="200" width="9" height="9" class=\'"/>\'/><!-- > -->', "<!-- > -->"),
        ('<rect width="0" height="9"/><rect width="9" height="9"/>', '<rect width="9" height="9"/>'),
    ],
)
def test_elements_are_cut_out_of_the_text(contents: str, cleaned: str) -> None:
    assert boxwood.load(svg(contents)).clean().source.decode() == svg(cleaned)


@pytest.mark.parametrize(
    "text",
    [
        svg(f"{FAR}<script/>"),
        svg(f"{FAR}<text>a</text>"),
        svg(f'{FAR}<g pointer-events="all"/>'),
        svg(f"{FAR}<style>rect {{ animation: a }}</style>"),
        svg(f'{FAR}<view id="v" viewBox="0 0 9 9"/>'),
        svg(FAR).replace('width="100" height="80"', 'viewBox="0 0 100 80"'),
        svg(FAR).replace("<svg", '<svg overflow="visible"'),
        '<!DOCTYPE svg [<!ENTITY e "<g/>">]>' + svg(f"{FAR}&e;"),
        svg('<defs><g id="d"/></defs><use href="#d"/>' + '<rect id="r" width="9" height="9"/>'),
    ],
)
def test_what_is_not_certain_stays(text: str) -> None:
    drawing = boxwood.load(text)
    assert b"rect" in drawing.clean().source
    if "x=" in text:
        assert drawing.clean().source == text.encode()


def test_encodings_stay() -> None:
    for encoding in ["utf-8", "utf-16", "iso-8859-1"]:
        before, after = "<!--é-->", "<g><path d='M0 0h9v9'/></g>"
        head = f'<?xml version="1.0" encoding="{encoding}"?>'
        cleaned = boxwood.load((head + svg(before + FAR + after)).encode(encoding)).clean()
        assert cleaned.source == (head + svg(before + after)).encode(encoding)
        events = (head + svg(FAR + "<g pointer-events='all'/>")).encode(encoding)
        assert boxwood.load(events).clean().source == events


def test_encodings_that_python_does_not_know_stay() -> None:
    text = '<?xml version="1.0" encoding="gbk"?>' + svg(f"<!--{chr(0x4e2d)}-->{FAR}<path d='M0 0h9v9'/>")
    assert boxwood.load(text.encode("gbk")).clean().source == text.encode("gbk")
    # The encoding of a str does not count.
    assert b"rect" not in boxwood.load(text).clean().source


def test_no_picture_changes() -> None:
    n_cleaned = 0
    for path in drawings():
        try:
            drawing = boxwood.load(path)
        except boxwood.LoadError:
            continue
        cleaned = drawing.clean()
        if cleaned is drawing:
            continue
        n_cleaned += 1
        zoom = min(1.0, 500 / max(drawing.width, drawing.height))
        # A text has no folder, in which its images could be.
        before = boxwood.load(drawing.source)
        assert before.render(zoom).pixels == cleaned.render(zoom).pixels, path
    assert n_cleaned > 10
