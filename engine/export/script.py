"""Code common to the exported programs: data, settings, batches and updates.

Each function returns a block of source code, into which only names from the tables and texts of
`engine.python_text` are interpolated.
"""

from __future__ import annotations

import inspect
import keyword
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from engine.formula_code import translate
from engine.formulas import names_in
from engine.python_text import literal, one_line
from engine.training import dropout, shuffling
from engine.training.features import FEATURES, PLAIN
from engine.training.optim import OPTIMIZERS, SCHEDULES, assignments
from engine.training.samples import initial_parameters, load, scales_of
from engine.training.segments import Segment, segments
from engine.training.settings import FIELDS, RunSettings

from .mid_run import Switch, begun, changes, ever, number, values
from .translation import LossCode

RESERVED = frozenset(
    {
        "activations", "batch", "batch_of", "drawn", "epochs", "factors", "first", "forward",
        "functional", "group", "i", "inputs", "layer", "length", "loss_of", "losses", "masks",
        "math", "mixed", "model", "network", "nn", "parameters", "passed", "permutation", "rate",
        "rule", "samples", "scales", "seen", "shifts", "since", "size", "step", "sys", "t",
        "targets", "torch", "x",
        *FIELDS, *keyword.kwlist,
    }
)  # fmt: skip
"""Identifiers of the programs; an optimizer's variables of the same name are renamed."""
SETTINGS = (
    "steps", "learning_rate", "schedule_end", "momentum", "weight_decay", "l1", "l2", "dropout",
    "seed",
)  # fmt: skip


class ExportError(ValueError):
    """A run cannot be exported."""


class Language(NamedTuple):
    """The expressions with which a program states an optimizer's rule."""

    parameters: str  # the iterable of the parameters, each bound to `p`
    number: str  # the value of p
    gradient: str
    zero: str  # the initial state of p
    assign: str  # the assignment of `{}` to p
    tensors: bool


def program(*blocks: str) -> str:
    """Join blocks, with two blank lines around functions and classes."""
    some = [block for block in blocks if block]
    out = some[0]
    for before, block in pairwise(some):
        wide = any(code.startswith(("def ", "class ", "@")) for code in (before, block))
        out += ("\n\n\n" if wide else "\n\n") + block
    return out + "\n"


def indented(lines: Iterable[str]) -> list[str]:
    """Indent lines by one level."""
    return [f"    {line}" if line else "" for line in lines]


def title(spec: RunSettings, needs: str) -> str:
    """The program's docstring."""
    sizes = " → ".join(map(str, spec.layers))
    what = [spec.data, sizes, *spec.activations, spec.loss, spec.optimizer]
    lines = wrapped(f'"""A training run of Seegrad: {", ".join(what)}.', 0)
    return "\n".join([*lines, "", f"{needs} Prints the loss before each update.", '"""'])


def data(spec: RunSettings) -> str:
    """The training set as `samples`, a list of (inputs, targets)."""
    training, _ = load(replace(spec, scaling="none"))
    rows = zip(training.inputs, training.targets, strict=True)
    names = [f"# {one_line(spec.class_words)}"] if spec.class_words else []
    lines = ["samples = [  # inputs, targets", *(f"    {row!r}," for row in rows), "]"]
    return "\n".join([*names, *lines, *_scaling(spec)])


def _scaling(spec: RunSettings) -> list[str]:
    scales = scales_of(spec)
    if not scales:
        return []
    return [
        *wrapped(f"shifts = {[scale.shift for scale in scales]!r}", 0),
        *wrapped(f"scales = {[scale.scale for scale in scales]!r}", 0),
        "samples = [  # the inputs scaled",
        "    ([(xi - shift) / scale for xi, shift, scale in zip(x, shifts, scales)], t)",
        "    for x, t in samples",
        "]",
    ]


