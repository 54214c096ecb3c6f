"""The helpers that a rewritten program calls: one entry for each kind of site."""

from __future__ import annotations

import ast
import operator
import sys
from collections.abc import Callable, Iterable, Iterator
from types import MethodType
from typing import Any, NamedTuple

from engine.arrays.scalars import Float64
from engine.named_ops import METHODS
from engine.ops import OPS
from engine.tensors.scalar import Tensor
from engine.value import Value

from .attribute_names import CHILDREN, GRADIENTS
from .follow import FOLLOWED, NUMBERS, STORED, UNTYPED, TapedFloat, TapedInt, plain, retyped
from .model import Write
from .objects import is_object
from .places import FILENAME, own_frame
from .rewrite import CALL, PREFIX

Helper = Callable[..., Any]
NATIVE: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "**": operator.pow, "//": operator.floordiv, "%": operator.mod, "@": operator.matmul,
    "<<": operator.lshift, ">>": operator.rshift, "|": operator.or_, "&": operator.and_,
    "^": operator.xor,
}  # fmt: skip
IN_PLACE: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.iadd, "-": operator.isub, "*": operator.imul, "/": operator.itruediv,
    "**": operator.ipow, "//": operator.ifloordiv, "%": operator.imod, "@": operator.imatmul,
    "<<": operator.ilshift, ">>": operator.irshift, "|": operator.ior, "&": operator.iand,
    "^": operator.ixor,
}  # fmt: skip
_ORDERS = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq,
    "!=": operator.ne,
}  # fmt: skip
_REMAINDER = OPS["mod"]
"""What `%` is of floats; that of ints, such as the count of a loop, is not followed."""
_getframe = sys._getframe
_tuple = tuple.__new__
"""Makes a Write without its own constructor, which takes longer than all else of a write."""


# Operations


def binary(m: Any, node: ast.AST, sign: str) -> Helper:
    """`a sign b`, followed for the picture."""
    return _watched(m, sign, node, _binary(m, node, sign, NATIVE[sign]))


def in_place(m: Any, node: ast.AST, sign: str) -> Helper:
    """`a sign= b`, without the assignment."""
    return _binary(m, node, sign, IN_PLACE[sign], changes=True)


def _watched(m: Any, sign: str, node: ast.AST, compute: Helper) -> Helper:
    return compute if m.witness is None else m.witness.operator(sign, node, compute)


def _binary(m: Any, node: ast.AST, sign: str, native: Helper, *, changes: bool = False) -> Helper:
    op, tape, on_numbers = OPS.get(sign), m.tape, NATIVE[sign]
    if op is None:
        return _unfollowed(m, node, sign, native)

    def compute(a: Any, b: Any) -> Any:
        if type(a) not in NUMBERS or type(b) not in NUMBERS:
            return _general(m, node, op, native, a, b, changes=changes)
        result = on_numbers(a, b)
        kind = type(result)
        if kind is float:
            out: Any = TapedFloat(result)
            out.label, out.leaf, out.value, out.owner, out.name = "", None, None, None, ""
        elif kind is int:
            out = TapedInt(result)
        else:
            return result  # a power that is complex
        out.op, out.args, out.node, out.scope, out.serial = op, (a, b), node, m.scope, tape.made
        tape.made += 1
        tape.last_number = out
        return out

    return compute


def _unfollowed(m: Any, node: ast.AST, sign: str, native: Helper) -> Helper:
    """Signs that are no operations of the picture."""

    def compute(a: Any, b: Any) -> Any:
        if type(a) in STORED and type(b) in STORED:
            m.node = node
            result = native(plain(a), plain(b))
            is_followed = type(a) in FOLLOWED or type(b) in FOLLOWED
            if sign == "%" and type(result) in (float, Float64) and is_followed:
                return m.tape.follow(_REMAINDER, result, (a, b), node)
            return m.own.connected(result, (a, b)) if m.own.holds and is_followed else result
        if isinstance(a, Tensor) or isinstance(b, Tensor):
            m.node = node
            return m.beyond_table(sign, a, b)
        return native(a, b)

    return compute


