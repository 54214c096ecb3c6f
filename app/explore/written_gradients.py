"""The card of a gradient that the program writes: the line, before and after, what is due."""

from __future__ import annotations

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


def slots(trace: Trace, at: int, written: WrittenGradient) -> dict[str, Slot]:
    """The values of the slots and flags of CARD at frame `at`."""
    line = written.span[0]
    blamed = None if written.right is False else _blamed(trace, at)
    return {
        "written.line": str(line),
        "written.source": statement(written.span, trace.program.split("\n")),
        "written.adds": written.adds,
        "written.gives": written.adds and written.amount is not None,
        "written.amount": written.amount,
        "written.arithmetic": written.arithmetic,
        "written.before": written.before,
        "written.after": written.after,
        "written.due": written.due,
        "written.wrong": written.right is False,
        "written.fine": written.right is True and blamed is None,
        "written.blamed": blamed,
        **_running(trace, written.running),
    }


def _blamed(trace: Trace, at: int) -> str | None:
    """The line of a mistake that shows in a write whose own amount is right: it came too early."""
    if trace.verdict is None:
        return None
    lines = [found.span[0] for found in trace.verdict.mistakes if found.frame == at]
    return str(lines[0]) if lines else None


def _running(trace: Trace, running: Running | None) -> dict[str, Slot]:
    """The function of a write, and what its variables hold."""
    if running is None:
        return {}
    names = trace.names()
    held = [f"{name} = {names[node]}" for name, node in running.variables.items() if node in names]
    listed = ", ".join(held[:LISTED]) + (" …" if len(held) > LISTED else "")
    return {"written.function": running.function, "written.held": listed}
