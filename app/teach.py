"""The teachers' page: embedding, linking, hiding, presenting, printing, exercises, course plans."""

from __future__ import annotations

from typing import NamedTuple

from fastapi import Request, Response
from fastapi.responses import HTMLResponse

from app.caches import cached
from app.learn import course
from app.learn.fixing.exercises import EXERCISES
from app.learn.lesson import Lesson
from app.program_address import View
from app.serving.compression import packed
from app.serving.headers import LESSON_POLICY, NO_CACHE
from app.site import Site
from app.train.hiding import HIDEABLE
from app.train.presets import PRESETS
from engine.trace.mistakes import MISTAKES

CHAIN = "a = 2.0\nb = -3.0\nc = 10.0\nf = -2.0\nL = (a*b + c) * f"
TWICE = "a = 2.0\nb = 3.0\ne = a*b + b**2"

HEADERS = {**NO_CACHE, "content-security-policy": LESSON_POLICY}


class PlanItem(NamedTuple):
    """One item of a plan: its minutes, what is done, and the page for it."""

    minutes: int
    words: str
    href: str
    lesson: str = ""
    """The slug of the lesson on it."""


class Plan(NamedTuple):
    """A plan for one session."""

    title: str
    words: str
    items: tuple[PlanItem, ...]

    @property
    def minutes(self) -> int:
        """The length of the session."""
        return sum(item.minutes for item in self.items)


def _presented(program: str, frame: int | None = 0, **lenses: str) -> str:
    """The address of a program that fills the screen at a frame; None is the last one."""
    return f"/?{View(program, frame=frame, lenses={**lenses, 'present': 'on'}).query()}"


SQUARE = "x = 3.0\ny = x*x"
LATE = "a = 3.0\nu = 2*a\ny = u + u*u"
NETWORK = "random.seed(42)\nn = MLP(3, [4, 4, 1])\ny = n([2.0, 3.0, -1.0])"
LOOP = """\
w = Value(3.0)
for turn in range(3):
    L = (2*w - 1)**2
    w.grad = 0.0
    L.backward()
    w.data -= 0.05 * w.grad
    print(L.data)
"""
FOUR_POINTS = (
    "data=four_points&layers=3-4-4-1&activation=tanh&output_activation=tanh&loss=sum_squares&l2=0"
    "&schedule=constant&seed=42&steps=100"
)
LECTURE = Plan(
    "A lecture on backpropagation",
    "For a projector: each item opens what is shown, and a program fills the screen.",
    (
        PlanItem(
            8,
            "A slope by nudging: change a number, read the change of another",
            _presented(SQUARE, None),
            "nudge",
        ),
        PlanItem(
            7,
            "A program as a graph: foretell each number, then step forward",
            _presented(CHAIN),
            "value",
        ),
        PlanItem(
            15,
            "The chain rule by hand: ask for each gradient before its frame",
            _presented(CHAIN, 4),
            "chain-rule",
        ),
        PlanItem(
            12,
            "Two uses, two contributions: break the rule, see what is lost",
            _presented(TWICE, None, mistake="assign"),
            "accumulate",
        ),
        PlanItem(8, "Why the order matters", _presented(LATE, 3), "order"),
        PlanItem(10, "A neuron, and a network of 41 parameters", _presented(NETWORK, None), "mlp"),
        PlanItem(10, "The training loop", _presented(LOOP), "training-loop"),
        PlanItem(
            8,
            "The learning rate: too small, right, too large",
            f"/train?{FOUR_POINTS}&learning_rate=0.3",
            "learning-rate",
        ),
        PlanItem(
            7,
            "What goes wrong: a forgotten zeroing",
            f"/train?{FOUR_POINTS}&learning_rate=0.3&zero_grad=false",
            "zeroing",
        ),
        PlanItem(5, "Questions, and the exercise for home", "/learn/fix"),
    ),
)
LAB = Plan(
    "A lab on backpropagation",
    "For pairs at one computer each. Nothing is installed, and nobody needs an account.",
    (
        PlanItem(10, "Lesson 3, alone: one operation, one rule", "/learn/local-rules"),
        PlanItem(
            15,
            "Fill in the gradients of a graph, against the clock if you like",
            "/learn/chain-rule",
        ),
        PlanItem(25, "Write a class Value; the debugger answers", "/learn/own-value"),
        PlanItem(15, "Fix three classes with one mistake each", "/learn/fix"),
        PlanItem(
            15, "Train on two moons: reach 99 % with the fewest parameters", "/train?data=moons"
        ),
        PlanItem(10, "Overfit on purpose, and say how it shows", "/learn/overfitting"),
    ),
)
PLANS = (LECTURE, LAB)


def add_teach(site: Site) -> None:
    """Register /teach, rendered once per process."""

    @cached("page for teachers")
    def page() -> str:
        return site.renderer.page("teach.html", teach_context())

    async def teach(request: Request) -> Response:
        body, headers = packed(request, page().encode())
        return HTMLResponse(body, 200, {**HEADERS, **headers})

    site.app.add_route("/teach", teach, methods=["GET"], include_in_schema=False)


def teach_context() -> dict[str, object]:
    """The template context of teach.html."""
    lessons: list[Lesson] = list(course.lessons().values())
    chain = View(CHAIN)
    return {
        "page": "teach",
        "plans": PLANS,
        "lessons": lessons,
        "minutes": sum(lesson.minutes for lesson in lessons),
        "fixes": list(EXERCISES.values()),
        "mistakes": len(MISTAKES),
        "hideable": list(HIDEABLE.items()),
        "presets": list(PRESETS.values())[:6],
        "chain": chain.query(),
        "presented": chain.with_lens("present", "on").query(),
        "program": CHAIN,
    }