def _general(
    m: Any, node: ast.AST, op: Any, native: Helper, a: Any, b: Any, *, changes: bool
) -> Any:
    """`a sign b` where one of them is no plain number."""
    if type(a) in m.plain_kinds and type(b) in m.plain_kinds:
        return native(a, b)
    m.node = node
    if isinstance(a, Value) or isinstance(b, Value):
        return _of_values(m, node, op, native, a, b, changes=changes)
    result = native(plain(a), plain(b) if type(a) in STORED else b)
    kind = type(result)
    if kind is Float64 and (type(a) in FOLLOWED or type(b) in FOLLOWED):
        if type(a) in STORED and type(b) in STORED:
            return m.tape.follow(op, result, (a, b), node)
    elif isinstance(result, Value) and result.origin is None:
        m.tape.adopt(result, node)
    return result


def _of_values(
    m: Any, node: ast.AST, op: Any, native: Helper, a: Any, b: Any, *, changes: bool
) -> Any:
    if m.is_computable(a, b):
        if m.follows_micrograd and op.name in m.micrograd_ways:
            return m.micrograd_ways[op.name](m, a, b, node)
        result = m.tape.apply(op, (a, b), node)
        return m.changed_tensor(a, result) if changes and isinstance(a, Tensor) else result
    if type(a) in FOLLOWED:
        a = m.tape.lift(a)
    elif type(b) in FOLLOWED:
        b = m.tape.lift(b)
    result = native(a, b)
    if isinstance(result, Value) and result.origin is None:
        m.tape.adopt(result, node)
    return result


def negation(m: Any, node: ast.AST) -> Helper:
    """`-x`"""
    neg = OPS["neg"]
    native = operator.neg if m.witness is None else m.witness.operator("neg", node, operator.neg)

    def compute(x: Any) -> Any:
        kind = type(x)
        if kind is float or kind is int:
            return -x
        m.node = node
        if kind in FOLLOWED:
            return m.tape.follow(neg, -plain(x), (x,), node)
        if m.is_built_in(x):
            return m.tape.apply(neg, (x,), node)
        return m.tape.adopt(native(x), node)

    return compute


def plus(m: Any, node: ast.AST) -> Helper:
    """`+x`"""
    return lambda x: x if type(x) in STORED else +x


def comparison(m: Any, node: ast.AST, sign: str) -> Helper:
    """`a < b` and the like, where a tensor may be compared."""
    native = _ORDERS[sign]

    def compare(a: Any, b: Any) -> Any:
        if isinstance(a, Tensor) or isinstance(b, Tensor):
            m.node = node
            return m.compared(native, a, b)
        return native(a, b)

    return compare


# Names and attributes


def name(m: Any, node: ast.AST, name: str, depth: int) -> Helper:
    """A value under a name: a plain number becomes a leaf of this name."""
    named, own = m.tape.named, m.own

    def assign(value: Any) -> Any:
        kind = type(value)
        if kind in NUMBERS or kind in m.nameable:
            return named(value, name, node)
        if not depth and is_object(value):
            own.name(value, name)
        return value

    return assign


def names(m: Any, node: ast.AST, wanted: tuple[str, ...], depth: int) -> Helper:
    """The values of several targets, under their names."""

    def assign(values: Any) -> Any:
        if type(values) not in (tuple, list) or len(values) != len(wanted):
            return values
        return [
            name(m, node, key, depth)(value) if key else value
            for key, value in zip(wanted, values, strict=True)
        ]

    return assign


class Store:
    """The target `o.name`: `helper[o] = value`."""

    __slots__ = ("m", "name", "node")

    def __init__(self, m: Any, node: ast.AST, name: str) -> None:
        self.m, self.node, self.name = m, node, name

    def __setitem__(self, o: Any, value: Any) -> None:
        m = self.m
        if type(o) in m.plain_kinds:
            if self.name in m.stores and is_object(o):
                value = m.own.store(o, self.name, value, self.node)
            setattr(o, self.name, value)
        else:
            m.node = self.node
            m.set_attribute(o, self.name, value)


