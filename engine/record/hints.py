"""Hints at a way out of the exceptions that programs end with, beside Python's own words.

A hint is a sentence that helps in this case, or nothing: there is none that only sounds like help.
"""

from __future__ import annotations

import ast
import builtins
import difflib
import re
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any

from engine.arrays.array import Array
from engine.ops import OPS
from engine.stand_ins.inits import COMMA, is_pair
from engine.stand_ins.names import LIBRARIES
from engine.tensors.tensor_array import TensorArray
from engine.value import Value

from .follow import is_a
from .objects import own_dict
from .places import FILENAME

NAMES = frozenset(vars(builtins))

CLOSE = 0.8
"""How much alike two names are of which one may be meant for the other, from 0 to 1."""
_QUOTED = re.compile(r"'([^']{1,64})'")
_CONSTANTS = frozenset({"pi", "tau", "inf", "nan"})
_OTHER_NAMES = {"ln": "log", "tg": "tan", "true": "True", "false": "False", "null": "None"}
"""What mathematics and other languages call what has another name in Python."""
_NOTEBOOK = frozenset({"In", "Out"})
_ZERO = "The gradient of a Value is a number; write .grad = 0.0."
_BY_HAND = (
    "Write the update by hand: for p in model.parameters(): p.data -= 0.1 * p.grad; the gradients "
    "are reset by p.grad = 0.0."
)
_SINGLE = "Seegrad works on single numbers here; write"
DOT = "·"
"""The middle dot of products, which Python takes as a letter of a name."""


def hint_for(m: Any, error: BaseException) -> str:
    """A way out of `error`, which ends the program of `m`; empty if none is likely."""
    for kind, hint in _HINTS.items():
        if is_a(error, kind):
            return hint(m, error, _message(error))
    return ""


def _message(error: BaseException) -> str:
    try:
        return str(error)
    except BaseException:
        return ""


def _quoted(message: str) -> list[str]:
    return _QUOTED.findall(message)


# Names


def _name_error(m: Any, error: BaseException, message: str) -> str:
    found = _quoted(message)
    return _perhaps(m, found[0]) if found and message.endswith("is not defined") else ""


def _perhaps(m: Any, name: str) -> str:
    """What the writer of an unknown name may have meant."""
    if name in _NOTEBOOK:
        return f"Remove the notebook's {name} [ ]: in front of the line."
    if name in _CONSTANTS:
        return f"Write math.{name}."
    if name in _OTHER_NAMES:
        return f"Write {_OTHER_NAMES[name]}, or set {name} on a line above."
    if DOT in name:  # a letter of names in Python, but hardly meant as one
        return f"Write {name.replace(DOT, '*')} for a product."
    known = {*m.globals, *_local_names(m)}
    if len(name) > 1 and all(letter in known for letter in name):
        return f"Write {'*'.join(name)} for a product."
    words = (op.name for op in OPS.values() if op.is_word and not op.module)
    close = _closest(name, {*known, *NAMES, *words, *LIBRARIES})
    if close:
        return f"Write {close}, or set {name} on a line above."
    return f"Set {name} on a line above." if _is_read(m.node, name) else ""


def _local_names(m: Any) -> set[str]:
    """The names that the functions around the present place bind."""
    line = getattr(m.node, "lineno", 0)
    found: set[str] = set()
    for node in ast.walk(m.source.tree):
        if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or 0):
            for part in ast.walk(node):
                if isinstance(part, ast.arg):
                    found.add(part.arg)
                elif isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                    found.add(part.id)
    return found


def _closest(name: str, known: Iterable[str]) -> str:
    public = sorted(other for other in known if other != name and not other.startswith("_"))
    return next(iter(difflib.get_close_matches(name, public, 1, CLOSE)), "")


