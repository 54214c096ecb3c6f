"""The indentation of code that lost all of it, from keywords and from where names are read.

A block goes on as long as a name that it binds is still read: after `return`, or once nothing of it
is read any more, the statement belongs to the block around. This is a guess where Python needs to
be told; what is made of it is shown before it is used.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field

from .lines import Lines, NumberedLine, joined
from .statements import GRADIENTS, STRINGS, PastedStatement, parsed, statement_at

STEP = "    "
MOST = 3_000
"""Statements of a piece whose indentation is restored."""
DEEPEST = 40
"""Levels of what is restored."""
_CONTINUES = {
    "else": ("if", "elif", "for", "while", "except"),
    "elif": ("if", "elif"),
    "except": ("try", "except"),
    "finally": ("try", "except", "else"),
}
_BRANCHES = frozenset({"if", "elif", "else", "except", "finally"})


@dataclass(slots=True)
class _Block:
    """A block that is open: what its header is, and the names that end with it."""

    header: PastedStatement
    index: int
    opens: str
    outer: frozenset[str]
    own: set[str] = field(default_factory=set)
    size: int = 0
    is_closed: bool = False
    is_rebound: bool = False
    """Whether the body sets what the condition reads."""
    has_methods: bool = False

    @property
    def name(self) -> str:
        function = self.header.function
        return function.name if function else ""


def restored(lines: Lines) -> list[NumberedLine] | None:
    """The lines, all of which begin at the left, indented; None if the result is no Python."""
    statements: list[PastedStatement] = []
    i = 0
    while i < len(lines):
        if lines[i].is_blank or lines[i].text.lstrip().startswith("#"):
            i += 1
            continue
        found = statement_at(lines, i)
        if found is None or len(statements) == MOST:
            return None
        statements.append(found)
        i = found.end
    levels = _Levels(lines, statements).all()
    if max(levels, default=0) > DEEPEST:
        return None
    written = _written(lines, statements, levels)
    return written if parsed(joined(written)) else None


class _Levels:
    """The level of each statement, one after the other."""

    def __init__(self, lines: Lines, statements: Sequence[PastedStatement]) -> None:
        self.lines = lines
        self.statements = statements
        self.live = _live(statements)
        self.open: list[_Block] = []
        self.bound: set[str] = set()

    def all(self) -> list[int]:
        """The levels, up to one that is too deep for any program."""
        found: list[int] = []
        for i, statement in enumerate(self.statements):
            found.append(self._next(i, statement))
            if found[-1] > DEEPEST:
                break
        return found

    def _next(self, i: int, statement: PastedStatement) -> int:
        del self.open[self._level(i, statement) :]
        level = len(self.open)
        for block in self.open:
            block.size += 1
            is_function = block.opens == "def"
            block.own |= statement.binds if is_function else statement.binds - block.outer
            block.has_methods |= statement.is_method
            block.is_rebound |= bool(statement.binds & block.header.reads)
        self.bound |= statement.binds
        if statement.opens and statement.opens != "@":
            self._begin(i, statement)
        elif self.open and statement.nodes and _leaves(statement.nodes[-1]):
            self.open[-1].is_closed = True
        return level

    def _begin(self, i: int, header: PastedStatement) -> None:
        own = set(header.binds) - {header.function.name if header.function else ""}
        if header.opens == "while":
            own |= header.reads
        outer = frozenset(self.bound - header.binds)
        self.open.append(_Block(header, i, header.opens, outer, own))

    def _level(self, i: int, statement: PastedStatement) -> int:
        """How many of the open blocks the statement stands in."""
        if self.open and not self.open[-1].size and not statement.later:
            return len(self.open)
        if statement.later:
            return self._continued(statement.later)
        if statement.opens == "class":
            return 0
        before = self.statements[i - 1] if i else None
        if before and before.opens == "@":
            return len(self.open)
        if self._is_method(i):
            return self._in_class()
        for depth in range(len(self.open), 0, -1):
            if self._holds(depth - 1, i, statement):
                return depth
        return 0

    def _is_method(self, i: int) -> bool:
        while self.statements[i].opens == "@" and i + 1 < len(self.statements):
            i += 1
        return self.statements[i].is_method or (i > 0 and self.statements[i - 1].opens == "@")

    def _in_class(self) -> int:
        kinds = [block.opens for block in self.open]
        return len(kinds) - kinds[::-1].index("class") if "class" in kinds else 0

    def _continued(self, word: str) -> int:
        for depth in range(len(self.open), 0, -1):
            if self.open[depth - 1].opens in _CONTINUES[word]:
                return depth - 1
        return 0

    def _holds(self, depth: int, i: int, statement: PastedStatement) -> bool:
        """Whether the open block at this depth goes on with the statement."""
        block = self.open[depth]
        if block.is_closed:
            return False
        if not block.size or block.opens == "try" or _turns(statement):
            return True
        if block.opens == "class":
            return _is_attribute(statement) and not block.has_methods
        if block.opens == "def":
            return self._in_function(depth, i, statement)
        if block.opens in _BRANCHES:
            return self._in_branch(block, i, statement)
        if self.live[i] & block.own:
            return True
        is_counted = block.opens not in ("for", "while") or self._is_counted(block)
        return not (is_counted or self._is_after_blank(statement) or "print" in statement.reads)

    def _in_function(self, depth: int, i: int, statement: PastedStatement) -> bool:
        block = self.open[depth]
        if _is_ellipsis(statement):
            return True
        if block.name in statement.reads and not statement.reads & block.own:
            return False
        is_nested = any(outer.opens == "def" for outer in self.open[:depth])
        if is_nested and self._is_named_later(block.name, i):
            return True
        return bool(self.live[i] & block.own)

    def _is_named_later(self, name: str, i: int) -> bool:
        for statement in self.statements[i:]:
            if statement.opens == "class" or statement.is_method:
                return False
            if name in statement.reads:
                return True
        return False

    def _in_branch(self, block: _Block, i: int, statement: PastedStatement) -> bool:
        if "__name__" in block.header.reads:
            return True
        if block.is_rebound or self._is_after_blank(statement):
            return False
        names = block.header.reads - {"self", "cls", "isinstance", "len", GRADIENTS}
        if statement.reads & names:
            return True
        return block.opens == "if" and bool(self.live[i] & block.own)

    def _is_counted(self, block: _Block) -> bool:
        """Whether anything in the loop reads what its header binds, or its condition reads."""
        names = block.header.binds or block.header.reads
        after = block.index + 1
        return after < len(self.live) and bool(self.live[after] & names)

    def _is_after_blank(self, statement: PastedStatement) -> bool:
        return statement.first > 0 and self.lines[statement.first - 1].is_blank


def _live(statements: Sequence[PastedStatement]) -> list[frozenset[str]]:
    """The names that each statement or one after it reads before they are bound anew."""
    live: frozenset[str] = frozenset()
    found = []
    for statement in reversed(statements):
        live = (live - statement.binds) | statement.reads
        if statement.opens == "class" or statement.is_method:
            live = frozenset()
        found.append(live)
    return found[::-1]


def _leaves(node: ast.stmt) -> bool:
    return isinstance(node, ast.Return | ast.Raise | ast.Continue | ast.Break)


def _turns(statement: PastedStatement) -> bool:
    """Whether a statement ends a turn of a loop, which only a branch has a use for."""
    return bool(statement.nodes) and isinstance(statement.nodes[-1], ast.Continue | ast.Break)


def _is_ellipsis(statement: PastedStatement) -> bool:
    return statement.text == "..."


def _is_attribute(statement: PastedStatement) -> bool:
    return bool(statement.nodes) and isinstance(statement.nodes[0], ast.Assign | ast.AnnAssign)


def _written(
    lines: Lines, statements: Sequence[PastedStatement], levels: Sequence[int]
) -> list[NumberedLine]:
    """The lines with their levels; a comment stands where the statement after it does."""
    found: list[NumberedLine] = []
    done = 0
    for statement, level in zip(statements, levels, strict=True):
        between, own = lines[done : statement.first], range(statement.first, statement.end)
        found += [_at(line, level) for line in between]
        found += [_continued(lines, statement.first, i, level) for i in own]
        done = statement.end
    last = levels[-1] if levels else 0
    return found + [_at(line, last) for line in lines[done:]]


def _at(line: NumberedLine, level: int) -> NumberedLine:
    return line.with_text("" if line.is_blank else f"{STEP * level}{line.text.strip()}")


def _continued(lines: Lines, first: int, i: int, level: int) -> NumberedLine:
    """A line of a statement, indented as deep as its brackets are open; strings are left."""
    before = STRINGS.sub("", joined(lines[first:i]))
    if '"""' in before or "'''" in before:
        return lines[i]
    depth = _depth(before, lines[i].text.strip()[:1] in (")", "]", "}"))
    return _at(lines[i], level + depth)


def _depth(before: str, closes: bool) -> int:
    """How many lines opened brackets that are still open; the last one is closed by the next."""
    opened: list[int] = []
    for number, line in enumerate(before.split("\n")):
        for sign in line:
            if sign in "([{":
                opened.append(number)
            elif sign in ")]}" and opened:
                opened.pop()
    lines = set(opened)
    return len(lines - {opened[-1]} if closes and opened else lines)
