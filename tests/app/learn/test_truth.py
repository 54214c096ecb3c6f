"""The numbers that lessons show are true: gradients against measured slopes, links alive."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from html import unescape

import pytest
from starlette.testclient import TestClient

from app.learn import course
from app.learn.page import Course
from app.learn.subjects import GraphNumbers
from app.main import create_app
from app.settings import from_environment
from engine.program import Program
from engine.trace.build import trace
from engine.trace.model import Node
from engine.trace.traced import Trace

COURSE = Course(from_environment())
OTHER_PASSES = re.compile(r"class |\.data -=|\.backward\(\)[\s\S]*\.backward\(\)|for .* in range")
"""Programs whose gradients are meant to be those of several passes, or are the reader's own."""
LEAVES = 6  # of one program
EACH = pytest.mark.parametrize("slug", course.lessons())


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(create_app()) as made:
        yield made


@pytest.fixture(scope="module")
def status_of(client: TestClient) -> Callable[[str], int]:
    """The status of the answer at an address; lessons share most of their links."""
    return cache(lambda address: client.get(address).status_code)


def graphs(slug: str) -> Iterator[Trace]:
    """The graphs of a lesson with one pass, each program once."""
    seen = set()
    for step in COURSE.lesson(slug).steps:
        subject = step.shown.subject
        if isinstance(subject, GraphNumbers) and subject.trace.output and not subject.trace.broken:
            found = subject.trace
            if found.program not in seen and not OTHER_PASSES.search(found.program):
                seen.add(found.program)
                yield found


def slopes(found: Trace, leaf: Node, h: float) -> tuple[float, float]:
    """The difference quotients of the output by a leaf on its two sides, the lower one first."""
    program = Program(found.program)
    at = {node.key: node.data for node in found.nodes if node.key}

    def output(move: float) -> float:
        moved = trace(program, {**at, str(leaf.key): leaf.data + move}, scene=found.scene)
        return next(node.data for node in moved.nodes if node.id == moved.output)

    here = output(0.0)
    left, right = sorted(((here - output(-h)) / h, (output(h) - here) / h))
    return left, right


@EACH
def test_gradients_are_the_measured_slopes(slug: str) -> None:
    for found in graphs(slug):
        leaves = [n for n in found.nodes if n.key and n.op is None and n.grad is not None]
        h, close = (1e-2, 2e-2) if found.single else (1e-6, 1e-5)
        for leaf in leaves[:LEAVES]:
            assert leaf.grad is not None
            left, right = slopes(found, leaf, h)
            room = close * max(1.0, abs(left), abs(right))
            assert left - room <= leaf.grad <= right + room, leaf


@EACH
def test_links_are_alive(slug: str, client: TestClient, status_of: Callable[[str], int]) -> None:
    text = client.get(f"/learn/{slug}").text
    ids = set(re.findall(r'\sid="([^"]+)"', text))
    for address in {unescape(found) for found in re.findall(r'\shref="([^"]+)"', text)}:
        path, _, anchor = address.partition("#")
        assert not anchor or path not in ("", f"/learn/{slug}") or anchor in ids, address
        if path and not path.startswith("/static/"):
            assert status_of(path) == 200, address