def _is_read(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _unbound_local(m: Any, error: BaseException, message: str) -> str:
    name = next(iter(_quoted(message)), "")
    if name in m.globals:
        return f"The function sets {name} itself; write global {name} in it, or pass it."
    return ""


# Attributes


def _attribute_error(m: Any, error: BaseException, message: str) -> str:
    if message == "'float' object has no attribute 'zero_'":
        return _ZERO
    owner, name = _owner(m), _quoted(message)[-1:]
    if not name or not (message.endswith(f"no attribute '{name[0]}'")):
        return ""
    known = set(vars(owner)) if is_a(owner, ModuleType) else m.stand_ins.names_of(owner)
    close = _closest(name[0], known)
    return f"Write {close}." if close else ""


def _owner(m: Any) -> Any:
    """The module, or the type of the object, whose attribute was read last; None if not known."""
    node = m.node
    if isinstance(node, ast.Call):
        node = node.func
    if not isinstance(node, ast.Attribute):
        return None
    match node.value:
        case ast.Name(id=name):
            held = m.globals.get(name)
            return held if is_a(held, ModuleType) or held is None else type(held)
        case ast.Constant(value=value):
            return type(value)
        case ast.Call(func=ast.Name(id="Value")):
            return Value
    return None


# Numbers and types


def _zero_division(m: Any, error: BaseException, message: str) -> str:
    return "The divisor is 0 here; a Value gives inf and goes on: Value(1.0) / 0."


def _type_error(m: Any, error: BaseException, message: str) -> str:
    if any(is_pair(x) for x in _operands(m)):
        return COMMA
    if message.startswith("unsupported operand type(s) for ^"):
        return _power(m)
    if message.startswith("can't multiply sequence by non-int"):
        return _of_lists(message)
    if message == "must be real number, not list":
        return f"{_SINGLE} [f(v) for v in x]."
    if message.endswith("object is not callable"):
        return _not_callable(m)
    if message.startswith("'NoneType' object") or "'NoneType'" in message:
        return "A function without return gives None." if _calls(m) else ""
    if message.startswith("optimizer can only optimize Tensors"):
        return _BY_HAND
    if message.startswith("can only concatenate str"):
        return "Write str(…) around the number, or an f-string: f'a {x}'."
    return ""


def _operands(m: Any) -> list[Any]:
    """The values of the variables that the last operator was given."""
    node = m.node
    sides = [node.left, node.right] if isinstance(node, ast.BinOp) else []
    return [m.globals.get(side.id) for side in sides if isinstance(side, ast.Name)]


def _power(m: Any) -> str:
    """How a power is written, where the sign of mathematics stands."""
    is_power = isinstance(m.node, ast.BinOp) and isinstance(m.node.op, ast.BitXor)
    written = m.source.text_of(m.node).replace("^", "**") if is_power else "**"
    return f"Write {written} for a power."


def _of_lists(message: str) -> str:
    if message.endswith("'list'"):
        return f"{_SINGLE} [v*w for v, w in zip(x, y)]."
    return f"{_SINGLE} [v*2 for v in x]." if message.endswith("'float'") else ""


def _not_callable(m: Any) -> str:
    """Where a name of Python's holds a number, or a product lacks its sign."""
    match m.node:
        case ast.Call(func=ast.Name(id=name)) if name in m.globals:
            if name in NAMES or name in OPS:
                return f"The program has set {name} to something else; give that another name."
            if is_a(m.globals[name], Value | TensorArray | int | float):
                return f"Write {name} * (…) for a product."
        case ast.Call(func=ast.Constant(value=int() | float())):
            return "Write * between the number and the bracket for a product."
    return ""


def _calls(m: Any) -> bool:
    return any(isinstance(node, ast.Call) for node in ast.walk(m.node))


def _index_error(m: Any, error: BaseException, message: str) -> str:
    match m.node:
        case ast.Subscript(value=ast.Name(id=name)) if isinstance(
            m.globals.get(name), list | tuple
        ):
            count = len(m.globals[name])
            return f"The last item is {name}[{count - 1}]." if count else f"{name} is empty."
    return ""


def _value_error(m: Any, error: BaseException, message: str) -> str:
    if "mismatch in its core dimension" in message or "cannot be multiplied" in message:
        return _of_matrices(m, error)
    if message == "math domain error":
        return "The function has no real value here; of a Value it is nan, with a warning."
    return ""


def _overflow(m: Any, error: BaseException, message: str) -> str:
    if message == "math range error":
        return "The result is beyond 1.8e308; of a Value it is inf, with a warning."
    return ""


def _of_matrices(m: Any, error: BaseException) -> str:
    """The shapes of the factors of a product whose inner lengths differ, and what would fit."""
    if not (isinstance(m.node, ast.BinOp) and isinstance(m.node.op, ast.MatMult)):
        return ""
    known = _variables(error)
    sides = [m.node.left, m.node.right]
    try:
        a, b = (_shape(side, known) for side in sides)
    except Exception:  # of an object of the program whose attributes raise
        return ""
    if len(a) != 2 or len(b) != 2:
        return ""
    left, right = (m.source.text_of(side) for side in sides)
    said = (
        f"{left} is {a[0]}×{a[1]} and {right} is {b[0]}×{b[1]}: the columns of the left one, "
        f"{a[1]}, have to be the rows of the right one, {b[0]}."
    )
    fits = {f"{_turned(left)} @ {right}": a[0] == b[0], f"{left} @ {_turned(right)}": a[1] == b[1]}
    return f"{said} {next((f'{text} fits.' for text, does in fits.items() if does), '')}".strip()


def _turned(text: str) -> str:
    return text.removesuffix(".T") if text.endswith(".T") else f"{text}.T"


def _variables(error: BaseException) -> dict[str, Any]:
    """What the innermost function of the program that an exception left could read."""
    found, trace = {}, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == FILENAME:
            found = {**trace.tb_frame.f_globals, **trace.tb_frame.f_locals}
        trace = trace.tb_next
    return found


def _shape(node: ast.expr, known: dict[str, Any]) -> tuple[int, ...]:
    """The shape of the array that a name, or an attribute of an object, stands for; else ()."""
    match node:
        case ast.Attribute(value=inner, attr="T"):
            return _shape(inner, known)[::-1]
        case ast.Attribute(value=ast.Name(id=owner), attr=name):
            held = own_dict(known.get(owner)).get(name)
        case ast.Name(id=name):
            held = known.get(name)
        case _:
            return ()
    return tuple(held.shape) if is_a(held, TensorArray | Array) else ()


def _runtime_error(m: Any, error: BaseException, message: str) -> str:
    if "cannot be multiplied" in message:
        return _of_matrices(m, error)
    if message.startswith("Trying to backward through the graph a second time"):
        return "Write backward(retain_graph=True) for each pass but the last."
    if "does not require grad" in message:
        return "Make the leaves with requires_grad=True."
    return ""


def _recursion(m: Any, error: BaseException, message: str) -> str:
    return "A function calls itself without an end, or more than 1,000 deep."


_HINTS: dict[type[BaseException], Callable[[Any, BaseException, str], str]] = {
    UnboundLocalError: _unbound_local,
    NameError: _name_error,
    ImportError: lambda m, error, message: str(vars(error).get("hint", "")),
    AttributeError: _attribute_error,
    ZeroDivisionError: _zero_division,
    OverflowError: _overflow,
    TypeError: _type_error,
    IndexError: _index_error,
    RecursionError: _recursion,
    ValueError: _value_error,
    RuntimeError: _runtime_error,
}
"""The hint at each kind of exception; the first that fits, so subclasses stand first."""
