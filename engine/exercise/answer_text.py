"""Answers as a student types them: a number or a formula of numbers, read and never evaluated.

The language: numbers, `+ - * / **`, signs, parentheses, calls of the table's functions, and the
numbers of the graph by name: `b` or `b.data`, `L.grad`, and of a Value without a label by its text,
`(a*b).grad`. Only numbers that the student may know have a name. `×`, `·`, `÷`, `−`, `½` and `^`
are read as what they stand for, `ln 3` as `log(3)`, and a comma between digits as a decimal point,
unless it may group thousands or separate the inputs of a function.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from engine import parser_lock, real
from engine.formulas import CONSTANTS
from engine.ops import OPS

from .exercise import DATA, GRAD, Exercise
from .known import Known

LONGEST = 120
"""Characters of an answer."""
_SIGNS = str.maketrans(
    {"×": "*", "·": "*", "⋅": "*", "÷": "/", "−": "-", "–": "-", "∕": "/", "⁄": "/", "^": "**"}
    | {"½": "(1/2)", "⅓": "(1/3)", "⅔": "(2/3)", "¼": "(1/4)", "¾": "(3/4)", "√": "sqrt "}
)
_COMMA = re.compile(r"(?<=[\d\s(*/+-]),(?=\d)|(?<=\d),(?=\d)|^,(?=\d)")
_THOUSANDS = re.compile(r"(?<![\d.,])[1-9]\d{0,2}((?:,\d{3})+)(\.\d+)?(?![\d.,])")
_LN = re.compile(r"\bln\b")
_BARE = re.compile(r"\b([a-z]\w*)\s+(\d+(?:\.\d*)?|\.\d+)")
"""A function of a number without parentheses, as in log 3."""
_NAMED = re.compile(r"^[^=<>!]*[^=<>!\s]\s*=\s*(?=[^=])|^=\s*(?=[^=])")
"""The name of what is asked for, typed with its number, as in a.grad = 3."""
_BINARY: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: real.divide,
    ast.Pow: real.power,
}

EMPTY = "Type a number, such as −1.5, or a formula, such as 3*2."
LONG = "An answer has at most {most} characters."
UNREAD = "“{text}” is neither a number nor a formula. Write for example −1.5 or 3*2."
NO_NAME = "There is no {name} in this graph."
HIDDEN = "{name} is still hidden, so it cannot be part of an answer."
NO_FUNCTION = "There is no function {name}."
COUNT = "{name} takes {count}."
INFINITE = "“{text}” is not a finite number."
AMBIGUOUS = "“{text}” can be read in two ways. Write {whole} or {decimal}."


class AnswerError(ValueError):
    """A text that is not an answer; the message is for the student."""


class ValueNames(NamedTuple):
    """The ids of Values by the text that names them in an answer."""

    ids: Mapping[str, str]


def names(exercise: Exercise) -> ValueNames:
    """The texts that name the Values of an exercise; of a label given twice, the later Value."""
    found: dict[str, str] = {}
    for node in exercise.trace.nodes:
        if node.kind == "constant":
            continue
        for text in {node.name, node.label, node.id} - {""}:
            found[_normal(text)] = node.id
    return ValueNames(found)


def read_answer(text: str, exercise: Exercise, known: Known) -> float:
    """The number of an answer. Raises AnswerError."""
    return _read(text, names(exercise), known)


def read_number(text: str) -> float:
    """The number of an answer in which no Value has a name. Raises AnswerError."""
    return _read(text, ValueNames({}), Known({}, {}))


def _read(text: str, names: ValueNames, known: Known) -> float:
    text = text.strip()
    if not text:
        raise AnswerError(EMPTY)
    if len(text) > LONGEST:
        raise AnswerError(LONG.format(most=LONGEST))
    tree = _parsed(_written(text))
    if tree is None:
        raise AnswerError(UNREAD.format(text=text))
    found = _Reader(names, known, text).number(tree)
    if not math.isfinite(found):
        raise AnswerError(INFINITE.format(text=text))
    return found


def _written(text: str) -> str:
    """A typed text in the language of formulas. Raises AnswerError."""
    text = _LN.sub("log", _NAMED.sub("", text.translate(_SIGNS)))
    if not _SEVERAL.search(text):
        text = _COMMA.sub(".", _THOUSANDS.sub(_without_groups, text))
    return _BARE.sub(lambda at: f"{at[1]}({at[2]})" if _is_function(at[1]) else at[0], text)


def _without_groups(found: re.Match[str]) -> str:
    """A number without the commas that group its thousands. Raises AnswerError."""
    whole = found[0].replace(",", "")
    if found[1].count(",") == 1 and not found[2]:
        decimal = found[0].replace(",", ".")
        raise AnswerError(AMBIGUOUS.format(text=found[0], whole=whole, decimal=decimal))
    return whole


def _is_function(name: str) -> bool:
    return name in OPS and OPS[name].is_word


_SEVERAL = re.compile(
    r"\b(?:{})\s*\(".format(
        "|".join(op.name for op in OPS.values() if op.is_word and len(op.params) > 1)
    )
)
"""A call of a function with several inputs, between which commas stand."""


def _parsed(text: str) -> ast.expr | None:
    try:
        return parser_lock.expression(text.strip())
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None


def _normal(text: str) -> str:
    """A text without what does not matter in it: blanks, idle parentheses."""
    tree = _parsed(text)
    return text.replace(" ", "") if tree is None else ast.unparse(tree)


class _Reader:
    """Computes the number of a syntax tree of at most LONGEST characters."""

    def __init__(self, names: ValueNames, known: Known, text: str) -> None:
        self.names, self.known, self.text = names, known, text

    def number(self, node: ast.expr) -> float:
        match node:
            case ast.Constant(value=int() | float() as x) if not isinstance(x, bool):
                return _float(x)
            case ast.Name(id=name) if name in CONSTANTS and name not in self.names.ids:
                return CONSTANTS[name]
            case ast.Name(id=name):
                return self._of(name, DATA, name)
            case ast.Attribute(value=of, attr=kind) if kind in (DATA, GRAD):
                return self._of(self._written(of), kind, ast.unparse(node))
            case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _BINARY:
                return _BINARY[type(sign)](self.number(left), self.number(right))
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return -self.number(inner)
            case ast.UnaryOp(op=ast.UAdd(), operand=inner):
                return self.number(inner)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
                return self._call(name, args)
        raise AnswerError(UNREAD.format(text=self.text))

    def _written(self, node: ast.expr) -> str:
        """The text that names a Value: that of a formula, or a text in quotes."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return _normal(node.value)
        return ast.unparse(node)

    def _of(self, text: str, kind: str, shown: str) -> float:
        node = self.names.ids.get(text)
        if node is None:
            unread = NO_NAME.format(name=shown) if self.names.ids else UNREAD.format(text=self.text)
            raise AnswerError(unread)
        found = self.known.number(node, kind)
        if found is None:
            raise AnswerError(HIDDEN.format(name=shown))
        return found

    def _call(self, name: str, args: list[ast.expr]) -> float:
        op = OPS.get(name)
        if op is None or not op.is_word:
            raise AnswerError(NO_FUNCTION.format(name=name))
        wanted = len(op.params)
        if len(args) != wanted:
            count = "1 number" if wanted == 1 else f"{wanted} numbers"
            raise AnswerError(COUNT.format(name=name, count=count))
        return float(op.compute(*[self.number(arg) for arg in args]))


def _float(x: float) -> float:
    try:
        return float(x)
    except OverflowError:
        return math.inf
