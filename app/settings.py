"""The settings: a table of names, defaults, ranges and help texts.

Each is read from an environment variable, SEEGRAD_ and its name in capitals:
`SEEGRAD_MAX_DRAWN=300 seegrad`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from importlib.util import find_spec

from engine.record.source import Limits
from engine.training.limits import TrainLimits


@dataclass(frozen=True, slots=True)
class ServerSetting:
    """A numeric setting: its name, default, help text and range.

    It is a whole number if its default is an int. `capacity` marks a setting on which no
    answer depends: it is left out of the version key.
    """

    name: str
    default: float
    help: str
    least: float = 1
    most: float = 1e9
    capacity: bool = False


_LIMITS = Limits()
_TRAIN = TrainLimits()
SETTINGS: tuple[ServerSetting, ...] = (
    ServerSetting(
        "program_bytes", _LIMITS.program_bytes, "Largest program, in bytes.", 64, 262_144
    ),
    ServerSetting("nesting", _LIMITS.nesting, "Deepest nesting of brackets and blocks.", 10, 150),
    ServerSetting("syntax_nodes", _LIMITS.syntax_nodes, "Syntax nodes of a program.", 100, 100_000),
    ServerSetting(
        "recorded",
        _LIMITS.recorded,
        "Numbers that are recorded of one program run, a scene as 20; it goes on unrecorded.",
        1_000,
        1_000_000,
    ),
    ServerSetting(
        "long_seconds",
        0.3,
        "Seconds after which a program's request waits behind the others.",
        0.01,
        600,
        capacity=True,
    ),
    ServerSetting("values", _LIMITS.values, "Values of a traced graph.", 10),
    ServerSetting("writes", _LIMITS.writes, "Writes to gradients of a scene that have frames.", 10),
    ServerSetting(
        "printed_lines", _LIMITS.printed_lines, "Lines printed by a program.", 1, 100_000
    ),
    ServerSetting(
        "line_length", _LIMITS.line_length, "Characters of a printed line.", 10, 1_000_000
    ),
    ServerSetting(
        "seconds",
        _LIMITS.seconds,
        "Processor time of one program run, in seconds.",
        0.1,
        600,
        capacity=True,
    ),
    ServerSetting("boxes_over", 40, "Cards beyond which a graph is drawn as boxes.", 1, 2_000),
    ServerSetting(
        "max_drawn", 1_000, "Values drawn one by one; a larger graph is drawn in groups.", 10, 2_000
    ),
    ServerSetting(
        "copy_over", 4, "Uses of a leaf beyond which it is drawn as linked copies.", 1, 100
    ),
    ServerSetting("layout_seconds", 2.0, "Processor time of a layout, in seconds.", 0.05, 60),
    ServerSetting("png_pixels", 24_000_000, "Pixels of a picture exported as PNG.", 10_000),
    ServerSetting(
        "page_bytes",
        5_242_880,
        "Largest trace on a page, in bytes; a larger one is refused.",
        10_000,
    ),
    ServerSetting(
        "transcript_bytes",
        3_145_728,
        "Longest transcript on a page, in bytes; a longer one is left out.",
        1_000,
    ),
    ServerSetting(
        "check_operations",
        60_000,
        "Operations of a numerical gradient check; a costlier one is left out.",
        0,
    ),
    ServerSetting("print_pages", 100, "Frames printed at once, a page each.", 1, 1_000),
    ServerSetting("max_body", 524_288, "Largest request body, in bytes.", 1_024),
    ServerSetting(
        "head_bytes",
        98_304,
        "Largest request line and headers, in bytes.",
        1_024,
        1e7,
        capacity=True,
    ),
    ServerSetting(
        "receive_seconds",
        10.0,
        "Time limit for receiving a request, in seconds.",
        0.1,
        3_600,
        capacity=True,
    ),
    ServerSetting(
        "pages_at_once", 2, "Pages and traces computed at the same time.", 1, 64, capacity=True
    ),
    ServerSetting(
        "waiting", 200, "Pages and traces that may wait for a thread.", 1, 100_000, capacity=True
    ),
    ServerSetting(
        "long_waiting", 8, "Long programs that may wait for their turn.", 1, 10_000, capacity=True
    ),
    ServerSetting(
        "wait_seconds",
        3.0,
        "Longest wait for a thread, in seconds; then 503.",
        0.05,
        600,
        capacity=True,
    ),
    ServerSetting(
        "ready_seconds",
        0.5,
        "Time limit of the check behind /readyz, in seconds.",
        0.05,
        60,
        capacity=True,
    ),
    ServerSetting(
        "silent_seconds",
        10.0,
        "Silence of its event loop after which a process is replaced, in seconds; 0 turns it off.",
        0,
        3_600,
        capacity=True,
    ),
    ServerSetting(
        "log_requests",
        0,
        "1 logs each request to standard output as a line of JSON, 0 does not.",
        0,
        1,
        capacity=True,
    ),
    ServerSetting(
        "answers_kept",
        8_388_608,
        "Memory for cached answers, in bytes.",
        0,
        capacity=True,
    ),
    ServerSetting(
        "train_samples",
        _TRAIN.samples,
        "Samples of a training run, generated or custom.",
        2,
        100_000,
    ),
    ServerSetting("train_columns", _TRAIN.columns, "Inputs of a network.", 1, 1_000),
    ServerSetting("train_neurons", _TRAIN.neurons, "Neurons of a layer.", 1, 200),
    ServerSetting(
        "train_layers", _TRAIN.layers, "Layers of a network, the input layer not counted.", 1, 50
    ),
    ServerSetting("train_parameters", _TRAIN.parameters, "Parameters of a network.", 10, 1_000_000),
    ServerSetting("train_steps", _TRAIN.steps, "Steps of a training run.", 1, 10_000_000),
    ServerSetting(
        "train_work",
        _TRAIN.work,
        "Work of a run, in parameters × samples; about 2,000,000,000 take a second.",
        1_000,
        1e13,
    ),
    ServerSetting(
        "train_trials",
        _TRAIN.trials,
        "Work of the runs that the doctor tries beside a run, counted as the work of a run.",
        0,
        1e13,
    ),
    ServerSetting("train_rate", _TRAIN.rate, "Largest learning rate, penalty and noise.", 1),
    ServerSetting(
        "train_at_once", 2, "Training runs computed at the same time.", 1, 64, capacity=True
    ),
    ServerSetting(
        "train_kept", 32, "Training runs cached for later requests.", 1, 10_000, capacity=True
    ),
    ServerSetting(
        "train_kept_bytes",
        134_217_728,
        "Memory for cached training runs, in bytes.",
        100_000,
        1e12,
        capacity=True,
    ),
    ServerSetting(
        "train_waiting",
        16,
        "Training requests that may wait for a thread.",
        1,
        100_000,
        capacity=True,
    ),
    ServerSetting(
        "train_streams",
        256,
        "Training streams open at the same time.",
        1,
        10_000,
        capacity=True,
    ),
    ServerSetting(
        "train_streams_each",
        64,
        "Training streams open at the same time for one client address.",
        1,
        10_000,
        capacity=True,
    ),
    ServerSetting("train_sweep", 100, "Runs of a sweep over learning rates and seeds.", 1, 10_000),
    ServerSetting(
        "sweep_seconds", 120.0, "Time limit of a sweep, in seconds.", 0.05, 86_400, capacity=True
    ),
)


@dataclass(frozen=True, slots=True)
class TextSetting:
    """A setting that is a text; `wrong` returns the error in one, or "" for a valid text."""

    name: str
    help: str
    wrong: Callable[[str], str]


def _wrong_cluster(address: str) -> str:
    if not re.fullmatch(r"(tcp|tls)://[\w.:\[\]-]+:\d{1,5}", address, re.ASCII):
        return f"must be an address such as tcp://10.0.0.5:8786, not {address!r}"
    if find_spec("distributed") is None:
        return 'needs the package distributed: install seegrad with its extra "cluster"'
    return ""


def _wrong_key(key: str) -> str:
    if len(key) < LEAST_KEY:
        return f"must have at least {LEAST_KEY} characters"
    return ""


LEAST_KEY = 16
MADE = "made:"
"""Begins a key that the command made at its start, for all of its processes."""
TEXTS: tuple[TextSetting, ...] = (
    TextSetting(
        "exercise_key",
        "Secret key that signs the results of exercises, of at least 16 characters; without one "
        "a key is made at the start, and results can be checked until the server ends.",
        _wrong_key,
    ),
    TextSetting(
        "sweep_cluster",
        "Scheduler address of a Dask cluster for sweeps; without one they run on this server.",
        _wrong_cluster,
    ),
)
"""Settings that are texts. No answer depends on one."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The values of all settings."""

    values: Mapping[str, float]
    texts: Mapping[str, str] = field(default_factory=dict)

    def whole(self, name: str) -> int:
        """A setting that is a whole number."""
        return int(self.values[name])

    def number(self, name: str) -> float:
        """A setting that is a number."""
        return self.values[name]

    def text(self, name: str) -> str:
        """A setting that is a text; "" if it is not set."""
        return self.texts.get(name, "")

    @property
    def limits(self) -> Limits:
        """The limits of one program."""
        names = {field.name for field in fields(Limits)} - {"seconds"}
        whole = {name: self.whole(name) for name in names}
        return Limits(**whole, seconds=self.number("seconds"))

    @property
    def train_limits(self) -> TrainLimits:
        """The limits of one training run."""
        names = TrainLimits.__dataclass_fields__
        return TrainLimits(**{name: self.whole(f"train_{name}") for name in names})


