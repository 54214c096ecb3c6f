"""The operators of tensors: `a + b`, `a @ b`, `a[i]`, `a += b`, `a < b`, `float(a)`."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

from .arrangement import get_item, unbind
from .dtypes import BOOL
from .elementwise import COMPARISONS, divided_down, elementwise, mapped, modulo
from .in_place import change, set_item
from .products import matmul
from .session import Session
from .tensor_array import TensorArray

SIGNS = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "pow": "**"}
OPERANDS = (TensorArray, bool, int, float)

Function = Callable[[Session, Any, Any], Any]


def _of(name: str) -> Function:
    return lambda session, a, b: elementwise(session, name, a, b)


FUNCTIONS: dict[str, Function] = {
    **{special: _of(sign) for special, sign in SIGNS.items()},
    "floordiv": divided_down,
    "mod": modulo,
    "matmul": matmul,
}
"""The function of each operator's special method."""


def _forward(function: Function) -> Callable[[TensorArray, Any], Any]:
    def method(self: TensorArray, other: Any) -> Any:
        if not isinstance(other, OPERANDS):
            return NotImplemented
        return function(_session(self), self, other)

    return method


def _reflected(function: Function) -> Callable[[TensorArray, Any], Any]:
    def method(self: TensorArray, other: Any) -> Any:
        if not isinstance(other, OPERANDS):
            return NotImplemented
        if function is FUNCTIONS["truediv"] and not isinstance(other, TensorArray):
            found = elementwise(_session(self), "/", other, self)
            found.made_by = found.made_by and "MulBackward0"
            return found
        return function(_session(self), other, self)

    return method


def _in_place(function: Function) -> Callable[[TensorArray, Any], Any]:
    def method(self: TensorArray, other: Any) -> Any:
        if not isinstance(other, OPERANDS):
            return NotImplemented
        return change(_session(self), self, function(_session(self), self, other))

    return method


def _comparison(name: str) -> Callable[[TensorArray, Any], Any]:
    compare = COMPARISONS[name]

    def method(self: TensorArray, other: Any) -> Any:
        if not isinstance(other, OPERANDS):
            return NotImplemented
        return mapped(_session(self), compare, BOOL, self, other)

    return method


def _logical(function: Callable[[Any, Any], Any]) -> Callable[[TensorArray, Any], Any]:
    def method(self: TensorArray, other: Any) -> Any:
        if not isinstance(other, OPERANDS):
            return NotImplemented
        return mapped(_session(self), function, None, self, other)

    return method


def _session(x: TensorArray) -> Session:
    assert isinstance(x.session, Session)
    return x.session


def only_number(x: TensorArray) -> Any:
    """The number of a tensor with one element. Raises ValueError for others."""
    if x.size != 1:
        raise ValueError("only one element tensors can be converted to Python scalars")
    return x.numbers()[0]


def _truth(self: TensorArray) -> bool:
    if self.size == 0:
        raise RuntimeError("Boolean value of Tensor with no values is ambiguous")
    if self.size > 1:
        raise RuntimeError("Boolean value of Tensor with more than one value is ambiguous")
    return bool(self.numbers()[0])


def _length(self: TensorArray) -> int:
    if not self.shape:
        raise TypeError("len() of a 0-d tensor")
    return self.shape[0]


def _index(self: TensorArray) -> int:
    if self.size != 1 or self.dtype.category == 2:
        raise TypeError("only integer tensors of a single element can be converted to an index")
    return int(self.numbers()[0])


def _iterator(self: TensorArray) -> Iterator[Any]:
    return iter(unbind(_session(self), self))


def _contains(self: TensorArray, x: Any) -> bool:
    return x in self.numbers()


def _formatted(self: TensorArray, spec: str) -> str:
    if not self.shape:
        return format(self.numbers()[0], spec)
    if spec:
        raise TypeError("unsupported format string passed to Tensor.__format__")
    return repr(self)


def _inverted(self: TensorArray) -> Any:
    if self.dtype.category == 2:
        raise TypeError(
            "~ (operator.invert) is only implemented on integer and Boolean-type tensors"
        )
    boolean = self.dtype.category == 0
    return mapped(_session(self), (lambda x: not x) if boolean else operator.invert, None, self)


def install() -> None:
    """Give tensors their operators; they are defined above the functions that make tensors."""
    special: dict[str, Any] = {
        "neg": lambda self: elementwise(_session(self), "neg", self),
        "pos": lambda self: self,
        "abs": lambda self: elementwise(_session(self), "abs", self),
        "getitem": lambda self, key: get_item(_session(self), self, key),
        "setitem": lambda self, key, value: set_item(_session(self), self, key, value),
        "len": _length, "iter": _iterator, "bool": _truth, "index": _index, "invert": _inverted,
        "float": lambda self: float(only_number(self)), "contains": _contains,
        "int": lambda self: int(only_number(self)), "format": _formatted,
        "and": _logical(operator.and_), "or": _logical(operator.or_),
        "xor": _logical(operator.xor),
    }  # fmt: skip
    for name, function in FUNCTIONS.items():
        special[name], special[f"r{name}"] = _forward(function), _reflected(function)
        if name != "matmul":
            special[f"i{name}"] = _in_place(function)
    for name in COMPARISONS:
        special[name] = _comparison(name)
    for name, method in special.items():
        setattr(TensorArray, f"__{name}__", method)


install()
