"""What lessons claim beyond their numbers, against mathematics and against the runs they show."""

from collections.abc import Iterator
from urllib.parse import parse_qs

import pytest
from starlette.testclient import TestClient

from app.learn import course
from app.learn.page import Course, FormAnswers
from app.main import create_app
from app.settings import from_environment

COURSE = Course(from_environment())


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(create_app()) as made:
        yield made


def number(slug: str, step: int, text: str) -> float:
    """A number of a step's state."""
    return COURSE.numbers(course.lessons()[slug], step).value(text)


def test_without_zeroing_it_is_the_rate_that_wins_or_wrecks() -> None:
    """Two runs that differ in their rate alone: all four targets met, and all missed by about 2.

    Four outputs near −1 or 1, of which two are wrong, make a loss of 2² + 2² = 8.
    """
    queries = [
        parse_qs(COURSE.lesson("zeroing").steps[k - 1].shown.address.split("?")[1]) for k in (4, 5)
    ]
    rates = [query.pop("learning_rate") for query in queries]
    assert rates == [["0.05"], ["0.3"]]
    settings = [
        {k: v for k, v in query.items() if k not in ("step", "hide", "pin")} for query in queries
    ]
    assert settings[0] == settings[1]
    assert queries[0]["zero_grad"] == ["false"]
    assert number("zeroing", 4, "loss(100)") < number("zeroing", 4, "zeroed: loss(100)") < 0.1
    assert number("zeroing", 5, "loss(100)") == pytest.approx(8, abs=0.1)
    assert number("zeroing", 5, "fast: loss(100)") < 0.1


def test_the_network_with_room_to_spare_sorts_nearly_all_dots() -> None:
    assert round(20 * number("overfitting", 5, "accuracy(400)")) == 19


def test_boxes_hold_as_many_values_as_the_course_counts() -> None:
    """3 tanh of 4 products each: 12 weights, 4 inputs once each, 12 products, 9 sums, 3 tanh,
    3 squares with 3 exponents, 2 sums."""
    assert number("tensors", 5, "values") == 12 + 4 + 12 + 9 + 3 + 3 + 3 + 2


def test_first_and_second_derivative_of_the_cube_differ_where_the_lesson_stands() -> None:
    """x³ at 3: 3x² = 27 and 6x = 18."""
    assert number("second", 1, "x.grad") == pytest.approx(27)
    assert number("second", 2, "slope: x.grad") == pytest.approx(18)


def test_an_input_of_a_matrix_adds_up_its_column() -> None:
    """y₀ = 1 gets 2y₀ = 2, y₁ = −3.5 gets 1, so x₀ gets 1·2 − 1·1."""
    assert number("tensors", 4, '"x[0]".grad') == pytest.approx(1)


def test_a_graph_whose_leaf_is_another_number_is_refused() -> None:
    """4 + 4 and 4 more are 12, too."""
    for program, outcome in (
        ("a = 4.0\nb = a+a\nc = b+a", "not-yet"),
        ("a = 3.0\nb = a+a\nc = b+b", "right"),
    ):
        reply = COURSE.reply("graph", 6, 0, "check", FormAnswers([program], 0))
        assert reply.outcome == outcome


def test_a_kink_is_not_ticked_as_if_it_agreed(client: TestClient) -> None:
    """At 0, relu rises by 0 to one side and by 1 to the other; no gradient agrees with both."""
    found = client.get("/lens/check", params={"program": "x = 0.0\ny = relu(x)", "lens": "check"})
    assert found.status_code == 200
    row = next(row for row in found.text.split("<tr ") if row.startswith('data-node="v1"'))
    assert "✓" not in row
    assert ">kink</span>" in row
