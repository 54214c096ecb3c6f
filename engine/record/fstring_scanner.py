"""The extents of comments, strings and f-strings in a program, as Python 3.12 reads them (PEP 701).

Offsets count characters from 0. Code and literals alternate: code holds f-strings, an f-string
holds fields, a field holds code again and possibly a format specification, which is like the text
of an f-string. They are scanned with an explicit stack, so that no depth exhausts Python's own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TypeAlias

SPECIFICATIONS = 2
"""Format specifications, one in the other, that a field may stand in."""


class Malformed(Exception):
    """A mistake in an f-string: `message` at the characters from `start` to `end`."""

    def __init__(self, message: str, start: int, end: int) -> None:
        super().__init__(message)
        self.message, self.start, self.end = message, start, end


@dataclass(slots=True)
class Chunk:
    """Plain text of an f-string, as it is written; of doubled braces only the first."""

    start: int
    end: int


@dataclass(slots=True)
class FStringCode:
    """Code from `start` to `end`, with the f-strings in it."""

    start: int
    end: int = -1
    literals: list[Literal] = field(default_factory=list)
    comments: list[tuple[int, int]] = field(default_factory=list)


@dataclass(slots=True)
class FStringField:
    """A replacement field: `{code!conversion:spec}`, or `{code=}`, which shows its own text.

    `shown` is the end of the text that `=` shows; `conversion` is a character's code, or -1.
    """

    start: int
    code: FStringCode
    literal: Literal
    depth: int
    """Format specifications that it stands in."""
    end: int = -1
    shown: int | None = None
    conversion: int = -1
    colon: int = -1
    spec: list[Part] | None = None
    brackets: list[str] = field(default_factory=list)


Part: TypeAlias = Chunk | FStringField


@dataclass(slots=True)
class Literal:
    """An f-string; `number` is its place in the order in which they end.

    A broken one ends where Python 3.11 would end it, and has no parts.
    """

    start: int
    quote: str
    raw: bool
    parts: list[Part] = field(default_factory=list)
    end: int = -1
    number: int = -1
    is_broken: bool = False
    is_closed: bool = True


_PREFIX = r"(?P<prefix>(?<!\w)(?:[fbru]|rf|fr|rb|br))?"
_TOKEN = re.compile(
    rf"(?P<comment>\#[^\n]*)|{_PREFIX}(?P<quote>'{{3}}|\"{{3}}|['\"])|(?P<mark>[!=<>]=|[][(){{}}:!=])",
    re.IGNORECASE,
)
_SHORT = r"(?:\\.|(?!%s)[^\\\n])*(?P<end>%s)?"
_LONG = r"(?:\\.|(?!%s).)*(?P<end>%s)?"
_REST = {
    quote: re.compile((_SHORT if len(quote) == 1 else _LONG) % (quote, quote), re.DOTALL)
    for quote in ("'", '"', "'''", '"""')
}
"""What follows the quotation marks that open a plain string."""
_TEXT = {
    True: re.compile(r"\\[^{}]?|[{}\n'\"]", re.DOTALL),
    False: re.compile(r"\\N\{[\w \-]+\}|\\[^{}]?|[{}\n'\"]", re.DOTALL),
}
"""What has a meaning in the text of raw and other f-strings."""
_BLANK = r"(?:\s|\#[^\n]*(?:\n|\Z))*"
_CONVERSION = re.compile(rf"([^\W\d]\w*)?{_BLANK}")
_END_OF_CODE = re.compile(rf"{_BLANK}(?=[}}:]|!(?!=))")
_LAMBDA = re.compile(rf"{_BLANK}(lambda)\b")
_CLOSES = {")": "(", "]": "[", "}": "{"}


