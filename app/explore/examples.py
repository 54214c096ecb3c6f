"""Example programs. The first is the default of the page."""

from __future__ import annotations

from dataclasses import dataclass, replace

from app.program_address import View


@dataclass(frozen=True, slots=True)
class Example:
    """An example: `slug` is its identifier, `title` its label; `grouped` closes its groups."""

    slug: str
    title: str
    program: str
    grouped: bool = False

    @property
    def address(self) -> str:
        """The address of its page, which opens before the first step."""
        return "/?" + View(self.program, frame=0, grouped=self.grouped or None).query()


def _example(slug: str, title: str, program: str, *, grouped: bool = False) -> Example:
    return Example(slug, title, program.strip("\n"), grouped)


EXAMPLES: tuple[Example, ...] = (
    _example(
        "product",
        "(a·b + c)·f",
        """
a = 2.0
b = -3.0
c = 10.0
f = -2.0
L = (a*b + c) * f
""",
    ),
    _example(
        "neuron",
        "Neuron with tanh",
        """
# inputs, weights and the bias of one neuron
x1 = Value(2.0, label='x1')
x2 = Value(0.0, label='x2')
w1 = Value(-3.0, label='w1')
w2 = Value(1.0, label='w2')
b = Value(6.8813735870195432, label='b')
n = x1*w1 + x2*w2 + b; n.label = 'n'
o = n.tanh(); o.label = 'o'
o.backward()
""",
    ),
    _example(
        "twice",
        "a + a",
        """
# one Value used twice receives two contributions
a = Value(3.0, label='a')
b = a + a
b.backward()
print(a.grad)
""",
    ),
    _example(
        "softmax",
        "Softmax",
        """
# three logits, and the loss if the second class is right
z = [2.0, 1.0, -1.0]
e = [exp(zi) for zi in z]
total = sum(e)
p = [ei / total for ei in e]
loss = -log(p[1])
""",
    ),
    _example(
        "mlp",
        "Small MLP",
        """
random.seed(7)
n = MLP(2, [3, 1])
x = [0.5, -1.0]
y = n(x)
loss = (y - 1.0)**2
loss.backward()
""",
    ),
    _example(
        "training",
        "Train an MLP",
        """
# four points, 41 parameters, 20 steps; the last step is drawn
xs = [
    [2.0, 3.0, -1.0],
    [3.0, -1.0, 0.5],
    [0.5, 1.0, 1.0],
    [1.0, 1.0, -1.0],
]
ys = [1.0, -1.0, -1.0, 1.0]

random.seed(42)
n = MLP(3, [4, 4, 1])
for k in range(20):
    ypred = [n(x) for x in xs]
    loss = sum((yp - yt)**2 for yt, yp in zip(ys, ypred))
    n.zero_grad()
    loss.backward()
    for p in n.parameters():
        p.data += -0.05 * p.grad
    print(k, loss.data)
""",
        grouped=True,
    ),
    _example(
        "tanh-from-exp",
        "tanh from exp",
        """
# tanh taken apart: the same gradient along a longer path
n = 0.8814
e = exp(2*n)
o = (e - 1) / (e + 1)
""",
    ),
    _example(
        "nudge",
        "A derivative from a nudge",
        """
def f(x):
    return 3*x**2 - 4*x + 5

h = 0.0001
x = 2/3
slope = (f(x + h) - f(x)) / h
print(slope)
""",
    ),
    _example(
        "nudge-inputs",
        "Nudge one input",
        """
h = 0.0001
a = 2.0; b = -3.0; c = 10.0
d1 = a*b + c
a += h
d2 = a*b + c
slope = (d2 - d1) / h
print("dd/da =", slope)
""",
    ),
    _example(
        "sum-and-product",
        "(a + b)·c",
        """
a = Value(2.0)
b = Value(-3.0)
c = Value(10.0)
d = a + b
e = d * c
""",
    ),
    _example(
        "product-and-sum",
        "a·b + c",
        """
a = Value(2.0)
b = Value(-3.0)
c = Value(10.0)
d = a*b + c
d.backward()
print(f"a.grad = {a.grad}")
""",
    ),
    _example(
        "square",
        "a·b + b²",
        """
a = Value(2.0)
b = Value(3.0)
e = a*b + b**2
e.backward()
print(a.grad, b.grad)
""",
    ),
    _example(
        "raw-numbers",
        "Numbers on either side",
        """
a = Value(3.0)
b = 2*a + 1
""",
    ),
    _example(
        "four-operations",
        "Minus, divide, power",
        """
a = Value(4.0)
b = Value(2.0)
c = (a - b) + (a / b) + a**2 + (-a)
""",
    ),
    _example(
        "accumulate",
        "Gradients that add up",
        """
# the gradient is not reset between the passes
a = Value(3.0)
b = a * 2
b.backward()
print("after the first:", a.grad)
b = a * 2
b.backward()
print("after the second:", a.grad)
""",
    ),
    _example(
        "relu-kink",
        "relu at its kink",
        """
x = 0.0
y = relu(x) + abs(x - 1)
""",
    ),
    _example(
        "log-loss",
        "Logistic loss",
        """
w = 1.5; b = -0.5; x = 2.0
p = sigmoid(w*x + b)
loss = -log(p)
""",
    ),
)


def begun(view: View) -> View:
    """The view of a page; without a program, that of the first example before its first step."""
    if view.program is None and view.frame is None:
        view = view.at(0)
    return or_example(view)


def or_example(view: View) -> View:
    """The view, or that of the first example if it has no program."""
    return view if view.program is not None else replace(view, program=EXAMPLES[0].program)
