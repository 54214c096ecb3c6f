"""The attributes that programs may read and set: those of Values, networks and modules."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from engine.value import Value

from .kinds import attribute_of
from .names import BUILT_IN_HINT, CONSTANTS, MODULES, NOT_HERE, NUMERIC
from .objects import (
    DRAWING,
    LABEL_LENGTH,
    PRECISIONS,
    Drawing,
    Library,
    bare,
    kind,
    plain_number,
    sentence,
    written,
)
from .tape import Number, Refused, Tensor

if TYPE_CHECKING:
    from .expressions import Expressions


def get_attribute(run: Expressions, value: Any, node: ast.Attribute) -> Any:
    """`value.name`, for the few names that the tables know."""
    name = node.attr
    if isinstance(value, Library):
        if value.name == "drawing":
            return DRAWING
        if name in CONSTANTS and value.name in NUMERIC:
            return CONSTANTS[name]
        if name in MODULES and name != value.name:
            return Library(MODULES[name])
        if value.name == "micrograd" and name in ("engine", "nn"):
            return value
        if name in ("nn", "functional"):
            return Library("functional")
        if name in PRECISIONS and value.name in ("torch", "numpy"):
            return PRECISIONS[name]
    elif isinstance(value, Drawing):
        return value
    elif read := attribute_of(value, name):
        return read(value)
    hint = "A Value has data, grad, label, backward() and a method for every operation."
    owner = sentence(kind(value))
    if isinstance(value, Library):
        owner, hint = written(node.value), NOT_HERE.get(name, BUILT_IN_HINT)
    raise Refused(node, f"{owner} has no {name[:40]} here.", hint)


def set_attribute(run: Expressions, owner: Any, target: ast.Attribute, value: Any) -> None:
    """`owner.name = value`: the data, grad and label of a Value."""
    name = target.attr
    if isinstance(owner, Tensor) and name == "requires_grad":
        owner.tacit = False
    if isinstance(owner, Drawing) or (
        isinstance(owner, Value) and name in ("requires_grad", "_backward")
    ):
        return
    if not isinstance(owner, Value) or name not in ("data", "grad", "label"):
        raise Refused(
            target,
            f"{sentence(kind(owner))} has no attribute {name[:40]} to set.",
            "Set a name instead.",
        )
    if name == "label":
        if not isinstance(value, str):
            raise Refused(target, "A label is a text.", "Write x.label = 'x'.")
        owner.label = value[:LABEL_LENGTH]
    elif isinstance(owner, Number) and name == "data":
        hint = f"Write {ast.unparse(target.value)} = …, or wrap it: Value(…)."
        raise Refused(target, "This is a plain number; its data cannot be set.", hint)
    else:
        number = 0.0 if value is None and name == "grad" else bare(value)
        number = run.tape.number(plain_number(number, target), target).data
        setattr(owner, name, owner.rounded(number))
