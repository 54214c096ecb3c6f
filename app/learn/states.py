"""The states of a lesson: an address of Explore or Train, its pictures, and its numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from app import program_address
from app.explore.array_view import draws_arrays
from app.explore.drawn import drawn
from app.explore.runs import ProgramRuns
from app.learn.array_numbers import ArrayNumbers
from app.learn.lesson import Lesson, LessonError, Table
from app.learn.numbers import NumberError
from app.learn.subjects import GraphNumbers, RunNumbers
from app.program_address import LENSES, View
from app.settings import Settings
from app.train import address as train_address
from app.train.live_run import Edits, LiveRun
from engine.program import ProgramError
from engine.training.fields import SpecError
from engine.training.snapshot import History

FIRST, LAST = "first", "last"
ACROSS = 14  # Values of a graph whose still picture goes from left to right
BESIDE = ("part", "code", "place", "ranges", "without")
PLAIN = ("program", "train", "page", "name", "leaves", "frame", *BESIDE)
PARTS = {
    "explore": ("graph", "program", "sums"),
    "train": ("results", "network", "frames"),
    "page": ("page",),
}
"""The parts of a page, of which a small screen shows one.

Unless a state says which, it is the first, or what the state opens beside the graph.
"""
BRIEF = 200_000_000
"""The work of a reader's run that is trained to see whether it meets a challenge: 0.2 s."""
CHOSEN = (
    ("keep", re.compile(r"every:(?P<keep>[1-9]\d{0,3})", re.ASCII)),
    ("tangent", re.compile(r"[^@]*@(?P<inputs>[1-9]\d{0,8})@(?P<outputs>[1-9]\d{0,8})", re.ASCII)),
)
"""The numbers that sections hold in their addresses: the gap between checkpoints, and the inputs
and outputs for which both modes are compared."""
CURE = "cure"
"""What a state may go without: the line as it should be."""


class Picture(NamedTuple):
    """A picture of a state, for readers without scripts, and in print."""

    address: str
    words: str


class Beside(NamedTuple):
    """How the live picture is arranged beside the text, which no address says.

    `part` is the one that a small screen shows, `code` begins the line of the program that the step
    is about, `place` the heading in a section, `ranges` are those of sliders by leaf, `without`
    is what is hidden.
    """

    part: str
    code: str
    place: str
    ranges: Mapping[str, Sequence[float]]
    without: str


@dataclass(frozen=True, slots=True)
class ShownState:
    """A state as the page shows it; `subject` is None for other pages than Explore and Train."""

    page: str
    address: str
    pictures: tuple[Picture, ...]
    subject: GraphNumbers | ArrayNumbers | RunNumbers | None
    beside: Beside

    @property
    def is_embeddable(self) -> bool:
        """Whether it can be stepped through on another site: the page for that draws no arrays."""
        return self.page == "explore" and isinstance(self.subject, GraphNumbers)

    @property
    def is_tall(self) -> bool:
        """Whether its picture is taller than wide, and would be too small at the usual height."""
        return isinstance(self.subject, ArrayNumbers)

    @property
    def opens(self) -> str:
        """What its link is called."""
        return f"Open in {PAGES.get(self.page, 'Seegrad')}"


PAGES = {"explore": "Explore", "train": "Train"}


@dataclass(frozen=True)
class ChangedRun(RunNumbers):
    """The losses of a run whose parameters were changed by hand on its way."""

    edits: Edits = ()

    @cached_property
    def history(self) -> History:
        """Its losses, and its last state."""
        live = LiveRun(self.spec, self.edits)
        live.make_edits()
        live.seek(self.spec.total_steps)
        last = live.kernel.snapshot()
        return History(live.kernel.losses, (), (), (), (last,), (), last.loss, last.accuracy)


class States:
    """Finds the states of lessons, and runs their programs."""

    def __init__(self, settings: Settings) -> None:
        self._runs = ProgramRuns(settings)
        self._limits = settings.train_limits
        self._brief = replace(self._limits, work=min(self._limits.work, BRIEF))

    def shown(self, lesson: Lesson, table: Table) -> ShownState:
        """The state that a block describes. Raises LessonError."""
        kinds: Mapping[str, Callable[[Lesson, Table], ShownState]] = {
            "program": self._explore,
            "train": self._train,
            "page": _page,
        }
        for kind, make in kinds.items():
            if kind in table:
                try:
                    return make(lesson, table)
                except (NumberError, ProgramError, SpecError) as error:
                    raise LessonError(f"{lesson.slug}: {error}, in {dict(table)}") from None
        raise LessonError(f"{lesson.slug}: a state names a program, a run of train, or a page.")

    def of_program(self, text: str) -> GraphNumbers:
        """The numbers of a program of the reader's own. Raises ProgramError."""
        return GraphNumbers(self._runs.run(View(text))[1])

    def at(self, address: str) -> GraphNumbers | ArrayNumbers | RunNumbers | None:
        """The numbers of the picture at an address; None of another page, or of a refused one."""
        try:
            parts = urlsplit(address)
            pairs = parse_qsl(parts.query, keep_blank_values=True)
            if parts.path == "/train":
                run = train_address.read(pairs, self._brief)
                return ChangedRun(run.spec, run.edits) if run.edits else RunNumbers(run.spec)
            if parts.path in ("/", "/explore"):
                return self._graph(program_address.read(pairs))
        except (ProgramError, ValueError):
            pass
        return None

    def _explore(self, lesson: Lesson, table: Table) -> ShownState:
        view = _view(lesson, table)
        view = _with_ids(view, self._graph(view))
        graph = self._graph(view)
        view = _with_chosen(view, graph)
        query = view.query()
        still = replace(view, direction=view.direction or _direction(graph)).query()
        picture = Picture(f"/graph.svg?{still}", f"The graph of {_gist(view)}")
        return ShownState("explore", f"/?{query}", (picture,), graph, _beside("explore", table))

    def _graph(self, view: View) -> GraphNumbers | ArrayNumbers:
        found = self._runs.run(view)[1]
        if found.arrays is not None and draws_arrays(found):
            return ArrayNumbers(found, found.arrays)
        read = (pattern.fullmatch(view.lenses.get(name, "")) for name, pattern in CHOSEN)
        chosen = {name: int(text) for it in read if it for name, text in it.groupdict().items()}
        return GraphNumbers(drawn(found, view).trace, chosen)

    def _train(self, lesson: Lesson, table: Table) -> ShownState:
        query = str(table["train"])
        view = train_address.read(parse_qsl(query, keep_blank_values=True), self._limits)
        spec = view.spec
        pictures = [Picture(f"/train/loss.svg?{query}", f"The losses of a run on {spec.data}")]
        if spec.inputs == 2:
            words = f"The decision boundary at step {view.step}"
            pictures.append(Picture(f"/train/boundary.png?{query}", words))
        numbers, beside = RunNumbers(spec), _beside("train", table)
        return ShownState("train", f"/train?{query}", tuple(pictures), numbers, beside)


