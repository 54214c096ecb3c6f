"""Arrays to fill in: answers by plain loops, slips named, rows read as people type them."""

from __future__ import annotations

import ast
import math
import re
from operator import mul

import pytest

from app.learn.by_hand.rows import ROWS, RowsExercise, judged_rows
from app.settings import from_environment
from tests.support.pages import client
from tests.support.pages import read as parsed

LIMITS = from_environment({}).limits
Matrix = list[list[float]]


def arrays(text: str) -> dict[str, Matrix]:
    """The arrays that a program writes out, each as rows."""
    written = re.compile(r"^(\w+) = (?:np\.log\()?np\.array\(([^()]+)\)+$", re.MULTILINE)
    found = written.findall(text)
    read = {name: ast.literal_eval(body) for name, body in found}
    return {name: x if isinstance(x[0], list) else [x] for name, x in read.items()}


def product(a: Matrix, b: Matrix) -> Matrix:
    return [[sum(map(mul, row, column)) for column in flipped(b)] for row in a]


def flipped(a: Matrix) -> Matrix:
    return [list(row) for row in zip(*a, strict=False)]


def times(a: Matrix, b: Matrix) -> Matrix:
    return [[x * y for x, y in zip(p, q, strict=False)] for p, q in zip(a, b, strict=False)]


def columns(a: Matrix) -> Matrix:
    return [[sum(col) for col in zip(*a, strict=False)]]


def of_product(it: dict[str, Matrix]) -> dict[str, Matrix]:
    return {"dW": product(flipped(it["x"]), it["dy"]), "dx": product(it["dy"], flipped(it["W"]))}


def of_broadcast(it: dict[str, Matrix]) -> dict[str, Matrix]:
    y = [[x + b for x, b in zip(row, it["b"][0], strict=False)] for row in it["x"]]
    dy = [[g * c[0] for g in row] for row, c in zip(it["dz"], it["c"], strict=False)]
    return {"dy": dy, "db": columns(dy), "dc": [[sum(row)] for row in times(it["dz"], y)]}


def of_scores(it: dict[str, Matrix]) -> dict[str, Matrix]:
    p = [[e / sum(row) for e in row] for row in it["scores"]]
    labels = it["labels"][0]
    d = [
        [(x - (k == at)) / 2 for k, x in enumerate(row)] for row, at in zip(p, labels, strict=False)
    ]
    return {"p": p, "dscores": d}


def of_batch_norm(it: dict[str, Matrix]) -> dict[str, Matrix]:
    """Ioffe and Szegedy (2015): dx = γ/(nσ) · (n dy − Σ dy − x̂ Σ dy x̂), column by column."""
    xhats: Matrix = []
    dxs: Matrix = []
    for k, x in enumerate(flipped(it["x"])):
        g, mean = flipped(it["dy"])[k], sum(x) / 4
        spread = math.sqrt(sum((v - mean) ** 2 for v in x) / 4)
        xhats.append([(v - mean) / spread for v in x])
        along = sum(map(mul, g, xhats[-1]))
        factor = it["gamma"][0][k] / (4 * spread)
        dxs.append([factor * (4 * g[i] - sum(g) - xhats[-1][i] * along) for i in range(4)])
    dgamma = columns(times(it["dy"], flipped(xhats)))
    found = {"xhat": flipped(xhats), "dbeta": columns(it["dy"]), "dgamma": dgamma}
    return {**found, "dx": flipped(dxs)}


BY_LOOPS = {
    "product-numbers": of_product,
    "broadcast-numbers": of_broadcast,
    "scores-numbers": of_scores,
    "batch-norm-numbers": of_batch_norm,
}


def typed(exercise: RowsExercise, seed: int, answers: dict[str, Matrix]) -> str:
    text = exercise.text(seed)
    for title, rows in answers.items():
        body = "\n".join(" ".join(f"{x:.6g}" for x in row) for row in rows)
        text = text.replace(f"\n{title} =\n", f"\n{title} =\n{body}\n")
    return text


@pytest.mark.parametrize("slug", BY_LOOPS)
def test_answers_are_those_of_plain_loops(slug: str) -> None:
    exercise = ROWS[slug]
    for seed in range(1, 6):
        text = typed(exercise, seed, BY_LOOPS[slug](arrays(exercise.given(seed))))
        found = judged_rows(exercise, text, LIMITS)
        assert [it.says for it in found] == [""] * len(exercise.asked), (seed, text)
        assert not any(it.is_right for it in judged_rows(exercise, exercise.text(seed), LIMITS))