def features(spec: RunSettings) -> list[str]:
    """The features of the samples' inputs, in place of the inputs; empty without features."""
    if not spec.features:
        return []
    formulas = [translate(FEATURES[name].formula) for name in spec.features]
    function = [
        f"def seen({', '.join(PLAIN)}):",
        *indented(['"""The features of two inputs."""', f"return [{', '.join(formulas)}]"]),
    ]
    return ["\n".join(function), "samples = [(seen(*x), t) for x, t in samples]"]


def parameters(spec: RunSettings) -> str:
    """The initial parameters as `initial`: per layer, per neuron, weights and bias."""
    flat = iter(initial_parameters(spec))
    lines = ["initial = [  # per layer, per neuron: weights, then bias"]
    for nin, nout in pairwise(spec.layers):
        neurons = [[next(flat) for _ in range(nin + 1)] for _ in range(nout)]
        lines += ["    [", *(line for row in neurons for line in wrapped(f"{row!r},", 8)), "    ],"]
    return "\n".join([*lines, "]"])


def wrapped(text: str, indent: int) -> list[str]:
    """Wrap a text at spaces only."""
    left = " " * indent
    inside = left + " " * text.startswith(("[", "("))
    return textwrap.wrap(
        text, 100, initial_indent=left, subsequent_indent=inside,
        break_on_hyphens=False, break_long_words=False,
    )  # fmt: skip


def used(spec: RunSettings) -> list[str]:
    """The settings that the program uses."""
    rules = [OPTIMIZERS[name] for name in values(spec, "optimizer")]
    names = {"steps", "learning_rate"}
    names |= {
        name for rule in rules for text in (rule.update, rule.before) for name in names_in(text)
    }
    names |= {"schedule_end"} if "end" in names_in(SCHEDULES[spec.schedule].rate) else set()
    names |= {name for name in ("l1", "l2", "dropout") if ever(spec, name)}
    names |= {"seed"} if _is_shuffled(spec) or ever(spec, "dropout") else set()
    return [name for name in SETTINGS if name in names]


def settings(spec: RunSettings) -> list[str]:
    """The settings that the program uses, as assignments, with what belongs to its changes."""
    first = {"steps": spec.total_steps}
    lines = [f"{name} = {literal(first.get(name, number(spec, name)))}" for name in used(spec)]
    return [*lines, *begun(spec)]


def changed(spec: RunSettings, switch: Switch) -> list[str]:
    """The lines that make the changes in mid-run at the begin of a step."""
    return changes(spec, [name for name in used(spec) if name != "steps"], switch)


def penalties(spec: RunSettings, sums: dict[str, str]) -> list[str]:
    """The lines that add the penalties to the loss, from each factor's sum."""
    lines: list[str] = []
    for name, code in sums.items():
        if ever(spec, name):
            line = f"loss = loss + {name} * {code}"
            always = all(values(spec, name))
            lines += [line] if always else [f"if {name}:", *indented([line])]
    return lines


def is_whole(spec: RunSettings) -> bool:
    """Whether every batch is the whole training set."""
    return values(spec, "batch") == ["all"]


def batches(spec: RunSettings) -> list[str]:
    """The function `batch_of(step)`, the indices of a step's samples; empty for full batches."""
    if is_whole(spec):
        return _draws(spec)
    if len(values(spec, "batch")) > 1:
        return [*_draws(spec), _batches_of_sizes(spec)]
    order = "permutation(seed, epoch, n)" if spec.shuffle else "list(range(n))"
    function = f"""\
def batch_of(step):
    n, size = {spec.train_samples!r}, {spec.batch!r}
    epoch, turn = divmod(step, {-(-spec.train_samples // spec.batch_size)!r})
    order = {order}
    return order[turn * size : (turn + 1) * size]"""
    return [*_draws(spec), function]


def _batches_of_sizes(spec: RunSettings) -> str:
    """The function `batch_of(step)` for batches whose size changes."""
    order = "permutation(seed, epochs + epoch, n)" if spec.shuffle else "list(range(n))"
    return f"""\
def batch_of(step):
    n = {spec.train_samples!r}
    if size == "all":
        return list(range(n))
    epoch, turn = divmod(step - first, -(-n // size))
    order = {order}
    return order[turn * size : (turn + 1) * size]"""


