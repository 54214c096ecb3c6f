"""Little maps of the input features over the square from −1 to 1, as neurons have them."""

from __future__ import annotations

from markupsafe import Markup

from app.caches import cached
from app.train.pictures.network import levels
from app.train.sample_points import shade
from engine.training.features import FEATURES

SIDE = 12
"""Cells along a side of a map."""


@cached("maps of features")
def feature_map(name: str) -> Markup:
    """The map of a feature as inline SVG, coloured by the style sheet."""
    feature = FEATURES[name]
    middles = [(2 * i + 1) / SIDE - 1 for i in range(SIDE)]
    numbers = [feature((x1, -x2)) for x2 in middles for x1 in middles]
    shades = shade(numbers, max(map(abs, numbers)))
    paths = "".join(
        f'<path class="{"p" if level > 0 else "n"}{abs(level)}" d="{line}"/>'
        for level, line in levels(shades, SIDE).items()
    )
    return Markup(  # noqa: S704  # numbers alone
        f'<svg viewBox="0 0 {SIDE} {SIDE}" shape-rendering="crispEdges" aria-hidden="true"'
        f' focusable="false">{paths}</svg>'
    )
