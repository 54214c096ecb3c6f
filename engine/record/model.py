"""The record of a run: all that is read of it once it has ended.

No object of the program is in it. The plain parts (`Write`, `Scope`, `Scene` and others) are also
what a recorder keeps while the program runs; `of`, `output` and the like are then objects of the
program, and in a record numbers and recorded objects.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, TypeAlias

from engine.parser_lock import Span
from engine.real import as_single
from engine.reverse import Contribution
from engine.value import Value

from .charts import Chart
from .source import Source


@dataclass(frozen=True, slots=True)
class Note:
    """Something the reader of the program should know, and where."""

    message: str
    span: Span


class Place(NamedTuple):
    """A leaf of a program: the `turn`-th that was made `at` a node of its text.

    Unlike a count of all leaves it stays the same where another branch is taken before it.
    """

    at: ast.AST
    turn: int


@dataclass(eq=False, slots=True)
class Scope:
    """Where a number was made: a call, a loop, one turn of a loop. Drawings fold numbers by it.

    `of` is the object of the program whose `__call__` or `forward` it is.
    `call` is the place from which a function was called.
    """

    kind: str
    title: str
    parent: Scope | None
    of: Any = None
    call: ast.AST | None = None


# Numbers and objects


class RunNumber(Value):
    """A number of the run: a built-in Value, or with `is_plain` a plain number that was followed.

    `node` is its place in the text, `scope` the calls and loops around it. `is_leaf` says that the
    reader may change it. `owner` is the object of the program that holds it as its number. In the
    history of a number that is not drawn, args that were not followed are plain floats.
    """

    __slots__ = ("flags", "is_leaf", "is_plain", "node", "owner", "scope")
    rule: ClassVar[str] = "micrograd"
    """The rule by which repeated passes add up."""
    parts: ClassVar[Sequence[RecordedObject]] = ()
    functions: ClassVar[Sequence[ast.AST]] = ()
    dicts: ClassVar[Sequence[int]] = ()
    has_init: ClassVar[bool] = True
    args: tuple[RunNumber, ...]
    flags: Mapping[str, bool]
    is_leaf: bool
    is_plain: bool
    node: ast.AST
    owner: RecordedObject | None
    scope: Scope | None


class TensorNumber(RunNumber):
    """A tensor of one number, `single` if it is a 32-bit float."""

    __slots__ = ("single",)
    rule = "pytorch"
    rounds = True
    single: bool

    def rounded(self, x: float) -> float:
        return as_single(x) if self.single else x


@dataclass(eq=False, slots=True)
class RecordedObject:
    """An object of a program's own class.

    `kind` is the name of its class, which has its own `__init__` or not; `number` the number that
    it held in the end. Only of drawn objects it is known what they hold: `parts` are other drawn
    objects, in collections too, `functions` the definitions of functions, `flags` truth values,
    `dicts` identify its dicts.
    """

    kind: str
    name: str | None = None
    op: str = ""
    """What it calls itself the operation that made it."""
    number: RunNumber | None = None
    has_init: bool = True
    parts: Sequence[RecordedObject] = ()
    functions: Sequence[ast.AST] = ()
    flags: Mapping[str, bool] = field(default_factory=dict)
    dicts: Sequence[int] = ()

    @property
    def title(self) -> str | None:
        """What a call of a network's part is titled, as with the built-in ones: `Neuron l0.n1`.

        It is `Neuron(…)` for one that no variable leads to, and None for what is no such part.
        """
        if self.number is not None:
            return None
        return f"{self.kind}(…)" if self.name is None else f"{self.kind} {self.name}".strip()


Entity: TypeAlias = RunNumber | RecordedObject
"""What a gradient belongs to."""


class Arrangement(NamedTuple):
    """An array as an operation left it; `cells` in row-major order, None for a plain number.

    Cells are the serial numbers of the elements. `name` is the array's variable, if it has one.
    `node` and `scope` are the place of the operation.
    """

    node: ast.AST
    scope: Scope | None
    shape: tuple[int, ...]
    cells: tuple[float | None, ...]
    name: str


# Gradients


class Write(NamedTuple):
    """A number that a program stores as the gradient of `of`; `before` is None for its first.

    `is_start` says that the object was being made: this is the gradient that it starts with.
    """

    of: Any
    before: float | None
    after: float
    node: ast.AST
    is_start: bool = False


class Pull(NamedTuple):
    """A call of `_backward()`: the contributions of one operation to its args."""

    of: Any
    contributions: Sequence[Contribution[Any]]
    node: ast.AST


@dataclass(frozen=True, slots=True)
class Backward:
    """A call of `backward()`, recorded so that it can be replayed frame by frame.

    `order` are the numbers that the output, the last one, depends on, as computed. `held` are the
    gradients before the call, `grads` those that the pass starts from, by the rule of the output's
    kind. `node` is the place of the call.
    """

    node: ast.AST
    order: list[Any]
    data: list[float]
    held: list[float]
    grads: list[float]
    spent: dict[int, float] = field(default_factory=dict)
    """By place in `order`: what an update has used of a leaf's gradient, and nothing reset."""

    @property
    def before(self) -> float:
        """The gradient of the output that the seed is added to: 0 except for a leaf tensor."""
        output = self.order[-1]
        return self.grads[-1] if output.rounds and output.op is None else 0.0

    def rewind(self) -> None:
        """Give every number the data and gradient that the pass starts from."""
        for value, data, grad in zip(self.order, self.data, self.grads, strict=True):
            value.data, value.grad = data, grad


