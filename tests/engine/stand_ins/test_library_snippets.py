"""Short programs with arrays and tensors print what NumPy and PyTorch print, or are refused.

No number may differ without a word. What else differs is counted, and its bounds may only shrink.
"""

from __future__ import annotations

from collections import Counter

from tests.oracles.records import Oracle
from tests.support import library_answers as answers

MOST = {"refused": 26, "raises": 3, "accepts": 21, "grad_fn": 3}
"""Snippets that are refused in a sentence of ours; that end in an exception only here, or only
there; whose results have another grad_fn."""


def test_snippets_print_what_the_libraries_print_or_are_refused(oracle: Oracle) -> None:
    found: Counter[str] = Counter()
    wrong: list[str] = []
    for library, snippets in answers.batches():
        recorded = oracle("library_snippets.answers", library, snippets)
        for text, theirs, ours in zip(
            snippets, recorded, answers.here(library, snippets), strict=True
        ):
            kind = answers.difference(theirs, ours)
            found[kind] += 1
            if kind == "wrong":
                wrong.append(f"{text}\n{library}: {theirs}\nhere: {ours}")
    assert wrong == []
    assert found["same"] >= 3000
    assert {kind: n for kind, n in found.items() if n > MOST.get(kind, n)} == {}
