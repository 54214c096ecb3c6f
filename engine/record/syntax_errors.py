"""Text that is no Python, refused in words of this project's own.

CPython words its errors differently in each version. What is shown is therefore taken from the
tables below; an error that they do not hold is invalid syntax.
"""

from __future__ import annotations

import keyword
import re
from typing import TypeAlias

from engine.ops import OPS
from engine.parser_lock import Span

from .tokens import first_unreadable

Explanation: TypeAlias = tuple[str, Span, str]
"""Message, place and hint."""


def explained(error: SyntaxError, text: str) -> Explanation:
    """Why the parser refused `text`, which it did with `error`."""
    message, span, hint = _in_our_words(error, text.split("\n"))
    if message == f"{_ESCAPE}.":
        span = first_unreadable(text) or span  # 3.11 points behind it
    return message, span, hint


def _in_our_words(error: SyntaxError, lines: list[str]) -> Explanation:
    line = min(max(error.lineno or 1, 1), len(lines))
    text = lines[line - 1]
    column = min(max(error.offset or 1, 1), len(text) + 1)
    end_line, end_column = error.end_lineno or line, error.end_offset or 0
    if end_line == line:
        end_column = min(end_column, len(text) + 1)  # 3.12 counts a newline after a comment
    if end_column < 2 and end_line > line:  # before the first character of a later line
        end_line, end_column = line, len(text) + 1
    if (end_line, end_column) <= (line, column):
        end_line, end_column = line, column + 1
    said = error.msg or ""
    message = _message(said)
    hint = _hint(text, said, message)
    for character in text[column - 1 : end_column - 1] + text:
        if character in _LOOKALIKES:
            column = text.index(character) + 1
            end_line, end_column = line, column + 1
            hint = _instead(character, text)
            if said == "invalid decimal literal":  # until 3.11.4, of a sign behind a digit
                message = f"Invalid character '{character}' (U+{ord(character):04X})"
            break
    return f"{message}.", (line, column, end_line, end_column), hint


def _instead(character: str, line: str) -> str:
    """What to write for a character that only looks like Python."""
    root = _ROOT.search(line) if character == "√" else None
    if root is None:
        return f"Write {_LOOKALIKES[character]} instead of {character}."
    times = f"{root[1]}*" if root[1] else ""
    return f"Write {times}sqrt({root[2] or root[3]}) instead of {root[0]}."


def _message(said: str) -> str:
    found = ((re.match(pattern, said), words) for pattern, words in _WORDS)
    if own := next((match.expand(words) for match, words in found if match), ""):
        return own
    kept = _KEPT.match(said.removeprefix("f-string: ").replace("f-string lit", "string lit"))
    return kept[0][0].upper() + kept[0][1:] if kept else "Invalid syntax"


def _hint(line: str, said: str, message: str) -> str:
    equal = " Maybe you meant '=='" if "Maybe you meant '=='" in said else ""
    about = f"{line.partition('#')[0]}\n{message}{equal}"
    found = ((re.search(pattern, about), hint) for pattern, hint in _HINTS)
    hints = (match.expand(hint).replace("^", "**") for match, hint in found if match)
    return next(hints, "Check the brackets and signs around here.")


_ESCAPE = "An escape after a backslash in this string cannot be read"
_TARGET = (
    "True|False|None|ellipsis|literal|f-string expression|expression|function call|comparison|"
    "attribute|subscript|"
    "conditional expression|lambda|list comprehension|generator expression|dict literal|"
    "set display|dict comprehension|set comprehension|await expression|yield expression|"
    "named expression|starred|tuple|list|name"
)
_BLOCK = r"function definition|class definition|'[a-z]+' (?:statement|clause|block|method)"
_KEPT = re.compile(
    "|".join(
        (
            r"unmatched '[)\]}]'",
            r"'[(\[{]' was never closed",
            r"closing parenthesis '.' does not match opening parenthesis '.'(?: on line \d+)?",
            r"unterminated (?:triple-quoted )?string literal(?: \(.*\))?",
            r"invalid (?:hexadecimal|octal|binary|imaginary) literal",
            r"invalid digit '.' in (?:octal|binary) literal",
            r"leading zeros in decimal integer literals are not permitted",
            r"invalid character '.' \(U\+\w+\)",
            r"invalid non-printable character U\+\w+",
            r"unexpected character after line continuation character",
            r"unexpected indent",
            r"unindent does not match any outer indentation level",
            r"inconsistent use of tabs and spaces in indentation",
            rf"expected an indented block(?: after (?:{_BLOCK}) on line \d+)?",
            r"too many nested parentheses",
            r"too many levels of indentation",
            r"expected '(?::|\()'",
            r"expected 'else' after 'if' expression",
            rf"cannot assign to (?:{_TARGET})(?: here)?(?=\.|$)",
            rf"cannot delete (?:{_TARGET})$",
            r"'[\w ]+' is an illegal expression for augmented assignment",
            r"illegal target for annotation",
            r"expression cannot contain assignment",
            r"positional argument follows keyword argument(?: unpacking)?",
            r"Generator expression must be parenthesized",
            r"cannot use starred expression here",
            r"Missing parentheses in call to '(?:print|exec)'",
        )
    )
)
"""What CPython's message begins with, in all versions from 3.11 on, where this is shown."""
_WORDS: tuple[tuple[str, str], ...] = (
    (r"invalid decimal literal", "A name cannot begin with a digit"),
    (r"unexpected EOF", "Unexpected end of the text"),
    (r"Exceeds the limit \((\d+) digits\)", r"A whole number is written with at most \1 digits"),
    (
        r"only single target \(not (tuple|list)\) can be annotated",
        r"Only a single target can be annotated, not a \1",
    ),
    (r"cannot use assignment expressions with", "Cannot use an assignment expression here"),
    (
        r"(?:non-default argument follows|parameter without a default)",
        "A parameter without a default follows one with a default",
    ),
    (r"\((?:unicode|value) error\)", _ESCAPE),
    (
        r"f-string: (?:empty expression|valid expression)",
        "An expression is missing in these braces of an f-string",
    ),
    (r"f-string: single '}'", "Single '}' in an f-string"),
    (r"f-string: (?:invalid|missing) conversion", "A conversion in an f-string is !r, !s or !a"),
    (r"f-string: expecting '}'", "Expected '}'"),
    (r"f-string: lambda", "A lambda in an f-string stands in parentheses"),
    (
        r"f-string: expressions nested too deeply",
        "Format specifications of an f-string are nested too deeply",
    ),
)
"""What it begins with, to other words that are shown."""

