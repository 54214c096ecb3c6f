"""The table of backward passes to write by hand: a forward pass in NumPy, and the lines asked for.

To add one, add an entry. The tests prove that its solution is right by our rules and by slopes that
are measured, and that the page does not have it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class AskedLine(NamedTuple):
    """A gradient that is asked for, and the right-hand side that computes it."""

    name: str
    right: str
    hint: str


class ByHandExercise(NamedTuple):
    """One exercise; `said` is what is learned from it."""

    slug: str
    title: str
    story: str
    forward: str
    lines: tuple[AskedLine, ...]
    said: str

    def program(self, solved: bool = False) -> str:
        """The forward pass, and the lines of the backward one, to be filled in or as they are."""
        lines = [f"{it.name} = {it.right if solved else 'None'}" for it in self.lines]
        return "\n".join(["import numpy as np", "", self.forward.strip(), "", BACKWARD, *lines, ""])


BACKWARD = "# The backward pass: write each line in place of None."

_ENTRIES = (
    ByHandExercise(
        "product",
        "The product, both ways",
        "A layer without its bias: `y = x @ W`. Both `W` and `x` get a gradient.",
        """
x = np.array([[1.0, 2.0, -1.0], [0.5, -1.0, 3.0]])
W = np.array([[0.5, -1.0], [2.0, 0.3], [-0.7, 1.5]])
y = x @ W
loss = (y**2).sum()
""",
        (
            AskedLine("dy", "2 * y", "loss is a sum of squares: the slope of y² is 2y."),
            AskedLine("dW", "x.T @ dy", "dW is 3×2, as W is. x is 2×3, dy is 2×2."),
            AskedLine("dx", "dy @ W.T", "dx is 2×3, as x is. dy is 2×2, W is 3×2."),
        ),
        "The shapes leave one way to multiply: x.T @ dy for the right factor, dy @ W.T for the "
        "left one.",
    ),
    ByHandExercise(
        "broadcast",
        "One bias for every row",
        "NumPy adds the bias to each of the three rows. Which gradient does it get?",
        """
x = np.array([[1.0, -2.0], [0.5, 1.0], [3.0, 0.2]])
b = np.array([0.1, -0.4])
z = x + b
h = np.tanh(z)
loss = (h**2).sum()
""",
        (
            AskedLine("dh", "2 * h", "loss adds up squares: the slope of h² is 2h."),
            AskedLine("dz", "dh * (1 - h**2)", "The slope of tanh is 1 − h², cell by cell."),
            AskedLine("db", "dz.sum(axis=0)", "b has two numbers and dz three rows of two."),
        ),
        "Forward the bias is copied to every row; backward the rows are added up again.",
    ),
    ByHandExercise(
        "cross-entropy",
        "Softmax with cross-entropy, in one line",
        "Five operations lead from the scores to the loss. The way back is one short line.",
        """
logits = np.array([[2.0, 1.0, -1.0], [0.5, 0.5, 0.5]])
labels = np.array([1, 2])
n = 2
e = np.exp(logits)
p = e / e.sum(axis=1, keepdims=True)
loss = -np.log(p[np.arange(n), labels]).mean()
target = np.eye(3)[labels]
""",
        (
            AskedLine(
                "dlogits",
                "(p - target) / n",
                "Probability minus target, and a mean over n samples.",
            ),
        ),
        "The exponentials cancel: the gradient is (p - target) / n.",
    ),
    ByHandExercise(
        "batch-norm",
        "Batch norm, one operation a line",
        "`x` reaches the loss on three paths: directly, through the mean and through the variance.",
        """
x = np.array([[1.0, 40.0], [3.0, 10.0], [2.0, 20.0], [6.0, 10.0]])
gamma = np.array([1.0, -0.5])
beta = np.array([0.2, 1.0])
n = 4
mean = x.mean(axis=0)
c = x - mean
var = (c**2).mean(axis=0)
s = np.sqrt(var + 1e-5)
xhat = c / s
y = gamma * xhat + beta
g = np.array([[1.0, -1.0], [0.5, 2.0], [-2.0, 0.5], [1.0, 0.0]])
loss = (g * y).sum()
""",
        (
            AskedLine(
                "dbeta", "g.sum(axis=0)", "g is the gradient of y, and beta is in every row."
            ),
            AskedLine("dgamma", "(g * xhat).sum(axis=0)", "gamma meets xhat in every row."),
            AskedLine("dxhat", "g * gamma", "× swaps."),
            AskedLine("ds", "-(dxhat * c / s**2).sum(axis=0)", "s divides every row: −c/s² each."),
            AskedLine("dvar", "ds / (2 * s)", "The slope of a square root is 1 / (2 · root)."),
            AskedLine("dc", "dxhat / s + dvar * 2 * c / n", "xhat uses c, and var does, too."),
            AskedLine("dmean", "-dc.sum(axis=0)", "The mean is subtracted from every row."),
            AskedLine("dx", "dc + dmean / n", "c uses x, and the mean does, too."),
        ),
        "Eight short lines, and they are the long formula that papers print.",
    ),
    ByHandExercise(
        "ten",
        "A network of ten operations",
        "Two layers, softmax and cross-entropy, one operation a line. Go back through all of them.",
        """
x = np.array([[1.0, 2.0], [-0.5, 1.0], [0.3, -1.2]])
labels = np.array([0, 1, 1])
onehot = np.eye(2)[labels]
n = 3
W1 = np.array([[0.2, -0.5, 1.0], [0.7, 0.1, -0.3]])
b1 = np.array([0.1, 0.0, -0.2])
W2 = np.array([[0.6, -0.4], [-0.9, 0.8], [0.5, 0.3]])
b2 = np.array([0.0, 0.1])
a = x @ W1
z = a + b1
h = np.tanh(z)
s = h @ W2
logits = s + b2
e = np.exp(logits)
total = e.sum(axis=1, keepdims=True)
p = e / total
logp = np.log(p)
loss = -(logp * onehot).sum() / n
""",
        (
            AskedLine("dlogp", "-onehot / n", "Only the labels' cells count, by −1/n each."),
            AskedLine("dp", "dlogp / p", "The slope of log p is 1/p."),
            AskedLine(
                "dtotal",
                "-(dp * e / total**2).sum(axis=1, keepdims=True)",
                "p = e/total: the slope along total is −e/total², and a row shares its total.",
            ),
            AskedLine("de", "dp / total + dtotal", "e is used twice: in the fraction, in the sum."),
            AskedLine("dlogits", "de * e", "exp is its own slope."),
            AskedLine("db2", "dlogits.sum(axis=0)", "The bias is added to every row."),
            AskedLine("dW2", "h.T @ dlogits", "The shape of W2 is 3×2."),
            AskedLine("dh", "dlogits @ W2.T", "The shape of h is 3×3."),
            AskedLine("dz", "dh * (1 - h**2)", "The slope of tanh is 1 − h²."),
            AskedLine("db1", "dz.sum(axis=0)", "The bias is added to every row."),
            AskedLine("dW1", "x.T @ dz", "The shape of W1 is 2×3."),
        ),
        "Eleven lines, no calculus beyond one operation at a time: this is what backward() does.",
    ),
)
EXERCISES: Mapping[str, ByHandExercise] = {entry.slug: entry for entry in _ENTRIES}
"""Every exercise by slug, the easiest first."""
