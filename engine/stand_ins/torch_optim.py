"""torch.optim."""

from __future__ import annotations

from typing import Any

from engine.stand_ins.contract import Machine
from engine.stand_ins.library import LibraryModule
from engine.stand_ins.tensor_kinds import session_of
from engine.tensors.optimizer_rows import ALL
from engine.tensors.schedules import SCHEDULES

from .torch_nn import absent, program_classes

_ABSENT = "LBFGS ASGD Adafactor SparseAdam"
_ABSENT_SCHEDULES = """
    OneCycleLR CyclicLR SequentialLR ChainedScheduler CosineAnnealingWarmRestarts MultiplicativeLR
"""


def names(m: Machine) -> dict[str, Any]:
    """The names of the module torch.optim."""
    session, dotted = session_of(m), "torch.optim.lr_scheduler"
    schedules = {**absent(m, dotted, _ABSENT_SCHEDULES), **program_classes(session, SCHEDULES)}
    return {
        **absent(m, "torch.optim", _ABSENT), **program_classes(session, ALL),
        "lr_scheduler": LibraryModule(dotted, schedules),
    }  # fmt: skip
