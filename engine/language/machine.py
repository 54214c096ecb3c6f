"""The state of one run of a program, and the operations that all of its parts share."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from types import (
    FunctionType,
    MethodType,
)
from typing import Any, NamedTuple

from engine.nn import Module
from engine.ops import Op
from engine.record.model import Note, Place, Pull, Write
from engine.record.source import Limits, Source
from engine.value import Value, contributions

from .arrangements import Arrangements
from .attributes import delete_attribute, get_attribute, set_attribute
from .builtins import NAMES, Builtins
from .callables import CALLABLE, NAMELESS, WRAPPERS, definer
from .classes import ProgramType
from .constructors import CONSTRUCTORS
from .contract import Natives
from .implicit import CLASSES
from .inits import INITS
from .kinds import kind_of
from .library import Library, Missing
from .modules import MODULE_CONSTRUCTORS
from .names import UNKNOWN, beyond, implicit
from .native_specials import native_arguments
from .network_calls import call_network
from .operators import Binary, binary
from .output import Output
from .own import Own
from .refusal import Exhausted, Refused
from .scenes import Scenes
from .sizes import SIZED
from .tape import Tape
from .texts import name_of_type
from .turns import Budget
from .weights import gaps, started
from .witness import Witness

CALL_DEPTH = 1000
OBJECT_COST = 8
EVERYTHING = 1 << 40
"""Operations beyond any budget: the charge for work of an impossible size."""
FRAME_COST = 56
"""Of the frames that an exception holds of a function that it leaves."""
ITERATOR_COST = 40
"""Of going through items one by one: iterators of iterators stay below Python's recursion limit."""
CONSUMED_COST = 8
"""Of going through items at once: no iterator is left that another one could go through."""


class Kept(NamedTuple):
    """The compiled statements of a program, with the parts of their machine that they hold."""

    tape: Tape
    globals: dict[str, Any]
    code: Sequence[tuple[ast.stmt, Callable[[list[Any]], Any]]] | None


