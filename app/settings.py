"""The settings: each is one row, with its default and a sentence of help.

Every row is also an environment variable, GRADLENS_ and the name in capitals:
`GRADLENS_MAX_DRAWN=300 gradlens`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib.util import find_spec

from engine.language.program import Limits
from engine.training.spec import TrainLimits


@dataclass(frozen=True, slots=True)
class Setting:
    """One row: its name, default, what it does, and the range that makes sense.

    A default that is an int counts something, so that its number is whole. `room` says that the row
    is about how much is done at a time, and no part of any answer.
    """

    name: str
    default: float
    help: str
    least: float = 1
    most: float = 1e9
    room: bool = False


_LIMITS = Limits()
_TRAIN = TrainLimits()
SETTINGS: tuple[Setting, ...] = (
    Setting(
        "program_bytes", _LIMITS.program_bytes, "Bytes of a program that are read.", 64, 65_536
    ),
    Setting(
        "nesting", _LIMITS.nesting, "Levels of brackets and blocks inside each other.", 10, 150
    ),
    Setting("syntax_nodes", _LIMITS.syntax_nodes, "Pieces of syntax in a program.", 100, 100_000),
    Setting(
        "operations", _LIMITS.operations, "Operations of one run, about a microsecond each.", 1_000
    ),
    Setting("values", _LIMITS.values, "Values of a graph that can be traced.", 10),
    Setting("printed_lines", _LIMITS.printed_lines, "Lines that a program may print.", 1, 100_000),
    Setting(
        "max_drawn", 1_000, "Values drawn one by one; a larger graph is drawn in groups.", 10, 2_000
    ),
    Setting("copy_over", 4, "Uses of a leaf above which it is drawn as linked copies.", 1, 100),
    Setting("layout_seconds", 2.0, "Seconds after which a layout is given up.", 0.05, 60),
    Setting("page_bytes", 5_242_880, "Bytes of a trace on a page; more are refused.", 10_000),
    Setting(
        "transcript_bytes", 3_145_728, "Bytes of a transcript; a longer one is left out.", 1_000
    ),
    Setting("check_operations", 60_000, "Operations that a nudge check may take.", 0),
    Setting("max_body", 524_288, "Bytes of a request's body that are read.", 1_024),
    Setting(
        "head_bytes", 65_536, "Bytes of a request's address and headers.", 1_024, 1e7, room=True
    ),
    Setting(
        "receive_seconds", 10.0, "Seconds in which a request has to arrive.", 0.1, 3_600, room=True
    ),
    Setting(
        "pages_at_once", 2, "Pages and traces that are made at the same time.", 1, 64, room=True
    ),
    Setting(
        "waiting", 200, "Pages and traces that may wait for their turn.", 1, 100_000, room=True
    ),
    Setting("wait_seconds", 3.0, "Seconds that anything waits for its turn.", 0.05, 600, room=True),
    Setting(
        "ready_seconds", 0.5, "Seconds in which a server that is ready draws.", 0.05, 60, room=True
    ),
    Setting(
        "log_requests", 0, "1 for a line a request on standard output, 0 for none.", 0, 1, room=True
    ),
    Setting(
        "answers_kept",
        8_388_608,
        "Bytes of answers that are kept for the next request.",
        0,
        room=True,
    ),
    Setting(
        "train_samples", _TRAIN.samples, "Samples, or own rows, of a training run.", 2, 100_000
    ),
    Setting("train_columns", _TRAIN.columns, "Inputs of a network.", 1, 1_000),
    Setting("train_neurons", _TRAIN.neurons, "Neurons of a layer.", 1, 200),
    Setting("train_layers", _TRAIN.layers, "Layers of a network behind its inputs.", 1, 50),
    Setting("train_parameters", _TRAIN.parameters, "Parameters of a network.", 10, 1_000_000),
    Setting("train_steps", _TRAIN.steps, "Steps of a training run.", 1, 10_000_000),
    Setting(
        "train_work",
        _TRAIN.work,
        "Work of a run: parameters that see a sample, some 2,000,000,000 a second.",
        1_000,
        1e13,
    ),
    Setting("train_rate", _TRAIN.rate, "The largest learning rate, penalty and noise.", 1),
    Setting(
        "train_at_once", 2, "Training runs that are computed at the same time.", 1, 64, room=True
    ),
    Setting(
        "train_kept", 32, "Training runs that are kept for the next request.", 1, 10_000, room=True
    ),
    Setting("train_kept_bytes", 134_217_728, "Bytes that they may take.", 100_000, 1e12, room=True),
    Setting(
        "train_waiting",
        16,
        "Training requests that may wait for their turn.",
        1,
        100_000,
        room=True,
    ),
    Setting(
        "train_streams",
        256,
        "Training runs that are watched at the same time.",
        1,
        10_000,
        room=True,
    ),
    Setting(
        "train_streams_each", 64, "Those of them that one address may watch.", 1, 10_000, room=True
    ),
    Setting("train_sweep", 100, "Runs of a sweep over rates and seeds.", 1, 10_000),
    Setting(
        "sweep_seconds", 120.0, "Seconds after which a sweep is given up.", 0.05, 86_400, room=True
    ),
)


@dataclass(frozen=True, slots=True)
class TextSetting:
    """A row that holds a text; `wrong` says what is wrong with one, if anything is."""

    name: str
    help: str
    wrong: Callable[[str], str]


def _wrong_cluster(address: str) -> str:
    if not re.fullmatch(r"(tcp|tls)://[\w.:\[\]-]+:\d{1,5}", address, re.ASCII):
        return f"must be an address such as tcp://10.0.0.5:8786, not {address!r}"
    if find_spec("distributed") is None:
        return 'needs the package distributed: install gradlens with its extra "cluster"'
    return ""


TEXTS: tuple[TextSetting, ...] = (
    TextSetting(
        "sweep_cluster",
        "Address of the scheduler of a Dask cluster that computes sweeps; none: they run here.",
        _wrong_cluster,
    ),
)
"""The rows that hold a text. None is part of an answer: with or without, the bytes are the same."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The values of the rows."""

    values: Mapping[str, float]
    texts: Mapping[str, str] = field(default_factory=dict)

    def whole(self, name: str) -> int:
        """A setting that counts something."""
        return int(self.values[name])

    def number(self, name: str) -> float:
        """A setting that measures something."""
        return self.values[name]

    def text(self, name: str) -> str:
        """A setting that is a text, empty if it is not given."""
        return self.texts.get(name, "")

    @property
    def limits(self) -> Limits:
        """The bounds of one program."""
        names = Limits.__dataclass_fields__
        return Limits(**{name: self.whole(name) for name in names})

    @property
    def train_limits(self) -> TrainLimits:
        """The bounds of one training run."""
        names = TrainLimits.__dataclass_fields__
        return TrainLimits(**{name: self.whole(f"train_{name}") for name in names})