def _is_shuffled(spec: RunSettings) -> bool:
    return spec.shuffle and not is_whole(spec)


def _draws(spec: RunSettings) -> list[str]:
    """The functions that draw the order of the samples and the masks of dropout, as far as used."""
    drops = ever(spec, "dropout")
    functions: list[Callable[..., object]] = [shuffling.permutation] if _is_shuffled(spec) else []
    functions += [shuffling.mixed] if functions or drops else []
    functions += [dropout.masks] if drops else []
    if not functions:
        return []
    constants = [f"{x} = {getattr(shuffling, x):#x}" for x in ("MASK", "GAMMA", "MIX_1", "MIX_2")]
    return ["\n".join(constants), *(inspect.getsource(f).strip() for f in functions)]


def masks(spec: RunSettings, place: str) -> str:
    """The masks of the sample at `place`, as an expression."""
    return f"masks(dropout, seed, step, {place}, {list(spec.layers[1:-1])!r})"


def loss_function(loss: LossCode, about: str) -> str:
    """The function `loss_of(o, t)` of outputs and targets; `about` is its docstring."""
    first = [f"{name} = {code}" for name, code in loss.first]
    body = [f'"""{about}"""', *first, f"return {loss.result}"]
    return "\n".join(["def loss_of(o, t):", *indented(body)])


def updates(spec: RunSettings, language: Language) -> tuple[list[str], list[str], Switch]:
    """The optimizers' rules: the lines before training, those of a step, and those of a change."""
    found = {
        segment.settings.optimizer: update(segment.settings, language) for segment in segments(spec)
    }
    if len(found) == 1:
        return *found[spec.optimizer], lambda before, after: []
    begins = {name: [f'rule = "{name}"', *ahead] for name, (ahead, _) in found.items()}
    step: list[str] = []
    for name, (_, lines) in found.items():
        word = "elif" if step else "if"
        step += [f'{word} rule == "{name}":', *indented(lines)]

    def switch(before: Segment, after: Segment) -> list[str]:
        return [] if after.keeps_optimizer else begins[after.settings.optimizer]

    return begins[spec.optimizer], step, switch


def update(spec: RunSettings, language: Language) -> tuple[list[str], list[str]]:
    """An optimizer's rule: the lines before training, and those of a step."""
    rule = OPTIMIZERS[spec.optimizer]
    state = {name: f"{_free(name)}[i]" for name in rule.state}
    scalars = {name: _free(name) for name, _ in rule.scalars}
    names = {**state, **scalars, "p": language.number, "g": language.gradient}
    ahead = [
        f"{_free(name)} = [{language.zero} for p in {language.parameters}]" for name in rule.state
    ]
    ahead += [f"{scalars[name]} = {start!r}" for name, start in rule.scalars]
    step = [
        f"{scalars[name]} = {translate(code, names)}" for name, code in assignments(rule.before)
    ]
    step.append(f"for {'i, p' if state else 'p'} in {_iterated(language, bool(state))}:")
    for name, text in assignments(rule.update):
        code = translate(text, names, ("p", "g", *state) if language.tensors else ())
        step += indented(
            [language.assign.format(code) if name == "p" else f"{names[name]} = {code}"]
        )
    return ahead, step


def _iterated(language: Language, counted: bool) -> str:
    return f"enumerate({language.parameters})" if counted else language.parameters


def _free(name: str) -> str:
    return f"{name}_" if name in RESERVED else name


def zeroing(spec: RunSettings, lines: list[str]) -> list[str]:
    """The lines that set gradients to 0, or a comment in their place for zero_grad=False."""
    if spec.zero_grad:
        return lines
    meet = "add to" if spec.accumulate else "replace"
    return [f"# The mistake: gradients of earlier steps are not cleared, and these {meet} them."]
