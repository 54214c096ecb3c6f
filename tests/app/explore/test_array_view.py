"""The stage of a program that computes with whole arrays, on the page."""

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest

from app.explore.array_numbers import alike
from engine.trace.build import trace
from tests.support.each import for_each
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


def _equations(page: str) -> list[str]:
    """The texts of the equations on a page."""
    return [re.sub(r"<[^>]*>", "", math) for math in re.findall(r"<math.*?</math>", page)]


def test_rule_in_symbols_shapes_and_numbers() -> None:
    page = _page()
    assert "∂L∂W=xT·∂L∂(x @ W)" in _equations(page)
    assert "∂L∂(y ** 2)⊙2y" in "".join(_equations(page))  # the exponent is worked out
    assert "2×2 = 2×3 · 3×2" in page
    assert "A cell of W joins one column of x to one of (x @ W), in 3 rows" in page
    assert "b was broadcast: each of its cells was used 3 times." in page
    assert "the sum along the batch, axis 0 of length 3." in page
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
    assert "∂L∂W=xT·∂L∂(x @ W)" in _equations(page)
    assert "x passes" not in page  # which records no gradient
    again = TENSORS + "loss = (x @ W).sum()\nloss.backward()\n"
    first = unescape(client().get("/", params={"program": again, "scene": "1"}).text)
    last = unescape(client().get("/", params={"program": again}).text)
    assert ("the mean of all 2 cells" in first.lower(), "the mean of all 2" in last.lower()) == (
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


MANY = """\
import numpy as np
x = np.arange(1.0, 31.0).reshape(30, 1)
W = np.array([[2.0]])
loss = (x @ W).sum()
"""


def test_terms_that_are_shown_and_their_rest_add_up_to_the_sum() -> None:
    """∂L/∂W = 1 + 2 + … + 30 = 465; the terms below 19 add up to 171."""
    page = unescape(client().get("/", params={"program": MANY}).text)
    (table,) = [t for t in page.split("<table") if "the 12 largest of 30 terms" in t]
    amounts = [float(x) for x in re.findall(r'<td class="grad">([\d.]+)</td></tr>', table)]
    assert amounts == [*range(30, 18, -1), 171.0, 465.0]


def test_a_loss_is_over_its_count_where_it_is_a_mean() -> None:
    """∂/∂h of Σ (h − t)² is 2 (h − t); a row with the class −100 does not count among the rows."""
    start = (
        "import torch\nimport torch.nn.functional as F\nh = torch.ones(2, 3, requires_grad=True)\n"
    )
    summed = f"{start}loss = F.mse_loss(h, torch.zeros(2, 3), reduction='sum')\nloss.backward()\n"
    page = unescape(client().get("/", params={"program": summed}).text)
    assert "∂L∂h=2∂L∂loss⊙(h−(torch.zeros(2, 3)))" in _equations(page)
    assert "Twice the distance of each cell from its target, times the gradient." in page
    counted = f"{start}loss = F.cross_entropy(h, torch.tensor([1, -100]))\nloss.backward()\n"
    page = unescape(client().get("/", params={"program": counted}).text)
    assert "over the number of rows that count" in page


def test_numbers_of_a_panel_are_written_alike() -> None:
    """∂L/∂x = 2 · 0.25 · 0.5 = 0.25 · 1e-3 …: none of 0.0069 has an exponent beside it."""
    assert [alike([0.0069, -6.9856e-4])(x) for x in (0.0069, -6.9856e-4)] == [
        "0.0069000", "−0.0006986",
    ]  # fmt: skip
    assert [alike([2.0, 0.5])(x) for x in (2.0, 0.5, 0.0)] == ["2.0000", "0.5000", "0"]
    assert [alike([2e7, 0.5])(x) for x in (2e7, 0.5)] == ["2.0000e+07", "5.0000e−01"]
    assert [alike([1e-9, 2e-8])(x) for x in (1e-9, 2e-8)] == ["1.0000e−09", "2.0000e−08"]
    assert alike([1.0, 1e-12])(1e-12) == "1.0000e−12"  # which no decimals show


def test_the_batch_is_walked_along_from_a_chosen_cell() -> None:
    """(x @ W)[1, 1] is a1.3's neighbour: one sample further is [2, 1], the fifth cell."""
    page = _page(value="(x @ W)[1, 1]")
    assert "Batch: sample 2 of 3" in page
    walk = re.findall(r'data-choose="a\d+\.(\d+)"', page)
    assert walk == ["1", "5"]
    assert "Batch: sample" not in _page(value="W[1, 1]")


def test_zero_has_no_sign() -> None:
    program = "import numpy as np\nx = np.array([-0.0, 1.0])\nloss = (x * -0.0).sum()\n"
    assert "−0" not in _body(client().get("/", params={"program": program}).text)


def _body(page: str) -> str:
    return re.sub(r"<textarea.*?</textarea>", "", page.partition('id="result"')[2], flags=re.DOTALL)


@pytest.mark.parametrize("cell", ["W[1, 1]", "a1.3", "(W) [1,1]"])
def test_any_cell_is_chosen_by_name_or_place(cell: str) -> None:
    """∂L/∂W = xᵀ · 2y/6 with y = x @ W + b, whose column 1 is 4, 8, 12: ∂L/∂W[1, 1] =
    (2·4 + 4·8 + 6·12) / 3 = 37.3333."""
    page = _page(value=cell)
    assert '<dt>∂W[1, 1]</dt><dd class="grad">37.3333</dd>' in page


@for_each("cell", ["W[2, 0]", "W[0]", "a1.4", "a99.0", "nobody[0]", "[", "W[-1, 0]"])
def test_a_cell_that_is_not_there_is_said_to_be_missing(cell: str) -> None:
    assert "No array of the picture has this cell." in _page(value=cell)


def test_empty_and_odd_arrays_are_drawn() -> None:
    program = (
        "import numpy as np\nx = np.array([np.nan, np.inf])\ne = np.zeros((0,))\n"
        "loss = x.sum() + e.sum()\n"
    )
    answer = client().get("/", params={"program": program})
    assert answer.status_code == 200
    assert 'data-array="a1"' in answer.text


def test_modules_are_boxes_that_open_and_close() -> None:
    """The backward pass of a box whose arrays are all inside is said to go through it."""
    program = (
        "import torch\nfrom torch import nn\nclass Block(nn.Module):\n"
        "    def __init__(self):\n        super().__init__()\n"
        "        self.a = nn.Linear(2, 2)\n        self.b = nn.Linear(2, 2)\n"
        "    def forward(self, x):\n        return torch.relu(self.b(self.a(x)))\n"
        "net = nn.Sequential(Block(), Block())\n"
        "loss = net(torch.ones(1, 2)).sum()\nloss.backward()\n"
    )
    page = unescape(client().get("/", params={"program": program, "grouped": "1"}).text)
    assert page.count('class="array-node boxed') == 2
    assert "The backward pass goes through net.0: 3 operations." in page
    (address,) = re.findall(r'href="(/\?[^"]*open=[^"]*)" aria-label="Open net\.0"', page)
    opened = unescape(client().get(address).text)
    assert opened.count('class="array-node boxed') == 1
    assert re.search(r'title="Close the box">net\.0 ⊟</a>', opened)


@pytest.mark.parametrize(
    "text",
    ["x = np.ones((400, 400))\nloss = x.sum()\n", "x = np.ones(9)\n" + "x = x + 1\n" * 2100],
)
def test_more_than_is_kept_is_said_with_what_to_make_smaller(text: str) -> None:
    page = client().get("/", params={"program": "import numpy as np\n" + text}).text
    assert "Take fewer samples, units or turns" in page