def from_environment(environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings with what the environment says. Raises ValueError, naming the variable."""
    values = {}
    for row in SETTINGS:
        variable = f"GRADLENS_{row.name.upper()}"
        text = environment.get(variable)
        try:
            values[row.name] = row.default if text is None else float(text)
        except ValueError:
            raise ValueError(f"{variable} must be a number, not {text!r}") from None
        if not row.least <= values[row.name] <= row.most:
            raise ValueError(f"{variable} must be from {row.least:g} to {row.most:g}, not {text}")
        if isinstance(row.default, int) and values[row.name] % 1:
            raise ValueError(f"{variable} counts something: give a whole number, not {text}")
    return Settings(values, _texts(environment))


def unknown(environment: Mapping[str, str] = os.environ) -> list[str]:
    """A line for each variable whose name is nearly that of a row."""
    names = [*(row.name for row in SETTINGS), *(row.name for row in TEXTS)]
    known = [f"GRADLENS_{name.upper()}" for name in names]
    found = []
    for name in sorted(set(environment) - set(known)):
        near = get_close_matches(name, known, 1, 0.85) if name.startswith("GRADLENS_") else []
        found += [f"{name} is not known; did you mean {it}?" for it in near]
    return found


def _texts(environment: Mapping[str, str]) -> dict[str, str]:
    found = {}
    for row in TEXTS:
        variable = f"GRADLENS_{row.name.upper()}"
        text = environment.get(variable, "").strip()
        if text and (wrong := row.wrong(text)):
            raise ValueError(f"{variable} {wrong}")
        found[row.name] = text
    return found
