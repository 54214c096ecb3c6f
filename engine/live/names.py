"""What the objects of a graph are called: by the caller's variables, `net.layers[0].b`, or by how
they were made, `a * b`."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

from engine.live.graph import LiveGraph
from engine.numbers import full

DEPTH = 6
"""Containers and attributes on the way to an object."""
MOST = 50_000
"""Things that are looked at."""
LONGEST = 40
"""Letters of an expression that is a name."""
_LEAVES = (
    str, bytes, bytearray, int, float, complex, bool, type(None), type, ModuleType, FunctionType,
)  # fmt: skip
_PRECEDENCE = {"+": 1, "-": 1, "*": 2, "/": 2, "**": 4}
_NEGATION, _ATOM = 3, 5


class PathsTo(NamedTuple):
    """The shortest path from a variable to each of some objects, by their ids.

    `kinds` are the classes of what holds them in attributes, by the paths to these.
    """

    paths: dict[int, str]
    kinds: dict[str, str]


def paths_to(objects: Iterable[object], variables: Mapping[str, Any]) -> PathsTo:
    """The paths to objects.

    Nothing is called: containers are gone through as they are, and of other things the attributes
    that they hold.
    """
    wanted = {id(o) for o in objects}
    found = PathsTo({}, {})
    seen: set[int] = set()
    todo = deque((name, held, 0) for name, held in variables.items() if not name.startswith("_"))
    for _ in range(MOST):
        if not todo or len(found.paths) == len(wanted):
            break
        path, held, depth = todo.popleft()
        if isinstance(held, _LEAVES):
            continue
        key = id(held)
        if key in wanted:
            found.paths.setdefault(key, path)
        elif key not in seen and depth < DEPTH:
            seen.add(key)
            if type(held).__module__ != "builtins":
                found.kinds[path] = type(held).__name__
            todo.extend((path + step, inner, depth + 1) for step, inner in _inside(held))
    return found


def _inside(held: Any) -> Iterator[tuple[str, Any]]:
    kind = type(held)
    if kind in (list, tuple):
        yield from ((f"[{i}]", x) for i, x in enumerate(held))
    elif kind is dict:
        keys = [key for key in held if isinstance(key, str | int)]
        yield from ((f"[{key!r}]", held[key]) for key in keys)
    elif kind.__module__ != "builtins" and isinstance(getattr(held, "__dict__", None), dict):
        yield from ((f".{key}", x) for key, x in list(held.__dict__.items()))


def expressions(graph: LiveGraph, called: Mapping[int, str]) -> dict[int, str]:
    """A name for each object: its own, else a short expression of its operands."""
    found: dict[int, tuple[str, int]] = {}
    for place, o in enumerate(graph.order, 1):
        made = graph.made.get(id(o))
        if name := called.get(id(o), ""):
            written = name, _ATOM
        elif made is None:
            written = _of_number(graph.attributes.number_of(o))
        else:
            parts = [found.get(id(x)) or _of_number(float(x)) for x in made.operands]
            written = _expression(made.op.name if made.op else made.method, parts)
        found[id(o)] = written if len(written[0]) <= LONGEST else (f"v{place}", _ATOM)
    return {key: text for key, (text, _) in found.items()}


def _of_number(x: float) -> tuple[str, int]:
    return full(x).removesuffix(".0"), _ATOM if x >= 0 else _NEGATION


def _expression(name: str, parts: Sequence[tuple[str, int]]) -> tuple[str, int]:
    """An expression and how tightly it binds."""
    if name == "neg":
        text, binds = parts[0]
        return f"-{text}" if binds > _NEGATION else f"-({text})", _NEGATION
    if name not in _PRECEDENCE or len(parts) != 2:
        return f"{name.strip('_') or '?'}({', '.join(text for text, _ in parts)})", _ATOM
    here = _PRECEDENCE[name]
    (left, binds_left), (right, binds_right) = parts
    left = left if (binds_left >= here and name != "**") or binds_left > here else f"({left})"
    right = right if binds_right > here or (binds_right == here and name in "+*") else f"({right})"
    return f"{left} {name} {right}", here
