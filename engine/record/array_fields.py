"""Operations on whole arrays as a record keeps them: written, and read again."""

from __future__ import annotations

from math import prod
from typing import Any

from .array_model import ArrayName, ArrayNode, ArrayPass, ArrayRecord
from .codec import (
    REAL,
    TEXT,
    TRUTH,
    WHOLE,
    BadRecord,
    RecordColumn,
    RecordMembers,
    bad,
    listed,
    optional,
    real,
    records,
    rows,
    single,
    texts,
)
from .fields import PLACE, SCOPE

DEPTH = 4
"""Levels of a parameter."""
AXES = 32
_WORD = texts(64)


def _read_params(_: Any, xs: Any) -> list[Any]:
    if not all(type(x) is dict for x in rows(xs)):
        raise bad("the parameters of an operation")
    return [_param(x, DEPTH) for x in xs]


def _param(x: Any, depth: int) -> Any:
    """A parameter: numbers, texts, truth values and what holds them."""
    if x is None or isinstance(x, bool):
        return x
    if isinstance(x, int | float):
        return real(x)
    if isinstance(x, str):
        return TEXT.read(None, [x])[0]
    if depth and isinstance(x, list):
        return [_param(part, depth - 1) for part in x]
    if depth and isinstance(x, dict):
        return {name: _param(x[name], depth - 1) for name in _WORD.read(None, list(x))}
    raise bad("a parameter")


def fits(params: Any) -> bool:
    """Whether a record has room for the parameters of an operation."""
    try:
        _param(params, DEPTH)
    except BadRecord:
        return False
    return True


def _node(op: Any, args: Any, params: Any, shape: Any, dtype: str, data: Any, *rest: Any) -> Any:
    if len(shape) > AXES or prod(shape) != len(data):
        raise bad("the elements of an array")
    return ArrayNode(op, args, params, shape, dtype, tuple(map(float, data)), *rest)


ARRAYS = RecordMembers(
    nodes=records(
        _node, optional(_WORD), listed(WHOLE, tuple), RecordColumn(WHOLE.write, _read_params),
        listed(WHOLE, tuple), _WORD, listed(REAL, tuple), TRUTH, PLACE, SCOPE, TRUTH,
    ),
    names=records(ArrayName, TEXT, WHOLE, WHOLE, PLACE, WHOLE, TEXT),
    whole=single(TRUTH),
    passes=records(ArrayPass, WHOLE, WHOLE, PLACE, WHOLE),
)  # fmt: skip


def written_arrays(tape: Any, tables: Any) -> dict[str, Any]:
    """The operations on arrays of a run that has ended."""
    names = [it._replace(holder=tape.variable(it.owner)) for it in tape.names]
    return ARRAYS.write(
        tables, nodes=tape.nodes, names=names, whole=not tape.is_full, passes=tape.passes
    )


def array_record(found: Any, tables: Any) -> ArrayRecord:
    """The operations on arrays that a record tells of. Raises BadRecord."""
    nodes, names, is_whole, passes = ARRAYS.read(tables, found)
    count = len(nodes)
    known = [(name.of, name.at) for name in names] + [(it.of, it.at) for it in passes]
    if any(of >= count or at > count for of, at in known):
        raise bad("a name or a pass of an array")
    if any(arg >= at for at, node in enumerate(nodes) for arg in node.args):
        raise bad("args that were computed before")
    return ArrayRecord(nodes, names, is_whole, passes)
