"""The picture of a cure beside its run: which loss it shows."""

from __future__ import annotations

import math
import re

from app.train.pictures.trial import trial_svg
from engine.runs.examination import TrialCurve

STEPS = [0, 10, 20]
SICK = TrialCurve(STEPS, [1.0, 0.1, 0.01], [1.0, 0.8, 1.2], 1.0, 1.2, 0.7)
CURED = TrialCurve(STEPS, [1.0, 0.6, 0.5], [1.0, 0.7, 0.6], 0.9, 0.6, 0.8)


def ends(text: str) -> dict[str, float]:
    """How low each curve ends."""
    paths = re.findall(r'<path class="(sick|cured)" d="([^"]+)"', text)
    return {name: float(path.split()[-1]) for name, path in paths}


def test_overfitting_shows_the_test_loss() -> None:
    """There a cured run ends with more training loss, and less test loss."""
    shown = trial_svg(SICK, CURED, "", on_test=True)
    assert "test loss from step 0" in shown
    assert ends(shown)["cured"] > ends(shown)["sick"]
    trained = trial_svg(SICK, CURED, "")
    assert ">loss from step 0" in trained
    assert ends(trained)["cured"] < ends(trained)["sick"]


def test_a_run_that_is_lost_ends_at_the_top() -> None:
    for loss in (math.nan, math.inf):
        shown = trial_svg(SICK._replace(losses=[1.0, 9.0, loss]), CURED, "")
        assert "nan" not in shown
        assert "inf" not in shown
        heights = re.findall(r'<text class="(?:sick|cured)" x="\S+" y="(\S+)"', shown)
        assert float(heights[0]) < 15 < float(heights[1])


def test_a_run_without_test_data_shows_the_training_loss() -> None:
    alone = SICK._replace(tests=[]), CURED._replace(tests=[])
    assert ">loss from step 0" in trial_svg(*alone, "", on_test=True)
