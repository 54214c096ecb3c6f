"""The JSON interface answers as its OpenAPI description says, whatever it is asked.

schemathesis makes the requests: one for each border of what is described, some with other methods
and other types of body, then random ones that the description allows and that it does not. Random
bodies are seldom programs or specs that can run, so some that can are sent too.
Looked for are answers of 500 and above, statuses, types, headers and bodies that are not described,
and bodies that should have been refused. One thing is not asked: that all that is allowed is taken.
No schema says which texts are programs, nor which layers fit which data.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import jsonschema_rs
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import Case, checks

from app.api import trace_schema, train_schema
from app.main import create_app
from app.serving.problem import JSON
from app.settings import from_environment
from engine.ops import OPS
from engine.program import ProgramError
from engine.trace import trace_json
from engine.trace.build import trace
from engine.training.spec import FIELDS, TrainLimits, TrainSpec
from tests.app.api.test_api import problem
from tests.support.hostile import GOOD
from tests.support.pages import client
from tests.support.programs import expressions
from tests.support.specs import specs

RANDOM = 50  # requests for each address and method, beside those at the borders
RIGHT = 40
CHECKS = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
    checks.negative_data_rejection,
    checks.unsupported_method,
    checks.allow_header_conformance,
]
QUICK = {"SEEGRAD_TRAIN_WORK": "3000000", "SEEGRAD_SECONDS": "0.3"}
SCHEMA = schemathesis.openapi.from_asgi("/openapi.json", create_app(from_environment(QUICK)))
REJECTION = SCHEMA.config.checks.negative_data_rejection
REJECTION.expected_statuses = [*REJECTION.expected_statuses, "413"]  # a body over max_body
SETTINGS: dict[str, Any] = {
    "deadline": None,
    "derandomize": True,
    "database": None,
    "suppress_health_check": list(HealthCheck),
}
seen: Counter[tuple[str, str, int]] = Counter()
drawn: Counter[tuple[str, str]] = Counter()  # of them those that schemathesis thought of


def ask(case: Case[Any]) -> None:
    """Send a request and look at the answer."""
    answer = case.call_and_validate(checks=CHECKS)
    seen[case.path, case.method, answer.status_code] += 1


def every_answer_is_described(path: str, method: str) -> Callable[[Case[Any]], None]:
    """A test of one operation. Each needs a name of its own, which schemathesis does not give."""

    @SCHEMA.include(path=path, method=method).parametrize()
    @settings(max_examples=RANDOM, **SETTINGS)
    def test(case: Case[Any]) -> None:
        ask(case)
        drawn[path, method] += 1

    asked.add((path, method))
    return test  # type: ignore[no-any-return]


asked: set[tuple[str, str]] = set()
test_traces_that_are_got = every_answer_is_described("/api/trace", "GET")
test_traces_that_are_posted = every_answer_is_described("/api/trace", "POST")
test_runs_that_are_posted = every_answer_is_described("/api/train", "POST")


def test_every_operation_is_exercised() -> None:
    paths = SCHEMA.raw_schema["paths"]
    assert asked == {(path, method.upper()) for path in paths for method in paths[path]}


LEAVES = "a = Value(2.0)\nb = Value(-0.5)\nc = 1.5\n"
programs = expressions.map(lambda text: f"{LEAVES}L = {text} + 0") | st.sampled_from(GOOD)
BODIES: dict[str, st.SearchStrategy[Any]] = {
    "/api/trace": programs.map(lambda program: {"program": program}),
    "/api/train": specs().map(TrainSpec.to_json),
}


@pytest.mark.parametrize("path", BODIES)
def test_every_right_answer_is_described(path: str) -> None:
    before = seen[path, "POST", 200]

    @settings(max_examples=RIGHT, **SETTINGS)
    @given(BODIES[path])
    def one(body: Any) -> None:
        ask(SCHEMA[path]["POST"].Case(body=body, media_type=JSON))

    one()
    assert seen[path, "POST", 200] - before >= RIGHT // 2


def test_at_least_500_requests_were_made() -> None:
    assert seen, "run it with the tests of this file that make the requests"
    print(dict(seen), dict(drawn))
    assert set(drawn) == asked
    assert drawn.total() >= 500
    for path in BODIES:
        statuses = {status for where, _, status in seen if where == path}
        assert {200, 405, 415, 422} <= statuses


# What no request above leads to


def described_answer(path: str, status: int) -> dict[str, Any]:
    """An answer as it is described."""
    found: dict[str, Any] = client().get("/openapi.json").json()
    answer: dict[str, Any] = found["paths"][path]["post"]["responses"][str(status)]
    return answer


@pytest.mark.parametrize("path", BODIES)
def test_a_body_over_the_limit_is_described(path: str) -> None:
    head = {"content-type": JSON}
    answer = client(SEEGRAD_MAX_BODY="2000").post(path, content=b" " * 3000, headers=head)
    assert answer.status_code == 413
    (media,) = described_answer(path, 413)["content"]
    assert answer.headers["content-type"].partition(";")[0] == media


@pytest.mark.parametrize("path", ["/api/train", "/api/trace"])
def test_a_busy_server_is_described(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.serving.thread_pools.ThreadPool.waiting", 1_000_000)
    found = described_answer(path, 503)
    answer = client(SEEGRAD_TRAIN_AT_ONCE="1").post(path, json={})
    body = problem(answer, 503)
    (schema,) = (media["schema"] for media in found["content"].values())
    assert jsonschema_rs.is_valid(schema, body)
    assert set(found["headers"]) <= set(answer.headers)


# The description itself


def test_the_description_of_specs_knows_every_field_and_every_limit() -> None:
    schema = train_schema.spec(TrainLimits())
    assert list(schema["properties"]) == list(FIELDS)
    assert all(one["description"] for one in schema["properties"].values())
    small = train_schema.spec(TrainLimits(samples=9, neurons=8, layers=7, steps=6, rate=5))
    bound = small["properties"]
    assert (bound["samples"]["maximum"], bound["rows"]["maxItems"]) == (9, 9)
    assert (bound["steps"]["maximum"], bound["noise"]["maximum"]) == (6, 5)
    sizes = bound["layers"]["anyOf"][0]
    assert (sizes["items"]["maximum"], sizes["maxItems"]) == (8, 8)
    validator = jsonschema_rs.validator_for(schema)
    assert validator.is_valid({})
    defaults = {name: one["default"] for name, one in schema["properties"].items()}
    assert validator.is_valid(defaults)
    assert TrainSpec.from_json(defaults) == TrainSpec()


@settings(max_examples=100, deadline=None)
@given(specs())
def test_every_right_spec_is_allowed(spec: TrainSpec) -> None:
    assert jsonschema_rs.is_valid(train_schema.spec(TrainLimits()), spec.to_json())


NUMBER_LIKE = (
    "1.5", "-0.0", "7", "True", "2**70", "5e-324", "math.nan", "math.inf", "-math.inf",
    "np.float64(1.37)", "np.float32(1.59)", "np.int64(7)", "np.bool_(True)", "np.array(1.5)",
    "np.float64('nan')", "np.float64('inf')", "np.float32('-inf')", "10**400",
)  # fmt: skip
"""What a learner's class may hold as a number. There are no fractions and no decimals."""
OWN_CLASS = """
import math
import numpy as np
class Value:
    def __init__(self, data):
        self.data, self.grad = data, {zero}
    def __mul__(self, other):
        out = Value(self.data * other.data)
        def send():
            self.grad += other.data * out.grad * {factor}
            other.grad = self.data * out.grad
        out.send = send
        return out
a, b = Value({data}), Value(3)
c = a * b
c.grad = {seed}
c.send()
a.data -= a.grad
d = a * b
d.grad = {seed}
d.send()
"""
PLAIN = {"zero": "0", "factor": "1", "data": "2", "seed": "1"}


@pytest.mark.usefixtures("natively")
@pytest.mark.parametrize("place", PLAIN)
def test_a_trace_has_only_numbers_that_json_has(place: str) -> None:
    for number in NUMBER_LIKE:
        try:
            text = trace_json.write(trace(OWN_CLASS.format(**{**PLAIN, place: number})))
        except ProgramError:  # an int that no float can hold, as under CPython
            assert number == "10**400"
            continue
        found = json.loads(text, parse_constant=pytest.fail)
        assert jsonschema_rs.is_valid(trace_schema.TRACE, found), number


def test_a_trace_may_hold_every_operation() -> None:
    op = trace_schema.TRACE["properties"]["nodes"]["items"]["properties"]["op"]
    assert set(op["anyOf"][0]["enum"]) == set(OPS)
