"""The pieces of code in a text that is mostly prose."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections.abc import Sequence

from engine.ops import OPS
from engine.stand_ins.names import LIBRARIES

from .indentation import restored
from .lines import Lines, NumberedLine, dedented, flattened, joined
from .statements import GRADIENTS, LONGEST_LINE, STRINGS, PastedStatement, parsed, statement_at

KNOWN = frozenset(
    {*vars(builtins), *LIBRARIES, "Value", "Neuron", "Layer", "MLP", GRADIENTS, "__name__"}
    | {op.name for op in OPS.values() if op.is_word and not op.module}
)
"""The names that a program may read without setting them."""
_CELL = re.compile(r"# ?%%")
_WORDS = re.compile(r"(?<![A-Za-z'’])[A-Za-z][a-z'’]*(?:[,;]? [A-Za-z][a-z'’]*)+")
FEWEST_WORDS = 3
"""Words in a row, none of Python's, that make a line prose: no code has two names in a row."""
FEWEST_LETTERS = 8
"""Letters of these words: a learner's product, as in `L = a b c`, has fewer."""
FARTHEST = 300
"""Letters in front of prose on a line that may be code."""
_OUTPUT = re.compile(r"([^\W\d]\w*(?:\.\w+)*)(['{\[].*|[^\W\d]\w*\(.*\))$")


def is_prose(text: str) -> bool:
    """Whether words of a language stand in a line, outside of strings and comments."""
    for found in _WORDS.finditer(STRINGS.sub("", text[:LONGEST_LINE])):
        run: list[str] = []
        for word in re.split(r"[,;]? ", found[0]):
            run = [] if keyword.iskeyword(word) else [*run[1 - FEWEST_WORDS :], word]
            if len(run) == FEWEST_WORDS and len("".join(run)) >= FEWEST_LETTERS:
                return True
    return False


def pieces_of(lines: Lines) -> list[list[NumberedLine]]:
    """The parts of a text that are code, each of them Python or flattened Python."""
    reader = _Reader(lines)
    found = (_readable(piece) for piece in reader.pieces())
    return [piece for piece in found if piece and not reader.is_mention(piece)]


def _readable(lines: Lines) -> list[NumberedLine]:
    """The piece, less headers at its end that nothing follows; empty if it cannot be read."""
    piece = dedented(lines)
    while piece and piece[-1].text.rstrip().endswith(":"):
        piece.pop()
    is_python = parsed(joined(piece)) or restored(flattened(piece))
    return piece if is_python else []