class _GradientStore(Store):
    """The target `o.grad`, most of whose objects keep it in their dict and nowhere else."""

    __slots__ = ("add", "plain")

    def __init__(self, m: Any, node: ast.AST, name: str) -> None:
        super().__init__(m, node, name)
        self.add = m.own.log.append
        self.plain = m.own.gradient_classes[name]

    def __setitem__(self, o: Any, value: Any) -> None:
        m, kind = self.m, type(value)
        if type(o) not in self.plain or (kind is not float and kind is not TapedFloat):
            super().__setitem__(o, value)
            m.own.learn(o, self.name)
            return
        held = o.__dict__
        before = held.get(self.name)
        if type(before) is not float:
            super().__setitem__(o, value)
            return
        if kind is TapedFloat:
            new = float(value)
            self.add(_tuple(Write, (o, before, new, self.node, False)))
            held[self.name] = new
        else:
            self.add(_tuple(Write, (o, before, value, self.node, False)))
            held[self.name] = value
        if m.watches:
            m.witness.wrote(value)


class _NumberStore(Store):
    """The target `o.data`, to which a computed number is stored as it is."""

    __slots__ = ("plain",)

    def __init__(self, m: Any, node: ast.AST, name: str) -> None:
        super().__init__(m, node, name)
        self.plain = m.own.number_classes[name]

    def __setitem__(self, o: Any, value: Any) -> None:
        if (
            type(value) is TapedFloat
            and type(o) in self.plain
            and value.op is not None
            and value.owner is None
        ):
            held = o.__dict__
            if self.name not in held and _is_of_object(value):
                value.owner = o
                held[self.name] = value
                return
        super().__setitem__(o, value)
        self.m.own.learn(o, self.name)


def _is_of_object(number: Any) -> bool:
    """Whether an arg of a number is that of an object, or one that the reader can change."""
    for arg in number.args:
        if type(arg) in FOLLOWED and (arg.owner is not None or arg.leaf is not None):
            return True
    return False


def store(m: Any, node: ast.AST, name: str) -> Store:
    """The target `o.name`."""
    if name in GRADIENTS:
        return _GradientStore(m, node, name)
    if name in m.stores and name not in CHILDREN:
        return _NumberStore(m, node, name)
    return Store(m, node, name)


class Item:
    """The target `owner[at]`: `helper[owner, at] = value`."""

    def __init__(self, m: Any, node: ast.Subscript, name: str) -> None:
        self.m, self.node, self.name = m, node, name
        self.source: ast.AST = node

    def __setitem__(self, place: tuple[Any, Any], value: Any) -> None:
        owner, at = place
        kind, m = type(owner), self.m
        if kind is list:
            if (self.name and type(value) in NUMBERS) or isinstance(value, Value):
                value = self._named(owner, at, value)
        elif kind is dict and m.witness is not None:
            m.witness.collect(owner, at, value, self.node)
        else:
            m.node = self.node
        owner[at] = value

    def _named(self, owner: list[Any], at: Any, value: Any) -> Any:
        if self.name and isinstance(at, int) and -len(owner) <= at < len(owner):
            source = self.m.source_of(self.node)
            return self.m.tape.named(value, f"{self.name}[{at % len(owner)}]", source)
        return value


def load_store(m: Any, node: ast.AST, name: str) -> Helper:
    """An object, and its attribute that an assignment changes in place."""
    return lambda o: (o, m.get_attribute(o, name))


def load_item(m: Any, node: ast.AST, name: str) -> Helper:
    """An owner, the place in it, and the item there that an assignment changes in place."""
    return lambda owner, at: (owner, at, owner[at])


def change_store(m: Any, node: Any, name: str, sign: str) -> Helper:
    """`o.name sign= value`, once the old value is loaded."""
    compute = in_place(m, node, sign)
    target = store(m, node, name)

    def change(loaded: tuple[Any, Any], value: Any) -> None:
        o, before = loaded
        target[o] = compute(before, value)

    return change


