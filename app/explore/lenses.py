"""The sections beside the picture, each a way to look at the graph that is drawn.

A section is closed at first. Its contents are rendered when it is opened, from `lens/{name}.html`
with the variable `lens`, and again when the numbers change. To add one, add an entry to LENSES and
its template.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from markupsafe import Markup

from app.explore.descend import Descend, descend_view
from app.explore.expansions import ExpansionsView, expansions_view
from app.explore.forward_mode import ForwardView, forward_view
from app.explore.gradient_check import CheckView, check_view
from app.explore.hessian import Second, second_view
from app.explore.mistakes import MistakesView, mistakes_view
from app.explore.nudge import Nudge, nudge_view
from app.explore.remembered import MemoryView, memory_view
from app.explore.trials import TrialsView, trials_view
from app.explore.unrolled import Listing, listing
from app.program_address import View
from app.serving.rendering import Renderer
from app.settings import Settings
from engine.program import Program
from engine.trace.traced import Trace


@dataclass(frozen=True, slots=True)
class LensSubject:
    """What a lens looks at: a program, run with the leaves of a view."""

    program: Program
    trace: Trace
    view: View
    leaves: dict[str, float]
    """The leaves that the view changes."""
    settings: Settings


class Lens(NamedTuple):
    """A section: its name in the address, heading, a few words beside it, and its variables.

    One that is `of_text` looks at the program alone, and is there for a class without a graph, too.
    """

    name: str
    title: str
    says: str
    look: Callable[[LensSubject], object]
    of_text: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """A section on the page; `body` is empty while it is closed, and `href` opens it."""

    name: str
    title: str
    says: str
    is_open: bool
    body: Markup
    href: str


def _check(subject: LensSubject) -> CheckView:
    most = subject.settings.whole("check_operations")
    return check_view(subject.program, subject.trace, subject.leaves, subject.view, most)


def _nudge(subject: LensSubject) -> Nudge:
    most = subject.settings.whole("check_operations")
    return nudge_view(subject.trace, subject.view, most)


def _mistakes(subject: LensSubject) -> MistakesView:
    return mistakes_view(subject.trace, subject.view)


def _expand(subject: LensSubject) -> ExpansionsView:
    return expansions_view(subject.trace, subject.view)


def _forward(subject: LensSubject) -> ForwardView:
    return forward_view(subject.trace, subject.view)


def _memory(subject: LensSubject) -> MemoryView:
    return memory_view(subject.trace, subject.view)


def _second(subject: LensSubject) -> Second:
    most = subject.settings.whole("check_operations")
    return second_view(subject.trace, subject.view, subject.program.limits, most)


def _descend(subject: LensSubject) -> Descend:
    most = subject.settings.whole("check_operations")
    return descend_view(subject.program, subject.trace, subject.leaves, subject.view, most)


def _trials(subject: LensSubject) -> TrialsView:
    return trials_view(subject.program, subject.view)


def _unrolled(subject: LensSubject) -> Listing:
    return listing(subject.trace)


UNROLLED = Lens("unrolled", "Unrolled", "both passes as Python that runs", _unrolled)
"""The tab in place of the program, which the parameter `tab` opens."""
LENSES: dict[str, Lens] = {
    lens.name: lens
    for lens in (
        Lens("trials", "Test my class", "on programs you have not seen", _trials, of_text=True),
        Lens("nudge", "Nudge a leaf", "predicted and true change", _nudge),
        Lens("check", "Gradient check", "against measured slopes", _check),
        Lens("mistakes", "Break a rule", "wrong gradients, and why", _mistakes),
        Lens("second", "Higher derivatives", "and the Hessian", _second),
        Lens("descend", "Descend", "leaves follow their gradients", _descend),
        Lens("expand", "Open operations", "what they are made of", _expand),
        Lens("forward", "Forward mode", "tangents, and which mode wins", _forward),
        Lens("memory", "Remembered", "the numbers that backward needs", _memory),
    )
}
"""Every section by name, in the order of the page."""


def body(renderer: Renderer, lens: Lens, subject: LensSubject) -> Markup:
    """The contents of a section."""
    text = renderer.page(f"lens/{lens.name}.html", {"lens": lens.look(subject)})
    return Markup(text)  # noqa: S704  rendered with escaping


def tab(renderer: Renderer, subject: LensSubject) -> Markup:
    """The unrolled program, if the address asks for it."""
    is_open = subject.view.lenses.get("tab") == UNROLLED.name
    return body(renderer, UNROLLED, subject) if is_open else Markup()


def sections(renderer: Renderer, subject: LensSubject) -> Iterable[Section]:
    """The sections of a page; those that its address names are open."""
    opened = subject.view.sections
    there = [lens for lens in LENSES.values() if lens.of_text or subject.trace.output is not None]
    for lens in there:
        is_open = lens.name in opened
        others = [name for name in opened if name != lens.name]
        href = subject.view.with_lens("lens", ",".join([*others, lens.name])).query()
        contents = body(renderer, lens, subject) if is_open else Markup()
        yield Section(lens.name, lens.title, lens.says, is_open, contents, f"/?{href}")
