"""Functions and layers of torch.nn as rows of text: a signature, and what it computes.

`celu(input, alpha=1.0, inplace=False) = celu(input; alpha)` is the function celu of torch: the
operation celu of the table of arrays, of the tensor `input` and the setting `alpha`. Options that
stand on the left alone have no other value than the default here; `inplace` is read elsewhere.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from inspect import Parameter, Signature
from typing import Any, NamedTuple

from engine import parser_lock

from .whole import whole

Function = Callable[..., Any]


class TorchRow(NamedTuple):
    """One line of a table: a name, its signature, and the text behind the sign of equality."""

    name: str
    signature: Signature
    rest: str


def rows(text: str) -> Iterator[TorchRow]:
    """The lines of a table; a line that is indented goes on with the one above."""
    for line in text.strip().replace("\n    ", " ").split("\n"):
        head, _, rest = line.partition(") = ")
        name = head.partition("(")[0]
        yield TorchRow(name, signature(f"{head})"), rest.strip())


def signature(head: str) -> Signature:
    """The signature of `f(a, b=1)`; `*` parts arguments by name."""
    (function,) = parser_lock.module(f"def {head}: pass").body
    assert isinstance(function, ast.FunctionDef)
    given = function.args
    usual: list[Any] = [Parameter.empty] * (len(given.args) - len(given.defaults))
    usual += map(ast.literal_eval, given.defaults)
    both = [*zip(given.args, usual, strict=True)]
    found = [
        Parameter(arg.arg, Parameter.POSITIONAL_OR_KEYWORD, default=default)
        for arg, default in both
    ]
    for arg, tree in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        default = Parameter.empty if tree is None else ast.literal_eval(tree)
        found.append(Parameter(arg.arg, Parameter.KEYWORD_ONLY, default=default))
    return Signature(found)


def bound(
    row: TorchRow, called: str, args: tuple[Any, ...], options: dict[str, Any]
) -> dict[str, Any]:
    """The arguments by name. Raises TypeError as CPython's own functions do."""
    try:
        found = row.signature.bind(*args, **options)
    except TypeError as error:
        said = str(error)
        if said.startswith("missing a required argument: "):
            name = said.rpartition(": ")[2]
            said = f"missing 1 required positional argument: {name}"
        raise TypeError(f"{called}() {said}") from None
    found.apply_defaults()
    return dict(found.arguments)


def _parts(rest: str) -> tuple[str, list[str], list[tuple[str, str]]]:
    """The operation, the names of its tensors, and its settings with the names that they have."""
    op, _, inside = rest.rstrip(")").partition("(")
    tensors, _, settings = inside.partition(";")
    pairs = [part.strip().partition("=") for part in settings.split(",") if part.strip()]
    return op, [name.strip() for name in tensors.split(",")], [(a, b or a) for a, _, b in pairs]


def function_of(row: TorchRow) -> Function:
    """The function of a row: f(tensor, …)."""
    op, tensors, settings = _parts(row.rest)
    read = {*tensors, *(name for _, name in settings), "inplace"}
    fixed = [p for p in row.signature.parameters.values() if p.name not in read]

    def function(*args: Any, **options: Any) -> Any:
        given = bound(row, row.name, args, options)
        for parameter in fixed:
            if given[parameter.name] != parameter.default:
                given[tensors[0]].session.machine.refuse(
                    f"{parameter.name} is {parameter.default} here.", "Leave it out."
                )
        params = {key: given[name] for key, name in settings if given[name] is not None}
        return whole(op, [given[name] for name in tensors], params)

    function.__name__ = function.__qualname__ = row.name
    return function


def functions(text: str) -> dict[str, Function]:
    """The functions of a table by name."""
    return {row.name: function_of(row) for row in rows(text)}