class Machine(Output):
    """One run of a program.

    `left` are the operations left of those that `budget` has handed out, `node` the place of the
    call being made, `scope` the calls and loops around it, as (kind, node or turn, rest).
    """

    ended = True
    """Whether the run is over: what its garbage does when it is collected counts no more."""

    def __init__(
        self,
        source: Source,
        limits: Limits,
        overrides: Mapping[Place, float],
        witness: Witness | None = None,
        kept: Kept | None = None,
    ) -> None:
        super().__init__(source, limits)
        self.witness = witness
        self.budget = Budget(limits)
        self.left = self.budget.first
        self.node: ast.AST = source.tree
        self.scope: Any = None
        self.depth = 0
        self.tape, self.globals, self.code = kept or Kept(Tape.__new__(Tape), {}, None)
        Tape.__init__(self.tape, self, overrides)
        self.arrangements = Arrangements(self)
        self.last_value: Any = None
        """The value of the last statement that is an expression."""
        self.charts: list[Any] = []
        self.network: dict[str, Any] = {}
        """The options of the built-in neurons, of the convention of the module imported."""
        self.follows_micrograd = False
        """Whether Values are micrograd's: ints stay ints, and a repr has the gradient."""
        self.natives = Natives()
        self.recording = True
        """Whether tensors record gradients; not inside `torch.no_grad()`."""
        self.patches: dict[type, dict[str, Any]] = {}
        """What the program has added to the built-in classes."""
        self.own = Own(self)
        if witness is not None:
            witness.log = self.own.log
        self.scenes = Scenes(self)
        self.maker: ast.AST | None = None
        """The place of the innermost call that makes an object of the program's own class."""
        self.handled: list[BaseException] = []
        """The exceptions being handled, the innermost last."""
        self._last_operator: tuple[str, ast.AST, Binary] | None = None
        self.builtins = Builtins(self)
        self.ended = False
        self.closing = 0
        """Calls of `close()` of generators that are under way."""
        self.failed: BaseException | None = None
        self.failed_at: list[tuple[str, ast.AST]] = []
        """The frames that the exception `failed` passed, innermost first."""
        self.stopped: Note | None = None
        """Why the run was stopped before its end, if its last scene is drawn all the same."""

    def close(self) -> None:
        """Let go of all that the run made: it holds the machine, which holds it.

        The collector of cycles would find it late, and stops every thread meanwhile.
        """
        self.left, self.budget.is_late = -1, True  # for generators that end now
        self.globals.clear()
        self.__dict__.clear()

    def kept(self) -> Kept | None:
        """What another run of the program can use; None if its code was not compiled."""
        return None if self.code is None else Kept(self.tape, self.globals, self.code)

    @cached_property
    def random(self) -> random.Random:
        """The generator of random numbers, which starts from the same seed in each run."""
        return random.Random(0)

    # The budget

    @property
    def used(self) -> int:
        """The operations that the run has taken."""
        return self.budget.limits.operations - self.budget.rest - self.left

    def spend(self, count: int = 1) -> None:
        self.left -= count if count >= 0 else EVERYTHING
        if self.left < 0:
            self.exhausted()

    def exhausted(self) -> None:
        """Go on with more of the budget. Raises Exhausted if it is used up."""
        more = self.budget.more(-self.left)
        self.left = self.left + more if more else -1
        if not more:
            raise Exhausted(self.node, *self.budget.refusal, self.scope)

    def items(self, value: Any) -> Iterable[Any]:
        """The items of `value`, each counted. Raises TypeError if it has none."""
        if type(value) in SIZED:
            self.spend(len(value) + gaps(value))
            return value  # type: ignore[no-any-return]
        self.spend(ITERATOR_COST)
        return self._counted(started(self, value))

    def consumed(self, value: Any) -> Iterable[Any]:
        """As `items`, for one that goes through them all, or to the one it looks for, at once."""
        if type(value) in SIZED:
            return self.items(value)
        self.spend(CONSUMED_COST)
        return self._counted(started(self, value))

    def _counted(self, items: Iterator[Any]) -> Iterator[Any]:
        for item in items:
            self.left -= 1
            if self.left < 0:
                self.exhausted()
            yield item

    # Exceptions

    def refuse(self, message: str, hint: str = "") -> Any:
        """Raises Refused at the present place."""
        raise Refused(self.node, message, hint)

    def passed(self, error: BaseException, name: str, node: ast.AST) -> None:
        """Note that `error` left the function `name` while it ran the statement at `node`."""
        if isinstance(error, GeneratorExit):
            return
        self.spend(FRAME_COST)
        if self.failed is not error:
            self.failed, self.failed_at = error, []
        if len(self.failed_at) < CALL_DEPTH + 2:
            self.failed_at.append((name, node))

    # Calls

    def call(self, function: Any, /, *args: Any, **keywords: Any) -> Any:
        """`function(*args, **keywords)` as the program would call it."""
        node, kind = self.node, type(function)
        native = kind is FunctionType or kind is MethodType
        result = function(*args, **keywords) if native else self.invoke(function, args, keywords)
        self.node = node  # the program's own function has run at places of its own
        return result

    def invoke(self, function: Any, args: tuple[Any, ...], keywords: Mapping[str, Any]) -> Any:
        """Call anything that a program can hold. Raises TypeError for what cannot be called."""
        kind = type(function)
        if isinstance(function, ProgramType):
            return self._construct(function, args, keywords)
        if isinstance(function, type):
            return self._convert(function, args, keywords)
        if isinstance(function, Module):
            own = isinstance(kind, ProgramType)
            if own and isinstance(definer(kind, "__call__"), ProgramType):
                return function(*args, **keywords)
            return self.call_network(function, *args, **keywords)
        if kind in CALLABLE or isinstance(kind, ProgramType):
            return function(*args, **keywords)
        method = kind_of(kind).methods.get("__call__")
        if method is not None:
            return method(self, function, *args, **keywords)
        if kind is Missing:
            function.refuse()
        raise TypeError(f"'{name_of_type(function)}' object is not callable")

    def _construct(self, cls: Any, args: tuple[Any, ...], keywords: Mapping[str, Any]) -> Any:
        """An object of a class of the program, made at the present place."""
        self.spend(OBJECT_COST)
        around, self.maker = self.maker, self.node
        try:
            if not cls._seegrad_plain:
                args = self._gone_through(cls, args)
                for base in cls.__mro__:
                    if "__init__" in base.__dict__ and base in INITS:
                        made = cls.__new__(cls)
                        INITS[base](self, made, *args, **keywords)
                        return made
                    if "__init__" in base.__dict__:
                        break
            return cls(*args, **keywords)
        finally:
            self.maker = around

    def _convert(self, kind: type, args: tuple[Any, ...], keywords: Mapping[str, Any]) -> Any:
        """An object of a type of Python's, or of one of the built-in classes."""
        constructor = CONSTRUCTORS.get(kind) or MODULE_CONSTRUCTORS.get(kind)
        if constructor is not None:
            return constructor(self, *args, **keywords)
        if kind in INITS:
            made: Any = object.__new__(kind)
            INITS[kind](self, made, *args, **keywords)
            return made
        if issubclass(kind, BaseException):
            self.spend(OBJECT_COST)
            return kind(*native_arguments(self, kind, args), **keywords)
        if kind in WRAPPERS:
            return self._wrapped(kind, args, keywords)
        raise TypeError(f"cannot create '{kind.__name__}' instances")

    def _wrapped(self, kind: type, args: tuple[Any, ...], keywords: Mapping[str, Any]) -> Any:
        """A property, staticmethod, classmethod or super of what the program gives.

        Wrappers of wrappers have no bound in depth, and Python takes them apart recursively.
        """
        self.spend(OBJECT_COST)
        if any(type(arg) in WRAPPERS and type(arg) is not property for arg in args):
            self.refuse(f"{kind.__name__} takes a function here.", "Leave out the one inside.")
        if kind is property and any(type(arg) is property for arg in args):
            self.refuse("property takes a function here.", "Leave out the one inside.")
        return kind(*args, **keywords)

    def _gone_through(self, cls: type, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments of a class, gone through where Python's own code would do it."""
        name = "__new__" if issubclass(cls, tuple | int | float | str) else "__init__"
        base = definer(cls, name)
        is_native = base is not None and base.__module__ == "builtins"
        return native_arguments(self, cls, args) if is_native else args

    def callable(self, function: Any) -> Callable[..., Any]:
        """A function that native code may call in place of a program's `function`."""
        kind = type(function)
        if kind is FunctionType or kind is MethodType:
            return function  # type: ignore[no-any-return]
        if not callable(function) and "__call__" not in kind_of(kind).methods:
            raise TypeError(f"'{name_of_type(function)}' object is not callable")
        return lambda *args, **keywords: self.invoke(function, args, keywords)

    def call_network(self, network: Module, *args: Any, **keywords: Any) -> Any:
        """`model(x)`: see `network_calls`."""
        return call_network(self, network, args, keywords)

    # Attributes

    def get_attribute(self, o: Any, name: str) -> Any:
        return get_attribute(self, o, name)

    def set_attribute(self, o: Any, name: str, value: Any) -> None:
        set_attribute(self, o, name, value)

    def delete_attribute(self, o: Any, name: str) -> None:
        delete_attribute(self, o, name)

    def patched(self, value: Any, o: Any) -> Any:
        """What a program has added to a built-in class, read from an object of this class."""
        return MethodType(value, o) if isinstance(value, FunctionType) else value

    def beyond(self, library: Library | Missing, name: str) -> Any:
        """A name that a module does not have here."""
        return beyond(self, library, name)

    # Numbers and Values

    def apply(self, op: Op, *args: Any) -> Any:
        """The Value or followed number that `op` computes."""
        return self.tape.apply(op, args, self.node)

    def binary(self, sign: str, a: Any, b: Any) -> Any:
        """`a sign b` as the program would write it at the present place."""
        last, node = self._last_operator, self.node
        if last is None or last[0] != sign or last[1] is not node:
            last = self._last_operator = sign, node, binary(self, sign, node)
        result, self.node = last[2](a, b), node
        return result

    def named(self, value: Any, name: str, node: ast.AST) -> Any:
        """`value` as the variable `name` holds it: a plain number becomes a leaf of this name."""
        kind = type(value)
        if kind in NAMELESS:
            return value
        if isinstance(kind, ProgramType):
            self.own.name(value, name)
            return value
        return self.tape.named(value, name, node)

    def first_named(self, value: Any, node: ast.Assign) -> Any:
        """`value` of a = b = value under its first name."""
        for part in node.targets:
            if isinstance(part, ast.Name):
                return self.named(value, part.id, node.value)
        return value

    def leaf(self, value: Value) -> None:
        """Take in a Value that the program makes at the present place."""
        self.tape.leaf(value, self.maker or self.node)

    def backward(self, output: Any, *, retain_graph: bool = False) -> None:
        passed = self.tape.differentiate(output, self.node, retain_graph=retain_graph)
        self.scenes.add("backward", self.node, passed.order[-1], backward=passed)

    def local_backward(self, value: Value) -> None:
        """`value._backward()`: the contributions of one operation."""
        self.spend(len(value.args))
        given = contributions(value)
        if given:
            self.own.log.append(Pull(value, given, self.node))
            if self.witness is not None:
                self.witness.wrote()

    def set_gradient(self, value: Value, gradient: float) -> None:
        """`value.grad = gradient`, by the program itself."""
        self.own.log.append(_tuple(Write, (value, value.grad, gradient, self.node, False)))
        if self.witness is not None:
            self.witness.wrote(gradient)
        value.grad = gradient

    def watched(self, o: Any, name: str, value: Any) -> Any:
        """The value to store as the attribute `name` of an object of the program."""
        if name in self.own.watched:
            return self.own.store(o, name, value)
        return value

    # Names

    def global_missing(self, name: str, node: ast.AST) -> Any:
        """A name that the program has not set. Raises NameError if it means nothing."""
        if name in CLASSES:
            return CLASSES[name]
        value = self.builtins[name] if name in NAMES else implicit(self, name)
        if value is UNKNOWN:
            self.node = node
            raise NameError(f"name '{name}' is not defined")
        return value


_tuple = tuple.__new__
"""Makes a Write without its own constructor, which takes longer than all else of a write."""
