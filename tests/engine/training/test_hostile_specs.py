"""Specs of training runs that were written to break in, to never end or to fall over.

`tests/data/hostile-specs.jsonl`: `spec` is a text, or pieces of text with how often each stands
there. Some name a field in words that are not ours: those are tried as they came and, as `-ours`,
with our word for it. `right` is the answer that is right and `field` the one that a refusal names.
"""

from __future__ import annotations

import io
import json
import sys
from typing import Any

import pytest

from engine.training.__main__ import main
from engine.training.spec import FIELDS, SpecError, TrainSpec
from tests.app.api.test_api import problem
from tests.support.each import for_each
from tests.support.pages import client
from tests.support.places import DATA

CASES = [
    json.loads(line) for line in (DATA / "hostile-specs.jsonl").read_text("utf-8").splitlines()
]
REFUSED = [case for case in CASES if case["right"] == "refuse"]
TAKEN = [case for case in CASES if case["right"] == "ok"]
EACH_REFUSED = for_each("case", REFUSED, ids=[case["id"] for case in REFUSED])
EACH_TAKEN = for_each("case", TAKEN, ids=[case["id"] for case in TAKEN])


def body(case: dict[str, Any]) -> bytes:
    """The spec of a case as it is sent."""
    spec = case["spec"]
    text: str = spec if isinstance(spec, str) else "".join(part * n for part, n in spec)
    return text.encode()


def posted(case: dict[str, Any]) -> Any:
    """The answer of the server."""
    head = {"content-type": "application/json"}
    return client().post("/api/train", content=body(case), headers=head)


def command(case: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> int:
    """The status with which `python -m engine.training -` ends when it reads the spec."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(body(case))))
    return main(["-"])


def test_no_case_is_lost() -> None:
    assert len(CASES) == 41
    assert len({case["id"].partition("-")[0] for case in CASES}) == 32
    assert len(TAKEN) == 2
    ours = {case["field"] for case in CASES if case["id"].endswith("-ours")}
    assert ours <= set(FIELDS)


@EACH_REFUSED
def test_the_reader_refuses_it_by_the_field(case: dict[str, Any]) -> None:
    for text in (body(case), body(case).decode()):
        with pytest.raises(SpecError) as caught:
            TrainSpec.from_text(text)
        assert caught.value.field == case["field"]
        assert caught.value.message.isprintable()
        assert caught.value.message.endswith((".", "?"))


@EACH_REFUSED
def test_the_command_refuses_it_in_one_line(
    case: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(case, monkeypatch) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("-: ")
    assert err.count("\n") == 1
    assert case["field"] == "spec" or case["field"] in err


@EACH_REFUSED
def test_the_server_refuses_it_with_the_field_and_always_alike(case: dict[str, Any]) -> None:
    first, again = posted(case), posted(case)
    found = problem(first, 422)
    assert found["field"] == case["field"]
    assert case["field"] == "spec" or case["field"] in found["detail"]
    assert first.content == again.content


@EACH_TAKEN
def test_valid_spec_runs_alike_everywhere(
    case: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = TrainSpec.from_text(body(case))
    assert command(case, monkeypatch) == 0
    answer = posted(case)
    assert answer.status_code == 200
    assert answer.content == posted(case).content
    assert answer.json() == json.loads(capsys.readouterr().out)
    assert answer.json()["spec"] == json.loads(json.dumps(spec.to_json()))


def test_spaces_mean_nothing() -> None:
    (spaced,) = (case for case in CASES if case["id"] == "SPEC57")
    compact = {"spec": '{"layers":[2,4,1]}'}
    assert posted(spaced).content == posted(compact).content
