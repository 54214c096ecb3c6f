"""Train's state in its address: the run, the step, manual edits and hidden parts of the page.

    /train?layers=2-6-4-1&activation=tanh&step=37&set=0:0.5,3:-1&at=20&hide=layers,play

The parameters of the run are those of `TrainSpec`; OWN are all others. `set` and `at` may repeat,
paired in order; an `at` with a setting, such as at=120:learning_rate=0.01, is a change of the
spec's own. Malformed parameters raise a SpecError that names the parameter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from app.train.hiding import hidden
from app.train.live_run import Edit, Edits
from engine.training.fields import FieldType, Number, SpecError, Whole, misplaced, refusal, shown
from engine.training.limits import TrainLimits
from engine.training.settings import MANY, MISTAKES
from engine.training.spec import TrainSpec

VIEW = ("step", "set", "hide", "right", "plane", "space", "check")
PAGE = ("pin", "scale", "smooth", "speed", "tab", "phase", "flat", "tests")
"""Parameters that only the page's scripts read."""
ANSWERS = (
    *("every", "fps", "from", "losses", "sample", "as"),
    *("neuron", "rates", "seeds", "dark", "doctor", "fit", "was", "part", "form", "see"),
)
"""Further parameters of single endpoints below /train."""
OWN = (*VIEW, *PAGE, *ANSWERS)

MOST_EDITS = 200
PLAIN = ":,="
"""Characters that texts of a query may hold as they are."""

Pairs = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class TrainView:
    """A parsed address."""

    spec: TrainSpec
    step: int = 0
    edits: Edits = ()
    hide: tuple[str, ...] = ()
    right_rate: float | None = None
    """The learning rate of the reference run, if this run's own is too large on purpose."""

    def without_mistakes(self) -> TrainSpec:
        """The same run without its deliberate mistakes."""
        rate = self.spec.learning_rate
        if self.right_rate is not None:
            rate = min(rate, self.right_rate)
        return replace(self.spec, **MISTAKES, learning_rate=rate)

    def run_query(self) -> str:
        """The query string of the run: its spec and its edits, without the step."""
        return urlencode([*run_pairs(self.spec), *edit_pairs(self.edits)], safe=PLAIN)


def run_pairs(spec: TrainSpec) -> list[tuple[str, str]]:
    """The parameters of a spec; never empty, since an empty query names no run."""
    return spec.to_query() or [("data", spec.data)]


def edit_pairs(edits: Edits) -> Iterable[tuple[str, str]]:
    """The parameters of manual edits."""
    for step, changes in _by_step(edits):
        yield "set", ",".join(f"{i}:{x!r}" for i, x in changes)
        yield "at", str(step)


def names_a_run(pairs: Pairs) -> bool:
    """Whether any pair is a parameter of a spec."""
    return any(name not in OWN for name, _ in of_spec(pairs))


def of_spec(pairs: Pairs) -> list[tuple[str, str]]:
    """The pairs without the steps of manual edits, which share `at` with changes of settings."""
    return [(name, text) for name, text in pairs if name != "at" or not _is_step(text)]


def _is_step(text: str) -> bool:
    return not re.search("[:=]", text)


def read(pairs: Pairs, limits: TrainLimits | None = None, *, held: bool = False) -> TrainView:
    """The view of the pairs of a query. Raises SpecError.

    A step beyond the end of the run is an error, or is clamped to the last if `held`.
    """
    spec = TrainSpec.from_query(of_spec(pairs), limits, ignore=OWN)
    step = whole(pairs, "step", 0, MANY if held else spec.total_steps, 0)
    return TrainView(
        spec=spec,
        step=min(step, spec.total_steps),
        edits=edits_of(pairs, spec),
        hide=hidden(text_of(pairs, "hide") or ""),
        right_rate=_right_rate(pairs, limits or TrainLimits()),
    )


def _right_rate(pairs: Pairs, limits: TrainLimits) -> float | None:
    if text_of(pairs, "right") is None:
        return None
    return number(pairs, "right", 0.0, limits.rate, 0.0)


# Single parameters


