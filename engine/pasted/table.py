"""What is recovered from pasted text: one entry for each thing that happens to code on its way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from engine.numbers import counted

from . import characters, excerpts, marks, methods
from .cells import cells_of, each_cell
from .code_in_text import code_alone
from .indentation import restored
from .lines import Lines, NumberedLine, dedented, flattened, indent_of, joined
from .statements import parsed


class LineChange(NamedTuple):
    """A line before and after."""

    before: str
    after: str


MOST_MOVED = 3
"""Lines that may be indented anew: where more are indented, their indentation has a meaning."""
Function: TypeAlias = Callable[[Lines], list[NumberedLine]]
Words: TypeAlias = "Callable[[Effect], str]"


@dataclass(frozen=True, slots=True)
class Effect:
    """What one recovery did: lines that it changed, lines that it left out, and the result."""

    changes: Sequence[LineChange]
    left_out: int
    result: Lines


@dataclass(frozen=True, slots=True)
class Recovery:
    """One entry: its name, what it does, and what is said of that.

    A gentle one is left out once the text is Python; the others go on to what makes it run. One
    that `is_guess` may take for a mark what is code.
    """

    name: str
    function: Function
    says: Words
    is_gentle: bool = True
    is_guess: bool = False


def _lines(verb: str, rest: str) -> Words:
    return lambda effect: f"{verb} {counted(len(effect.changes), 'line')}{rest}"


def _always(words: str) -> Words:
    return lambda effect: words


def _signs(effect: Effect) -> str:
    """The characters that are written, each with what for."""
    taken = "".join(change.before for change in effect.changes)
    left = "".join(change.after for change in effect.changes)
    pairs: dict[str, list[str]] = {}
    for sign, written in characters.LOOKALIKES.items():
        if taken.count(sign) > left.count(sign):
            pairs.setdefault(written, []).append(sign)
    listed = [f"{written} for {' and '.join(signs)}" for written, signs in pairs.items()]
    return f"Writes {', '.join(listed)}"


def _prompts(effect: Effect) -> str:
    taken = [change.before.split()[0] for change in effect.changes if change.before.split()]
    has_in = any(word.startswith("In") for word in taken)
    marks_ = "In [ ] and ...:" if has_in else ">>> and ..."
    output = f", and {counted(effect.left_out, 'line')} of output" if effect.left_out else ""
    return f"Drops {marks_} prompts{output}"


def _differences(effect: Effect) -> str:
    removed = f" and {counted(effect.left_out, 'removed line')}" if effect.left_out else ""
    return f"Drops the {'+ marks' if effect.changes else 'marks of a difference'}{removed}"


def _text(effect: Effect) -> str:
    code = sum(bool(line.number) and not line.is_blank for line in effect.result)
    pieces = len(cells_of(effect.result).pieces)
    return (
        f"Keeps {counted(pieces, 'piece')} of code, {counted(code, 'line')}; "
        f"leaves out {counted(effect.left_out, 'line')} of text"
    )


def _methods(effect: Effect) -> str:
    count = sum(change.after.startswith("    def ") for change in effect.changes)
    return f"Puts {counted(count, 'method')} into the class above"


_indentation = _lines("Restores the indentation of", "; check it")


def _comments(effect: Effect) -> str:
    return f"Makes comments of {counted(len(effect.changes), 'line')} whose names are never set"


def _indented(lines: Lines) -> list[NumberedLine]:
    """The lines with the indentation that they lack; as they are if most of it is there."""
    for found in (list(lines), dedented(lines)):
        if parsed(joined(found)):
            return found
    found = restored(flattened(lines)) or []
    moved = [
        line for line, after in zip(lines, found, strict=False)
        if line.text[:1] == " " and indent_of(line.text) != indent_of(after.text)
    ]  # fmt: skip
    return found if found and len(moved) <= MOST_MOVED else list(lines)


RECOVERIES = (
    Recovery("spaces", characters.spaces, _lines("Writes plain spaces in", "")),
    Recovery("invisible", characters.visible, _lines("Drops invisible characters from", "")),
    Recovery("entities", characters.entities, _always("Writes < > & for &lt; &gt; &amp;")),
    Recovery("signs", characters.typographic, _signs, is_guess=True),
    Recovery("underscores", characters.underscores, _always("Writes __init__ for **init**")),
    Recovery("numbers", marks.without_numbers, _always("Drops line numbers"), is_guess=True),
    Recovery("differences", marks.without_differences, _differences, is_guess=True),
    Recovery("prompts", marks.without_prompts, _prompts, is_guess=True),
    Recovery("tabs", characters.tabs(4), _always("Writes four spaces for each tab"), is_guess=True),
    Recovery("fences", marks.without_fences, _text, is_gentle=False, is_guess=True),
    Recovery("text", code_alone, _text, is_gentle=False),
    Recovery("indentation", each_cell(_indented), _indentation),
    Recovery("methods", methods.in_classes, _methods, is_gentle=False),
    Recovery("excerpts", excerpts.as_comments, _comments, is_gentle=False),
    Recovery("future", excerpts.future_first, _always("Moves from __future__ to the top"),
             is_gentle=False),
)  # fmt: skip
"""In the order in which they are tried: what is left of one is what the next one gets."""
