"""A record comes from where a stranger's program ran: whatever it says, it is read or refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.record.decode import BadRecord, decode, decoded
from engine.record.encode import encoded
from engine.record.session import RecordingSession, Wanted
from engine.record.source import Limits, Source
from tests.support.each import for_each
from tests.support.own_class import CLASS

LIMITS = Limits()
OP, ARGS, DATA, SERIAL = 1, 2, 3, 6
"""Columns of numbers."""
TEXTS = {
    "own class": f"{CLASS}\na = Value(2.0)\nL = (a * 3 + a).tanh()\nL.backward()\nprint(L.data)",
    "built-in": "x = Value(1.0)\nL = tanh(x) * 2\nL.grad = 1.0\nx.grad = 0.5\nL.backward()",
    "arrays": "import numpy as np\nx = np.array([Value(1.0), Value(2.0)])\nL = (x * x).sum()",
    "chart": "import matplotlib.pyplot as plt\nplt.plot([1, 2], [3, float('nan')])\na = 2.0",
    "collected": f"{CLASS}\na = Value(2.0)\nL = a * a\ng = {{L: 1.0}}\ng[a] = 4.0\na.grad = g[a]",
}
Path = tuple[str | int, ...]


def _record(source: Source, limits: Limits, *, is_judged: bool = False) -> str:
    return encoded(RecordingSession(source, limits, Wanted(judged=is_judged)).live())


@cache
def recorded(name: str) -> tuple[Source, str]:
    source = Source(TEXTS[name], LIMITS)
    return source, _record(source, LIMITS, is_judged=True)


def paths(found: Any, path: Path = ()) -> Iterator[Path]:
    """The way to every value inside of JSON values."""
    yield path
    inside: Any = ()
    if isinstance(found, dict):
        inside = found.items()
    elif isinstance(found, list):
        inside = enumerate(found)
    for key, value in inside:
        yield from paths(value, (*path, key))


@cache
def all_paths(name: str) -> list[Path]:
    return list(paths(json.loads(recorded(name)[1])))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=4,
)
SMALL = st.integers(-3, 200)


@pytest.mark.parametrize("name", TEXTS)
@given(data=st.data())
def test_a_record_with_other_values_is_read_or_refused(name: str, data: st.DataObject) -> None:
    source, record = recorded(name)
    found = deepcopy(json.loads(record))
    for _ in range(data.draw(st.integers(1, 3))):
        *way, key = data.draw(st.sampled_from(all_paths(name)[1:]))
        holder = found
        try:
            for step in way:
                holder = holder[step]
            if data.draw(st.booleans()):
                holder[key] = data.draw(SMALL | JSON)
            elif isinstance(holder, dict):
                del holder[key]
            else:
                holder.insert(key, data.draw(st.sampled_from(holder)))
        except (LookupError, TypeError, AttributeError):
            return  # an earlier change took the place away
    try:
        decode(found, source, LIMITS)
    except BadRecord:
        return


@given(st.text() | st.binary(), st.integers(0, 3000))
def test_a_text_that_is_no_record_is_refused(text: str | bytes, length: int) -> None:
    source, record = recorded("own class")
    with pytest.raises(BadRecord):
        decoded(text, source, LIMITS)
    with pytest.raises(BadRecord):
        decoded(record[:length], source, LIMITS)


def changed(name: str, way: Path, value: Any) -> Any:
    found = json.loads(recorded(name)[1])
    holder = found
    for step in way[:-1]:
        holder = holder[step]
    holder[way[-1]] = value
    return found


@for_each(
    ("way", "value"),
    [
        (("numbers", ARGS, 0, 0), 1),
        (("numbers", ARGS, 1), []),
        (("numbers", SERIAL), []),
        (("numbers", SERIAL, 0), "inf"),
        (("numbers", OP, 0), 99),
        (("numbers", OP, 0), True),
        (("ops", 0), "no op"),
        (("numbers", DATA, 0), "infinity"),
        (("numbers", DATA, 0), "0x" + "f" * 2000),
        (("places", 1, 0), 900),
        (("places", 0, 0), "parse"),
        (("scene", 1, 0), '"></svg>'),
        (("scopes", 2, 0), 10**6),
        (("shown", 1, 0), 1),
        (("stage", "steps", 0), 10**6),
        (("stage", "held"), []),
        (("witness", "frames", 2, 0), 10**6),
        (("witness", "writes"), []),
        (("drawn",), 10**6),
        (("format",), 0),
        (("log", "at", 0), -1),
    ],
)
def test_what_does_not_fit_is_refused(way: Path, value: Any) -> None:
    source, _ = recorded("own class")
    with pytest.raises(BadRecord):
        decode(changed("own class", way, value), source, LIMITS)


def test_no_circle_can_be_told() -> None:
    """Neither among drawn numbers nor in a history that leads back to itself."""
    source, record = recorded("own class")
    found = json.loads(record)
    drawn, (lengths, args) = found["drawn"], found["numbers"][ARGS]
    first = next(at for at in range(drawn) if lengths[at])
    past = next(at for at in range(drawn, len(lengths)) if lengths[at])
    for number in (first, past):
        start = sum(lengths[:number])
        itself = [*args[:start], number, *args[start + 1 :]]
        with pytest.raises(BadRecord):
            decode(changed("own class", ("numbers", ARGS, 1), itself), source, LIMITS)


@pytest.mark.parametrize("text", ["[" + "[]," * 1_000_000 + "[]]", '"' + "a" * 40_000_000 + '"'])
def test_a_text_that_would_fill_the_memory_is_not_read(text: str) -> None:
    source, _ = recorded("own class")
    with pytest.raises(BadRecord, match="of this length"):
        decoded(text, source, LIMITS)


def test_a_program_may_print_as_many_commas_as_it_likes() -> None:
    limits = Limits(printed_lines=2000, line_length=5000)
    source = Source("print(',' * 5000)\na = 1.0", limits)
    found = json.loads(_record(source, limits))
    found["printed"] *= 500
    assert decoded(json.dumps(found), source, limits).printed == ["," * 5000] * 500


def test_json_that_is_too_deep_is_refused() -> None:
    source, _ = recorded("own class")
    with pytest.raises(BadRecord):
        decoded("[" * 100_000, source, LIMITS)
