"""The module `itertools`: CPython's lazy iterators over counted items."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

from engine.language.builtin_iteration import bound
from engine.language.contract import Machine
from engine.language.weights import listed, started, whole

_UNSET: Any = object()


def names(m: Machine) -> dict[str, Any]:
    """The names of the module `itertools`."""
    functions = (
        accumulate, chain, combinations, combinations_with_replacement, compress, count, cycle,
        dropwhile, filterfalse, groupby, islice, pairwise, permutations, product, repeat, starmap,
        takewhile, tee, zip_longest,
    )  # fmt: skip
    table: dict[str, Any] = {
        function.__name__: bound(m, function, function.__name__) for function in functions
    }
    table["chain"].from_iterable = bound(m, _chain_from, "from_iterable")
    return table


def accumulate(
    m: Machine, iterable: Any, func: Any = None, *, initial: Any = None
) -> Iterator[Any]:
    m.spend(4)
    step = (lambda a, b: m.binary("+", a, b)) if func is None else m.callable(func)
    return itertools.accumulate(m.items(iterable), step, initial=initial)


def chain(m: Machine, *iterables: Any) -> Iterator[Any]:
    m.spend(4 + len(iterables))
    return itertools.chain.from_iterable(m.items(iterable) for iterable in iterables)


def _chain_from(m: Machine, iterable: Any, /) -> Iterator[Any]:
    m.spend(4)
    return itertools.chain.from_iterable(m.items(one) for one in m.items(iterable))


def compress(m: Machine, data: Any, selectors: Any) -> Iterator[Any]:
    m.spend(4)
    return itertools.compress(m.items(data), m.items(selectors))


def count(m: Machine, start: Any = 0, step: Any = 1) -> Iterator[Any]:
    m.spend(4)
    return itertools.count(start, step)


def cycle(m: Machine, iterable: Any, /) -> Iterator[Any]:
    m.spend(4)
    return itertools.cycle(m.items(iterable))


def repeat(m: Machine, object: Any, *times: Any) -> Iterator[Any]:  # noqa: A002 -- CPython's name
    m.spend(4)
    return itertools.repeat(object, *map(whole, times))


def _with_function(native: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
    def build(m: Machine, function: Any, iterable: Any, /) -> Iterator[Any]:
        m.spend(4)
        return native(None if function is None else m.callable(function), m.items(iterable))

    build.__name__ = native.__name__
    return build


dropwhile = _with_function(itertools.dropwhile)
takewhile = _with_function(itertools.takewhile)
filterfalse = _with_function(itertools.filterfalse)


def starmap(m: Machine, function: Any, iterable: Any, /) -> Iterator[Any]:
    m.spend(4)
    rows = (tuple(m.items(row)) for row in m.items(iterable))
    return itertools.starmap(m.callable(function), rows)


def groupby(m: Machine, iterable: Any, key: Any = None) -> Iterator[Any]:
    m.spend(4)
    return _charged(m, itertools.groupby(m.items(iterable), key and m.callable(key)), 6)


def islice(m: Machine, iterable: Any, *args: Any) -> Iterator[Any]:
    m.spend(4)
    bounds = [None if arg is None else whole(arg) for arg in args]
    return itertools.islice(_lazily(m, iterable), *bounds)


def _lazily(m: Machine, iterable: Any) -> Iterator[Any]:
    """The items one by one, so that a slice of a long list costs no more than the slice."""
    for item in started(m, iterable):
        m.spend(1)
        yield item


def pairwise(m: Machine, iterable: Any, /) -> Iterator[Any]:
    m.spend(4)
    return _charged(m, itertools.pairwise(m.items(iterable)), 1)


def tee(m: Machine, iterable: Any, n: Any = 2, /) -> tuple[Iterator[Any], ...]:
    n = whole(n)
    m.spend(4 + 4 * max(n, 0))
    return itertools.tee(m.items(iterable), n)


def zip_longest(m: Machine, *iterables: Any, fillvalue: Any = None) -> Iterator[Any]:
    m.spend(4 + len(iterables))
    columns = [m.items(iterable) for iterable in iterables]
    zipped = itertools.zip_longest(*columns, fillvalue=fillvalue)
    return _charged(m, zipped, 1 + len(columns) // 5)


# Tuples of items


def _charged(m: Machine, tuples: Iterator[Any], cost: int) -> Iterator[Any]:
    """Tuples, each charged when it is made."""
    for made in tuples:
        m.spend(cost)
        yield made


def product(m: Machine, *iterables: Any, repeat: Any = 1) -> Iterator[Any]:
    times = whole(repeat)
    pools = [listed(m, iterable) for iterable in iterables]
    width = len(pools) * max(times, 0)
    m.spend(4 + sum(map(len, pools)) * max(times, 0) + width)
    return _charged(m, itertools.product(*pools, repeat=times), 1 + width // 5)


def _choosing(native: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
    def build(m: Machine, iterable: Any, r: Any = _UNSET) -> Iterator[Any]:
        pool = listed(m, iterable)
        if r is _UNSET and native is not itertools.permutations:
            raise TypeError(f"{native.__name__}() missing required argument 'r' (pos 2)")
        width = len(pool) if r is _UNSET or r is None else whole(r)
        m.spend(4 + max(width, 0))
        return _charged(m, native(pool, width), 1 + width // 5)

    build.__name__ = native.__name__
    return build


permutations = _choosing(itertools.permutations)
combinations = _choosing(itertools.combinations)
combinations_with_replacement = _choosing(itertools.combinations_with_replacement)
