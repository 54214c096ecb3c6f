"""The state of a running program: its names, functions and notes, and the ways out of a block."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Any

from .source import Span


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