class _Reader:
    """Reads a text line by line, and knows the names that its code binds anywhere."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.found: list[list[NumberedLine]] = []
        self.piece: list[NumberedLine] = []
        self.waiting: list[NumberedLine] = []
        """Comments and blank lines that belong to the piece if code follows."""
        self.before: PastedStatement | None = None
        """The statement above in the same piece."""
        self.starts = self._statements()
        bound = (found.binds for found in self.starts.values() if _is_certain(found))
        self.bound: frozenset[str] = frozenset().union(*bound)
        self.names = self.bound | KNOWN
        set_ = (found.binds for found in self.starts.values() if _is_assignment(found))
        self.assigned: frozenset[str] = frozenset().union(*set_)

    def is_mention(self, piece: Lines) -> bool:
        """Whether a piece is a call that prose speaks of, such as `id(n)` on a line of its own."""
        nodes = parsed(piece[0].text) if len(piece) == 1 else None
        match nodes:
            case [ast.Expr(value=value)]:
                names = {part.id for part in ast.walk(value) if isinstance(part, ast.Name)}
                return "print" not in names and not names & self.assigned
        return False

    def _statements(self) -> dict[int, PastedStatement]:
        """The statements by their first lines; one of many lines begins none within it."""
        found: dict[int, PastedStatement] = {}
        i = 0
        while i < len(self.lines):
            statement = statement_at(self.lines, i)
            if statement:
                found[i] = statement
            i = statement.end if statement else i + 1
        return found

    def pieces(self) -> list[list[NumberedLine]]:
        """Runs of code, with the comments and blank lines between it."""
        i = 0
        while i < len(self.lines):
            line, found = self.lines[i], self.starts.get(i)
            if _CELL.match(line.text):
                self._end_piece()
            elif line.is_blank or line.text.lstrip().startswith("#"):
                self.waiting.append(line)
            elif found and self._is_code(found, self.before):
                self._take(found)
                i = found.end - 1
            else:
                self._take_before_prose(line)
            i += 1
        self._end_piece()
        return self.found

    def _take(self, found: PastedStatement) -> None:
        """Add a statement to the piece, which ends with it if output follows on its line."""
        code, ends = self._without_output(found)
        self._add(code)
        self.before = found
        if ends:
            self._end_piece()

    def _take_before_prose(self, line: NumberedLine) -> None:
        """End the piece at a line of prose, with the code that the line begins with."""
        code = self._before_prose(line, self.before)
        if code is not None:
            self._add([code])
        self._end_piece()

    def _add(self, code: Lines) -> None:
        self.piece += [*(self.waiting if self.piece else _comments(self.waiting)), *code]
        self.waiting = []

    def _end_piece(self) -> None:
        self.found.append(self.piece)
        self.piece, self.waiting, self.before = [], [], None

    def _is_code(self, found: PastedStatement, before: PastedStatement | None) -> bool:
        if found.opens:
            return self._is_header(found, before)
        return all(self._is_code_node(node, before) for node in found.nodes)

    def _is_header(self, found: PastedStatement, before: PastedStatement | None) -> bool:
        if found.opens in ("def", "class", "for", "@"):
            return True
        return before is not None or (bool(found.reads) and found.reads <= self.names)

    def _is_code_node(self, node: ast.stmt, before: PastedStatement | None) -> bool:
        match node:
            case ast.AnnAssign(value=None):
                return before is not None
            case ast.Assign() | ast.AugAssign() | ast.AnnAssign() | ast.Import() | ast.ImportFrom():
                return True
            case ast.Expr(value=ast.Constant(value=str())):
                return before is not None and before.opens in ("def", "class")
            case ast.Expr(value=value):
                return self._is_expression(value, before)
            case ast.FunctionDef() | ast.ClassDef() | ast.For() | ast.If():  # on one line
                return True
        return before is not None

    def _is_expression(self, value: ast.expr, before: PastedStatement | None) -> bool:
        if isinstance(value, ast.Constant):
            return value.value is ... and before is not None
        names = {part.id for part in ast.walk(value) if isinstance(part, ast.Name)}
        if not any(isinstance(part, ast.Call) for part in ast.walk(value)):
            return before is not None and bool(names) and names <= self.bound
        return before is not None or names <= self.names or _root(value) in self.names

    def _before_prose(
        self, line: NumberedLine, before: PastedStatement | None
    ) -> NumberedLine | None:
        """The call at the beginning of a line in which prose or output follows without a space."""
        text = line.text.rstrip()
        for end in range(min(len(text) - 1, FARTHEST), 0, -1):
            if text[end - 1] not in ")]" or not (text[end].isalpha() or text[end] in "'{["):
                continue
            found = statement_at([line.with_text(text[:end])], 0)
            if found and self._is_code(found, before):
                return line.with_text(text[:end])
        output = _OUTPUT.match(text)
        if output and output[1].partition(".")[0] in self.bound:
            return line.with_text(output[1])
        return None

    def _without_output(self, found: PastedStatement) -> tuple[Sequence[NumberedLine], bool]:
        """The lines of a statement, and whether output was cut off behind them: `LValue(…)`."""
        lines = self.lines[found.first : found.end]
        if len(lines) == 1 and found.nodes and isinstance(found.nodes[0], ast.Expr):
            value = found.nodes[0].value
            if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
                name = self._shown(value.func.id)
                if name:
                    return [lines[0].with_text(name)], True
        return lines, False

    def _shown(self, called: str) -> str:
        """The name that is shown, if a call is one followed by its text: L in `LValue(…)`."""
        if called in self.names:
            return ""
        ends = (called.removesuffix(name) for name in self.names if called.endswith(name))
        return next((name for name in ends if name in self.bound), "")


def _root(value: ast.expr) -> str:
    """The name that an expression begins with: plt in `plt.plot(x)`."""
    while isinstance(value, ast.Call | ast.Attribute | ast.Subscript):
        value = value.func if isinstance(value, ast.Call) else value.value
    return value.id if isinstance(value, ast.Name) else ""


def _comments(waiting: Lines) -> list[NumberedLine]:
    """What precedes a piece: the comments right in front of it."""
    found: list[NumberedLine] = []
    for line in reversed(waiting):
        if line.is_blank:
            break
        found.insert(0, line)
    return found


def _is_assignment(found: PastedStatement) -> bool:
    kinds = (ast.Assign, ast.AugAssign, ast.Import, ast.ImportFrom)
    return any(isinstance(node, kinds) for node in found.nodes)


def _is_certain(found: PastedStatement) -> bool:
    """Whether a statement binds names in a way that prose does not."""
    kinds = (ast.FunctionDef, ast.ClassDef)
    return (
        found.opens in ("def", "class", "for", "with")
        or _is_assignment(found)
        or any(isinstance(node, kinds) for node in found.nodes)
    )
