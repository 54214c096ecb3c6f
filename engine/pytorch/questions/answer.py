"""An answer: what is wrong, where, with which numbers, and what to do."""

from __future__ import annotations

from dataclasses import dataclass

from engine.pytorch.record import SourcePlace


@dataclass(frozen=True, slots=True)
class RunAnswer:
    """`kind` is a key of the table of questions; `cure` says what to write instead."""

    kind: str
    message: str
    cure: str
    place: SourcePlace | None = None

    def __str__(self) -> str:
        where = "" if self.place is None else f"Line {self.place.line}: {self.place.text.strip()}\n"
        return f"{where}{self.message}\n{self.cure}"


def shape_words(shape: tuple[int, ...]) -> str:
    """A shape as PyTorch prints it: (32, 1)."""
    return f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})"
