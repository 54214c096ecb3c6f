"""Programs of tests/data/torch-programs.txt and numpy-programs.txt print what they print with the
libraries themselves.

Where a gradient is recorded, each is run as it is drawn, and with tensors computed as wholes.
"""

from __future__ import annotations

import pytest

from engine.tensors import session
from tests.oracles.records import Oracle
from tests.support.places import DATA
from tests.support.programs import printed

PROGRAMS = (DATA / "torch-programs.txt").read_text("utf-8").split("\n---\n")
WITHOUT_GRADIENTS = (DATA / "numpy-programs.txt").read_text("utf-8").split("\n---\n")


def test_programs_print_what_they_print_with_the_libraries(oracle: Oracle) -> None:
    texts = [*PROGRAMS, *WITHOUT_GRADIENTS]
    answers = [oracle("programs.printed", text) for text in texts]
    for text, theirs in zip(texts, answers, strict=True):
        assert theirs["error"] == "", text
        assert printed(text) == theirs["printed"], text


def test_tensors_computed_as_wholes_print_the_same(
    oracle: Oracle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "SMALL", 1)
    monkeypatch.setattr(session.Session, "is_beyond", True)
    for text in PROGRAMS:
        if "create_graph" not in text:  # which is refused for a graph this large
            assert printed(text) == oracle("programs.printed", text)["printed"], text
