"""Programs print the same whether or not they are recorded."""

from __future__ import annotations

import json

import pytest

from engine.record import guest
from tests.support import corpus
from tests.support.corpus import Entry

EXPECTED = corpus.expected()
NOT_YET = {
    "torch_functions_of_its_own": "torch.autograd.Function",
    "torch_own_batch_norm": "a tensor formatted as a number",
}
"""Programs that the stand-ins for libraries refuse, and what they miss."""


@pytest.mark.parametrize("entry", corpus.entries(), ids=lambda entry: entry.name)
def test_a_recorded_program_prints_what_cpython_prints(entry: Entry) -> None:
    answer = json.loads(guest.handle(json.dumps({"text": entry.text})))
    if entry.name in NOT_YET:
        assert "error" in answer, "it runs: take it off the list"
        return
    printed = "".join(f"{line}\n" for line in answer["record"]["printed"])
    assert corpus.difference(EXPECTED[entry.name], printed) == ""
