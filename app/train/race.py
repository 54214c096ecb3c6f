"""The race: runs side by side on shared axes, each the base run with some settings of its own.

    /train/race?data=circles&learning_rate=0.2&run=optimizer%3Dadam&run=learning_rate%3D0.05&step=100

The settings of the base stand as in any address of a run. Each `run` is a query of its own with
the settings that differ; empty, it is the base itself. `add.optimizer` and the like, which the form
of the page sends, become one more `run`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode

from app.train import address, state
from app.train.address import PLAIN, Pairs, of_spec
from app.train.changes import setting_words, words
from app.train.choices import choices
from app.train.form import value_text
from app.train.live_run import Edits
from app.train.pictures.race import race_svg
from app.train.presets import STARTING
from app.train.runs import TrainingRuns
from app.train.sweep import LONGEST
from engine.cancellation import IsCancelled
from engine.numbers import brief, percent
from engine.training.fields import SpecError, shown
from engine.training.limits import TrainLimits
from engine.training.optim import OPTIMIZERS
from engine.training.settings import FIELDS, MANY
from engine.training.spec import TrainSpec

MOST = 12
"""The greatest number of runs in a race."""
ADD = "add."
EDIT = "set"  # the parameter of weights changed by hand
OFFERED = ("optimizer", "learning_rate", "init", "activation", "layers", "batch", "l2", "seed")
"""The settings of the form that adds a run; an address may give a run any others."""

Plain = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Racer:
    """A run of the race: its own settings as a query, its spec, and its words."""

    own: str
    spec: TrainSpec
    words: str
    edits: Edits = ()

    @property
    def query(self) -> str:
        """The query of the run by itself."""
        pairs = [*address.run_pairs(self.spec), *address.edit_pairs(self.edits)]
        return urlencode(pairs, safe=PLAIN)


@dataclass(frozen=True, slots=True)
class Race:
    """A parsed address: the base, its runs, and the step shown."""

    base: TrainSpec
    racers: tuple[Racer, ...]
    step: int
    kept: tuple[tuple[str, str], ...]
    """The parameters of the base, with those of weights changed by hand."""
    edits: Edits = ()

    @property
    def drops_edits(self) -> bool:
        """Whether weights that the base changes by hand do not fit a run."""
        ours = (racer for racer in self.racers if EDIT not in dict(_pairs(racer.own)))
        return any(racer.edits != self.edits for racer in ours)

    @property
    def steps(self) -> int:
        """The steps of the longest run."""
        return max(racer.spec.total_steps for racer in self.racers)

    def href(self, owns: Sequence[str], step: int | None = None) -> str:
        """The address of a race with these runs."""
        shown_at = [] if step is None else [("step", str(step))]
        runs = [("run", own) for own in owns]
        return f"/train/race?{urlencode([*self.kept, *runs, *shown_at], safe=PLAIN)}"

    @property
    def owns(self) -> list[str]:
        """The queries of the runs' own settings."""
        return [racer.own for racer in self.racers]


# The address


def read(pairs: Pairs, limits: TrainLimits) -> Race:
    """The race of an address; without runs, one of each optimizer.

    Raises SpecError.
    """
    ours = ("run", *address.OWN, *(name for name, _ in pairs if name.startswith(ADD)))
    kept = [pair for pair in of_spec(pairs) if pair[0] not in ours]
    kept = kept or address.run_pairs(STARTING)
    base = TrainSpec.from_query(kept, limits)
    edits = address.edits_of(pairs, base)
    given = [text for name, text in pairs if name == "run"]
    owns = given or [f"optimizer={name}" for name in OPTIMIZERS]
    if len(owns) > MOST:
        raise SpecError("run", shown(owns[-1]), f"The race has {len(owns)} runs; give {MOST}.")
    racers = tuple(_racer(own, kept, base, limits, edits) for own in owns)
    work = sum(racer.spec.work for racer in racers)
    if work > LONGEST * limits.work:
        message = f"{len(racers)} runs of {base.total_steps:,} steps are too much work; give less."
        raise SpecError("steps", str(base.total_steps), message)
    last = max(racer.spec.total_steps for racer in racers)
    step = address.whole(pairs, "step", 0, MANY, last)
    whole = (*kept, *address.edit_pairs(edits))
    return Race(base, racers, min(step, last), whole, edits)


def _pairs(own: str) -> Pairs:
    return parse_qsl(own, keep_blank_values=True)


def _racer(own: str, kept: Pairs, base: TrainSpec, limits: TrainLimits, edits: Edits = ()) -> Racer:
    """A run of the race, with the `edits` of the base. Raises SpecError, which names the run.

    Another optimizer than that of the base has its own rate, as the base's was not chosen for it.
    """
    mine = [pair for pair in _pairs(own) if not address.is_edit(pair)]
    names = {name for name, _ in mine}
    rule = OPTIMIZERS.get(dict(mine).get("optimizer", base.optimizer).strip())
    if rule and rule.name != base.optimizer and "learning_rate" not in names:
        mine.append(("learning_rate", value_text("learning_rate", rule.rate)))
        names.add("learning_rate")
    others = [p for p in kept if p[0] not in names and not address.is_edit(p)]
    try:
        spec = TrainSpec.from_query([*others, *mine], limits)
        found = _edits(own, spec, base, edits)
    except SpecError as error:
        raise SpecError(error.field, error.value, f"Run {own}: {error.message}") from None
    said = _words(spec, base, names)
    by_hand = f"{said}, weights by hand" if found != edits and found else said
    return Racer(own, spec, by_hand, found)


