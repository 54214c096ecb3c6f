"""Code common to the exported programs: data, settings, batches and updates.

Each function returns a block of source code, into which only names from the tables and the `repr`
of numbers are interpolated.
"""

from __future__ import annotations

import inspect
import keyword
import textwrap
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import NamedTuple

from engine.formula_code import names_in, translate
from engine.training import dropout, shuffling
from engine.training.optim import OPTIMIZERS, SCHEDULES, assignments
from engine.training.samples import initial_parameters, load
from engine.training.settings import FIELDS
from engine.training.spec import TrainSpec

from .translation import Written

RESERVED = frozenset(
    {
        "activations", "batch", "batch_of", "drawn", "factors", "forward", "functional", "group",
        "i", "inputs", "layer", "loss_of", "losses", "masks", "math", "mixed", "model", "network",
        "nn", "parameters", "permutation", "rate", "step", "sys", "t", "targets", "torch", "x",
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


def title(spec: TrainSpec, needs: str) -> str:
    """The program's docstring."""
    sizes = " → ".join(map(str, spec.layers))
    what = [spec.data, sizes, *spec.activations, spec.loss, spec.optimizer]
    lines = wrapped(f'"""A training run of Gradlens: {", ".join(what)}.', 0)
    return "\n".join([*lines, "", f"{needs} Prints the loss before each update.", '"""'])


def data(spec: TrainSpec) -> str:
    """The training set as `samples`, a list of (inputs, targets)."""
    training, _ = load(spec)
    rows = zip(training.inputs, training.targets, strict=True)
    return "\n".join(["samples = [  # inputs, targets", *(f"    {row!r}," for row in rows), "]"])


def parameters(spec: TrainSpec) -> str:
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
        text, 100, initial_indent=left, subsequent_indent=inside, break_on_hyphens=False
    )


def settings(spec: TrainSpec) -> list[str]:
    """The settings that the program uses, as assignments."""
    rule = OPTIMIZERS[spec.optimizer]
    names = {"steps", "learning_rate", *names_in(rule.update), *names_in(rule.before)}
    names |= {"schedule_end"} if "end" in names_in(SCHEDULES[spec.schedule].rate) else set()
    names |= {name for name in ("l1", "l2") if getattr(spec, name)}
    names |= {"dropout"} if spec.dropout else set()
    names |= {"seed"} if _is_shuffled(spec) or spec.dropout else set()
    values = {name: getattr(spec, name) for name in SETTINGS if name in names}
    numbers = {"schedule_end": spec.end_rate, "seed": spec.seeds.order}
    values |= {name: x for name, x in numbers.items() if name in values}
    return [f"{name} = {value!r}" for name, value in values.items()]


def rate(spec: TrainSpec) -> str:
    """The learning rate at `step`, as an expression."""
    names = {"rate": "learning_rate", "end": "schedule_end"}
    return translate(SCHEDULES[spec.schedule].rate, names)


def batches(spec: TrainSpec) -> list[str]:
    """The function `batch_of(step)`, the indices of a step's samples; empty for full batches."""
    if spec.batch == "all":
        return _draws(spec)
    order = "permutation(seed, epoch, n)" if spec.shuffle else "list(range(n))"
    function = f"""\
def batch_of(step):
    n, size = {spec.train_samples!r}, {spec.batch!r}
    epoch, turn = divmod(step, {-(-spec.train_samples // spec.batch)!r})
    order = {order}
    return order[turn * size : (turn + 1) * size]"""
    return [*_draws(spec), function]


def _is_shuffled(spec: TrainSpec) -> bool:
    return spec.batch != "all" and spec.shuffle


def _draws(spec: TrainSpec) -> list[str]:
    """The functions that draw the order of the samples and the masks of dropout, as far as used."""
    functions: list[Callable[..., object]] = [shuffling.permutation] if _is_shuffled(spec) else []
    functions += [shuffling.mixed] if functions or spec.dropout else []
    functions += [dropout.masks] if spec.dropout else []
    if not functions:
        return []
    constants = [f"{x} = {getattr(shuffling, x):#x}" for x in ("MASK", "GAMMA", "MIX_1", "MIX_2")]
    return ["\n".join(constants), *(inspect.getsource(f).strip() for f in functions)]


def masks(spec: TrainSpec, place: str) -> str:
    """The masks of the sample at `place`, as an expression."""
    return f"masks(dropout, seed, step, {place}, {list(spec.layers[1:-1])!r})"


def loss_function(loss: Written, about: str) -> str:
    """The function `loss_of(o, t)` of outputs and targets; `about` is its docstring."""
    first = [f"{name} = {code}" for name, code in loss.first]
    body = [f'"""{about}"""', *first, f"return {loss.result}"]
    return "\n".join(["def loss_of(o, t):", *indented(body)])


def update(spec: TrainSpec, language: Language) -> tuple[list[str], list[str]]:
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


def zeroing(spec: TrainSpec, lines: list[str]) -> list[str]:
    """The lines that set gradients to 0, or a comment in their place for zero_grad=False."""
    if spec.zero_grad:
        return lines
    meet = "add to" if spec.accumulate else "replace"
    return [f"# The mistake: gradients of earlier steps are not cleared, and these {meet} them."]
