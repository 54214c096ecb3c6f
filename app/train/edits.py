"""Manual edits of a run: descriptions, and links that remove them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from urllib.parse import urlencode

from app.train.address import edit_pairs, run_pairs
from app.train.changes import Removable
from app.train.live_run import Edit, Edits
from engine.numbers import plain
from engine.training.spec import TrainSpec


def words(spec: TrainSpec, edit: Edit) -> str:
    """The description of an edit: "layer 1, neuron 2, weight 1 is 3 from step 37 on"."""
    step, place, number = edit
    return f"{name_of(spec.layers, place)} is {plain(number)} from step {step:,} on"


def name_of(layers: Sequence[int], place: int) -> str:
    """The name of the parameter at an index of the flat order."""
    for layer, (nin, nout) in enumerate(pairwise(layers), 1):
        if place < (nin + 1) * nout:
            neuron, i = divmod(place, nin + 1)
            what = f"weight {i + 1}" if i < nin else "bias"
            return f"layer {layer}, neuron {neuron + 1}, {what}"
        place -= (nin + 1) * nout
    raise IndexError(place)


def changed(spec: TrainSpec, edits: Edits, kept: Sequence[tuple[str, str]]) -> Iterator[Removable]:
    """All edits of a run; `kept` are the other parameters of the page."""
    for i, edit in enumerate(edits):
        rest = edit_pairs((*edits[:i], *edits[i + 1 :]))
        query = urlencode([*run_pairs(spec), *rest, *kept])
        yield Removable(words(spec, edit), f"/train?{query}")
