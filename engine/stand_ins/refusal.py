"""What is not here, and the way out."""

from __future__ import annotations

import ast


class Refused(NotImplementedError):
    """What a stand-in has not, at `node`; `hint` says what to write instead."""

    def __init__(self, node: ast.AST, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.node, self.message, self.hint = node, message, hint
