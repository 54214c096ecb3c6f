"""The graph of an object: the objects that it was computed from, in order, and how each was made.

What made an object is read off the function that it keeps for its backward pass: of
`Value.__add__.<locals>._backward` it is known which method ran, and on what. Without one it is what
the object itself calls its operation, tried with the numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from inspect import Parameter, signature
from itertools import permutations
from types import FunctionType
from typing import Any, NamedTuple

from engine.live.attributes import Attributes, attributes, closures, number
from engine.live.refusal import CannotShow
from engine.named_ops import SPECIAL, op_named
from engine.op import Op
from engine.value import Value, topological_order

MOST = 10_000
"""Objects of a graph."""
_POWER = re.compile(r"(?:\*\*|pow|\^)\s*\(?\s*([-+]?[\d.]+(?:e[-+]?\d+)?)\s*\)?", re.IGNORECASE)
_SPECIAL = frozenset(SPECIAL.values())


class MadeBy(NamedTuple):
    """How an object was made: the `method` that ran, "" if that is unknown, and on what, in order.

    Operands are objects of the graph and plain numbers; `op` is the operation of the table.
    `function` is what ran where it is no method of the class.
    """

    method: str
    op: Op | None
    operands: tuple[Any, ...]
    function: FunctionType | None = None


@dataclass(frozen=True)
class LiveGraph:
    """The objects that the last of `order` depends on, operands first; `made` is by their id."""

    attributes: Attributes
    order: Sequence[Any]
    made: Mapping[int, MadeBy]

    @property
    def output(self) -> Any:
        return self.order[-1]


def live_graph(root: object) -> LiveGraph:
    """The graph of `root`. Raises CannotShow."""
    of = attributes(root)
    operands: dict[int, list[Any]] = {}
    order = _order(root, of, operands)
    if isinstance(root, Value):  # whose pass adds contributions in the order of its own
        order = list(topological_order(root))
    for o in order:
        of.number_of(o)  # or it is refused
    made = {id(o): _made(o, of, operands[id(o)]) for o in order if operands[id(o)]}
    return LiveGraph(of, order, made)


def _order(root: object, of: Attributes, operands: dict[int, list[Any]]) -> list[Any]:
    """Operands first, without recursion; `operands` of each are written down."""
    order: list[Any] = []
    waiting: set[int] = set()
    done: set[int] = set()
    path: list[tuple[Any, bool]] = [(root, False)]
    while path:
        o, is_left = path.pop()
        key = id(o)
        if is_left:
            waiting.discard(key)
            done.add(key)
            order.append(o)
            continue
        if key in done:
            continue
        if key in waiting:
            raise CannotShow(_cycle(o, of))
        if len(operands) >= MOST:
            raise CannotShow(
                f"The graph has more than {MOST:,} objects, which is as many as are drawn: show a "
                "part of it, such as the loss of one sample."
            )
        waiting.add(key)
        found = operands[key] = of.operands_of(o)
        path.append((o, True))
        for x in reversed(found):
            if id(x) in waiting:
                raise CannotShow(_cycle(x, of))
            path.append((x, False))
    return order


def _cycle(o: object, of: Attributes) -> str:
    label = of.label_of(o)
    which = f"{label} ({of.kind.__name__})" if label else f"A {of.kind.__name__}"
    return (
        f"{which} is computed from itself: the objects in {of.operands} form a cycle, and a cycle "
        "has no gradients."
    )


def _made(o: object, of: Attributes, parents: list[Any]) -> MadeBy:
    for held, method, captured in closures(o):
        function = getattr(type(o), method, None) or held.__globals__.get(method)
        if (found := _by_function(of, method, function, captured, parents)) is not None:
            is_method = hasattr(type(o), method)
            return found if is_method else found._replace(function=function)
    return _by_text(of.op_of(o), parents, of.number_of(o), of)


def _by_function(
    of: Attributes, method: str, function: Any, captured: Mapping[str, Any], parents: list[Any]
) -> MadeBy | None:
    """A function with its arguments: what its parameters hold, else the operands that are left."""
    params = _parameters(function)
    if not params:
        return None
    given = {name: captured[name] for name in params if name in captured}
    op = op_named(_bare(method))
    if not given and op is None:
        return None  # a helper that makes objects for the methods of operations
    left = [x for x in parents if not any(x is y for y in given.values())]
    operands: list[Any] = []
    for name, is_needed in params.items():
        x = given.get(name, left.pop(0) if left and name not in given and is_needed else None)
        if isinstance(x, of.base) or number(x) is not None:
            operands.append(x)
        elif is_needed:  # one object that is both arguments is in a set once
            if len(parents) != 1 or name in given:
                return None
            operands.append(parents[0])
    return MadeBy(method, op if op and len(op.params) == len(operands) else None, tuple(operands))


def _parameters(function: Any) -> dict[str, bool]:
    """The parameters of a method, itself included, and whether each must be given."""
    try:
        found = signature(function).parameters
    except (TypeError, ValueError):
        return {}
    kinds = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    return {p.name: p.default is Parameter.empty for p in found.values() if p.kind in kinds}


def _bare(method: str) -> str:
    """The name that the tables have for a method: `add` of `__add__` and of `__radd__`."""
    bare = method.strip("_")
    return bare[1:] if bare[:1] == "r" and bare[1:] in _SPECIAL else bare


def _by_text(text: str, parents: list[Any], data: float, of: Attributes) -> MadeBy:
    """The operation by the name that the object has for it, with the order that gives its number.

    Of a power, micrograd's name has the exponent.
    """
    name = text.strip()
    if (power := _POWER.fullmatch(name)) and len(parents) == 1:
        return MadeBy("", op_named("**"), (parents[0], float(power[1])))
    op = op_named(name) or op_named(name.lower()) or op_named(_bare(name.lower()))
    if op is None:
        return MadeBy("", None, tuple(parents))
    wanted = len(op.params)
    if len(parents) == 1 and wanted == 2:
        parents = parents * 2
    if len(parents) != wanted:
        return MadeBy("", None, tuple(parents))
    gives = partial(_gives, op, data, of)
    found = next(filter(gives, permutations(parents)), tuple(parents))
    return MadeBy("", op, tuple(found))


def _gives(op: Op, data: float, of: Attributes, operands: Iterable[Any]) -> bool:
    return op.compute(*[of.number_of(x) for x in operands]) == data