def from_environment(environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings of an environment. Raises ValueError, which names the variable."""
    values = {}
    for row in SETTINGS:
        variable = f"SEEGRAD_{row.name.upper()}"
        text = environment.get(variable)
        try:
            values[row.name] = row.default if text is None else float(text)
        except ValueError:
            raise ValueError(f"{variable} must be a number, not {text!r}") from None
        if not row.least <= values[row.name] <= row.most:
            raise ValueError(f"{variable} must be from {row.least:g} to {row.most:g}, not {text}")
        if isinstance(row.default, int) and values[row.name] % 1:
            raise ValueError(f"{variable} must be a whole number, not {text}")
    return Settings(values, _texts(environment))


def unknown(environment: Mapping[str, str] = os.environ) -> list[str]:
    """A message for each variable whose name is nearly that of a setting."""
    names = [*(row.name for row in SETTINGS), *(row.name for row in TEXTS)]
    known = [f"SEEGRAD_{name.upper()}" for name in names]
    found = []
    for name in sorted(set(environment) - set(known)):
        near = get_close_matches(name, known, 1, 0.85) if name.startswith("SEEGRAD_") else []
        found += [f"{name} is unknown; did you mean {it}?" for it in near]
    return found


def _texts(environment: Mapping[str, str]) -> dict[str, str]:
    found = {}
    for row in TEXTS:
        variable = f"SEEGRAD_{row.name.upper()}"
        text = environment.get(variable, "").strip()
        if text and (wrong := row.wrong(text)):
            raise ValueError(f"{variable} {wrong}")
        found[row.name] = text
    return found
