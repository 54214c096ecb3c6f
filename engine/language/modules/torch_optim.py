"""torch.optim."""

from __future__ import annotations

from typing import Any

from engine.language.contract import Machine
from engine.language.tensor_kinds import session_of
from engine.tensors.optimizers import OPTIMIZERS

from .torch_nn import absent, program_classes

_ABSENT = "RMSprop Adagrad Adadelta Adamax NAdam RAdam LBFGS ASGD Rprop lr_scheduler"


def names(m: Machine) -> dict[str, Any]:
    """The names of the module torch.optim."""
    return {**absent(m, "torch.optim", _ABSENT), **program_classes(session_of(m), OPTIMIZERS)}