def change_item(m: Any, node: Any, name: str, sign: str) -> Helper:
    """`owner[at] sign= value`, once the old value is loaded."""
    compute = in_place(m, node, sign)
    target = Item(m, node.target, "")

    def change(loaded: tuple[Any, Any, Any], value: Any) -> None:
        owner, at, before = loaded
        target[owner, at] = compute(before, value)

    return change


def read(m: Any, node: ast.AST, name: str) -> Helper:
    """`o.name`, where `o` may be of a stand-in or a built-in class."""
    stand_ins = m.stand_ins

    def attribute(o: Any) -> Any:
        if type(o) in m.plain_kinds:
            return getattr(o, name)
        m.node = node
        return stand_ins.read(o, name)

    return attribute


# Calls


class Function(NamedTuple):
    """A function of the program, as its calls show it."""

    name: str
    node: Any
    params: tuple[str, ...]
    is_pass: bool
    is_operation: bool
    """Whether its name, without underscores, is that of an operation."""


class Entered:
    """A call of a function of the program, under way."""

    __slots__ = (
        "around", "at", "caller", "first", "frame", "function", "numbers", "operands", "serial",
    )  # fmt: skip
    numbers: tuple[float | None, ...]
    operands: tuple[Any, ...]
    serial: int

    def __init__(self, around: Any, first: Any, frame: Any, caller: Any, function: Any) -> None:
        self.around, self.first, self.frame, self.function = around, first, frame, function
        self.caller, self.at = caller.f_code, caller.f_lasti


def enter(m: Any, site: ast.AST, name: str, node: Any) -> Helper:
    """The beginning of a call of the function that `node` defines."""
    params = tuple(arg.arg for arg in (*node.args.posonlyargs, *node.args.args))
    params += tuple(arg.arg for arg in node.args.kwonlyargs)
    is_pass = name in ("__call__", "forward")
    is_operation = isinstance(node, ast.FunctionDef) and name.strip("_") in METHODS
    function = Function(name, node, params, is_pass, is_operation)
    tape, add, frame_of = m.tape, m.calls.append, _getframe

    def begin(first: Any) -> Entered:
        frame = frame_of(1)
        caller: Any = frame.f_back
        if caller.f_code.co_filename is not FILENAME:
            caller = own_frame(caller) or frame
        call = Entered(m.scope, first, frame, caller, function)
        m.scope = ("function", call if is_pass else call.function, call)
        add(call)
        if tape.made > m.most:
            m.stop_recording(node)
        return call

    def watched(first: Any) -> Entered:
        call = begin(first)
        frame = call.frame = frame_of(1)
        caller = own_frame(frame.f_back) or frame
        call.caller, call.at = caller.f_code, caller.f_lasti
        m.serial += 1
        call.serial, call.operands = m.serial, ()
        if m.watches:
            m.witness.entered(call)
        return call

    return begin if m.witness is None else watched


def _left(m: Any) -> Callable[[Entered], None]:
    calls = m.calls
    pop = calls.pop

    def end(call: Entered) -> None:
        m.scope = call.around
        while calls and pop() is not call:
            pass

    def watched(call: Entered) -> None:
        end(call)
        if m.watches:
            m.witness.ended(call)

    return end if m.witness is None else watched


def leave(m: Any, site: ast.AST) -> Helper:
    """The end of a call."""
    return _left(m)


def leave_with(m: Any, site: ast.AST) -> Helper:
    """The end of a call of a lambda, with its result."""
    end = _left(m)

    def result(call: Entered, value: Any) -> Any:
        end(call)
        return value

    return result


def result(m: Any, node: ast.AST) -> Helper:
    """What a method with the name of an operation returns."""
    witness = m.witness

    def told(call: Entered, value: Any) -> Any:
        if call.operands:
            node = call.function.node
            sign = call.function.name.strip("_")
            witness.returned(sign, call.operands, value, node, node, call.numbers)
        return value

    return told


def call(m: Any, node: ast.AST) -> Helper:
    """A call of what may be of a stand-in or a built-in class."""
    direct = m.direct

    def called(function: Any, /, *args: Any, **keywords: Any) -> Any:
        m.node = node
        if type(function) in direct:
            return function(*args, **keywords)
        return m.stand_ins.call(function, args, keywords)

    return called


