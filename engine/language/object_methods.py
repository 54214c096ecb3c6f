"""The methods of the objects of programs: of Values, numbers, lists and networks."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from engine.nn import Module
from engine.value import Value

from .arguments import only, spend_items
from .objects import Arguments, Keywords, Parts, bare, kind
from .tape import Refused, Tensor

if TYPE_CHECKING:
    from .expressions import Expressions

Method: TypeAlias = "Callable[[Expressions, Any, Arguments, Keywords, ast.Call], Any]"


def backward(
    run: Expressions, value: Value, args: Arguments, keywords: Keywords, node: ast.Call
) -> None:
    options = {name: x for name, x in keywords.items() if x is not None}
    if args or "gradient" in options:
        hint = "Multiply the output by it before."
        raise Refused(node, "A backward pass starts from the gradient 1 and no other.", hint)
    retain_graph = isinstance(value, Tensor) and bool(options.pop("retain_graph", 0))
    if options:
        owner, name = type(value).__name__, min(options)
        message = f"{owner}.backward() got an unexpected keyword argument {name[:40]!r}."
        raise Refused(node, message, "Leave it out.")
    run.tape.differentiate(value, node, retain_graph=retain_graph)
    if isinstance(value, Tensor):
        _note_tacit(run, node)


TACIT = "Every tensor here records gradients, as if made with requires_grad=True."


def _note_tacit(run: Expressions, node: ast.Call) -> None:
    """A note if PyTorch would record no gradient for a leaf of the pass just made."""
    assert run.tape.backward is not None
    order = run.tape.backward.order
    if any(type(value) is Tensor and value.op is None and value.tacit for value in order):
        run.note(node, TACIT)


def local_backward(
    run: Expressions, value: Value, args: Arguments, keywords: Keywords, node: ast.Call
) -> None:
    value._backward()


def itself(
    run: Expressions, value: Any, args: Arguments, keywords: Keywords, node: ast.Call
) -> Any:
    return value


def requires_grad(
    run: Expressions, value: Value, args: Arguments, keywords: Keywords, node: ast.Call
) -> Value:
    """`x.requires_grad_()`; every tensor records gradients anyway."""
    if isinstance(value, Tensor):
        value.tacit = False
    return value


def cast(bits: int) -> Method:
    """`x.double()` or `x.float()`: a tensor that has just been made takes the other precision."""

    def to_precision(
        run: Expressions, value: Value, args: Arguments, keywords: Keywords, node: ast.Call
    ) -> Value:
        single = bits == 32
        if isinstance(value, Tensor) and value.single != single:
            if value.op is None and not value.label:
                value.single = single
                value.data = value.rounded(value.data)
            else:
                message = "The precision of a tensor in use stays as it is here."
                hint = "Give the dtype where the tensor is made: dtype=torch.float64."
                raise Refused(node, message, hint)
        return value

    return to_precision


def item(run: Expressions, value: Any, args: Arguments, keywords: Keywords, node: ast.Call) -> Any:
    return bare(value)


def append(
    run: Expressions, items: list[Any], args: Arguments, keywords: Keywords, node: ast.Call
) -> None:
    check_changeable(items, node)
    items.append(only(args, node, "append"))
    run.check_length(len(items), node)


def extend(
    run: Expressions, items: list[Any], args: Arguments, keywords: Keywords, node: ast.Call
) -> None:
    check_changeable(items, node)
    items.extend(spend_items(run, only(args, node, "extend"), node))
    run.check_length(len(items), node)


def parameters(
    run: Expressions, module: Module, args: Arguments, keywords: Keywords, node: ast.Call
) -> Any:
    parameters = module.parameters()
    run.tape.spend(node, len(parameters))
    return parameters


def zero_grad(
    run: Expressions, module: Module, args: Arguments, keywords: Keywords, node: ast.Call
) -> None:
    run.tape.spend(node, len(module.parameters()))
    module.zero_grad()


_TAKES: dict[str, tuple[int, frozenset[str]]] = {
    "append": (1, frozenset()),
    "extend": (1, frozenset()),
    "requires_grad_": (1, frozenset({"requires_grad"})),
    "zero_grad": (0, frozenset({"set_to_none"})),
}
"""How many arguments a method takes at most, and those by name; (0, none) for the others."""


def check_arguments(name: str, args: Arguments, keywords: Keywords, node: ast.Call) -> None:
    """Raises Refused for an argument that `name` would drop; `backward` checks its own."""
    most, known = _TAKES.get(name, (0, frozenset()))
    if name != "backward" and (len(args) > most or set(keywords) - known):
        taken = "no arguments" if most == 0 else "1 argument"
        raise Refused(node, f"{name} takes {taken} here.", "Leave the others out.")


def check_changeable(container: Any, node: ast.AST) -> None:
    """Refuse to change items of anything but a list of the program's own."""
    if isinstance(container, Parts):
        hint = "Set their data instead: n.w[0].data = 0.5."
        raise Refused(node, "The parts of a network cannot be replaced.", hint)
    if not isinstance(container, list):
        raise Refused(node, f"Items of {kind(container)} cannot be set.", "Only those of a list.")
