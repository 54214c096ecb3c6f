"""The panel with the space as a layer sees it."""

from __future__ import annotations

from typing import Any

from app.train.address import Pairs, TrainView, text_of, whole
from app.train.live_run import LiveRun
from app.train.pictures.space import colours_of, space_svg
from engine.numbers import percent
from engine.runs import space
from engine.training.spec import TrainSpec

NONE = "Only a network of two inputs with a hidden layer of two neurons or more has this picture."


def layers_of(spec: TrainSpec) -> list[int]:
    """The layers that have a plane, counted from 1: those of two neurons or more."""
    if spec.inputs != 2:
        return []
    return [layer for layer, size in enumerate(spec.layers) if layer and size > 1]


def layer_of(pairs: Pairs, spec: TrainSpec) -> int | None:
    """The layer that `space` names, by default the last hidden one. Raises SpecError."""
    found = layers_of(spec)
    hidden = [layer for layer in found if layer < len(spec.layers) - 1] or found
    if text_of(pairs, "space") in (None, "last"):
        return hidden[-1] if hidden else None
    chosen = whole(pairs, "space", 1, len(spec.layers) - 1, 1)
    return chosen if chosen in found else None


def panel(run: LiveRun, view: TrainView, pairs: Pairs) -> dict[str, Any]:
    """The context of space.html; `layer` is None if there is no picture. Raises SpecError."""
    spec, bounds = view.spec, run.sample_points.bounds
    layer = layer_of(pairs, spec)
    if layer is None or bounds is None or len(bounds) != 4:
        return {"picture": "", "words": NONE, "layers": layers_of(spec), "layer": None}
    run.seek(view.step)
    try:
        found = space.space(run.kernel, layer, (bounds[0], bounds[1], bounds[2], bounds[3]))
    except ValueError as error:
        return {"picture": "", "words": str(error), "layers": layers_of(spec), "layer": layer}
    titles = ("neuron 1", "neuron 2")
    words = f"The grid of inputs as layer {layer} sees it at step {view.step:,}."
    if found.share is not None:
        titles = ("first main direction", "second main direction")
        words += f" Of its {spec.layers[layer]} neurons, the two main directions of the samples"
        words += f" hold {percent(found.share)} of their variance."
    training, test = run.kernel.training, run.kernel.test
    colours = colours_of(training, spec.classes) + colours_of(test, spec.classes)
    picture = space_svg(found, titles, words, colours, len(test))
    return {"picture": picture, "words": words, "layers": layers_of(spec), "layer": layer}
