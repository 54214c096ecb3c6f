"""The attributes in which objects of a class hold their number, gradient, operands and operation.

They are found by the names that such classes use, `engine.record.attribute_names`, and by what they
hold. Reading an attribute may run a property of the class; nothing is ever set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from inspect import signature
from types import FunctionType, MethodType
from typing import Any

from engine.live.refusal import CannotShow
from engine.record.attribute_names import CHILDREN, DATA, GRADIENTS, LABELS, OPS

COLLECTIONS = (tuple, list, set, frozenset)
_SETTINGS = (bool, int, float)
ABSENT = object()


def read(o: object, name: str) -> Any:
    """An attribute of an object; ABSENT without it, or if reading it fails."""
    try:
        return getattr(o, name, ABSENT)
    except Exception:  # a property of the class
        return ABSENT


def is_tensor(x: object) -> bool:
    """Whether `x` is a tensor of PyTorch, which need not be imported."""
    return any(it.__module__ == "torch" and it.__name__ == "Tensor" for it in type(x).__mro__)


def number(x: object) -> float | None:
    """The number that `x` is; None if it is none, or several."""
    if isinstance(x, bool | str | bytes | complex) or x is None or callable(x):
        return None
    if getattr(x, "shape", ()) != ():
        return None
    try:
        return float(x)  # type: ignore[arg-type]
    except Exception:
        return None


def held_names(o: object) -> list[str]:
    """The names of the attributes that an object holds itself, as they were set or declared."""
    slots = [getattr(kind, "__slots__", ()) for kind in reversed(type(o).__mro__)]
    declared = [x for each in slots for x in ((each,) if isinstance(each, str) else each)]
    return list(dict.fromkeys([*declared, *getattr(o, "__dict__", {})]))


@dataclass(frozen=True)
class Attributes:
    """The names of the attributes of one class; `op` and `label` are empty if it has none."""

    kind: type
    data: str
    grad: str
    operands: str
    op: str
    label: str

    def number_of(self, o: object) -> float:
        """The number that an object holds. Raises CannotShow."""
        held = read(o, self.data)
        found = number(held)
        if found is None:
            raise CannotShow(f"show() draws objects that hold one number: {_is_no(self, held)}.")
        return found

    def gradient_of(self, o: object) -> float | None:
        """The gradient that an object holds; None if it holds none."""
        return number(read(o, self.grad)) if self.grad else None

    def operands_of(self, o: object) -> list[Any]:
        """The objects that an object was computed from, in the order in which it holds them."""
        held = read(o, self.operands)
        items = list(held) if isinstance(held, COLLECTIONS) else []
        return [x for x in map(of_pair, items) if isinstance(x, self.base)]

    def op_of(self, o: object) -> str:
        """What an object calls the operation that made it."""
        text = read(o, self.op) if self.op else ""
        return text if isinstance(text, str) else ""

    def label_of(self, o: object) -> str:
        text = read(o, self.label) if self.label else ""
        return text if isinstance(text, str) else ""

    @cached_property
    def base(self) -> type:
        """The class that the objects of a graph have in common."""
        return next(kind for kind in reversed(self.kind.__mro__) if kind is not object)


def _is_no(of: Attributes, held: object) -> str:
    shape = getattr(held, "shape", None)
    what = f"an array of shape {tuple(shape)}" if shape else f"a {type(held).__name__}"
    return f"{of.data} of this {of.kind.__name__} is {what}"


def attributes(o: object) -> Attributes:
    """The attributes of the class of `o`. Raises CannotShow, and says what is missing."""
    names = list(dict.fromkeys([*held_names(o), *_of_class(o)]))
    kind = type(o)
    operands = _operands(o, names)
    data = next((x for x in names if x in DATA and read(o, x) is not ABSENT), "")
    grad = next((x for x in names if x in GRADIENTS and x != data and _may_be_grad(o, x)), "")
    missing = [
        words
        for words, found in (
            ("a number (data)", data),
            ("a gradient (grad)", grad),
            ("the objects that it was computed from (_prev)", operands),
        )
        if not found
    ]
    if missing:
        wanted = " and ".join([", ".join(missing[:-1]), missing[-1]] if missing[1:] else missing)
        raise CannotShow(f"show() needs an object that holds {wanted}: {_named(kind)} does not.")
    op = next((x for x in names if x in OPS and isinstance(read(o, x), str)), "")
    label = next((x for x in names if x in LABELS and isinstance(read(o, x), str)), "")
    return Attributes(kind, data, grad, operands, op, label)


def _named(kind: type) -> str:
    article = "an" if kind.__name__[:1].lower() in "aeiou" else "a"
    return f"{article} {kind.__name__}"


def _of_class(o: object) -> Iterator[str]:
    """The names that the tables know among the properties and attributes of a class."""
    known = DATA | GRADIENTS | CHILDREN | set(OPS)
    for kind in type(o).__mro__:
        yield from (
            name for name, held in vars(kind).items() if name in known and not callable(held)
        )


def _may_be_grad(o: object, name: str) -> bool:
    held = read(o, name)
    return held is None or number(held) is not None


def _operands(o: object, names: list[str]) -> str:
    """By its name, else the only collection of objects of the same class."""
    known = [x for x in names if x in CHILDREN and isinstance(read(o, x), COLLECTIONS)]
    if known:
        return max(known, key=lambda name: len(read(o, name)))
    alike = [x for x in names if _is_of_kind(read(o, x), type(o))]
    return alike[0] if len(alike) == 1 else ""


def of_pair(x: Any) -> Any:
    """What is held in a pair with its partial: `(operand, partial)`."""
    return x[0] if type(x) is tuple and x else x


def _is_of_kind(held: Any, kind: type) -> bool:
    is_collection = isinstance(held, COLLECTIONS) and len(held) > 0
    return is_collection and all(isinstance(of_pair(x), kind) for x in held)


def closures(o: object) -> Iterator[tuple[FunctionType, str, dict[str, Any]]]:
    """The functions that an object holds, the method that defined each, and what it captured.

    Of `Value.__add__.<locals>._backward` that is `__add__`.
    """
    for name in held_names(o):
        held = read(o, name)
        if isinstance(held, MethodType):
            held = held.__func__
        if not isinstance(held, FunctionType) or ".<locals>." not in held.__qualname__:
            continue
        method = held.__qualname__.rpartition(".<locals>.")[0].rpartition(".")[2]
        yield held, method, dict(_captured(held))


def _captured(function: Callable[..., Any]) -> Iterator[tuple[str, Any]]:
    cells = getattr(function, "__closure__", None) or ()
    for name, cell in zip(function.__code__.co_freevars, cells, strict=True):
        try:
            yield name, cell.cell_contents
        except ValueError:  # not set yet
            continue


def constructed_with(o: object, of: Attributes) -> Iterator[tuple[str, Any]]:
    """The settings of an object that its class takes by name, such as `requires_grad=False`."""
    try:
        params = [*signature(type(o)).parameters.values()][1:]
    except (TypeError, ValueError):
        return
    known = DATA | GRADIENTS | CHILDREN | {*OPS, *LABELS, of.grad, of.operands}
    for p in params:
        if p.name in known or p.default is p.empty or not isinstance(p.default, _SETTINGS):
            continue
        held = read(o, p.name)
        if type(held) in _SETTINGS and held != p.default:
            yield p.name, held
