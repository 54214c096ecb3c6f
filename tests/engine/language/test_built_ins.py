"""Built-in functions: float of a text, and a strict zip."""

from __future__ import annotations

import pytest

from tests.support.programs import finished, printed, refusal


@pytest.mark.parametrize("text", ["inf", "+inf", "-inf"])
def test_infinities_are_read_from_text(text: str) -> None:
    assert finished(f"best = float('{text}')").env.names["best"].data == float(text)


@pytest.mark.parametrize("text", ["nan", "1.5", ""])
def test_float_reads_no_other_text(text: str) -> None:
    assert "reads no text" in refusal(f"a = float('{text}')").message


def test_a_strict_zip_takes_lists_of_one_length() -> None:
    assert printed("print(zip([1], [2], strict=True))") == ["[(1, 2)]"]
    assert printed("print(zip([1], [2, 3], strict=False))") == ["[(1, 2)]"]
    assert refusal("zip([1], [2, 3], strict=True)").message == "These have 1 and 2 items."
