"""The links of the Train page: other steps, other runs, files of the run, Explore."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from app.program_address import LONGEST_LENS
from app.train.address import TrainView
from app.train.changes import more_steps
from app.train.form import HANDED_ON, LARGE, Pairs
from engine.export.exports import EXPORTS
from engine.training.limits import TrainLimits
from engine.training.settings import FIELDS, MISTAKES
from engine.training.spec import TrainSpec

STRIDE = 10  # steps of the longer jumps
SOURCES = ("pytorch", "micrograd", "seegrad")
"""The formats of the code of a run."""


class Link(NamedTuple):
    """A link; `href` is None if it would lead to the current page."""

    name: str
    words: str
    href: str | None


class CodeLinks(NamedTuple):
    """The code of a run in one format: its file name, and links to it and to its notebook."""

    name: str
    file_name: str
    href: str
    notebook: str


class RunMistake(NamedTuple):
    """A deliberate mistake of a run: its title, its effect, and a link to the run without it."""

    title: str
    why: str
    href: str


def explore(program: str, view: TrainView) -> str:
    """The program of a run's samples in Explore, with the way back to the run at its step.

    A run too long for a parameter of Explore has no way back.
    """
    way = f"{view.run_query()}&step={view.step}"
    back = {"run": way} if len(way) <= LONGEST_LENS else {}
    return f"/?{urlencode({'program': program, 'grouped': '1', **back})}"


class Links:
    """The links of a run at a step. `query` is the run's, edits included."""

    def __init__(self, pairs: Pairs, spec: TrainSpec, query: str, step: int) -> None:
        self._spec, self._step = spec, step
        self._run = parse_qsl(query, keep_blank_values=True) or [("data", spec.data)]
        self._kept = [(name, text) for name, text in pairs if name in HANDED_ON and text]
        self._drawn = [(name, text) for name, text in pairs if name in ("flat", "tests")]

    def pairs(self) -> list[tuple[str, str]]:
        """The parameters of the run and the step."""
        return [*self._run, ("step", str(self._step))]

    def page_pairs(self) -> list[tuple[str, str]]:
        """The parameters of the page besides the run: hidden parts, and the step."""
        return [*self._kept, ("step", str(self._step))]

    def steps(self) -> Iterator[Link]:
        """Links to other steps."""
        yield self._to("first", "First", 0)
        for jump in (-STRIDE, -1, 1, STRIDE):
            sign = "+" if jump > 0 else "−"
            yield self._to(f"by{jump}", f"{sign}{abs(jump)}", self._step + jump)
        yield self._to("last", "Last", self._spec.total_steps)

    def _to(self, name: str, words: str, step: int) -> Link:
        step = max(0, min(step, self._spec.total_steps))
        if step == self._step:
            return Link(name, words, None)
        pairs = [*self._run, *self._kept, ("step", str(step))]
        return Link(name, words, f"/train?{urlencode(pairs)}")

    def here(self) -> str:
        """This page."""
        return f"/train?{urlencode([*self._run, *self._kept, ('step', str(self._step))])}"

    def on(self) -> str:
        """The run with more steps, at its last step."""
        steps = self._spec.total_steps
        longer = f"{steps}:steps={steps + more_steps(steps)}"
        pairs = [*self._run, ("at", longer), *self._kept, ("step", str(steps + more_steps(steps)))]
        return f"/train?{urlencode(pairs)}"

    def race(self) -> str:
        """The run with every optimizer, side by side."""
        return f"/train/race?{urlencode(self._run)}"

    def below(self, path: str, *more: tuple[str, str]) -> str:
        """An address below /train for this step."""
        return f"/train/{path}?{urlencode([*self.pairs(), *more])}"

    def with_panel(self, panel: str, name: str, value: str) -> str:
        """This page with a panel that is too slow to compute by default."""
        return f"/train?{urlencode([*self.pairs(), *self._kept, (name, value)])}#{panel}"

    def pictures(self) -> dict[str, str]:
        """The boundary in light and in dark colours."""
        return {"light": self._boundary(), "dark": self._boundary(("dark", "1"))}

    def _boundary(self, *more: tuple[str, str]) -> str:
        """The boundary, drawn as the page draws it."""
        return self.below("boundary.png", *self._drawn, *more)

    def exports(self) -> Iterator[Link]:
        """The files of the run."""
        yield Link("network-link", "Network as SVG", self.below("network.svg"))
        yield Link("svg-link", "Loss as SVG", self.below("loss.svg"))
        yield Link("png-link", "Boundary as PNG", self._boundary())
        yield Link("csv-link", "Losses as CSV", self.below("losses.csv"))
        yield Link("json-link", "This step as JSON", self.below("state"))
        yield Link("weights-link", "Weights as JSON", self.below("weights"))
        yield Link("npz-link", "Weights for NumPy", self.below("weights", ("as", "npz")))

    def parts(self, opened: Mapping[str, Any]) -> Iterator[Link]:
        """The parts of the network that Explore offers in place of the whole."""
        for part in opened["parts"]:
            yield Link(part["part"], part["words"], self.below("open", ("part", part["part"])))

    def sources(self) -> Iterator[CodeLinks]:
        """The code of the run in each format."""
        for name in SOURCES:
            href, cells = (self.below(path, ("as", name)) for path in ("code", "code.ipynb"))
            yield CodeLinks(name, EXPORTS[name].file_name, href, cells)

    def mistakes(self, right: TrainSpec) -> Iterator[RunMistake]:
        """The deliberate mistakes of the run, compared with the run `right` without them."""
        for name in (*MISTAKES, "learning_rate"):
            value = getattr(right, name)
            if getattr(self._spec, name) != value:
                title = FIELDS[name].label if value is True else "The learning rate is too large"
                other = replace(self._spec, **{name: value})
                yield RunMistake(title, FIELDS[name].why, self._end_of(other))

    def too_fast(self, limits: TrainLimits) -> str:
        """The end of the same run with far too large a learning rate."""
        rate = min(LARGE * (self._spec.learning_rate or 1.0), limits.rate)
        right = ("right", repr(self._spec.learning_rate))
        return self._end_of(replace(self._spec, learning_rate=float(f"{rate:.3g}")), right)

    def _end_of(self, spec: TrainSpec, *more: tuple[str, str]) -> str:
        """The page of another run at its last step."""
        run = spec.to_query() or [("data", spec.data)]
        return f"/train?{urlencode([*run, *self._kept, *more, ('step', str(spec.total_steps))])}"