def says(slug: str, title: str, body: str, seed: int = 3) -> str:
    exercise = ROWS[slug]
    text = exercise.text(seed).replace(f"\n{title} =\n", f"\n{title} = {body}\n")
    return next(it.says for it in judged_rows(exercise, text, LIMITS) if it.name == title)


def test_shapes_by_arithmetic() -> None:
    given = ROWS["shapes"].given(3)
    n, nin, _, hidden, _, _, out = map(int, re.findall(r"(?<=[( ])\d+(?=[,)])", given))
    right = {
        "shape of h": f"{n}×{hidden}",
        "shape of dW1": f"({nin}, {hidden})",
        "shape of db1": f"({hidden},)",
        "shape of s": f"{n} 1",
        "shape of dy": f"{n}x{out}",
    }
    for title, body in right.items():
        assert says("shapes", title, body) == "", title
    for title, body, words in (
        ("shape of dW1", f"{hidden}×{nin}", "changed places"),
        ("shape of s", f"{n}", "2 axes"),
        ("shape of s", f"1×{out}", "Neither"),
        ("shape of dy", f"{n}×{hidden}", "That is the shape of h"),
    ):
        assert words in says("shapes", title, body), title


def test_slips_are_named() -> None:
    """Numbers 3 of each: the program and its gradients were worked out by hand, see the first."""
    x, dy = [[-2.0, 2.0, 2.0], [-2.0, -1.0, 2.0]], [[1.0, 2.0], [2.0, 1.0]]
    assert of_product({"x": x, "dy": dy, "W": flipped(x)})["dW"] == [[-6, -6], [0, 3], [6, 6]]
    for slug, title, body, words in (
        ("product-numbers", "dW", "[-6, -6]\n[0, 3]\n[6, 6]", ""),
        ("product-numbers", "dW", "-6 0 6\n-6 3 6", "changed places"),
        ("product-numbers", "dW", "6 6\n0 -3\n-6 -6", "signs"),
        ("product-numbers", "dW", "-12 -12\n0 6\n12 12", "2 times"),
        ("product-numbers", "dW", "-6 -6\n0 3\n6 7", "5 of 6 numbers are right; the one in row 3"),
        ("product-numbers", "dW", "1 2\n2 1", "gradient of y"),
        ("product-numbers", "dW", "1 2\n2", "differ in length"),
        ("product-numbers", "dW", "1 2 -", "neither a number nor a formula"),
        ("product-numbers", "dx", "-2 2 2\n-2 -1 2", "numbers of x itself"),
        ("broadcast-numbers", "db", "-9 7", ""),
        ("broadcast-numbers", "db", "-6 6\n-2 3\n-1 -2", "have not been added up"),
        ("broadcast-numbers", "db", "-3 7/3", "mean of the contributions"),
        ("broadcast-numbers", "dc", "-8 -4\n-2 -1\n2 10", "c is 3×1"),
        ("scores-numbers", "p", "1/2 1/4 1/4\n1/8, 3/4, 1/8", ""),
        ("scores-numbers", "p", "0,5 0,25 0,25\n0,125 0,75 0,125", ""),
        ("scores-numbers", "p", "2 1 1\n1 6 1", "numbers of e itself"),
        ("scores-numbers", "dscores", "0.5 0.25 -0.75\n-0.875 0.75 0.125", "2 times"),
        ("scores-numbers", "dscores", "0.5 0.25 0.25\n0.125 0.75 0.125", "numbers of p itself"),
        ("batch-norm-numbers", "dgamma", "-6 11", "gradient of beta"),
    ):
        found = says(slug, title, body)
        assert words in found, (slug, title, body, found)
        assert bool(found) == bool(words)


def test_page_gives_other_numbers_and_no_answer() -> None:
    site, address = client(), "/learn/by-hand/product-numbers"
    first = site.get(address).text
    assert "# Numbers 1" in first
    assert not any(it.hint in first for it in ROWS["product-numbers"].asked)
    text = parsed(first).one("textarea").text
    again = site.post(address, data={"program": text, "act": "start"}).text
    assert "# Numbers 2" in again
    shown = site.post(address, data={"program": text, "act": "show"}).text
    page = parsed(shown)
    assert page.one("div", class_="not-yet").text == "0 of 2 are right."
    assert len(page.one("pre").text.split()) == 6
    assert site.post(address, data={"program": "", "act": "check"}).status_code == 200