def _page(lesson: Lesson, table: Table) -> ShownState:
    return ShownState("page", str(table["page"]), (), None, _beside("page", table))


def _beside(page: str, table: Table) -> Beside:
    """How the picture of a state is arranged. Raises NumberError."""
    opens = "sums" if {"value", "lens"} & table.keys() else PARTS[page][0]
    part, without = table.get("part", opens), table.get("without", "")
    if part not in PARTS[page]:
        raise NumberError(f"part is one of {', '.join(PARTS[page])}, not {part!r}.")
    if without not in ("", CURE):
        raise NumberError(f"without is {CURE!r}, not {without!r}.")
    code, place = str(table.get("code", "")), str(table.get("place", ""))
    return Beside(part, code, place, table.get("ranges", {}), without)


def _with_numbers(program: str, leaves: Mapping[str, float]) -> tuple[str, dict[str, float]]:
    """The program with the numbers of leaves that are typed in it, and the other leaves.

    So the text beside the picture says what the picture shows.
    """
    rest = {}
    for name, number in leaves.items():
        line = re.compile(rf"^({re.escape(name)} = )-?\d+(\.\d+)?$", re.MULTILINE)
        program, count = line.subn(rf"\g<1>{number!r}", program)
        if not count:
            rest[name] = number
    return program, rest


def program_of(lesson: Lesson, table: Table) -> str:
    """The program of a state, with its leaves. Raises LessonError."""
    return _program(lesson, table)[0]


def _program(lesson: Lesson, table: Table) -> tuple[str, dict[str, float]]:
    name = table["program"]
    if name not in lesson.programs:
        raise LessonError(f"{lesson.slug}: there is no program {name!r}.")
    given = {key: float(x) for key, x in table.get("leaves", {}).items()}
    return _with_numbers(lesson.programs[name], given)


def _view(lesson: Lesson, table: Table) -> View:
    name = table["program"]
    program, leaves = _program(lesson, table)
    if (code := str(table.get("code", ""))) not in program:
        raise LessonError(f"{lesson.slug}: the program {name!r} has no {code!r}.")
    known = ("scene", "direction", "grouped", "open")
    for key in table:
        if key not in (*PLAIN, *known, *LENSES):
            raise LessonError(f"{lesson.slug}: a state has no {key!r}.")
    return View(
        program,
        leaves=leaves,
        frame=_frame(table.get("frame", LAST)),
        lenses={key: str(table[key]) for key in LENSES if key in table},
        **_drawing({key: table[key] for key in known if key in table}),
    )


def _drawing(given: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of the drawing, as a view has them."""
    found = dict(given)
    if "open" in found:
        found["open"] = frozenset(str(found["open"]).split(","))
    return found


def _frame(given: object) -> int | None:
    """The frame, counted from 0; None for the last one."""
    if given == LAST:
        return None
    return 0 if given == FIRST else int(str(given)) - 1


def _with_ids(view: View, graph: GraphNumbers | ArrayNumbers) -> View:
    """The view with the id of a Value in place of its label in braces, {label}."""

    def with_ids(text: str) -> str:
        for label, node in graph.labels.items():
            text = text.replace(f"{{{label}}}", node)
        return text

    return replace(view, lenses={name: with_ids(text) for name, text in view.lenses.items()})


def _with_chosen(view: View, graph: GraphNumbers | ArrayNumbers) -> View:
    """The view with the id of the Value whose label `value` is, which may be in an open operation.

    Raises NumberError.
    """
    label = view.lenses.get("value")
    if not label or isinstance(graph, ArrayNumbers):
        return view
    return view.with_lens("value", graph.node(label))


def _direction(graph: GraphNumbers | ArrayNumbers) -> str | None:
    """The direction of a still picture: a small graph is wider than tall, as is its room."""
    return "LR" if len(graph.trace.nodes) <= ACROSS else None


def _gist(view: View) -> str:
    """The last line of the program, which its picture is of."""
    return (view.program or "").strip().rpartition("\n")[2]
