"""What cannot be drawn is refused in a sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.live.refusal import CannotShow
from engine.live.trace import live_trace
from engine.value import Value
from tests.support.each import for_each
from tests.support.live_classes import BY_TEXT, STYLES, value_class


class NoGradient:
    def __init__(self) -> None:
        self.data = 1.0
        self._prev = ()


class Raising:
    _prev = ()
    grad = 0.0

    @property
    def data(self) -> float:
        raise RuntimeError("not here")


class Array:
    shape = (2, 3)


def with_array() -> Any:
    kind = value_class(STYLES["tuple"])
    x = kind(1.0)
    x.data = Array()
    return x


def cycle() -> Any:
    kind = value_class(STYLES["list"])
    a = kind(1.0)
    b = a * a
    a.children = [b]
    return b


def unknown() -> Any:
    kind = value_class(BY_TEXT)
    return kind(1.0, (kind(2.0), kind(3.0)), "mystery")


@for_each(
    ("make", "words"),
    [
        (object, "a number (data), a gradient (grad) and the objects that it was computed from"),
        (NoGradient, "holds a gradient (grad): a NoGradient does not"),
        (Raising, "holds a number (data): a Raising does not"),
        (with_array, "is an array of shape (2, 3)"),
        (cycle, "form a cycle"),
        (unknown, "'mystery'"),
    ],
)
def test_a_sentence_says_what_is_missing(make: Callable[[], Any], words: str) -> None:
    with pytest.raises(CannotShow) as error:
        live_trace(make(), {})
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_a_graph_that_is_too_large_is_refused() -> None:
    out = x = Value(1.0)
    for _ in range(10_001):
        out = out + x
    with pytest.raises(CannotShow, match="more than 10,000 objects"):
        live_trace(out, {})
