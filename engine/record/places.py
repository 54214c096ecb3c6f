"""Where CPython is in a program: its running frames as nodes of the program's syntax tree."""

from __future__ import annotations

import ast
import sys
from types import CodeType, FrameType
from typing import Any, TypeAlias

FILENAME = "<program>"
"""The file name of a program's code, by which its frames are known."""
Where: TypeAlias = tuple[int | None, int | None, int | None, int | None]


def is_own(frame: FrameType) -> bool:
    """Whether a frame runs code of the program."""
    return frame.f_code.co_filename is FILENAME or frame.f_code.co_filename == FILENAME


def own_frame(frame: FrameType | None) -> FrameType | None:
    """The innermost frame of the program among `frame` and those that called it."""
    while frame is not None and frame.f_code.co_filename != FILENAME:
        frame = frame.f_back
    return frame


def current_frame() -> FrameType | None:
    """The innermost running frame of the program."""
    return own_frame(sys._getframe(1))


class Places:
    """The nodes of one program's tree by their places in the text."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self._nodes: dict[Where, ast.AST] = {}
        self._statements: dict[int, ast.stmt] = {}
        """The innermost statement that begins in or above each line."""
        self._parents: dict[ast.AST, ast.AST] = {}
        self._of: dict[tuple[int, int], ast.AST] = {}
        """By the identity of the code, whose hash goes through all of it, and the place in it."""
        self._tables: dict[int, tuple[CodeType, list[Where]]] = {}

    def _fill(self) -> None:
        for node in ast.walk(self._tree):
            for child in ast.iter_child_nodes(node):
                self._parents[child] = node
            if hasattr(node, "lineno"):
                at: Any = node
                where = at.lineno, at.end_lineno, at.col_offset, at.end_col_offset
                held = self._nodes.get(where)
                if held is None or isinstance(held, ast.stmt):
                    self._nodes[where] = node

    def node(self, frame: FrameType) -> ast.AST:
        """The node that a frame of the program is computing."""
        return self.node_of(frame.f_code, frame.f_lasti)

    def node_of(self, code: CodeType, at: int) -> ast.AST:
        """The node at a place of the program's code, which must live as long as the run."""
        found = self._of.get((id(code), at))
        if found is None:
            found = self._of[id(code), at] = self.node_at(code, at)
        return found

    def node_at(self, code: CodeType, at: int) -> ast.AST:
        """The node at a place of the program's code."""
        if not self._nodes:
            self._fill()
        if id(code) not in self._tables:
            self._tables[id(code)] = code, list(code.co_positions())
        table = self._tables[id(code)][1]
        where = table[at // 2] if 0 <= at // 2 < len(table) else (None, None, None, None)
        found = self._nodes.get(where)
        return found if found is not None else self._in_line(where[0] or code.co_firstlineno)

    def _in_line(self, line: int) -> ast.AST:
        """The last statement that begins at or above a line."""
        found: ast.AST = self._tree
        for node in ast.walk(self._tree):
            is_before = isinstance(node, ast.stmt) and node.lineno <= line
            if is_before and getattr(node, "lineno", 0) >= getattr(found, "lineno", 0):
                found = node
        return found

    def statement(self, frame: FrameType) -> ast.AST:
        """The statement that a frame of the program is running; of a lambda the lambda."""
        return self.statement_around(self.node(frame))

    def statement_around(self, node: ast.AST) -> ast.AST:
        """The innermost statement or lambda around a node."""
        if not self._nodes:
            self._fill()
        found: ast.AST | None = node
        while found is not None and not isinstance(found, ast.stmt | ast.Lambda):
            found = self._parents.get(found)
        return found or node
