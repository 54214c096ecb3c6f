"""One recorded run of a program: what its helpers and the built-in classes write to."""

from __future__ import annotations

import ast
import functools
import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any, NoReturn

from engine.ops import OPS, Op
from engine.stand_ins.contract import Natives
from engine.stand_ins.provided import StandIns
from engine.stand_ins.refusal import Refused
from engine.value import Value, contributions

from . import objects
from .arrangements import Arrangements
from .attribute_names import WATCHED
from .follow import FOLLOWED, NUMBERS, is_a
from .live_numbers import LiveNumber
from .model import Pull, Write
from .objects import class_dicts, class_name, is_object, known, stored
from .output import Output
from .places import FILENAME, Places, current_frame, own_frame
from .scenes import Scenes
from .source import Limits, Source
from .stacks import Stacks
from .stores import Stores
from .tape import Tape
from .watching import Watching
from .witness import Witness

__all__ = ["Recorder"]
_PLAIN_KINDS = (
    float, int, bool, str, bytes, list, tuple, dict, set, frozenset, type(None), range, complex,
    FunctionType, MethodType, BuiltinFunctionType,
)  # fmt: skip


_PLAIN_CLASSES = (set, frozenset, zip, enumerate, reversed, range, dict, list, tuple)
_BUILT_IN = frozenset({Value, LiveNumber})
_COMPARING = frozenset({"__eq__", "__hash__"})


def _divide(m: Any, a: Any, b: Any, node: ast.AST) -> Any:
    """micrograd's division, a * b**-1."""
    m.node = node
    return m.binary("*", a, m.binary("**", b, -1))


def _raise_to(m: Any, a: Any, b: Any, node: ast.AST) -> Any:
    """micrograd's power, whose exponent is a plain number."""
    if isinstance(b, Value):
        raise AssertionError("only supporting int/float powers for now")
    return m.tape.apply(OPS["**"], (a, b), node)


_OWN_WAY = {"/": _divide, "**": _raise_to}
"""Operators that Values of micrograd compute in a way of their own."""


