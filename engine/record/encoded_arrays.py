"""Operations on whole arrays as a record keeps them.

ops      names of operations
nodes    [op, args, params, shape, dtype, data, is constant, place, scope]; op -1 of a leaf
names    [name, node, count of nodes then, place, owner, its variable]
passes   [node, count of nodes then, place]
whole    whether nothing was left out
"""

from __future__ import annotations

from typing import Any

from .encoded_tables import EncodedTables, safe


def array_rows(tape: Any, tables: EncodedTables) -> dict[str, Any]:
    """The operations on arrays of a run that has ended."""
    ops: dict[str, int] = {}
    place, scope = tables.places.of, tables.scope
    nodes = [
        [
            -1 if it.op is None else ops.setdefault(it.op, len(ops)), list(it.args),
            dict(it.params), list(it.shape), it.dtype, list(map(safe, it.data)), it.is_constant,
            place(it.node), scope(it.scope),
        ]
        for it in tape.nodes
    ]  # fmt: skip
    return {
        "ops": list(ops),
        "nodes": nodes,
        "names": [
            [it.name, it.of, it.at, place(it.node), it.owner, tape.variable(it.owner)]
            for it in tape.names
        ],
        "passes": [[of, at, place(node)] for of, at, node in tape.passes],
        "whole": not tape.is_full,
    }
