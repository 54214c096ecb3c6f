"""torch.utils and torch.utils.data."""

from __future__ import annotations

from typing import Any

from engine.stand_ins.contract import Machine
from engine.stand_ins.library import LibraryModule
from engine.stand_ins.tensor_kinds import session_of
from engine.tensors.data import DATA, random_split

from .torch_nn import absent, program_classes

_ABSENT = "IterableDataset ConcatDataset Sampler RandomSampler SequentialSampler BatchSampler"


def names(m: Machine) -> dict[str, Any]:
    """The names of the module torch.utils."""
    session = session_of(m)
    classes = program_classes(session, DATA)

    def split(dataset: Any, lengths: Any, generator: Any = None) -> list[Any]:
        return random_split(session, classes["Subset"], dataset, list(lengths), generator)

    table = {**absent(m, "torch.utils.data", _ABSENT), **classes, "random_split": split}
    return {"data": LibraryModule("torch.utils.data", table)}
