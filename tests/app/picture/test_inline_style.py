"""Pictures that stand alone: the same differences without a style sheet."""

from __future__ import annotations

import re

from app.picture.inline_style import attributes


def test_kinds_differ_in_shape_and_words_not_only_in_colour() -> None:
    leaf, output, value = (attributes(f"value {kind}", "card") for kind in ("leaf", "output", ""))
    widths = [re.findall(r'stroke-width="([^"]+)"', found)[0] for found in (leaf, output, value)]
    assert len(set(widths)) == 3
    assert "stroke-dasharray" in attributes("value copy", "card")
    assert "stroke-dasharray" in attributes("value source backward", "card")
    assert "stroke-dasharray" not in attributes("value copy changed backward", "card")