# Scenes


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """One scene; its steps are those of the log from `start` to `end`.

    While the program runs, `output` is a Value or an object of the program, `number` its number
    then, and `backward` the recorded pass of built-in Values, if it is one.
    """

    id: int
    kind: str
    title: str
    node: ast.AST
    output: Any = None
    number: Any = None
    backward: Backward | None = None
    start: int = 0
    end: int = 0
    made: float = 0.0
    """The place of the output among all numbers of the run, as they were computed."""
    data: float | None = None
    """The output's number; None if it is not one."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A scene ready to be drawn: the numbers before its pass, and the steps of this.

    Without `steps` the engine replays the pass. `held` are the numbers that belong to objects of
    the program; None for a graph of built-in Values. `places` are those of the steps among all that
    the scene has, of which `left_out` are not shown.
    """

    backward: Backward
    steps: Sequence[Write | Pull] | None = None
    held: dict[Any, Any] | None = None
    places: Sequence[int] = ()
    left_out: int = 0
    changed: Sequence[RunNumber] = ()
    """In a record: the numbers that are not those that their objects have in the end."""
    stale: Sequence[RunNumber] = ()
    """In a record: the numbers that no longer follow from their op and args."""


# What a run that is judged shows beside


class RecordedCall(NamedTuple):
    """A call that was under way: `at` is the statement that it was running.

    `variables` are the objects with a number among its variables at that moment.
    """

    serial: int
    name: str
    node: ast.AST
    at: ast.AST
    variables: Mapping[str, RecordedObject]


class BegunCall(NamedTuple):
    """A call that began when the log had `at` entries; `left` is the last statement that it ran.

    `variables` are the drawn objects among its arguments and captured variables.
    """

    at: int
    serial: int
    node: ast.AST
    left: ast.AST | None
    variables: Mapping[str, RecordedObject]


class Made(NamedTuple):
    """A result: of `name`, an operator's sign or a method, from `operands`, numbers or objects.

    `numbers` are the numbers of the operands at that time, `number` that of the result. `method` is
    the definition that ran first for it. In a record, operands that are not drawn are None.
    """

    name: str
    operands: tuple[Any, ...]
    numbers: tuple[float, ...]
    result: Any
    number: float
    node: ast.AST
    method: ast.AST | None


class Collected(NamedTuple):
    """A gradient put into a dict under its object when the log had `at` entries.

    `begun` counts the calls that had begun before. In a record, `owner` identifies the dict.
    """

    at: int
    of: Any
    before: float | None
    after: float
    node: ast.AST
    calls: tuple[Any, ...]
    source: Any
    begun: int
    owner: Any


@dataclass(eq=False, slots=True)
class RecordedWitness:
    """What is seen of a run that is judged, beside the gradients of its scene.

    Entries of the log are known by their place in it. Of those before the scene only the first one
    of each drawn object is kept, the first that gives it a gradient, and the last; of those after
    it the one that changes by hand what the scene left.
    """

    log: dict[int, Write | Pull]
    is_full: bool = False
    """Whether the run wrote more than is kept."""
    writes: dict[int, tuple[RecordedCall, ...]] = field(default_factory=dict)
    """The calls around entries of the log, the innermost first."""
    turns: dict[int, int] = field(default_factory=dict)
    """The calls that had begun before entries of the log."""
    sources: dict[int, RunNumber] = field(default_factory=dict)
    """The followed numbers that entries wrote."""
    lines: dict[int, ast.AST] = field(default_factory=dict)
    """The statement of the module that led to entries of the log."""
    begun: list[BegunCall] = field(default_factory=list)
    made: list[Made] = field(default_factory=list)
    updated: list[tuple[int, Entity, int]] = field(default_factory=list)
    """Objects that got a new number, with the length of the log and the number's serial."""
    copies: dict[RunNumber, RunNumber | None] = field(default_factory=dict)
    """Drawn numbers that are an arg's, unchanged, or for None a constant."""
    unfollowed: dict[RunNumber, tuple[RecordedObject, ...]] = field(default_factory=dict)
    """The objects from which a number may come that was computed in a way not followed."""
    collected: list[Collected] = field(default_factory=list)
    has_unseen: bool = False
    """Whether an object ends with a gradient that nobody was seen to write."""


# The run


class Leaf(NamedTuple):
    """A leaf that the reader may change: the number that the program itself gives it."""

    key: str
    default: float
    place: Place


class Unused(NamedTuple):
    """A leaf that the program named for the scene, and that its output does not depend on."""

    label: str
    node: ast.AST
    has_gradient: bool


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """What one run of a program left: the output, the pass that is drawn, the words.

    A program that computes no number has neither output nor stage.
    """

    source: Source
    scenes: Sequence[Scene]
    scene: Scene | None
    leaves: Sequence[Leaf]
    """All leaves that can be changed, if this is the program's own run."""
    printed: list[str]
    notes: list[Note]
    charts: list[Chart]
    stopped: Note | None
    """Why the run was stopped before its end, if it was; its last scene is drawn."""
    operations: int
    stage: Stage | None = None
    keys: Sequence[tuple[str, RunNumber]] = ()
    """The drawn leaves with the names by which they can be changed."""
    unused: Sequence[Unused] = ()
    arrays: Sequence[Arrangement] = ()
    updates: Mapping[float, float] = field(default_factory=dict)
    """By serial number of a drawn leaf, that of the first number of its object."""
    witness: RecordedWitness | None = None
    array_record: Any = None
    """The operations on whole arrays, if they are kept: an `ArrayRecord`."""

    @property
    def output(self) -> RunNumber | None:
        if self.stage is None:
            return None
        output: RunNumber = self.stage.backward.order[-1]
        return output
