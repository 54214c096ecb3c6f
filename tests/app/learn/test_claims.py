"""What lessons claim beyond their numbers, against mathematics and against the runs they show."""

import math
from collections.abc import Iterator
from urllib.parse import parse_qs

import pytest
from starlette.testclient import TestClient

from app.learn import course
from app.learn.page import Course, FormAnswers
from app.main import create_app
from app.settings import from_environment
from engine.program import Program, ProgramError
from engine.trace.build import trace

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
    assert round(20 * number("overfitting", 4, "accuracy(400)")) == 19


def test_first_and_second_derivative_of_the_cube_differ_where_the_lesson_stands() -> None:
    """x³ at 3: 3x² = 27 and 6x = 18."""
    assert number("second", 1, "x.grad") == pytest.approx(27)
    assert number("second", 2, "slope: x.grad") == pytest.approx(18)


def cells(slug: str, step: int, array: str, rows: int, columns: int) -> list[list[float]]:
    """The numbers of an array of a step's program, such as "W.grad"."""
    name, slot = array.split(".")
    return [
        [number(slug, step, f"{name}[{i}][{j}].{slot}") for j in range(columns)]
        for i in range(rows)
    ]


def test_an_input_of_a_matrix_adds_up_its_column() -> None:
    """y = (2, 4) is its own gradient, so x₀ gets 1·2 + 3·4, and W gets the outer product."""
    assert number("tensors", 4, "x[0].grad") == pytest.approx(14)
    assert cells("tensors", 4, "W.grad", 2, 2) == [[6, -2], [12, -4]]


def test_gradients_of_a_batch_are_products_of_matrices() -> None:
    """XᵀdY, dY·Wᵀ and the sums of columns, by plain loops; dY is Y as L = ½ΣY²."""
    x = [[1.0, 2.0], [3.0, -1.0], [0.0, 1.0]]
    w = [[1.0, -1.0], [0.5, 2.0]]
    y = [[sum(r[k] * w[k][j] for k in range(2)) + (1, -2)[j] for j in range(2)] for r in x]
    dw = [[sum(x[n][i] * y[n][j] for n in range(3)) for j in range(2)] for i in range(2)]
    dx = [[sum(y[n][j] * w[i][j] for j in range(2)) for i in range(2)] for n in range(3)]
    assert cells("matrices", 5, "Y.grad", 3, 2) == y
    assert cells("matrices", 5, "W.grad", 2, 2) == dw
    assert cells("matrices", 5, "X.grad", 3, 2) == dx
    assert [number("matrices", 5, f"b[{j}].grad") for j in range(2)] == [8, -6]


def test_scores_of_a_batch_get_probability_minus_target_by_samples() -> None:
    targets = [[0, 1, 0], [0, 0, 1]]
    for row, scores in enumerate([[2, 1, -1], [0, 0, 3]]):
        total = sum(math.exp(z) for z in scores)
        due = [(math.exp(z) / total - t) / 2 for z, t in zip(scores, targets[row], strict=True)]
        assert cells("scores", 5, "Z.grad", 2, 3)[row] == pytest.approx(due)


def test_batch_norm_ties_samples_together_and_its_gradients_sum_to_zero() -> None:
    """∂x̂₀/∂xᵢ = (δ₀ᵢ − 1/4 − x̂₀x̂ᵢ/4) / √var (Ioffe and Szegedy 2015), var = 3.5."""
    hats = [(x - 3) / math.sqrt(3.5 + 1e-5) for x in (1, 3, 2, 6)]
    due = [((i == 0) - 0.25 - hats[0] * hats[i] / 4) / math.sqrt(3.5 + 1e-5) for i in range(4)]
    found = [row[0] for row in cells("batch-norm", 4, "x.grad", 4, 2)]
    assert found == pytest.approx(due, abs=1e-5)
    assert sum(found) == pytest.approx(0, abs=1e-9)


def test_small_batches_get_further_for_the_same_work() -> None:
    assert number("batches", 2, "loss(200)") < number("batches", 1, "loss(20)") / 4
    assert abs(number("batches", 4, "loss(59)") - number("batches", 4, "loss(60)")) > 0.03
    assert number("batches", 5, "accuracy(200)") < number("batches", 1, "accuracy(20)") < 0.9


def test_what_pytorch_refuses_without_no_grad_is_refused() -> None:
    text = "import torch\nw = torch.tensor(2.0, requires_grad=True)\nw -= 0.1\nloss = w * w"
    with pytest.raises(ProgramError, match="leaf Variable that requires grad"):
        trace(Program(text))


def test_a_graph_whose_leaf_is_another_number_is_refused() -> None:
    """4 + 4 and 4 more are 12, too."""
    for program, outcome in (
        ("a = 4.0\nb = a+a\nc = b+a", "not-yet"),
        ("a = 3.0\nb = a+a\nc = b+b", "right"),
    ):
        reply = COURSE.reply("value", 7, 0, "check", FormAnswers([program], 0))
        assert reply.outcome == outcome


def test_a_kink_is_not_ticked_as_if_it_agreed(client: TestClient) -> None:
    """At 0, relu rises by 0 to one side and by 1 to the other; no gradient agrees with both."""
    found = client.get("/lens/check", params={"program": "x = 0.0\ny = relu(x)", "lens": "check"})
    assert found.status_code == 200
    row = next(row for row in found.text.split("<tr ") if row.startswith('data-node="v1"'))
    assert "✓" not in row
    assert ">kink</span>" in row