def _edits(own: str, spec: TrainSpec, base: TrainSpec, edits: Edits) -> Edits:
    """The run's own edits if it has a `set`, also an empty one; else those of the base that fit."""
    pairs = _pairs(own)
    if EDIT in dict(pairs):
        return address.edits_of(pairs, spec)
    if spec.layers != base.layers:
        return ()
    return tuple(edit for edit in edits if edit[0] <= spec.total_steps)


def _words(spec: TrainSpec, base: TrainSpec, names: set[str]) -> str:
    """The settings that the run names or in which it differs, an optimizer with its rate."""
    names = names | ({"learning_rate"} if "optimizer" in names else set())
    same = {
        name
        for name, seed in (("data_seed", "data"), ("order_seed", "order"))
        if getattr(spec.seeds, seed) == getattr(base.seeds, seed)
    }
    own = [
        (name, getattr(spec, name))
        for name in FIELDS
        if name not in same and (name in names or getattr(spec, name) != getattr(base, name))
    ]
    said = (_said(name, value) for name, value in own)
    return ", ".join(filter(None, said)) or "unchanged"


def _said(name: str, value: Any) -> str:
    if name == "at":
        return ", ".join(f"{words(settings)} from step {step:,} on" for step, settings in value)
    return "" if name == "rows" else setting_words(name, value)


def added(pairs: Pairs, limits: TrainLimits) -> str | None:
    """The address with the run that the form adds; None if it adds none. Raises SpecError."""
    news = {name.removeprefix(ADD): text for name, text in pairs if name.startswith(ADD)}
    if not news:
        return None
    race = read([pair for pair in pairs if not pair[0].startswith(ADD)], limits)
    if len(race.racers) == MOST:
        raise SpecError("run", "", f"The race has {MOST} runs already; remove one first.")
    own = {
        name: text.strip()
        for name, text in news.items()
        if name in FIELDS and text.strip() and text.strip() != _value(race.base, name)
    }
    if "seed" in own:  # other weights on the same data in the same order
        seeds = race.base.seeds
        own |= {"data_seed": str(seeds.data), "order_seed": str(seeds.order)}
    query = urlencode(own, safe=PLAIN)
    _racer(query, race.kept, race.base, limits)
    return race.href([*race.owns, query])


def _value(base: TrainSpec, name: str) -> str:
    return value_text(name, getattr(base, name))


# The page


def page(race: Race, runs: TrainingRuns, is_cancelled: IsCancelled) -> dict[str, Any]:
    """The template context of race.html."""
    boards, curves, losses = [], [], []
    for number, racer in enumerate(race.racers):
        step = min(race.step, racer.spec.total_steps)
        with runs.hold(racer.spec, racer.edits, is_cancelled) as run:
            now = state.state(run, step, losses=True)
        curves.append([*map(float, now["losses"]), float(now["loss"])])
        losses.append(float(now["train_loss" if "train_loss" in now else "loss"]))
        boards.append(_board(race, number, now, losses[-1]))
    setups = [
        {"words": racer.words, "query": racer.query, "setup": state.setup(racer.spec, racer.edits)}
        for racer in race.racers
    ]
    found = {"runs": setups, "step": race.step, "steps": race.steps, "href": race.href(race.owns)}
    return {
        "page": "train",
        "error": "",
        "race": race,
        "boards": boards,
        "offers": list(_offers(race.base)),
        "chart": race_svg(curves, race.steps),
        "leader": _leader(race, losses),
        "race_json": json.dumps(found, allow_nan=False, separators=(",", ":")),
        "title": " · ".join(
            [race.base.data.replace("_", " "), value_text("layers", race.base.layers)]
        ),
        "one_href": f"/train?{urlencode(race.kept, safe=PLAIN)}",
        "carried": [*race.kept, *(("run", own) for own in race.owns)],
        "drops_edits": race.drops_edits,
        "is_full": len(race.racers) == MOST,
        "most": MOST,
        "jumps": _jumps(race),
    }


def _board(race: Race, number: int, now: Plain, loss: float) -> Plain:
    """A run of the race at the step shown; its loss and accuracy are over all training data."""
    racer = race.racers[number]
    at = f"{racer.query}&step={now['step']}"
    right, test = now.get("train_accuracy", now["accuracy"]), now["test_accuracy"]
    return {
        "number": number,
        "words": racer.words,
        "href": f"/train?{at}",
        "without": race.href([own for i, own in enumerate(race.owns) if i != number]),
        "loss": brief(loss),
        "train": "" if right is None else percent(right),
        "test": "" if test is None else percent(test),
        "light": f"/train/boundary.png?{at}",
        "dark": f"/train/boundary.png?{at}&dark=1",
    }


def _leader(race: Race, losses: Sequence[float]) -> str:
    """The run with the least loss at the step shown, in a sentence."""
    finite = [i for i, loss in enumerate(losses) if math.isfinite(loss)]
    if not finite:
        return f"At step {race.step:,} no run has a finite loss."
    best = min(finite, key=losses.__getitem__)
    if len(losses) > 1 and len(set(losses)) == 1:
        return f"At step {race.step:,} all runs have a loss of {brief(losses[best])}."
    words = f"{race.racers[best].words} leads with a loss of {brief(losses[best])}"
    return f"At step {race.step:,} {words}."


def _offers(base: TrainSpec) -> Iterator[Plain]:
    """The controls of the form that adds a run."""
    for name in OFFERED:
        value, label = _value(base, name), FIELDS[name].title(name)
        yield {"name": name, "label": label, "value": value, "choices": choices(name, value)}


def _jumps(race: Race) -> list[tuple[str, str]]:
    """Links to every quarter of the race, for pages without scripts."""
    steps = sorted({race.steps * part // 4 for part in range(5)})
    return [(f"step {step:,}", race.href(race.owns, step)) for step in steps]