def passing(m: Any, node: ast.Call, is_method: bool) -> Helper:
    """A call that may run a backward pass of the program's own."""

    def called(function: Any, /, *args: Any, **keywords: Any) -> Any:
        if is_method:
            output = function.__self__ if type(function) is MethodType else None
        else:
            output = args[0] if args else None
        if is_object(output):
            m.node = node
            return m.scenes.passing(output, node, lambda: m.call(function, *args, **keywords))
        m.node = node
        if type(function) in m.direct:
            return function(*args, **keywords)
        return m.stand_ins.call(function, args, keywords)

    return called


def draw(m: Any, node: ast.Call) -> Helper:
    """A call that draws its first argument."""

    def called(function: Any, /, *args: Any, **keywords: Any) -> Any:
        m.node = node
        m.scenes.draw(args[0], node)
        return m.stand_ins.call(function, args, keywords)

    return called


def convert(m: Any, node: ast.Call) -> Helper:
    """`type(x)`, `float(x)`, `int(x)`; `locals()`, `vars()`, `dir()` without the helpers' own."""

    def called(function: Any, /, *args: Any) -> Any:
        if not args:
            return _without_helpers(function) if callable(function) else function()
        (x,) = args
        if function is type:
            return UNTYPED.get(type(x), type(x))
        if function is float:
            m.node = node
            return _float(m, x)
        if function is int:
            m.node = node
            return _int(m, x)
        return m.stand_ins.call(function, args, {})

    return called


def _float(m: Any, x: Any) -> Any:
    """`float(x)`: followed as before where it changes nothing."""
    kind = type(x)
    if kind is TapedFloat or kind is float:
        return x
    if kind in FOLLOWED:
        return m.own.connected(float(x), (x,)) if kind is TapedInt else retyped(x, TapedFloat)
    if isinstance(x, Value):
        return float(x.data)
    method = getattr(kind, "__float__", None) if is_object(x) else None
    found = method(x) if method is not None else None
    if isinstance(found, float):
        return retyped(found, TapedFloat) if type(found) in FOLLOWED else float(found)
    return float(x)


def _int(m: Any, x: Any) -> Any:
    if isinstance(x, Value):
        return int(x.data)
    if is_object(x) and not isinstance(x, int | float | str):
        method = getattr(type(x), "__int__", None)
        found = method(x) if method is not None else None
        return found if type(found) in (int, TapedInt) else int(x)
    return m.own.connected(int(plain(x)), (x,)) if type(x) in FOLLOWED else int(x)


def _without_helpers(function: Any) -> Any:
    """The variables of the program's frame, as `locals`, `vars` or `dir` give them."""
    frame = own_frame(_getframe(2))
    if frame is None or function not in (locals, vars, dir):
        return function()
    found = {name: x for name, x in frame.f_locals.items() if not name.startswith((CALL, PREFIX))}
    if frame.f_locals is frame.f_globals and function is not dir:
        return frame.f_globals
    return sorted(found) if function is dir else found


# Loops


def turns(m: Any, node: ast.For) -> Helper:
    """The items of a `for` loop, each turn a scope that a drawing can fold."""

    tape = m.tape

    def each(items: Iterable[Any]) -> Iterator[Any]:
        items, around = iter(items), m.scope
        held = ("loop", node, around)
        turn = 0
        try:
            for item in items:
                turn += 1
                m.scope = ("iteration", turn, held)
                if tape.made > m.most:
                    m.stop_recording(node)
                    yield item
                    break
                yield item
        finally:
            m.scope = around
        if m.is_stopped:
            yield from items

    return each


class _Loop:
    """A `while` loop under way."""

    __slots__ = ("around", "held", "turn")
    around: Any
    held: Any
    turn: int


def loop(m: Any, node: ast.While) -> Helper:
    """The beginning of a `while` loop."""

    def begin() -> _Loop:
        found = _Loop()
        found.around, found.turn = m.scope, 0
        found.held = ("loop", node, found.around)
        return found

    return begin


