"""The form of Train: a control for every field of a spec, its choices printed from the tables.

What was typed stands in the form again, whatever it was. The message of a refused field stands
beside its control; where that is hidden or there is none, above the form.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.train.choices import DEPENDENT, Choice, choices
from app.train.hiding import GROUPS, HIDEABLE, WITHOUT_CONTROL
from engine.numbers import plain
from engine.training.fields import Activations, Kind, Name, Number, Rows, Sizes, SpecError, Switch
from engine.training.fitting import refit
from engine.training.settings import DEFAULTS, FIELDS
from engine.training.spec import TrainSpec

STARTING = TrainSpec(
    data="moons",
    samples=120,
    noise=0.12,
    test_share=0.2,
    layers=(2, 6, 4, 1),
    activation="tanh",
    output_activation="tanh",
    loss="mse",
    l2=0.0,
    optimizer="sgd",
    learning_rate=0.2,
    schedule="constant",
    steps=400,
    seed=3,
)
"""The run that the page opens with when its address names none."""

HANDED_ON = ("hide",)
"""Parameters of the address besides the spec that another run keeps."""

LARGE = 30.0
"""By how much a rate is multiplied that is far too large."""

Pairs = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Control:
    """One control: its `kind` is cards, choice, line, number, rows or switch."""

    name: str
    kind: str
    label: str
    help: str
    value: str
    error: str = ""
    hidden: bool = False
    depends: bool = False
    """Whether it is shown only beside a choice that uses it."""
    choices: tuple[Choice, ...] = ()
    why: str = ""

    @property
    def chosen(self) -> Choice | None:
        """The choice that is taken."""
        return next((choice for choice in self.choices if choice.selected), None)

    @property
    def off(self) -> bool:
        """Of a switch: whether it is turned off, so that its box is ticked."""
        return FIELDS[self.name].kind.parse(self.value) is False


@dataclass(frozen=True, slots=True)
class Group:
    """A part of the form."""

    name: str
    legend: str
    controls: tuple[Control, ...]
    hidden: bool


@dataclass(frozen=True, slots=True)
class Form:
    """The form as the template reads it.

    `top_error` is the message of a refused field that has no visible control; `carried` are hidden
    fields; `step_shown` is the step as it was typed.
    """

    error: SpecError | None
    groups: tuple[Group, ...]
    hide: frozenset[str]
    top_error: str
    carried: tuple[tuple[str, str], ...]
    gist: str
    step_shown: str
    large: str = f"{LARGE:g}"
    large_why: str = FIELDS["learning_rate"].why


def form_of(pairs: Pairs, spec: TrainSpec | None, error: SpecError | None = None) -> Form:
    """The form for the pairs of an address; `spec` is None where it is refused with `error`."""
    values = _values(pairs, spec)
    hide = hidden_names(pairs)
    groups = tuple(_group(name, values, error, hide) for name in GROUPS)
    shown = {c.name for group in groups for c in group.controls if not (group.hidden or c.hidden)}
    shown.add("step")
    typed = next((text for name, text in pairs if name == "step" and text), "")
    return Form(
        error=error,
        groups=groups,
        hide=hide,
        top_error=error.message if error and error.field not in shown else "",
        carried=tuple(_carried(pairs, groups, values)),
        gist=gist(values),
        step_shown=typed or values["steps"],
    )


def hidden_names(pairs: Pairs) -> frozenset[str]:
    """What `hide` of an address names."""
    text = ",".join(text for name, text in pairs if name == "hide")
    return frozenset(part.strip() for part in text.split(",") if part.strip())


def gist(values: Mapping[str, str]) -> str:
    """A run in a few words: "moons · 2 → 6 → 4 → 1 · tanh · sgd 0.2"."""
    data = values["data"].replace("_", " ")
    rate = f"{values['optimizer']} {values['learning_rate']}"
    return " · ".join((data, values["layers"], values["activation"], rate))


def value_text(name: str, value: Any) -> str:
    """A field's value as the form shows it."""
    kind = FIELDS[name].kind
    if isinstance(kind, Sizes):
        return " → ".join(map(str, value))
    if isinstance(kind, Number):
        return plain(value)
    if isinstance(kind, Rows):
        return "\n".join(", ".join(map(plain, row)) for row in value)
    text: str = kind.text(value)
    return text


def texts(spec: TrainSpec) -> dict[str, str]:
    """The text of each control, but those of settings that are empty."""
    return {name: value_text(name, getattr(spec, name)) for name in spec.to_json()}


def fit_to(pairs: Pairs, changed: str) -> tuple[Pairs, dict[str, str]]:
    """Pairs that fit the setting `changed`, and the new text of each control that did not."""
    fit = refit({name: text for name, text in pairs if name in FIELDS}, changed)
    kept = [(name, text) for name, text in pairs if name not in fit]
    fitting = [(name, FIELDS[name].kind.text(value)) for name, value in fit.items()]
    return [*kept, *fitting], {name: value_text(name, value) for name, value in fit.items()}


def _values(pairs: Pairs, spec: TrainSpec | None) -> dict[str, str]:
    """The text of each control: of the spec, else what was typed, else the defaults."""
    if spec is not None:
        return {name: value_text(name, getattr(spec, name)) for name in FIELDS}
    values = {name: value_text(name, default) for name, default in DEFAULTS.items()}
    return values | {name: text for name, text in pairs if name in FIELDS}


def _group(
    name: str, values: Mapping[str, str], error: SpecError | None, hide: frozenset[str]
) -> Group:
    controls = tuple(_control(field, values[field], error, hide) for field in _fields(name))
    return Group(name, GROUPS[name], controls, name in hide)


def _fields(group: str) -> list[str]:
    """The settings of a part of the form, in the order of their controls."""
    names = [name for name, entry in FIELDS.items() if entry.group == group]
    return sorted(names, key=lambda name: FIELDS[name].position)


def _control(name: str, value: str, error: SpecError | None, hide: frozenset[str]) -> Control:
    entry = FIELDS[name]
    return Control(
        name=name,
        kind=entry.control or _kind(entry.kind),
        label=entry.title(name),
        help=entry.help,
        value=value if "\n" in value or name != "rows" else value.replace(";", "\n"),
        error=error.message if error and error.field == name else "",
        hidden=name in hide,
        depends=name in DEPENDENT,
        choices=choices(name, value),
        why=entry.why,
    )


def _kind(kind: Kind) -> str:
    """The control for a kind of setting."""
    match kind:
        case Name() | Activations():
            return "choice"
        case Switch():
            return "switch"
        case Number():
            return "number"
        case Rows():
            return "rows"
    return "line"


# What no control holds


def _carried(
    pairs: Pairs, groups: Sequence[Group], values: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """The hidden fields of the form: what was hidden, and what has no control."""
    for group in groups:
        for control in group.controls:
            hidden = group.hidden or control.hidden
            if hidden and (control.kind != "switch" or control.off):
                yield control.name, control.value
    yield from ((name, values[name]) for name in WITHOUT_CONTROL if values[name])
    typed = ",".join(text for name, text in pairs if name == "hide").split(",")
    if known := [name for name in map(str.strip, typed) if name in HIDEABLE]:
        yield "hide", ",".join(known)
