"""The snippets of `tests.support.snippets`, run here, and how what they print compares."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from textwrap import indent

from tests.support.programs import finished
from tests.support.snippets import SHOW, torch_snippets
from tests.support.snippets_numpy import numpy_snippets

HEADS = {
    "torch": "import numpy as np, torch, torch.nn as nn, torch.nn.functional as F\n" + SHOW,
    "numpy": "import numpy as np\n",
}
PER_PROGRAM = 60
SNIPPETS = {"torch": [*torch_snippets()][::4], "numpy": [*numpy_snippets()][::5]}
"""A part of all of them, by library."""
_MARK = "-- snippet"
_ZERO = re.compile(r"-(0\.0*(?:e\+00)?)(?![\d.])")
_SPACE = re.compile(r"\s+")
_EXCEPTION = re.compile(r"\w*(Error|Refused): ")
_GRAD_FN = re.compile(r",?\s*(grad_fn=<\w+>|requires_grad=True)")


def here(library: str, snippets: Sequence[str]) -> list[str]:
    """What each snippet prints here, and behind it the exception or the refusal that ends it."""
    parts = [HEADS[library]]
    parts += [
        f"print({_MARK!r})\ntry:\n{indent(text, '    ')}\n"
        'except Exception as e:\n    print(f"{type(e).__name__}: {e}".splitlines()[0])\n'
        for text in snippets
    ]
    text = "".join(f"{line}\n" for line in finished("".join(parts)).printed)
    return text.split(f"{_MARK}\n")[1:]


def difference(theirs: str, ours: str) -> str:
    """How the answers to a snippet compare: "same", or the kind of their difference."""
    if _plain(theirs) == _plain(ours):
        return "same"
    end, other = _end(ours), _end(theirs)
    if re.match(r"Refused: |AttributeError: .* has no attribute", end):
        return "refused"
    if _EXCEPTION.match(end) and not _EXCEPTION.match(other):
        return "raises"
    if _EXCEPTION.match(other) and not _EXCEPTION.match(end):
        return "accepts"
    if _plain(_GRAD_FN.sub("", theirs)) == _plain(_GRAD_FN.sub("", ours)):
        return "grad_fn"
    return "wrong"


def _plain(answer: str) -> str:
    """An answer without what may differ: spaces, the sign of zero, the words of an exception."""
    text = answer.rstrip("\n")
    if _EXCEPTION.match(_end(text)):
        text = text.rpartition("\n")[0] + "raises"
    return _SPACE.sub("", _ZERO.sub(r"\1", text))


def _end(answer: str) -> str:
    return answer.rstrip("\n").rpartition("\n")[2]


def batches() -> Iterator[tuple[str, list[str]]]:
    """The snippets of a library in groups that are run as one program."""
    for library, snippets in SNIPPETS.items():
        for start in range(0, len(snippets), PER_PROGRAM):
            yield library, snippets[start : start + PER_PROGRAM]
