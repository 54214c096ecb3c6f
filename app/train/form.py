"""The form of Train: a control for every field of a spec, with choices from the tables.

Input is preserved, valid or not. The error of a field is shown beside its control, or above the
form if the control is hidden or missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.train.address import of_spec
from app.train.choices import DEPENDENT, Choice, choices
from app.train.hiding import GROUPS, HIDEABLE, WITHOUT_CONTROL
from app.train.knobs import AT_HAND, IN_BAR, LABELS, PERCENT, stops
from engine.numbers import plain
from engine.training.datasets import class_numbers
from engine.training.fields import (
    Activations,
    BatchSize,
    FieldType,
    Name,
    Number,
    Rows,
    Sizes,
    SpecError,
    Switch,
    Whole,
)
from engine.training.refusals import LENGTH
from engine.training.settings import DEFAULTS, FIELDS
from engine.training.spec import TrainSpec

HANDED_ON = ("hide",)
"""Parameters, besides the spec, that links to other runs preserve."""

LARGE = 30.0
"""The factor that makes a learning rate far too large."""

Pairs = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Control:
    """One control: its `kind` is cards, choice, features, line, number, rows, seed or
    switch.
    """

    name: str
    kind: str
    label: str
    help: str
    value: str
    error: str = ""
    hidden: bool = False
    depends: bool = False
    """Whether the control is shown only with a choice that uses it."""
    choices: tuple[Choice, ...] = ()
    why: str = ""

    @property
    def chosen(self) -> Choice | None:
        """The selected choice."""
        return next((choice for choice in self.choices if choice.selected), None)

    @property
    def off(self) -> bool:
        """Whether a switch is off: its checkbox is ticked then."""
        return FIELDS[self.name].kind.parse(self.value) is False

    @property
    def is_at_hand(self) -> bool:
        """Whether it is seen at first sight."""
        return self.name in AT_HAND

    @property
    def stops(self) -> str:
        """The values of its slider; "" if it has none."""
        return stops(self.name)

    @property
    def is_percent(self) -> bool:
        """Whether its slider shows percent."""
        return self.name in PERCENT


@dataclass(frozen=True, slots=True)
class FormGroup:
    """A part of the form."""

    name: str
    legend: str
    controls: tuple[Control, ...]
    hidden: bool

    @property
    def shown(self) -> tuple[Control, ...]:
        """The controls that are not hidden."""
        return () if self.hidden else tuple(c for c in self.controls if not c.hidden)

    @property
    def below_bar(self) -> tuple[Control, ...]:
        """The shown controls without those above the network."""
        return tuple(control for control in self.shown if control.name not in IN_BAR)


@dataclass(frozen=True, slots=True)
class SettingsForm:
    """The form as the template reads it.

    `top_error` is the error of a field without a visible control; `carried` are the hidden inputs;
    `step_shown` is the step as typed.
    """

    error: SpecError | None
    groups: tuple[FormGroup, ...]
    hide: frozenset[str]
    top_error: str
    carried: tuple[tuple[str, str], ...]
    gist: str
    step_shown: str
    large: str = f"{LARGE:g}"
    large_why: str = FIELDS["learning_rate"].why

    def hides(self, *names: str) -> bool:
        """Whether any of the names is hidden."""
        return not self.hide.isdisjoint(names)

    @property
    def bar(self) -> tuple[Control, ...]:
        """The controls above the network."""
        found = {control.name: control for group in self.groups for control in group.shown}
        return tuple(found[name] for name in IN_BAR if name in found)

    @property
    def features(self) -> Control | None:
        """The control of the features, which scripts place at the network."""
        shown = (control for group in self.groups for control in group.shown)
        return next((control for control in shown if control.kind == "features"), None)


def form_of(pairs: Pairs, spec: TrainSpec | None, error: SpecError | None = None) -> SettingsForm:
    """The form for the pairs of an address; `spec` is None if it is refused with `error`."""
    values = _values(pairs, spec)
    error = error and in_form(error, pairs)
    hide = hidden_names(pairs)
    groups = tuple(_group(name, values, error, hide) for name in GROUPS)
    shown = {c.name for group in groups for c in group.controls if not (group.hidden or c.hidden)}
    shown.add("step")
    typed = next((text for name, text in pairs if name == "step" and text), "")
    return SettingsForm(
        error=error,
        groups=groups,
        hide=hide,
        top_error=error.message if error and error.field not in shown else "",
        carried=tuple(_carried(pairs, groups, values)),
        gist=gist(values),
        step_shown=typed or values["steps"],
    )


def in_form(error: SpecError, pairs: Pairs) -> SpecError:
    """The error in the terms of the form: the label of the control, and a number as typed."""
    name, message = error.field, error.message
    entry = FIELDS.get(name)
    if entry is None or not entry.group or isinstance(entry.kind, Rows | Switch):
        return error
    if not message.startswith(f"{name} "):
        return error
    typed = next((text.strip() for key, text in pairs if key == name), "")
    label, rest = entry.title(name), message.removeprefix(name)
    value = f" is {error.value}"
    if typed and rest.startswith(value) and not error.value.startswith('"'):
        number = isinstance(entry.kind, Number | Whole | BatchSize)
        as_typed = typed[:LENGTH].replace("-", "−") if number else typed[:LENGTH]
        rest = f" is {as_typed}{rest.removeprefix(value)}"
    return SpecError(name, error.value, f"{label}{rest}")


def hidden_names(pairs: Pairs) -> frozenset[str]:
    """The names in `hide` of an address."""
    text = ",".join(text for name, text in pairs if name == "hide")
    return frozenset(part.strip() for part in text.split(",") if part.strip())


def gist(values: Mapping[str, str]) -> str:
    """A summary of a run: "moons · 2 → 6 → 4 → 1 · tanh · sgd 0.2"."""
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
    """The text of each control, except for rows and names of classes that the run has none of."""
    empty = ("data_seed", "order_seed", "at", "features", "initial")
    return {name: _text_of(spec, name) for name in (*spec.to_json(), *empty)}


def _text_of(spec: TrainSpec, name: str) -> str:
    """The text of a control; a seed of its own that a part of the run lacks is that of the run."""
    value = getattr(spec, name)
    if name == "rows" and spec.class_words:
        return _rows_with_words(spec)
    return value_text(name, spec.seed if value is None else value)


def _rows_with_words(spec: TrainSpec) -> str:
    """The rows with the names of their classes, which are parsed to the same rows and names."""
    numbers = class_numbers([row[-1] for row in spec.rows]) or ()
    words = [spec.class_names[number] for number in numbers]
    mark = "\t" if any(map(set(",;").intersection, spec.class_names)) else ", "
    rows = zip(spec.rows, words, strict=True)
    return "\n".join(mark.join((*map(plain, row[:-1]), word)) for row, word in rows)


def _values(pairs: Pairs, spec: TrainSpec | None) -> dict[str, str]:
    """The text of each control: from the spec, else as typed, else the default."""
    if spec is not None:
        return {name: _text_of(spec, name) for name in FIELDS}
    values = {name: value_text(name, default) for name, default in DEFAULTS.items()}
    typed: dict[str, str] = {}
    for name, text in of_spec(pairs):
        if name in FIELDS:
            joint = FIELDS[name].kind.joint
            typed[name] = joint.join((typed[name], text)) if joint and name in typed else text
    return values | typed


def _group(
    name: str, values: Mapping[str, str], error: SpecError | None, hide: frozenset[str]
) -> FormGroup:
    controls = tuple(_control(field, values[field], error, hide) for field in _fields(name))
    return FormGroup(name, GROUPS[name], controls, name in hide)


def _fields(group: str) -> list[str]:
    """The settings of a part of the form, in the order of their controls."""
    names = [name for name, entry in FIELDS.items() if entry.group == group]
    return sorted(names, key=lambda name: FIELDS[name].position)


def _control(name: str, value: str, error: SpecError | None, hide: frozenset[str]) -> Control:
    entry = FIELDS[name]
    return Control(
        name=name,
        kind=entry.control or _kind(entry.kind),
        label=LABELS.get(name) or entry.title(name),
        help=entry.help,
        value=value if "\n" in value or name != "rows" else value.replace(";", "\n"),
        error=error.message if error and error.field == name else "",
        hidden=name in hide or (entry.control == "seed" and bool(hide & {"seed", "training"})),
        depends=name in DEPENDENT,
        choices=choices(name, value),
        why=entry.why,
    )


def _kind(kind: FieldType) -> str:
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


# Hidden inputs


def _carried(
    pairs: Pairs, groups: Sequence[FormGroup], values: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """The hidden inputs of the form: fields that are hidden or have no control."""
    for group in groups:
        for control in group.controls:
            hidden = group.hidden or control.hidden
            if hidden and (control.kind != "switch" or control.off):
                yield control.name, control.value
    without = (name for name in WITHOUT_CONTROL if name != "class_names")  # in the rows as words
    yield from ((name, values[name]) for name in without if values[name])
    typed = ",".join(text for name, text in pairs if name == "hide").split(",")
    if known := [name for name in map(str.strip, typed) if name in HIDEABLE]:
        yield "hide", ",".join(known)
