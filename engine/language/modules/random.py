"""The module `random`: CPython's generator and distributions, the same numbers for the same seed.

The module's own functions draw from the generator of the run, which starts from the seed 0.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from engine.language.builtin_iteration import bound
from engine.language.contract import Kind, Machine, Method
from engine.language.plain import plain
from engine.language.weights import guarded_width, listed, weigh, whole

_DISTRIBUTIONS = (
    "random", "uniform", "gauss", "normalvariate", "triangular", "betavariate", "expovariate",
    "gammavariate", "lognormvariate", "vonmisesvariate", "paretovariate", "weibullvariate",
)  # fmt: skip


def names(m: Machine) -> dict[str, Any]:
    """The names of the module `random`."""
    table: dict[str, Any] = {name: _of_module(m, name) for name in METHODS}
    table["Random"] = random.Random
    table["SystemRandom"] = bound(m, _system_random, "SystemRandom")
    return table


def _system_random(m: Machine, *args: Any) -> Any:
    m.refuse("SystemRandom is not here: its numbers differ in every run.", "Use random.Random(0).")


def _of_module(m: Machine, name: str) -> Callable[..., Any]:
    method = METHODS[name]

    def call(*args: Any, **kwargs: Any) -> Any:
        return method(m, m.random, *args, **kwargs)

    call.__name__ = call.__qualname__ = name
    return call


def construct(m: Machine, *args: Any) -> random.Random:
    """`random.Random(seed)`; without a seed it starts from 0, as runs are repeatable."""
    m.spend(100)
    if len(args) > 1:
        raise TypeError(
            f"Random() takes from 0 to 1 positional arguments but {len(args)} were given"
        )
    generator = random.Random(0)
    seed(m, generator, *args)
    return generator


def seed(m: Machine, generator: random.Random, a: Any = None, version: int = 2) -> None:
    """Seed from None (0 here), int, float, str or bytes."""
    weigh(m, a)
    m.spend(20)
    a = 0 if a is None else plain(a)
    if not isinstance(a, int | float | str | bytes):
        raise TypeError(
            "The only supported seed types are: None,\nint, float, str, bytes, and bytearray."
        )
    generator.seed(a, version)


def _drawn(name: str) -> Method:
    def draw(m: Machine, generator: random.Random, *args: Any, **kwargs: Any) -> Any:
        m.spend(2)
        for arg in args:
            weigh(m, arg)
        return getattr(generator, name)(*map(plain, args), **kwargs)

    return draw


def _choice(m: Machine, generator: random.Random, *args: Any) -> Any:
    m.spend(2)
    return generator.choice(*args)


def _choices(
    m: Machine, generator: random.Random, population: Any, weights: Any = None, *,
    cum_weights: Any = None, k: Any = 1,
) -> list[Any]:  # fmt: skip
    k = whole(k)
    m.spend(2 + max(k, 0))
    weights = weights if weights is None or isinstance(weights, int) else listed(m, weights)
    if cum_weights is not None and not isinstance(cum_weights, int):
        cum_weights = listed(m, cum_weights)
    return generator.choices(population, weights, cum_weights=cum_weights, k=k)


def _sample(
    m: Machine, generator: random.Random, population: Any, k: Any, *, counts: Any = None
) -> list[Any]:
    k = whole(k)
    m.spend(2 + 2 * max(k, 0) + len(population))
    if counts is not None:
        counts = listed(m, counts)
    return generator.sample(population, k, counts=counts)


def _shuffle(m: Machine, generator: random.Random, *args: Any) -> None:
    if args:
        m.spend(1 + 3 * len(args[0]))
    generator.shuffle(*args)


_BOUNDS = ("non-integer arg 1", "non-integer stop", "non-integer step")


def _bounds(m: Machine, args: tuple[Any, ...]) -> list[Any]:
    """Bounds of a range, of which CPython 3.11 takes 2.0 for 2, but no 2.5."""
    m.spend(2)
    bounds = []
    for arg, words in zip(args, _BOUNDS, strict=False):
        weigh(m, arg)
        arg = plain(arg)
        if isinstance(arg, float):
            if not arg.is_integer():
                raise ValueError(f"{words} for randrange()")
            arg = int(arg)
        bounds.append(arg)
    return bounds + list(args[len(_BOUNDS) :])


def _in_range(name: str) -> Method:
    def draw(m: Machine, generator: random.Random, *args: Any, **kwargs: Any) -> Any:
        names = dict(zip(kwargs, _bounds(m, tuple(kwargs.values())), strict=False))
        return getattr(generator, name)(*_bounds(m, args), **names)

    return draw


def _getrandbits(m: Machine, generator: random.Random, *args: Any) -> int:
    if len(args) == 1:
        args = (guarded_width(m, whole(args[0])),)
        m.spend(1 + (max(args[0], 0) >> 5))
    return generator.getrandbits(*args)


def _randbytes(m: Machine, generator: random.Random, *args: Any) -> bytes:
    if len(args) == 1:
        args = (guarded_width(m, whole(args[0])),)
    m.spend(2)
    return generator.randbytes(*args)


def _getstate(m: Machine, generator: random.Random) -> Any:
    m.spend(700)
    return generator.getstate()


def _setstate(m: Machine, generator: random.Random, *args: Any) -> None:
    m.spend(700)
    generator.setstate(*args)


METHODS: dict[str, Method] = {
    **{name: _drawn(name) for name in _DISTRIBUTIONS},
    "seed": seed, "choice": _choice, "choices": _choices, "sample": _sample, "shuffle": _shuffle,
    "randrange": _in_range("randrange"), "randint": _in_range("randint"),
    "getrandbits": _getrandbits, "randbytes": _randbytes,
    "getstate": _getstate, "setstate": _setstate,
}  # fmt: skip
RANDOM = Kind(random.Random, "a generator of random numbers", methods=METHODS)
CONSTRUCTORS: dict[type, Callable[..., Any]] = {random.Random: construct}
