"""The state of a running program: its names, functions and notes, and the ways out of a block."""

from __future__ import annotations

import ast
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.ops import Op
from engine.value import Value

from . import objects
from .source import Limits, Source, Span
from .tape import Number, Refused, Tape

CALL_DEPTH = 25
MAX_ARGUMENTS = 100
LIST_LENGTH = 20_000
TEXT_LENGTH = 2_000
NOTES = 20


@dataclass(frozen=True, slots=True)
class Note:
    """Something the reader of the program should know, and where."""

    message: str
    span: Span


@dataclass(slots=True)
class Env:
    """The variables of one call, and those around it."""

    names: dict[str, Any] = field(default_factory=dict)
    around: Env | None = None


@dataclass(slots=True)
class Function:
    """A function that the program defines; `env` is where it was defined."""

    name: str
    params: ast.arguments
    body: list[ast.stmt] | ast.expr
    defaults: list[Any]
    env: Env


class _Return(Exception):
    def __init__(self, value: Any) -> None:
        self.value = value


class _Break(Exception):
    pass


class _Continue(Exception):
    pass


class Machine:
    """The state of a run, and the checks that every part of the walk shares."""

    def __init__(self, source: Source, limits: Limits, overrides: dict[int, float]) -> None:
        self.source = source
        self.limits = limits
        self.tape = Tape(limits, overrides)
        self.rng = random.Random(0)
        self.env = Env()
        self.printed: list[str] = []
        self.line = ""
        """What was printed without an end of line."""
        self.notes: list[Note] = []
        self.depth = 0
        self.least: dict[ast.For, int] = {}
        """Operations that a turn of a loop takes at least."""
        self.repr: Function | None = None
        self.network: dict[str, Any] = {}
        """The manner of the program's neurons: of its own class, or of the module imported."""
        self.missing: dict[str, str] = {}
        """The names imported from modules that are not here, each with its dotted path."""

    def note(self, node: ast.AST, message: str) -> None:
        if len(self.notes) < NOTES and not any(note.message == message for note in self.notes):
            self.notes.append(Note(message, self.source.span(node)))

    def holds(self, name: str) -> bool:
        """Whether the program has given `name` a value that can be seen from here."""
        env: Env | None = self.env
        while env is not None:
            if name in env.names:
                return True
            env = env.around
        return False

    def print_text(self, text: str, node: ast.AST) -> None:
        *lines, rest = (self.line + text).split("\n")
        if len(self.printed) + len(lines) > self.limits.printed_lines:
            limit = f"{self.limits.printed_lines:,}"
            raise Refused(node, f"The program prints more than {limit} lines.", "Print less often.")
        self.printed += [
            line if len(line) <= TEXT_LENGTH else line[:TEXT_LENGTH] + "…" for line in lines
        ]
        self.line = rest[: TEXT_LENGTH + 1]

    def compute(
        self, op: Op, args: Sequence[Any], nodes: Sequence[ast.expr], node: ast.AST
    ) -> Value:
        """Apply an operation; plain numbers among the args become Values first."""
        values = [
            arg if isinstance(arg, Value) else self.lift(arg, where)
            for arg, where in zip(args, nodes, strict=True)
        ]
        return self.tape.apply(op, values, node)

    def lift(self, x: Any, node: ast.AST) -> Value:
        if isinstance(x, Value):
            return x
        if type(x) is float or type(x) is int:
            return self.tape.constant(x, node, objects.name_of(node))
        raise Refused(
            node,
            f"Arithmetic needs a number here, not {objects.kind(x)}.",
            objects.number_hint(x) or "Use a number or a Value.",
        )

    def check_length(self, length: int, node: ast.AST) -> None:
        if length > LIST_LENGTH:
            raise Refused(
                node, f"This list has more than {LIST_LENGTH:,} items.", "Make it shorter."
            )

    def items(self, value: Any, node: ast.AST) -> Any:
        if isinstance(value, list | tuple | range | str):
            return value
        raise Refused(
            node,
            f"{objects.sentence(objects.kind(value))} has no items to go through.",
            "Use a list or range(n).",
        )

    def length(self, items: Any, node: ast.AST) -> int:
        try:
            return len(items)
        except OverflowError:
            raise Refused(node, "This range is too long.", "Make it shorter.") from None

    def whole(self, value: Any, node: ast.AST) -> int:
        """`value` as an int, for ranges, items and sizes."""
        if isinstance(value, Number) and value.whole and abs(value.data) < 2**53:
            return int(value.data)
        if type(value) is int:
            return value
        raise Refused(
            node,
            f"A whole number is needed here, not {objects.describe(value)}.",
            "Write 3, not 3.0.",
        )

    def check_text(self, length: int, node: ast.AST) -> None:
        if length > TEXT_LENGTH:
            raise Refused(
                node, f"This text has more than {TEXT_LENGTH:,} characters.", "Print less at once."
            )
