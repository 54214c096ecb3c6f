"""The end of a run that no program can catch, and what programs can."""

from __future__ import annotations

import ast
from typing import Any


class Refused(BaseException):
    """The refusal of what is not in the language, at `node`; `hint` says what to write instead.

    No exception of Python's, so that no program can catch it.
    """

    def __init__(self, node: ast.AST, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.node, self.message, self.hint = node, message, hint


class Exhausted(Refused):
    """The end of a run whose operations are used up; `scope` are the calls and loops around."""

    def __init__(self, node: ast.AST, message: str, hint: str, scope: Any) -> None:
        super().__init__(node, message, hint)
        self.scope = scope


CATCHABLE = (Exception, BaseExceptionGroup, GeneratorExit, KeyboardInterrupt, SystemExit)
"""What a program may raise, and therefore catch; nothing that stops it is among them."""
