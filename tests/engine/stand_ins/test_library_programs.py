"""Programs of tests/data/torch-programs.txt and numpy-programs.txt print what they print with the
libraries themselves.
"""

from __future__ import annotations

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
