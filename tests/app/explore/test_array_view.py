"""The stage of a program that computes with whole arrays, on the page."""

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

from engine.trace.build import trace
from tests.support.pages import client

NUMPY = """\
import numpy as np
x = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
W = np.array([[1.0, 0.0], [-1.0, 2.0]])
b = np.array([0.5, 0.0])
y = x @ W + b
loss = (y ** 2).mean()
dy = 2 * y / y.size
dW = x.T @ dy
db = dy.sum(axis=1)
"""


def _page(**more: str) -> str:
    return unescape(client().get("/", params={"program": NUMPY, **more}).text)


def test_rule_in_symbols_shapes_and_numbers() -> None:
    page = _page()
    assert "∂L/∂W = xᵀ · ∂L/∂(x @ W)" in page
    assert "2×2 = 2×3 · 3×2" in page
    assert "b was broadcast: its 2 was used 3 times." in page
    assert 'class="array-node leaf has-data has-grad' in page


def test_wrong_gradient_beside_the_true_one() -> None:
    page = _page()
    assert "sums db over the wrong axis" in page
    assert "1 mistake" in page


def test_first_frame_shows_leaves_alone() -> None:
    page = _page(frame="0")
    assert 'class="array-node leaf has-data now"' in page
    assert "has-grad" not in page
    assert "Given: x, W, b." in page


TENSORS = """\
import torch
x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
W = torch.tensor([[1.0], [-1.0]], requires_grad=True)
loss = ((x @ W) ** 2).mean()
loss.backward()
"""


def test_tensors_are_drawn_as_arrays_one_scene_for_each_pass() -> None:
    """∂L/∂(x @ W) = (x @ W) for the mean of two squares; x @ W = (−1, −1), so W.grad = (−4, −6)."""
    page = unescape(client().get("/", params={"program": TENSORS}).text)
    assert "∂L/∂W = xᵀ · ∂L/∂(x @ W)" in page
    assert "x passes" not in page  # which records no gradient
    again = TENSORS + "loss = (x @ W).sum()\nloss.backward()\n"
    first = unescape(client().get("/", params={"program": again, "scene": "1"}).text)
    last = unescape(client().get("/", params={"program": again}).text)
    assert ("the mean along axes" in first.lower(), "the mean along axes" in last.lower()) == (
        True, False
    )  # fmt: skip


def test_a_cell_opens_as_a_graph_of_numbers() -> None:
    """(x @ W)[2, 0] = 5·1 + 6·(−1) is not the largest; [2, 1] = 5·0 + 6·2 = 12 is."""
    page = client().get("/", params={"program": NUMPY, "frame": "1"}).text
    (address,) = re.findall(r'href="(/\?program=[^"]*)">Open this cell', page)[:1]
    opened = trace(parse_qs(urlsplit(unescape(address)).query)["program"][0])
    nodes = {node.name: node for node in opened.nodes}
    assert nodes["cell"].data == 12.0
    assert [node.op for node in opened.nodes if node.op] == ["*", "*", "+"]