def turn(m: Any, node: ast.AST) -> Helper:
    """A turn of a `while` loop."""

    def begin(held: _Loop) -> None:
        if m.tape.made > m.most:
            m.stop_recording(node)
        held.turn += 1
        m.scope = ("iteration", held.turn, held.held)

    return begin


def end_loop(m: Any, node: ast.AST) -> Helper:
    """The end of a `while` loop."""

    def end(held: _Loop) -> None:
        m.scope = held.around

    return end


# Statements


def show(m: Any, node: ast.expr) -> Helper:
    """The value of an expression that ends a cell of a notebook, which is printed."""
    return lambda value: m.show(value, node)


def adopt(m: Any, node: ast.ClassDef) -> Helper:
    """A class of the program, once it is made."""
    take: Helper = m.adopt
    return take


# Beyond the bound


class _Attribute:
    """The target `o.name`, unrecorded."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __setitem__(self, o: Any, value: Any) -> None:
        setattr(o, self.name, value)


class _Place:
    """The target `owner[at]`, unrecorded."""

    def __setitem__(self, place: tuple[Any, Any], value: Any) -> None:
        place[0][place[1]] = value


def _change_attribute(m: Any, name: str, sign: str) -> Helper:
    compute = IN_PLACE[sign]

    def change(loaded: tuple[Any, Any], value: Any) -> None:
        setattr(loaded[0], name, compute(loaded[1], value))

    return change


def _change_place(m: Any, name: str, sign: str) -> Helper:
    compute = IN_PLACE[sign]

    def change(loaded: tuple[Any, Any, Any], value: Any) -> None:
        loaded[0][loaded[1]] = compute(loaded[2], value)

    return change


def _plain_binary(m: Any, recorded: Helper, sign: str) -> Helper:
    """`a sign b`, recorded only of the objects of a stand-in or a built-in class."""
    native = NATIVE[sign]
    if not m.stand_ins.is_used:
        return native

    def compute(a: Any, b: Any) -> Any:
        if type(a) in NUMBERS and type(b) in NUMBERS:
            return native(a, b)
        return recorded(a, b)

    return compute


def _plain_name(recorded: Helper) -> Helper:
    """A value under a name: numbers are no leaves any more."""
    return lambda value: value if type(value) in NUMBERS else recorded(value)


UNRECORDED: dict[str, Callable[..., Any]] = {
    "binary": _plain_binary,
    "in_place": lambda m, recorded, sign: (
        _plain_binary(m, recorded, sign) if m.stand_ins.is_used else IN_PLACE[sign]
    ),
    "name": lambda m, recorded, name, depth: _plain_name(recorded),
    "turns": lambda m, recorded: iter,
}
"""The helpers of a run whose recording has ended: `f(m, recorded, …)`."""
OF_OBJECTS: dict[str, Callable[..., Any]] = {
    "negation": lambda m, recorded: operator.neg,
    "plus": lambda m, recorded: operator.pos,
    "name": lambda m, recorded, name, depth: lambda value: value,
    "names": lambda m, recorded, names, depth: lambda value: value,
    "store": lambda m, recorded, name: _Attribute(name),
    "item": lambda m, recorded, name: _Place(),
    "change_store": lambda m, recorded, *rest: _change_attribute(m, *rest),
    "change_item": lambda m, recorded, *rest: _change_place(m, *rest),
}
"""Those of a program that uses neither stand-ins nor built-in classes."""
FACTORIES: dict[str, Callable[..., Any]] = {
    "binary": binary, "in_place": in_place, "negation": negation, "plus": plus,
    "comparison": comparison, "name": name, "names": names, "store": store, "item": Item,
    "load_store": load_store, "load_item": load_item, "change_store": change_store,
    "change_item": change_item, "read": read, "enter": enter, "leave": leave,
    "leave_with": leave_with, "result": result, "call": call, "passing": passing, "draw": draw,
    "convert": convert, "turns": turns, "loop": loop, "turn": turn, "end_loop": end_loop,
    "show": show, "adopt": adopt,
}  # fmt: skip
"""What makes the helper of each kind of site: `f(m, node, …)`."""