def text_of(pairs: Pairs, name: str) -> str | None:
    """The text of a parameter that must not repeat; None if it is missing or empty."""
    found = [text for key, text in pairs if key == name]
    if len(found) > 1:
        raise SpecError(name, shown(found[1]), f"{name} is given twice; give it once.")
    return found[0].strip() or None if found else None


def whole(pairs: Pairs, name: str, least: int, most: int, default: int) -> int:
    """An integer parameter. Raises SpecError."""
    text = text_of(pairs, name)
    return default if text is None else _read(Whole(least, most), name, text)


def wholes(pairs: Pairs, name: str, most: int, count: int) -> list[int]:
    """A comma-separated list of at most `count` integers from 0 to `most`. Raises SpecError."""
    parts = (text_of(pairs, name) or "").split(",", count)
    return [_read(Whole(0, most), name, part.strip()) for part in parts if part.strip()]


def number(pairs: Pairs, name: str, least: float, most: float, default: float) -> float:
    """A float parameter. Raises SpecError."""
    text = text_of(pairs, name)
    return default if text is None else _read(Number(least, most), name, text)


def choice(pairs: Pairs, name: str, known: Sequence[str], default: str) -> str:
    """A parameter with one of the `known` values. Raises SpecError."""
    text = text_of(pairs, name) or default
    if text not in known:
        raise refusal(name, text, f"; give {' or '.join(known)}.")
    return text


def switch(pairs: Pairs, name: str) -> bool:
    """A boolean parameter, 1 or 0, by default 0. Raises SpecError."""
    return choice(pairs, name, ("0", "1"), "0") == "1"


def items(pairs: Pairs, name: str, kind: FieldType, most: int) -> list[float]:
    """A comma-separated list of numbers, without duplicates. Raises SpecError."""
    parts = (text_of(pairs, name) or "").split(",")
    if len(parts) > most:
        raise refusal(name, f"{len(parts):,} items", f"; give at most {most:,}.")
    found = [_read(kind, name, part.strip()) for part in parts if part.strip()]
    return list(dict.fromkeys(found))


def _read(kind: FieldType, name: str, text: str) -> int:
    found: int = kind.read(name, kind.parse(text))
    return found


# Manual edits


def is_edit(pair: tuple[str, str]) -> bool:
    """Whether a parameter belongs to manual edits: `set`, or an `at` that is a step."""
    name, text = pair
    return name == "set" or (name == "at" and _is_step(text))


def edits_of(pairs: Pairs, spec: TrainSpec) -> Edits:
    """The manual edits of a run, by their steps. Raises SpecError."""
    changes = [text for name, text in pairs if name == "set" and text.strip()]
    steps = [text for name, text in pairs if name == "at" and text.strip() and _is_step(text)]
    if len(changes) != len(steps):
        name, other = ("at", "set") if len(changes) > len(steps) else ("set", "at")
        message = f"{name} is missing: each {other} needs one, such as set=0:0.5&at=20."
        raise SpecError(name, "nothing", message)
    found: list[Edit] = []
    for change, at in zip(changes, steps, strict=True):
        step = _read(Whole(0, spec.total_steps), "at", at)
        found += [(step, *_change(part, spec)) for part in change.split(",")]
    if len(found) > MOST_EDITS:
        message = f"set changes {len(found):,} parameters; at most {MOST_EDITS} are taken."
        raise SpecError("set", f"{len(found):,} changes", message)
    return tuple(sorted(found, key=lambda edit: edit[0]))  # stable: a later edit of a step wins


def _change(text: str, spec: TrainSpec) -> tuple[int, float]:
    """Index and value of a parameter from text such as "3:-0.5". Raises SpecError."""
    place, colon, number_text = text.partition(":")
    if not colon:
        raise misplaced("set", "a change in set", text, "write place:number, such as 0:0.5.")
    index = _read(Whole(0, spec.parameter_count - 1), "set", place)
    x: float = Number(-1e300).read("set", Number().parse(number_text))
    return index, x


def _by_step(edits: Edits) -> Iterable[tuple[int, list[tuple[int, float]]]]:
    """The edits grouped by step."""
    found: dict[int, list[tuple[int, float]]] = {}
    for step, place, x in edits:
        found.setdefault(step, []).append((place, x))
    return found.items()
