"""Export of a training run as a standalone program: for Seegrad, micrograd or PyTorch.

`export(spec, name)` returns its source. The program performs the same updates as `engine.training`
and prints the loss before each, one per line. Its mathematics is translated from the tables
(`engine.export.translation`), so new operations, losses, optimizers and schedules need no change
here. To add an export, add one entry to EXPORTS.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from engine.python_text import literal
from engine.training.fields import nearest, shown
from engine.training.spec import TrainSpec

from .script import ExportError, program, title, wrapped
from .to_micrograd import to_micrograd
from .to_pytorch import to_pytorch

__all__ = ["EXPORTS", "ExportError", "RunExport", "export"]


class RunExport(NamedTuple):
    """One kind of program: name, description, file name and generator."""

    name: str
    help: str
    file_name: str
    make: Callable[[TrainSpec], str]


def to_seegrad(spec: TrainSpec) -> str:
    """The program of a run for Seegrad: the settings that differ from the defaults."""
    arguments = [f"    {name}={_field(name, value)}," for name, value in spec.particular().items()]
    return program(
        title(spec, "Needs the package `seegrad`."),
        "from seegrad import TrainSpec, train",
        "\n".join(["spec = TrainSpec(", *arguments, ")"]) if arguments else "spec = TrainSpec()",
        "*states, last = train(spec)\nfor state in states:\n    print(repr(state.loss))",
    )


def _field(name: str, value: Any) -> str:
    """The value of a field as code, on several lines if long."""
    if name == "at":
        value = {step: dict(settings) for step, settings in value}
    if not isinstance(value, tuple) or len(value) < 8:
        return literal(value)
    items = [f"{literal(x)}," for x in value]
    rows = [" ".join(items)] if isinstance(value[0], float) else items
    if isinstance(value[0], str):  # a text is not broken at its spaces
        lines = [f"        {row}" for row in rows]
    else:
        lines = [line for row in rows for line in wrapped(row, 8)]
    return "\n".join(["(", *lines, "    )"])


EXPORTS: dict[str, RunExport] = {
    entry.name: entry
    for entry in (
        RunExport(
            "seegrad",
            "The spec of the run and a loop over its states, for Seegrad's engine.",
            "train_seegrad.py",
            to_seegrad,
        ),
        RunExport(
            "micrograd",
            "Python for micrograd, with the operations that its Value lacks.",
            "train_micrograd.py",
            to_micrograd,
        ),
        RunExport(
            "pytorch",
            "A torch.nn.Module with an optimizer of torch.optim, in 64-bit floats.",
            "train_pytorch.py",
            to_pytorch,
        ),
    )
}
"""Every kind of program by name."""


def export(spec: TrainSpec, name: str) -> str:
    """The program of a run. Raises ExportError for an unknown name or an unsupported spec.

    Only names from the tables and texts of `engine.python_text` are interpolated. The training data
    is included, except for Seegrad, which regenerates it; test samples are not.
    """
    if name not in EXPORTS:
        raise ExportError(f"export is {shown(name)}, which is not known; {nearest(name, EXPORTS)}")
    return EXPORTS[name].make(spec)
