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
from .tensor_array import TensorArray

OPERANDS = (TensorArray, bool, int, float)
Function = Callable[[Any, Any], Any]


def _of(name: str) -> Function:
    return lambda a, b: elementwise(name, a, b)


def _mapped(f: Callable[[Any, Any], Any], dtype: Any = None) -> Function:
    return lambda a, b: mapped(f, dtype, a, b)


def _over(a: Any, b: Any) -> Any:
    """a / b, where PyTorch multiplies a plain number by a reciprocal."""
    found = elementwise("/", a, b)
    if found.made_by and not isinstance(a, TensorArray):
        found.made_by = "MulBackward0"
    return found


FUNCTIONS: dict[str, Function] = {
    "add": _of("+"), "sub": _of("-"), "mul": _of("*"), "truediv": _over, "pow": _of("**"),
    "floordiv": divided_down, "mod": modulo, "matmul": matmul, "and": _mapped(operator.and_),
    "or": _mapped(operator.or_), "xor": _mapped(operator.xor),
}  # fmt: skip
"""The function of each operator's special method."""


def _method(function: Function, *, reflected: bool = False, in_place: bool = False) -> Function:
    def method(self: TensorArray, other: Any) -> Any:
        if not isinstance(other, OPERANDS):
            return NotImplemented
        found = function(other, self) if reflected else function(self, other)
        return change(self, found) if in_place else found

    return method


def only_number(x: TensorArray) -> Any:
    """The number of a tensor with one element. Raises ValueError for others."""
    if x.size != 1:
        raise ValueError("only one element tensors can be converted to Python scalars")
    return x.numbers()[0]


def _truth(self: TensorArray) -> bool:
    if self.size != 1:
        many = "more than one value" if self.size else "no values"
        raise RuntimeError(f"Boolean value of Tensor with {many} is ambiguous")
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
    return iter(unbind(self))


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
    return mapped(operator.invert if self.dtype.category else operator.not_, None, self)


def install() -> None:
    """Give tensors their operators; they are defined above the functions that make tensors."""
    special: dict[str, Any] = {
        "neg": lambda self: elementwise("neg", self), "pos": lambda self: self,
        "abs": lambda self: elementwise("abs", self), "getitem": get_item, "setitem": set_item,
        "len": _length, "iter": _iterator, "bool": _truth, "index": _index, "invert": _inverted,
        "float": lambda self: float(only_number(self)), "int": lambda self: int(only_number(self)),
        "contains": lambda self, x: x in self.numbers(), "format": _formatted,
        **{name: _method(_mapped(f, BOOL)) for name, f in COMPARISONS.items()},
    }  # fmt: skip
    for name, function in FUNCTIONS.items():
        special[name], special[f"r{name}"] = _method(function), _method(function, reflected=True)
        if name != "matmul":
            special[f"i{name}"] = _method(function, in_place=True)
    for name, method in special.items():
        setattr(TensorArray, f"__{name}__", method)


install()
