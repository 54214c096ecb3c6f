"""The kinds of objects that a program can hold: one entry each.

An entry has the object's name in messages, the attributes that a program may read, and its methods;
nothing else of a Python object can be reached. To add a kind, add one entry.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.nn import MLP, Layer, Neuron
from engine.value import Value

from .object_methods import (
    Method,
    append,
    backward,
    cast,
    extend,
    item,
    itself,
    local_backward,
    parameters,
    requires_grad,
    zero_grad,
)
from .objects import Array, Drawing, Library, Members, Parts, Precision
from .tape import Number, Tensor

Attribute = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of object: its Python types, its name in messages, its attributes and methods."""

    types: type | tuple[type, ...]
    words: str
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    methods: Mapping[str, Method] = field(default_factory=dict)


_VALUE: dict[str, Attribute] = {
    "data": lambda value: value.data,
    "grad": lambda value: value.grad,
    "label": lambda value: value.label,
    "_prev": lambda value: Members(dict.fromkeys(value.args)),
    "_op": lambda value: value.op.name if value.op else "",
    "args": lambda value: tuple(value.args),
    "requires_grad": lambda value: True,
}
_VALUE_METHODS: dict[str, Method] = {
    "backward": backward,
    "_backward": local_backward,
    "item": item,
    "detach": item,
    "double": cast(64),
    "float": cast(32),
    "requires_grad_": requires_grad,
    "retain_grad": itself,
}
_NUMBER_METHODS: dict[str, Method] = {"item": item, "detach": itself}
_LIST_METHODS: dict[str, Method] = {"append": append, "extend": extend}
_NETWORK_METHODS: dict[str, Method] = {"parameters": parameters, "zero_grad": zero_grad}

KINDS: tuple[Kind, ...] = (
    Kind(bool, "a truth value", methods=_NUMBER_METHODS),
    Kind(Number, "a plain number", _VALUE, _VALUE_METHODS),
    Kind(Tensor, "a tensor", _VALUE, _VALUE_METHODS),
    Kind(Value, "a Value", _VALUE, _VALUE_METHODS),
    Kind((int, float), "a plain number", {"data": lambda value: value}, _NUMBER_METHODS),
    Kind(complex, "a complex number"),
    Kind(str, "a text"),
    Kind(bytes, "a text of bytes"),
    Kind(type(...), "the sign ..."),
    Kind(Members, "a set of Values"),
    Kind(Array, "an array", methods=_LIST_METHODS),
    Kind(list, "a list", methods=_LIST_METHODS),
    Kind(tuple, "a tuple"),
    Kind(range, "a range"),
    Kind(MLP, "a network", {"layers": lambda net: Parts(net.layers)}, _NETWORK_METHODS),
    Kind(Layer, "a layer", {"neurons": lambda layer: Parts(layer.neurons)}, _NETWORK_METHODS),
    Kind(
        Neuron,
        "a neuron",
        {"w": lambda neuron: Parts(neuron.w), "b": lambda neuron: neuron.b},
        _NETWORK_METHODS,
    ),
    Kind(Library, "a module"),
    Kind(Drawing, "a drawing"),
    Kind(Precision, "a dtype"),
    Kind(type(None), "None"),
    Kind(object, "a function"),
)
"""Every kind; the first whose type fits an object is its kind."""


def kind_of(value: Any) -> Kind:
    """The kind of `value`."""
    return next(kind for kind in KINDS if isinstance(value, kind.types))


def attribute_of(value: Any, name: str) -> Attribute | None:
    """The reader of an attribute, if the kind of `value` has it."""
    return kind_of(value).attributes.get(name)


def method_of(value: Any, name: str) -> Method | None:
    """A method, if the kind of `value` has it."""
    return kind_of(value).methods.get(name)
