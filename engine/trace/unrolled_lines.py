"""The lines of an unrolled program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

HELD = "held before this pass"
"""The note of a gradient that the pass starts from."""


class UnrolledLine(NamedTuple):
    """An assignment to the data or, in the backward part, to the gradient of `node`.

    `frames` are the frames of the trace that it belongs to. `of` is the Value whose op contributes
    and `slot` the op's argument that it contributes to. `number` is that of the target after the
    line. `note` is what its comment says, often nothing.
    """

    pass_: str
    code: str
    node: str
    number: float
    frames: tuple[int, ...] = ()
    of: str | None = None
    slot: int | None = None
    note: str = ""

    @property
    def text(self) -> str:
        """The line with its comment."""
        return f"{self.code}  # {self.note}" if self.note else self.code


@dataclass(frozen=True, slots=True)
class Unrolled:
    """The program: definitions that it needs, lines, and its identifiers by node.

    Numbers inside expressions stand in the lines as they are and have no identifier.
    """

    definitions: tuple[str, ...]
    lines: tuple[UnrolledLine, ...]
    names: Mapping[str, str]

    def of(self, pass_: str) -> list[UnrolledLine]:
        """The lines of one pass."""
        return [line for line in self.lines if line.pass_ == pass_]

    def gradient(self, node: str) -> str:
        """The identifier of the gradient of a node."""
        return f"{self.names[node]}_"

    @property
    def text(self) -> str:
        """The program as a whole; it prints nothing."""
        body = [
            "\n".join([f"# {title}", *[line.text for line in lines]])
            for title, lines in (
                ("Forward", self.of("forward")),
                ("Backward: x_ is the gradient of x", self.of("backward")),
            )
            if lines
        ]
        used = "\n".join([*self.definitions, *body])
        imports = [f"import {name}" for name in ("math", "struct") if f"{name}." in used]
        head = ["\n".join(imports)] if imports else []
        parts = [*head, *self.definitions, "\n\n".join(body)]
        return ("\n\n\n" if self.definitions else "\n\n").join(parts) + "\n"
