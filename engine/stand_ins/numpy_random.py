"""The module `numpy.random`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.arrays.context import Context
from engine.arrays.random_numbers import Generator, Legacy

from .ordinary import bound

_OF_LEGACY = (
    "random", "uniform", "normal", "standard_normal", "exponential", "choice", "shuffle",
    "permutation", "binomial", "poisson", "seed", "rand", "randn", "randint", "random_sample",
)  # fmt: skip
"""The methods of RandomState, which are functions of the module too."""


def random_names(context: Context) -> dict[str, Any]:
    """The names of the module; its functions draw from one generator of the run."""
    table: dict[str, Any] = {name: _of_module(context, name) for name in _OF_LEGACY}
    table |= {"ranf": table["random_sample"], "sample": table["random_sample"]}

    def default_rng(seed: Any = None) -> Generator:
        return seed if isinstance(seed, Generator) else Generator(context, seed)

    def state(seed: Any = None) -> Legacy:
        return Legacy(context, seed)

    state.__name__ = state.__qualname__ = "RandomState"
    return {**table, "default_rng": default_rng, "RandomState": state, "Generator": Generator}


def _of_module(context: Context, name: str) -> Callable[..., Any]:
    def call(context: Context, *args: Any, **kwargs: Any) -> Any:
        if context.legacy is None:
            context.legacy = Legacy(context)
        return getattr(context.legacy, name)(*args, **kwargs)

    return bound(context, call, name)