_LOOKALIKES = {
    "×": "*", "·": "*", "⋅": "*", "∙": "*", "÷": "/", "∕": "/", "−": "-", "–": "-", "—": "-",
    "‘": "'", "’": "'", "“": '"', "”": '"', "²": "**2", "³": "**3", "√": "sqrt(…)",
    "≤": "<=", "≥": ">=", "≠": "!=", "←": "=", "π": "math.pi",
}  # fmt: skip
_ROOT = re.compile(r"([\w.]{0,40})√ *(?:\(([^()\n]{1,40})\)|([\w.]{1,40}))")
_KEYWORD = rf"(?:{'|'.join(keyword.kwlist)})\b"
_FUNCTION = "|".join(name for name, op in OPS.items() if op.is_word and not op.module)
_FUNCTION_OF_MATHEMATICS = (
    r"^\s*([^\W\d]\w*) ?\(([^\W\d]\w*(?:, *[^\W\d]\w*)*)\) *= *([^=\n]{1,60}?) *"
    r"\nCannot assign to function call"
)
_HINTS: tuple[tuple[str, str], ...] = (
    (r"^\s*>>> ", "Remove the >>> in front of each line."),
    (r"^\s*[%!]", "Remove this line; it is a command to a notebook."),
    (r"Missing parentheses in call to 'print'", "Write print(…)."),
    (r"never closed", "Close the bracket that was opened here."),
    (r"Expected '}'", "Write } behind the expression in the f-string."),
    (r"Unmatched", "Remove it, or open the bracket that it closes."),
    (r"Unexpected indent|Unindent", "Begin the line where the line above begins."),
    (r"Expected an indented block", "Indent this line by four spaces."),
    (r"Inconsistent use of tabs", "Indent with spaces only."),
    (r"Unterminated", "Close the quotation mark."),
    (r"An expression is missing", "Write an expression inside the braces, or {{}} to show braces."),
    (r"Single '}'", "Write }} to show a brace, or { in front of the expression."),
    (r"A conversion in an f-string", "Write {x!r}, or {x:.2f} for a format."),
    (r"A lambda in", "Write ( in front of the lambda and ) behind it."),
    (r"Format specifications", "Put the inner one into a variable."),
    (r"\|\|", "Write or instead of ||."),
    (r"&&", "Write and instead of &&."),
    (r"\|([^|\n]{1,40})\|", r"Write abs(\1) for the absolute value."),
    (
        _FUNCTION_OF_MATHEMATICS,
        r"Write def \1(\2): return \3 for a function.",
    ),
    (r"(?<![\w.])([\d.]+)(?!e\d)([^\W\d]\w*).*\nA name cannot", r"Write \1*\2 for a product."),
    (r"A name cannot", "Write 2*x for 2x."),
    (r"^\s*(let|var|const) +(\w+ *=[^\n]{1,60})\n", r"Write \2 without \1."),
    (r"^\s*([\d.]+) *= *([^\W\d]\w*) *\n", r"Only a name can stand left of =: \2 = \1."),
    (r"^\s*(?:if|elif|assert)\b.*\n.*Maybe you meant '=='", "Write == to compare."),
    (r"Maybe you meant '=='|Cannot assign", "Only a name can stand left of =."),
    (r"Expected ':'", "End the line with a colon."),
    (r"non-printable|Invalid character", "Delete it, or write a letter from the keyboard."),
    (r"A whole number", "Write it as a power, such as 10**5000, or as a float, such as 1e300."),
    (r"Too many", "Name the parts on lines of their own."),
    (r"(\*\*|[-+*/%=<>]) *\n", r"Something is missing after \1."),
    (rf"\b({_FUNCTION}) +([\w.]+)", r"Write \1(\2)."),
    (
        rf"^[^'\"\n]*?(?<![\w.])(?!{_KEYWORD})(\w+) +(?!{_KEYWORD})([^\W\d]\w*).*\nInvalid",
        r"Write \1*\2 for a product.",
    ),
)
