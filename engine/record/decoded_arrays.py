"""Operations on whole arrays, read from a record: see `encoded_arrays`."""

from __future__ import annotations

from math import prod
from typing import Any

from .array_model import ArrayName, ArrayNode, ArrayRecord
from .checks import bad, members, of, of_or_none, real, rows, text, truth, whole
from .decoded_tables import DecodedTables

DEPTH = 4
"""Levels of a parameter."""
AXES = 32


def array_record(found: Any, tables: DecodedTables) -> ArrayRecord:
    """The operations on arrays that a record tells of. Raises BadRecord."""
    ops, nodes, names, passes, is_whole = members(found, "ops", "nodes", "names", "passes", "whole")
    known = [text(op, 64) for op in rows(ops)]
    read = [_node(known, at, tables, *rows(row, 9)) for at, row in enumerate(rows(nodes))]
    return ArrayRecord(
        read,
        [_name(len(read), tables, *rows(row, 6)) for row in rows(names)],
        truth(is_whole),
        [_pass(len(read), tables, *rows(row, 3)) for row in rows(passes)],
    )


def _node(
    ops: list[str],
    at: int,
    tables: DecodedTables,
    op: Any,
    args: Any,
    params: Any,
    shape: Any,
    dtype: Any,
    data: Any,
    is_constant: Any,
    place: Any,
    scope: Any,
) -> ArrayNode:
    sizes = tuple([whole(size) for size in rows(shape)])
    numbers = tuple([float(real(x)) for x in rows(data)])
    if len(sizes) > AXES or prod(sizes) != len(numbers):
        raise bad("the elements of an array")
    if type(params) is not dict:
        raise bad("the parameters of an operation")
    return ArrayNode(
        of_or_none(ops, op),
        tuple([whole(arg, 0, at) for arg in rows(args)]),
        {text(key, 32): _param(x, DEPTH) for key, x in params.items()},
        sizes,
        text(dtype, 32),
        numbers,
        truth(is_constant),
        tables.place(place),
        of_or_none(tables.scopes, scope),
    )


def _param(x: Any, depth: int) -> Any:
    """A parameter: numbers, texts, truth values and what holds them."""
    if x is None or isinstance(x, bool):
        return x
    if isinstance(x, int | float):
        return real(x)
    if isinstance(x, str):
        return text(x)
    if depth and isinstance(x, list):
        return [_param(part, depth - 1) for part in x]
    if depth and isinstance(x, dict):
        return {text(key, 32): _param(part, depth - 1) for key, part in x.items()}
    raise bad("a parameter")


def _name(count: int, tables: DecodedTables, name: Any, *rest: Any) -> ArrayName:
    node, at, place, owner, holder = rest
    of_, then = whole(node, 0, count), whole(at, 0, count + 1)
    return ArrayName(text(name), of_, then, tables.place(place), whole(owner), text(holder))


def _pass(count: int, tables: DecodedTables, node: Any, at: Any, place: Any) -> Any:
    read = of(range(count), node), whole(at, 0, count + 1)
    return (*read, tables.place(place))
