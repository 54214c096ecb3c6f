"""The card of a gradient that the program writes: the line, before and after, what is due."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from app.explore.card_filling import Slot
from engine.trace.equations import slot
from engine.trace.model import WrittenGradient
from engine.trace.naming import statement
from engine.trace.traced import Trace
from engine.verdict.model import Running

LISTED = 6
"""Names that a card lists."""

CARD = (
    f'<p>Line {slot("written.line", "b")} <span data-if="!written.adds">sets</span>'
    f'<span data-if="written.adds">adds to</span> the gradient of {slot("y.name", "code")}:</p>'
    f'<pre class="line">{slot("written.source", "code")}</pre>'
    f'<p class="arithmetic" data-if="written.arithmetic">{slot("written.arithmetic", "code")}</p>'
    '<div class="chain written"><span class="pill grad"><small>before</small>'
    f"{slot('written.before', 'b')}</span>"
    '<span class="between" data-if="written.gives"><span class="sign">+</span>'
    '<span class="pill grad"><small>contribution</small>'
    f"{slot('written.amount', 'b')}</span>"
    '<span class="sign">=</span></span>'
    '<span class="sign" data-if="!written.gives">→</span>'
    '<span class="pill grad strong" data-if="!written.wrong"><small>after</small>'
    f"{slot('written.after', 'b')}</span>"
    '<span class="pill grad strong bad" data-if="written.wrong"><small>after</small>'
    f"{slot('written.after', 'b')}</span>"
    '<span class="pill due" data-if="written.wrong"><small>due</small>'
    f"{slot('written.due', 'b')}</span></div>"
    '<p class="fine" data-if="written.fine">✓ as the chain rule says.</p>'
    '<p class="blamed" data-if="written.blamed">The mistake in line '
    f"{slot('written.blamed', 'b')} shows here.</p>"
    f'<p class="running" data-if="written.function">{slot("written.function", "code")} runs'
    f'<span data-if="written.held"> with {slot("written.held", "code")}</span>.</p>'
)


SAID = ("line", "gives", "wrong", "fine", "blamed", "function", "held")
"""Slots that are not numbers of the write itself."""


class Writes(NamedTuple):
    """The gradients that the program of a trace writes."""

    trace: Trace
    lines: Sequence[str]
    names: Mapping[str, str]
    blamed: Mapping[int, int]
    """The lines of mistakes by the frames in which they show."""

    @classmethod
    def of(cls, trace: Trace) -> Writes:
        mistakes = trace.verdict.mistakes if trace.verdict is not None else ()
        blamed = {one.frame: one.span[0] for one in reversed(mistakes) if one.frame is not None}
        return cls(trace, trace.program.split("\n"), trace.names(), blamed)

    def slots(self, at: int, written: WrittenGradient) -> dict[str, Slot]:
        """The values of the slots and flags of CARD at frame `at`.

        The line of a mistake is blamed for a write whose own amount is right: it came too early.
        """
        blamed = None if written.right is False else self.blamed.get(at)
        return {
            "written.line": str(written.span[0]),
            "written.source": statement(written.span, self.lines),
            "written.adds": written.adds,
            "written.gives": written.adds and written.amount is not None,
            "written.amount": written.amount,
            "written.arithmetic": written.arithmetic,
            "written.before": written.before,
            "written.after": written.after,
            "written.due": written.due,
            "written.wrong": written.right is False,
            "written.fine": written.right is True and blamed is None,
            "written.blamed": None if blamed is None else str(blamed),
            **self._running(written.running),
        }

    def _running(self, running: Running | None) -> dict[str, Slot]:
        """The function of a write, and what its variables hold."""
        if running is None:
            return {}
        names, variables = self.names, running.variables.items()
        held = [f"{name} = {names[node]}" for name, node in variables if node in names]
        listed = ", ".join(held[:LISTED]) + (" …" if len(held) > LISTED else "")
        return {"written.function": running.function, "written.held": listed}

    def facts(self) -> dict[str, Any]:
        """By frame the slots in SAID, and the statements of writes by their spans, as JSON."""
        said: dict[int, dict[str, Slot]] = {}
        statements: dict[str, Slot] = {}
        for at, frame in enumerate(self.trace.frames):
            if frame.written is not None:
                found = self.slots(at, frame.written)
                said[at] = {name: x for name in SAID if (x := found.get(f"written.{name}"))}
                statements[",".join(map(str, frame.written.span))] = found["written.source"]
        return {"writes": said, "statements": statements} if said else {}