class Recorder(Output):
    """What is written down of one run; `node` is the place of the operation under way.

    `scope` are the calls and loops around it, as (kind, node or turn, rest).
    """

    maker: ast.AST | None = None
    array_tape: Any = None
    """Where operations on whole arrays are written down, if they are: an `ArrayTape`."""

    def __init__(
        self,
        source: Source,
        limits: Limits,
        overrides: Mapping[int, float],
        witness: Witness | None = None,
    ) -> None:
        super().__init__(source, limits)
        objects.begin(self)
        self.most = limits.recorded
        """Numbers that are followed; a program that computes more runs on unrecorded."""
        self.witness = witness
        self.watches = witness is not None
        """Whether the witness looks at what happens now."""
        self.node: ast.AST = source.tree
        self.scope: Any = None
        self.serial = 0
        """Calls of the program's functions that have begun."""
        self.entered: Any = None
        """The innermost of those that are under way."""
        self.is_light = False
        """Whether the numbers that gradients are computed from are of no use any more."""
        self.places = Places(source)
        self.plain_kinds: set[type] = set(_PLAIN_KINDS)
        """Types whose objects are no matter of ours but as numbers: Python computes with them."""
        self.plain_classes: set[type] = set(_PLAIN_CLASSES)
        """Classes that make nothing but their objects when they are called."""
        self.direct = frozenset({FunctionType, MethodType, BuiltinFunctionType})
        self.stores: frozenset[str] = WATCHED
        """The attributes whose assignments are recorded."""
        self.globals: dict[str, Any] = {}
        self.tape = Tape(self, overrides)
        self.arrangements = Arrangements(self)
        self.charts: list[Any] = []
        self.network: dict[str, Any] = {}
        self.follows_micrograd = False
        self.natives = Natives()
        self.recording = True
        self.patches: dict[type, dict[str, Any]] = {}
        self.own = Stores(self)
        if witness is not None:
            witness.machine, witness.log = self, self.own.log
            witness.stacks = Stacks(self)
        self.scenes = Scenes(self)
        self.watching = Watching(self)
        self.random = random.Random(0)
        self.stand_ins = StandIns(self)
        self.nameable = self.stand_ins.nameable
        self.micrograd_ways = _OWN_WAY
        self.last_value: Any = None
        """The value of the last expression that ended a cell."""
        self.stopped: Any = None
        self.is_native = False
        """Whether the program may do what the caller may."""

    # Places

    def here(self) -> ast.AST:
        """The node that the program is computing."""
        frame = current_frame()
        return self.places.node(frame) if frame is not None else self.node

    def statement_of(self, frame: Any) -> ast.AST:
        """The statement that a frame of the program is running."""
        return self.places.statement(frame)

    def module_statement(self) -> ast.AST:
        """The statement of the module that is running."""
        frame, outermost = current_frame(), None
        while frame is not None:
            outermost = frame
            frame = own_frame(frame.f_back)
        return self.source.tree if outermost is None else self.places.statement(outermost)

    def source_of(self, node: ast.AST) -> ast.AST:
        """The expression that is assigned to a target."""
        found = self.source.assignments.get(node, node)
        return found.value if isinstance(found, ast.Assign) else found

    def maker_of(self, o: Any) -> ast.AST | None:
        """The call that makes `o`, if this is under way."""
        init, call = None, self.entered
        while call is not None and call[3] is o:
            if call[1].is_init:
                init = call
            call = call[6]
        if init is not None:
            return self.places.node_of(init[4], init[5])
        return self.here() if self.generated else None

    def is_making(self, o: Any) -> bool:
        """Whether `o` is being made."""
        call = self.entered
        while call is not None and call[3] is o:
            if call[1].is_init:
                return True
            call = call[6]
        return self.generated > 0

    generated = 0
    """Constructors under way that Python's library has written for dataclasses of the program."""

    # Classes

    def adopt(self, cls: Any) -> Any:
        """Take in a class of the program."""
        if is_a(cls, type):
            if issubclass(cls, type) and not _COMPARING.isdisjoint(class_dicts(cls)[0]):
                self.refuse(
                    "A metaclass that compares or hashes classes in its own way is not recorded.",
                    "Give __eq__ and __hash__ to the classes instead.",
                )
            known.classes.add(cls)
            objects.order_by_serial(cls)
            self._watch_generated(cls)
            self.stand_ins.adopt(cls)
            if cls in self.plain_kinds:
                self.plain_classes.add(cls)
        return cls

    def _watch_generated(self, cls: Any) -> None:
        """Record what the constructor stores that Python's library has written for a dataclass."""
        held = class_dicts(cls)[0]
        generated = held.get("__init__")
        names = [name for name in held.get("__dataclass_fields__", ()) if name in self.stores]
        if not names or not isinstance(generated, FunctionType):
            return
        if generated.__code__.co_filename == FILENAME:
            return

        @functools.wraps(generated)
        def made(o: Any, *args: Any, **keywords: Any) -> None:
            generated(o, *args, **keywords)
            self.generated += 1
            try:
                self._take_stored(o, names)
            finally:
                self.generated -= 1

        type.__setattr__(cls, "__init__", made)

    def _take_stored(self, o: Any, names: list[str]) -> None:
        node = self.here()
        for name in names:
            value = stored(o, name)
            new = self.own.store(o, name, value, node, is_made=True)
            if new is not value:
                object.__setattr__(o, name, new)

    # What native functions rely on

    def refuse(self, message: str, hint: str = "") -> NoReturn:
        """Raises Refused at the present place."""
        raise Refused(self.here(), message, hint)

    def note(self, message: str, node: ast.AST | None = None) -> None:
        super().note(message, node or self.node)

    def call(self, function: Any, /, *args: Any, **keywords: Any) -> Any:
        """`function(*args, **keywords)` as the program would call it."""
        node = self.node
        if type(function) in self.direct:
            result = function(*args, **keywords)
        else:
            result = self.stand_ins.call(function, args, keywords)
        self.node = node
        return result

    def callable(self, function: Any) -> Callable[..., Any]:
        """A function that native code may call in place of a program's `function`."""
        if type(function) in self.direct:
            return function  # type: ignore[no-any-return]
        if not callable(function) and not self.stand_ins.is_callable(function):
            raise TypeError(f"'{type(function).__name__}' object is not callable")
        return lambda *args, **keywords: self.call(function, *args, **keywords)

    def get_attribute(self, o: Any, name: str) -> Any:
        return getattr(o, name) if type(o) in self.plain_kinds else self.stand_ins.read(o, name)

    def set_attribute(self, o: Any, name: str, value: Any) -> None:
        if is_object(o) and name in self.stores:
            value = self.own.store(o, name, value, self.node)
        self.stand_ins.write(o, name, value)

    # Numbers and Values

    def apply(self, op: Op, *args: Any) -> Any:
        """The Value or followed number that `op` computes."""
        return self.tape.apply(op, args, self.node)

    def binary(self, sign: str, a: Any, b: Any) -> Any:
        """`a sign b` as the program would write it at the present place."""
        from .helpers.operations import binary

        node = self.node
        result = binary(self, node, sign)(a, b)
        self.node = node
        return result

    def is_built_in(self, x: Any) -> bool:
        return type(x) in _BUILT_IN

    def is_computable(self, a: Any, b: Any) -> bool:
        if type(a) in _BUILT_IN:
            return type(b) in _BUILT_IN or type(b) in NUMBERS or type(b) is bool
        return type(b) in _BUILT_IN and (type(a) in NUMBERS or type(a) is bool)

    def named(self, value: Any, name: str, node: ast.AST) -> Any:
        if is_object(value):
            if self.entered is None:
                self.own.name(value, name)
            return value
        kind = type(value)
        if kind in NUMBERS or kind in FOLLOWED or kind in self.nameable:
            return self.tape.named(value, name, node)
        return value

    def leaf(self, value: Value) -> None:
        """Take in a Value that the program makes at the present place."""
        self.tape.leaf(value, self.maker or self.node)

    def backward(self, output: Any) -> None:
        passed = self.tape.differentiate(output, self.node)
        self.scenes.add("backward", self.node, passed.order[-1], backward=passed)

    def passed(self, output: Any) -> None:
        """Note a backward pass from a tensor of which no Value is drawn."""
        if self.array_tape is not None:
            self.array_tape.passed(output, self.node)

    def module_called(self, module: Any, args: Any, result: Any) -> None:
        """Note what a module of PyTorch has computed from tensors."""
        if self.array_tape is not None:
            self.array_tape.module(module, args, result, self.node)

    def local_backward(self, value: Value) -> None:
        """`value._backward()`: the contributions of one operation."""
        given = contributions(value)
        if given:
            self.own.log.append(Pull(value, given, self.node))
            if self.watches and self.witness is not None:
                self.witness.wrote()

    def set_gradient(self, value: Value, gradient: float) -> None:
        """`value.grad = gradient`, by the program itself."""
        self.own.log.append(Write(value, value.grad, gradient, self.node, False))
        if self.watches and self.witness is not None:
            self.witness.wrote(gradient)
        value.grad = gradient

    def watch(self, *, is_on: bool) -> None:
        """Let the witness watch or rest, once there is a scene.

        Where it rests nobody needs the numbers that gradients are computed from: a scene is drawn,
        not the last number.
        """
        is_light = not (is_on or self.own.holds_odd)
        if self.is_stopped or (self.watches, self.is_light) == (is_on, is_light):
            return
        self.watches, self.is_light = is_on, is_light
        self.refill()

    refill: Callable[[], None]
    """Makes the helpers anew that depend on the witness."""
    unrecord: Callable[[], None]
    """Lets the program's own lines run without their helpers."""
    adder: Callable[[ast.AST], Callable[[Any, Any], Any]]
    """What `sum` adds by at a place."""
    micrograd_classes: Callable[[], dict[str, Any]]
    """micrograd's classes as the program's own."""

    # The bound

    is_stopped = False
    is_unrecorded = False
    """Whether nothing of what the program computes is followed any more, nor any stand-in's."""

    def stop_recording(self, node: ast.AST) -> None:
        """Let the program run on unrecorded: it has computed more than is kept."""
        if self.is_stopped:
            return
        self.is_stopped, self.most = True, 1 << 60
        self.watches = False
        self.note(
            f"The program has computed {self.tape.made:,} numbers by now. It runs on to its end, "
            "but from here on it is not recorded.",
            node,
        )
        self.unrecord()

    # The end

    unread = ""
    """The exception by which an object of the program kept itself from being read."""

    @contextmanager
    def reading(self) -> Iterator[None]:
        """What the program holds in the end is read; code of its classes may run, and fail."""
        try:
            yield
        except MemoryError:
            raise
        except Exception as error:
            self.unread = class_name(type(error))

    # Statements

    def show(self, value: Any, node: ast.expr) -> Any:
        """Print the value of an expression that ends a cell, as a notebook does."""
        self.last_value = value
        if isinstance(node, ast.Constant) or self._ends_in_semicolon(node):
            return value
        if value is not None and not self.stand_ins.is_silent(value):
            self.print_text(("\n" if self.line else "") + repr(value) + "\n")
        return value

    def _ends_in_semicolon(self, node: ast.expr) -> bool:
        """Whether `;` stands behind an expression, by which a notebook is told not to show it."""
        line = self.source.code.text.split("\n")[(node.end_lineno or 1) - 1].encode()
        return line[node.end_col_offset :].lstrip().startswith(b";")
