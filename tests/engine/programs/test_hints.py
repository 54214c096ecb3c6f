"""Hints at the name, module or sign that the writer may have meant."""

from __future__ import annotations

import pytest

from engine.trace.build import trace
from tests.support.each import for_each
from tests.support.programs import finished, refusal


@for_each(
    ("text", "hint"),
    [
        ("y = thanh(0.5)", "Write tanh, or set thanh on a line above."),
        ("alpha = 1\ny = alhpa", "Write alpha, or set alhpa on a line above."),
        (
            "def f(alpha):\n    return alhpa\nf(1)",
            "Write alpha, or set alhpa on a line above.",
        ),
        ("y = pi", "Write math.pi."),
        ("y = e", "Set e on a line above."),
        ("a = 1\nb = 2\nL = ab", "Write a*b for a product."),
        ("a = 1\nb = 2\nL = a·b", "Write a*b for a product."),
        ("y = ln(2.0)", "Write log, or set ln on a line above."),
        ("a = Value(2.0)\nL = a^2", "Write a**2 for a power."),
        ("a = Value(2.0)\nL = (a + 1)^2 * 3", "Write (a + 1)**2 * 3 for a power."),
        ("y = 2.0 ^ 3", "Write 2.0 ** 3 for a power."),
        ("a = In[1]", "Remove the notebook's In [ ]: in front of the line."),
        ("a = 2,5\nL = Value(a)", "Write 2.5 with a point; a comma makes a pair of numbers."),
        ("a = 2,5\nL = a * 0.5", "Write 2.5 with a point; a comma makes a pair of numbers."),
        ("x = [1.0] * 0.5", "Seegrad works on single numbers here; write [v*2 for v in x]."),
        (
            "x = [1.0] * [2.0]",
            "Seegrad works on single numbers here; write [v*w for v, w in zip(x, y)].",
        ),
        ("x = tanh([1.0])", "Seegrad works on single numbers here; write [f(v) for v in x]."),
        ("x = np.foo(1)", "The reference lists the names that are."),
        ("import math\nmath.sqt(2)", "Write sqrt."),
        ("x = 'ab'.uper()", "Write upper."),
        ("x = Value(2.0)\nx.dat", "Write data."),
        ("class A:\n    def forward(self): pass\na = A()\na.foward()", "Write forward."),
        (
            "x = 1\ndef f():\n    x = x + 1\nf()",
            "The function sets x itself; write global x in it, or pass it.",
        ),
        ("xs = [1, 2]\nxs[2]", "The last item is xs[1]."),
        ("xs = []\nxs[0]", "xs is empty."),
        ("a = 2\na(3)", "Write a * (…) for a product."),
        ("a = Value(2.0)(3)", ""),
        ("sum = 0.0\nsum([1])", ("The program has set sum to something else; give that another "
         "name.")),
        ("x = 1 / 0", "The divisor is 0 here; a Value gives inf and goes on: Value(1.0) / 0."),
        ("x = 'a' + 1", "Write str(…) around the number, or an f-string: f'a {x}'."),
        (
            "def f(n):\n    return f(n)\nf(1)",
            "A function calls itself without an end, or more than 1,000 deep.",
        ),
        ("raise ValueError('own')", ""),
        ("raise NameError('own')", ""),
        ("raise AttributeError", ""),
    ],
)  # fmt: skip
def test_hints_at_what_was_meant(text: str, hint: str) -> None:
    assert refusal(text).hint == hint


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("def f(x, y=1):\n    return x", "Add a line that calls it, such as L = f(Value(2.0))."),
        ("import math", "Add an expression, such as L = Value(2.0) * 3."),
        (
            "class MLP:\n    pass",
            "Add a line that uses it, such as L = n([1.0, -2.0]) with n = MLP(2, [3, 1]).",
        ),
    ],
)
def test_definitions_alone_are_told_what_would_be_drawn(text: str, told: str) -> None:
    (note,) = trace(text).notes
    assert note.message.endswith(told)


@for_each("name", ["set", "sum", "list", "exp", "tanh", "e", "max", "print"])
def test_a_name_of_a_built_in_may_be_given_to_a_number(name: str) -> None:
    assert finished(f"{name} = 1.0\nx = {name} * 2").globals["x"] == 2.0


def test_a_list_of_values_times_a_number_is_told_of() -> None:
    (note,) = finished("xs = [Value(1.0), Value(2.0)]\nys = xs * 2").notes
    assert note.message.startswith("A list times a number repeats the list; for products")
    assert finished("xs = [1.0, 2.0]\nys = xs * 2").notes == []


def test_a_module_has_its_own_name_in_a_refusal() -> None:
    assert refusal("m = torch.nn.Foo(2)").message == "torch.nn.Foo is not here."


@for_each(
    "text",
    ["d = {}\nd['a' * 9000]", "raise ValueError('a' * 9000)", "int('9' * 9000 + 'x')",
     "getattr(1, 'a' * 9000)"],
)  # fmt: skip
def test_no_message_is_longer_than_a_line(text: str) -> None:
    error = refusal(text)
    assert len(error.message) < 250
    assert len(error.traceback[-1]) < 250


LEAF = "import torch\na = torch.tensor(2.0, requires_grad=True)\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("import torch\ntorch.optim.SGD(MLP(2, [1]).parameters(), lr=0.1)", "p.data -= 0.1"),
        ("import torch\na = torch.tensor(2.0)\n(a * a).backward()", "requires_grad=True"),
        (f"{LEAF}b = a * a\nb.backward()\nb.backward()", "retain_graph=True"),
    ],
)  # fmt: skip
def test_a_hint_at_what_differs_between_values_and_tensors(text: str, words: str) -> None:
    assert words in refusal(text).hint


def test_factors_that_do_not_fit_are_told_with_their_shapes() -> None:
    """Also in a method, whose variables are not those of the program."""
    start = "import numpy as np\nX = np.ones((4, 3))\nW = np.ones((4, 2))\n"
    assert refusal(f"{start}X @ W + 1").hint == (
        "X is 4×3 and W is 4×2: the columns of the left one, 3, have to be the rows of the right "
        "one, 4. X.T @ W fits."
    )
    layer = (
        "class Layer:\n  def __init__(self): self.W = W.T\n  def run(self, x): return x @ self.W"
    )
    assert refusal(f"{start}{layer}\nLayer().run(X.T @ X)").hint.startswith(
        "x is 3×3 and self.W is 2×4"
    )