class Scanned:
    """What was found in `text`; `literals` are in the order of their ends, inner ones first."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.code = FStringCode(0, len(text))
        self.tokens: list[tuple[int, int]] = []
        """The comments and the strings of all kinds that stand in no other."""
        self.plain: list[tuple[int, int]] = []
        """The closed strings without fields, wherever they stand."""
        self.literals: list[Literal] = []
        self.errors: list[Malformed] = []
        self._open: list[Literal | FStringField] = []
        self._has_failed = False
        while self.at < len(text) or self._open:
            self._try_step()

    def _try_step(self) -> None:
        try:
            self._step()
        except Malformed as error:
            self.errors.append(error)
            self._recover()

    def _step(self) -> None:
        inside = self._open[-1] if self._open else None
        if isinstance(inside, Literal):
            self._read_text(inside, inside.parts, None)
        elif inside is not None and inside.spec is not None:
            self._read_text(inside.literal, inside.spec, inside)
        else:
            self._read_code(inside)

    def _recover(self) -> None:
        """Give up on the outermost open f-string, and on reading those behind it."""
        outermost = self._open[0]
        assert isinstance(outermost, Literal)
        self._has_failed = True
        self.literals = [one for one in self.literals if one.start < outermost.start]
        self.plain = [span for span in self.plain if span[0] < outermost.start]
        self._open = [outermost]
        self._skip(outermost)

    def _skip(self, literal: Literal) -> None:
        """Let an f-string end where Python 3.11 would end it."""
        opened = self.text.index(literal.quote, literal.start) + len(literal.quote)
        rest = _REST[literal.quote].match(self.text, opened)
        assert rest is not None
        literal.parts, literal.is_broken = [], True
        literal.is_closed = rest["end"] is not None
        self._close(literal, rest.end())

    def _read_code(self, inside: FStringField | None) -> None:
        """Read on to the next comment, string or, in a field, sign of its grammar."""
        found = _TOKEN.search(self.text, self.at)
        if found is None:
            if inside is not None:
                raise _never_closed(inside)
            self.at = len(self.text)
            return
        self.at = found.end()
        if found["quote"]:
            self._read_string(found, inside)
        elif inside is not None and found["comment"]:
            inside.code.comments.append(found.span())
        elif inside is not None:
            self._read_mark(found["mark"], found.start(), inside)
        elif found["comment"]:
            self.tokens.append(found.span())

    def _read_string(self, found: re.Match[str], inside: FStringField | None) -> None:
        prefix, quote = (found["prefix"] or "").lower(), found["quote"]
        if "f" in prefix:
            self._open.append(literal := Literal(found.start(), quote, "r" in prefix))
            if self._has_failed:
                self._skip(literal)
            return
        rest = _REST[quote].match(self.text, self.at)
        assert rest is not None
        self.at = rest.end()
        span = found.start(), self.at
        if rest["end"]:
            self.plain.append(span)
        elif inside is not None and quote == inside.literal.quote:
            raise _never_closed(inside)
        elif inside is not None:
            raise self._unterminated(found.start(), quote)
        if inside is None:
            self.tokens.append(span)

    def _unterminated(self, start: int, quote: str) -> Malformed:
        line = self.text.count("\n", 0, start if len(quote) == 1 else len(self.text)) + 1
        triple = "triple-quoted " if len(quote) == 3 else ""
        words = f"unterminated {triple}string literal (detected at line {line})"
        return Malformed(words, start, start + 1)

    def _read_mark(self, mark: str, at: int, inside: FStringField) -> None:
        """Read an operator, a bracket or a sign between the pieces of a field."""
        brackets = inside.brackets
        if mark in ("(", "[", "{"):
            brackets.append(mark)
        elif brackets:
            if mark in _CLOSES and (opened := brackets.pop()) != _CLOSES[mark]:
                words = f"closing parenthesis '{mark}' does not match opening parenthesis "
                raise Malformed(f"{words}'{opened}'", at, at + 1)
        elif mark in (")", "]"):
            raise Malformed(f"unmatched '{mark}'", at, at + 1)
        elif mark == "}":
            self._close_field(inside, at)
        elif mark == ":":
            self._begin_spec(inside, at)
        elif mark == "!":
            self._read_conversion(inside, at)
        elif mark == "=" and (blank := _END_OF_CODE.match(self.text, at + 1)):
            self._end_code(inside, at)
            inside.code.comments += _comments(self.text, at + 1, blank.end())
            inside.shown = self.at = blank.end()

    def _begin_spec(self, inside: FStringField, at: int) -> None:
        self._end_code(inside, at)
        inside.colon, inside.spec = at, []
        if found := _LAMBDA.match(self.text, inside.code.start, inside.code.end):
            self._note("f-string: lambda", found.start(1), at + 1)

    def _read_conversion(self, inside: FStringField, at: int) -> None:
        self._end_code(inside, at)
        found = _CONVERSION.match(self.text, at + 1)
        assert found is not None
        self.at = found.end()
        if inside.conversion != -1 or found[1] not in ("r", "s", "a"):
            self._note("f-string: invalid conversion", at, max(found.end(1), at + 1))
        elif self.text[self.at : self.at + 1] not in (":", "}"):
            self._note("f-string: expecting '}'", self.at, self.at + 1)
        inside.conversion = ord(found[1][0]) if found[1] else ord("r")

    def _note(self, message: str, start: int, end: int) -> None:
        """Remember a mistake that does not hide where the f-string ends."""
        self.errors.append(Malformed(message, start, end))

    def _end_code(self, inside: FStringField, at: int) -> None:
        if inside.code.end != -1:
            return
        inside.code.end = at
        last = inside.code.start
        for start, end in [*inside.code.comments, (at, at)]:
            if self.text[last:start].strip():
                return
            last = end
        self._note("f-string: empty expression", inside.start, at + 1)

    def _close_field(self, inside: FStringField, at: int) -> None:
        self._end_code(inside, at)
        inside.end = self.at = at + 1
        self._open.pop()

    def _read_text(self, literal: Literal, parts: list[Part], inside: FStringField | None) -> None:
        """Read text up to a field, a doubled brace or its end; `inside` is the field it formats."""
        begin, is_end = self.at, False
        for found in _TEXT[literal.raw].finditer(self.text, begin):
            sign, at = found.group(), found.start()
            is_end = sign in "'\"" and self.text.startswith(literal.quote, at)
            if is_end or sign in "{}" or (sign == "\n" and len(literal.quote) == 1):
                break
        else:
            at, sign = len(self.text), "\n"
        if sign == "\n" or (is_end and inside):
            if inside is not None:
                raise _never_closed(inside)
            raise self._unterminated(literal.start, literal.quote)
        is_doubled = inside is None and not is_end and self.text[at : at + 2] in ("{{", "}}")
        if at + is_doubled > begin:
            parts.append(Chunk(begin, at + is_doubled))
        self.at = at + 1 + is_doubled
        if is_end:
            self._close(literal, at + len(literal.quote))
        elif not is_doubled:
            self._read_brace(sign, at, literal, inside)

    def _read_brace(
        self, sign: str, at: int, literal: Literal, inside: FStringField | None
    ) -> None:
        parts = literal.parts if inside is None else inside.spec
        if sign == "{" and parts is not None:
            depth = 0 if inside is None else inside.depth + 1
            opened = FStringField(at, FStringCode(at + 1), literal, depth)
            parts.append(opened)
            self._open.append(opened)
            if depth > SPECIFICATIONS:
                self._note("f-string: expressions nested too deeply", at, at + 1)
        elif inside is not None:
            self._close_field(inside, at)
        else:
            self._note("f-string: single '}' is not allowed", at, at + 1)

    def _close(self, literal: Literal, end: int) -> None:
        literal.end = self.at = end
        literal.number = len(self.literals)
        self.literals.append(literal)
        self._open.pop()
        around = self._open[-1] if self._open else None
        if isinstance(around, FStringField):
            around.code.literals.append(literal)
        else:
            self.code.literals.append(literal)
            self.tokens.append((literal.start, end))


def _never_closed(inside: FStringField) -> Malformed:
    return Malformed("'{' was never closed", inside.start, inside.start + 1)


def _comments(text: str, start: int, end: int) -> list[tuple[int, int]]:
    found = re.finditer(r"#[^\n]*", text[start:end])
    return [(start + one.start(), start + one.end()) for one in found]
