"""Fixtures of the HTTP tests: a client of the application, and an HTML parser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from typing import Any

from starlette.testclient import TestClient

from app.main import create_app
from app.settings import from_environment

EXAMPLE = "a = 2.0\nb = -3.0\nc = 10.0\nf = -2.0\nL = (a*b + c) * f"
"""Seven Values, eight frames."""

WITHOUT_END = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "wbr")
)


@cache
def client(**environment: str) -> TestClient:
    """A client of the application with environment variables: `client(SEEGRAD_VALUES="20")`."""
    return TestClient(create_app(from_environment(environment)))


@dataclass
class Element:
    """An element: its attributes, text content and ancestors."""

    tag: str
    attributes: dict[str, str]
    around: tuple[Element, ...]
    parts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text content; a textarea's value, which excludes a leading newline."""
        text = "".join(self.parts)
        return text.removeprefix("\n") if self.tag in ("textarea", "pre") else text

    def has(self, **attributes: str) -> bool:
        """Whether it has these attributes; `class_` matches one of its classes."""
        for name, value in attributes.items():
            found = self.attributes.get(name.rstrip("_").replace("_", "-"))
            if found is None or value not in (found.split() if name == "class_" else [found]):
                return False
        return True

    def inside(self, other: Element) -> bool:
        """Whether it is a descendant of `other`."""
        return any(around is other for around in self.around)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[Element] = []
        self.elements: list[Element] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"<{tag}> has an attribute twice"
        element = Element(tag, {name: value or "" for name, value in attrs}, tuple(self.open))
        self.elements.append(element)
        if tag not in WITHOUT_END:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in WITHOUT_END:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        last = self.open.pop()
        assert last.tag == tag, f"<{last.tag}> ends with </{tag}>"

    def handle_data(self, data: str) -> None:
        for element in self.open:
            element.parts.append(data)


@dataclass(frozen=True)
class Html:
    """A parsed page or fragment."""

    elements: list[Element]

    def all(self, tag: str = "", **attributes: str) -> list[Element]:
        """The elements with this tag and these attributes."""
        return [e for e in self.elements if tag in ("", e.tag) and e.has(**attributes)]

    def one(self, tag: str = "", **attributes: str) -> Element:
        """The only element with this tag and these attributes."""
        (found,) = self.all(tag, **attributes)
        return found

    def within(self, element: Element) -> Html:
        """The descendants of `element`."""
        return Html([e for e in self.elements if e.inside(element)])

    def addresses(self) -> Iterator[str]:
        """Every address that the page links to or loads."""
        for element in self.elements:
            for name in ("href", "src", "action", "hx-get", "poster", "formaction"):
                if name in element.attributes:
                    yield element.attributes[name]

    @property
    def trace(self) -> dict[str, Any]:
        """The trace embedded in the page."""
        found: dict[str, Any] = json.loads(self.one("pre", id="trace").text)
        return found


def read(html: str) -> Html:
    """Parse `html`. Fails for mismatched tags and duplicate attributes."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert not reader.open, f"<{reader.open[-1].tag}> is never closed"
    return Html(reader.elements)


def get(path: str, program: str | None = None, **more: str) -> Html:
    """The page or fragment at `path`; asserts success."""
    query = more if program is None else {"program": program, **more}
    answer = client().get(path, params=query or None)
    assert answer.status_code == 200, answer.text[:500]
    return read(answer.text)
