"""Random specs of all kinds, rows of three classes, and the error of a refusal."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import strategies as st

from engine.nn import LINEAR
from engine.ops import ACTIVATIONS
from engine.training.changes import Change
from engine.training.datasets import DATASETS
from engine.training.initialisation import INITS
from engine.training.losses import LOSSES
from engine.training.optim import OPTIMIZERS, SCHEDULES
from engine.training.settings import FIELDS
from engine.training.spec import SpecError, TrainLimits, TrainSpec

THREE: list[Any] = [[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [1.0, 1.0, 2.0]]


def changes(text: str) -> tuple[Change, ...]:
    """The changes in mid-run of a text such as "30:l2=0,batch=4"."""
    kind = FIELDS["at"].kind
    found: tuple[Change, ...] = kind.read("at", kind.parse(text))
    return found


def refused(text: str | bytes | dict[str, Any], limits: TrainLimits | None = None) -> SpecError:
    """The error with which a spec is refused: one printable line that ends like a sentence."""
    read: Any = TrainSpec.from_json if isinstance(text, dict) else TrainSpec.from_text
    with pytest.raises(SpecError) as caught:
        read(text, limits)
    error = caught.value
    assert error.message == str(error)
    assert error.message.isprintable()
    assert error.message.endswith((".", "?"))
    assert len(error.message) < 400
    assert len(error.value) <= 60
    error.message.encode()
    return error


def _numbers(least: float = 0.0, most: float = 1e4, **more: Any) -> st.SearchStrategy[float]:
    return st.floats(least, most, allow_nan=False, **more)


@st.composite
def specs(draw: st.DrawFn) -> TrainSpec:
    """Specs of all kinds."""
    data = draw(st.sampled_from(list(DATASETS)))
    if data == "rows":
        inputs, classes = draw(st.integers(1, 3)), draw(st.sampled_from([0, 2, 3]))
    else:
        inputs, classes = DATASETS[data].inputs, DATASETS[data].classes
    losses = [name for name, loss in LOSSES.items() if classes or loss.regression]
    loss = draw(st.sampled_from(losses))
    outputs = {0: 1, 2: LOSSES[loss].least_outputs, 3: 3}[classes]
    hidden = draw(st.lists(st.integers(1, 4), max_size=3))
    layers = (inputs, *hidden, outputs)
    names = st.sampled_from((*ACTIVATIONS, LINEAR))
    activation = st.one_of(names, st.tuples(*[names for _ in hidden]))
    rows: tuple[tuple[float, ...], ...] = ()
    if data == "rows":
        wide = st.tuples(*[_numbers(-1e100, 1e100) for _ in range(inputs)])
        label = _numbers(-1e100, 1e100)
        labels = [float(i) for i in range(classes)] or draw(st.lists(label, min_size=1, max_size=4))
        rows = tuple((*draw(wide), y) for y in labels)
    count = sum((a + 1) * b for a, b in pairwise(layers))
    weight = _numbers(-1e308, 1e308)
    some = st.lists(weight, min_size=count, max_size=count).map(tuple)
    steps = draw(st.integers(3, 1000))
    rate = draw(_numbers())
    change = f"1:learning_rate={rate!r},batch=1,steps={steps + 9}"
    return TrainSpec(
        data=data,
        samples=draw(st.integers(10, 50)),
        noise=draw(_numbers()),
        test_share=draw(_numbers(0, 0.4)),
        rows=rows,
        layers=layers,
        activation=draw(activation),
        output_activation=draw(names),
        init=draw(st.sampled_from(list(INITS))),
        initial=draw(st.one_of(st.just(()), some)),
        loss=loss,
        l1=draw(_numbers()),
        l2=draw(_numbers()),
        optimizer=draw(st.sampled_from(list(OPTIMIZERS))),
        learning_rate=draw(_numbers()),
        momentum=draw(_numbers(0, 1, exclude_max=True)),
        weight_decay=draw(_numbers()),
        schedule=draw(st.sampled_from(list(SCHEDULES))),
        schedule_end=draw(_numbers()),
        batch=draw(st.sampled_from(["all", 1])),
        shuffle=draw(st.booleans()),
        steps=steps,
        at=changes(draw(st.sampled_from(["", change, "1:optimizer=adam,2:l2=0"]))),
        seed=draw(st.integers(0, 2**64 - 1)),
        zero_grad=draw(st.booleans()),
        accumulate=draw(st.booleans()),
    )
