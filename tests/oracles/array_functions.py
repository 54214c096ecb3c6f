"""What NumPy's functions, operators, indices and generators answer, to the last digit."""

from __future__ import annotations

import operator
from collections.abc import Callable
from operator import attrgetter
from typing import Any

import numpy as np

from tests.support import library_draws as draws

LIBRARY = f"numpy {np.__version__}"


def parts(name: str, args: list[Any], options: dict[str, Any]) -> list[str]:
    """The text of a function's result, or of each of its results."""
    found = attrgetter(name)(np)(*args, **options)
    return [repr(part) for part in found] if isinstance(found, tuple) else [repr(found)]


def sums(seed: int) -> dict[str, Any]:
    """Sum, mean and variance of a drawn array."""
    drawn = draws.drawn_sum(seed)
    x = np.array(drawn.numbers).reshape(drawn.shape)
    if drawn.turn:
        x = {"T": x.T, "step": x[::2], "back": x[::-1]}[drawn.turn]
    names = ("sum", "mean") if drawn.turn else ("sum", "mean", "var")
    return {name: getattr(np, name)(x, drawn.axis).tolist() for name in names}


def texts(seed: int) -> list[str]:
    """`str` and `repr` of a drawn array."""
    drawn = draws.drawn_array(seed)
    with np.errstate(all="ignore"), np.printoptions(**drawn.options):
        x = np.array(drawn.items, dtype=drawn.kind).reshape(drawn.shape)
        return [str(x), repr(x)]


def indexed(seed: int) -> Any:
    """The elements that a drawn index names, or the message of the IndexError."""
    shape, keys = draws.drawn_index(seed)
    forms: dict[str, Callable[..., Any]] = {
        "at": lambda n: n, "slice": slice, "new": lambda: None,
        "list": lambda *x: np.array(x), "mask": lambda *x: np.array(x),
    }  # fmt: skip
    try:
        found = np.arange(np.prod(shape)).reshape(shape)[tuple(forms[k](*x) for k, *x in keys)]
    except IndexError as error:
        return str(error)
    return found.tolist()


def operated(sign: str, seed: int) -> str:
    """The text of what an operator makes of two drawn operands; "no" for a TypeError."""
    a, b = (_operand(drawn) for drawn in draws.drawn_operands(seed))
    try:
        with np.errstate(all="ignore"):
            return repr(getattr(operator, sign)(a, b))
    except (TypeError, ValueError) as error:
        return "no" if isinstance(error, TypeError) else str(error)


def _operand(drawn: draws.Operand) -> Any:
    found = np.array(drawn.items, dtype=drawn.kind)
    return found[0] if drawn.is_scalar else found


def _generator(kind: str, seed: Any) -> Any:
    return np.random.RandomState(seed) if kind == "legacy" else np.random.default_rng(seed)


def draws_of(kind: str, seed: int, calls: list[tuple[str, list[Any]]]) -> list[str]:
    """The text of what a generator draws, call by call."""
    generator = _generator(kind, seed)
    return [repr(getattr(generator, name)(*args)) for name, args in calls]


def shuffled(kind: str, seed: int) -> list[Any]:
    """A list, an array and the rows of a matrix, shuffled one after the other."""
    generator = _generator(kind, seed)
    found = [list(range(7)), np.arange(7), np.arange(12).reshape(6, 2)]
    for each in found:
        generator.shuffle(each)
    return [np.array(each).tolist() for each in found]


def normals(seed: int, count: int) -> dict[str, Any]:
    """Many normal numbers: their digest, and some of them."""
    found = np.random.default_rng(seed).standard_normal(count).tolist()
    return {"all": draws.digest(found), "some": found[:: count // 50]}


def of_words(seed: list[int]) -> list[float]:
    """The first number for a seed of several words, of both generators; the legacy ones are 32 bits
    long."""
    small = [word for word in seed if word < 2**32]
    return [np.random.default_rng(seed).random(), np.random.RandomState(small).rand()]
