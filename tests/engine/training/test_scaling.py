"""Standardised inputs, in runs, programs and Explore."""

from __future__ import annotations

from statistics import fmean, pstdev

import pytest

from engine.export.exports import export
from engine.kernel import Run
from engine.training.samples import load, scales_of
from engine.training.spec import TrainSpec
from engine.training.textbook import textbook
from tests.support.learning import found
from tests.support.pages import client

ROWS = tuple((1000.0 + 7 * i, 0.001 * i * i, 5.0, float(i % 2)) for i in range(12))
SPEC = TrainSpec(
    data="rows", rows=ROWS, scaling="standardize", test_share=0.25, layers=(3, 3, 1),
    activation="tanh", learning_rate=0.1, steps=4,
)  # fmt: skip


def test_inputs_have_mean_0_and_deviation_1_over_the_training_set() -> None:
    training, test = load(SPEC)
    for column in list(zip(*training.inputs, strict=True))[:2]:
        assert fmean(column) == pytest.approx(0.0, abs=1e-12)
        assert pstdev(column) == pytest.approx(1.0, rel=1e-12)
    assert {x[2] for x in training.inputs} == {0.0}  # a constant input
    raw = {row[:3] for row in ROWS}
    for x in (*training.inputs, *test.inputs):
        back = [xi * scale + shift for xi, (shift, scale) in zip(x, scales_of(SPEC), strict=True)]
        assert any(back == pytest.approx(row, rel=1e-12) for row in raw)


def test_kernel_textbook_and_links_agree() -> None:
    for slow, fast in zip(textbook(SPEC), Run(SPEC).snapshots(), strict=True):
        assert slow.loss == pytest.approx(fast.loss, rel=1e-12)
    assert TrainSpec.from_query(SPEC.to_query()) == SPEC
    assert TrainSpec().scaling == "none"
    assert scales_of(TrainSpec()) == ()


def test_programs_scale_the_inputs_themselves() -> None:
    text = export(SPEC, "micrograd")
    start, stop = text.index("samples = ["), text.index("initial = [")
    names: dict[str, object] = {}
    exec(text[start:stop], names)  # noqa: S102  # our own program
    assert [tuple(x) for x, _ in names["samples"]] == list(load(SPEC)[0].inputs)  # type: ignore[attr-defined]
    assert "1000.0" in text[start:stop]


def test_the_page_and_explore_name_the_scales() -> None:
    assert found("/setup", SPEC)["scales"] == [list(scale) for scale in scales_of(SPEC)]
    answer = client().get("/train/open", params={**dict(SPEC.to_query()), "as": "program"})
    shift = scales_of(SPEC)[0].shift
    first = client().get("/train", params=dict(SPEC.to_query())).text
    assert "1000.0000, " in first[first.index('id="predictions-body"') :]  # in their own units
    assert f"# x: (input - shift) / scale, shifts [{shift!r}," in answer.text
