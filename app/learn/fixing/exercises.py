"""The table of exercises: each is the right class with one change, and a program that shows it.

To add one, add an entry. The tests prove that the change makes gradients wrong on the hidden
programs, and that undoing it makes them right.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from app.learn.fixing.right_class import RIGHT


class FixExercise(NamedTuple):
    """One exercise; `right` and `wrong` are the text changed, `shows` a program that goes wrong.

    `hints` lead from the program to the rule and to the place.
    """

    slug: str
    title: str
    story: str
    right: str
    wrong: str
    shows: str
    hints: tuple[str, str, str]
    said: str

    @property
    def program(self) -> str:
        """The class with its mistake, and the program that shows it."""
        return f"{RIGHT.replace(self.right, self.wrong, 1)}\n\n\n{self.shows.strip()}\n"

    @property
    def solution(self) -> str:
        """The same program with the right class."""
        return f"{RIGHT}\n\n\n{self.shows.strip()}\n"


_ENTRIES = (
    FixExercise(
        "own-number",
        "The product that looks the wrong way",
        "A product sends a gradient to each of its factors. One of the two is wrong.",
        "other.grad += self.data * out.grad",
        "other.grad += other.data * out.grad",
        "a = Value(2.0)\nb = Value(-3.0)\np = a * b\np.backward()\nprint(a.grad, b.grad)",
        (
            "Nudge `b` by 0.01. How far does `p` move?",
            "The slope of a·b with respect to b is a: the number of the *other* factor.",
            "In `__mul__`, `other` is sent its own number. Which number should it be?",
        ),
        "A product swaps: each factor gets the number of the other one.",
    ),
    FixExercise(
        "last-one-wins",
        "The last one wins",
        "A Value that is used once gets the right gradient. Used twice, it does not.",
        "self.grad += out.grad\n            other.grad += out.grad",
        "self.grad = out.grad\n            other.grad = out.grad",
        "a = Value(3.0)\nb = a + a\nb.backward()\nprint(a.grad)",
        (
            "`b = a + a` is 2·a. What is its slope, and what is printed?",
            "The gradient of a Value is the *sum* of what all its uses send.",
            "Look at the two assignments in `__add__`: do they add, or do they replace?",
        ),
        "Contributions are added with `+=`; `=` keeps only the last one.",
    ),
    FixExercise(
        "cut-chain",
        "The chain that breaks in the middle",
        "Right for one product; wrong as soon as something follows it.",
        "self.grad += other.data * out.grad\n            other.grad += self.data * out.grad",
        "self.grad += other.data\n            other.grad += self.data",
        "a = Value(2.0)\nb = Value(3.0)\nL = (a * b) * 4.0\nL.backward()\nprint(a.grad, b.grad)",
        (
            "Without the 4, the gradients are right. What does the 4 change?",
            "Chain rule: the local slope *times the gradient of the output*.",
            "In `__mul__`, one factor is missing on both lines.",
        ),
        "Each contribution is the local slope times the incoming gradient.",
    ),
    FixExercise(
        "wrong-sign",
        "A difference of signs",
        "Sums are right. Differences are not.",
        "other.grad += -out.grad",
        "other.grad += out.grad",
        "a = Value(5.0)\nb = Value(2.0)\nd = a - b\nd.backward()\nprint(a.grad, b.grad)",
        (
            "Let `b` grow a little. Does `d` grow or shrink?",
            "The slope of a − b with respect to b is −1.",
            "Look at the second line of `_backward` in `__sub__`.",
        ),
        "What is subtracted gets the gradient with its sign flipped.",
    ),
    FixExercise(
        "power",
        "One power too many",
        "The gradients of squares and cubes are too large, or too small.",
        "n * self.data ** (n - 1) * out.grad",
        "n * self.data**n * out.grad",
        "x = Value(3.0)\ny = x**2\ny.backward()\nprint(x.grad)",
        (
            "The slope of x² at 3 is 6. How is the printed number made from 2 and 3?",
            "The slope of xⁿ is n · xⁿ⁻¹.",
            "In `__pow__`, look at the exponent.",
        ),
        "The exponent comes down as a factor, and is one less in what is left.",
    ),
    FixExercise(
        "input-for-output",
        "tanh forgets what it computed",
        "For small numbers the gradient of tanh is nearly right. For large ones it is far off.",
        "(1 - t**2) * out.grad",
        "(1 - self.data**2) * out.grad",
        "n = Value(0.8814)\no = n.tanh()\no.backward()\nprint(n.grad)",
        (
            "At 0.8814 the slope of tanh is near 0.5. Try 3.0: can a slope of tanh be negative?",
            "The slope of tanh is 1 − tanh², written with the *output*.",
            "In `tanh`, which number is squared, and which one should be?",
        ),
        "The rule of tanh uses its output t, not its input.",
    ),
    FixExercise(
        "no-seed",
        "Silence",
        "Nothing fails, and every gradient is 0.",
        "        self.grad = 1.0\n",
        "",
        "a = Value(2.0)\nb = a * 3.0\nb.backward()\nprint(a.grad, b.grad)",
        (
            "What is the gradient of `b` with respect to itself?",
            "The pass begins with ∂b/∂b = 1. Everything else is that 1, times slopes.",
            "In `backward`, before the loop, one line is missing.",
        ),
        "The output's own gradient is 1: without that seed every product is 0.",
    ),
    FixExercise(
        "too-early",
        "Passed on too early",
        "Chains are right. Where two paths part, the gradient is wrong.",
        "                for child in value._prev:\n                    build(child)\n"
        "                topo.append(value)\n\n        build(self)\n        self.grad = 1.0\n"
        "        for value in reversed(topo):",
        "                topo.append(value)\n                for child in value._prev:\n"
        "                    build(child)\n\n        build(self)\n        self.grad = 1.0\n"
        "        for value in topo:",
        "a = Value(3.0)\nu = a * 2.0\ny = u + u * u\ny.backward()\nprint(a.grad)",
        (
            "Work out u.grad by hand, then a.grad. Which of the two is wrong?",
            "A Value may pass its gradient on only when *all* of its contributions have arrived.",
            "`build` lists a Value before those in its `_prev`. When should it be listed?",
        ),
        "In topological order a Value comes after all that it is made of. Read it from its end.",
    ),
    FixExercise(
        "twins",
        "Twins",
        "Each Value is visited once. Yet some gradients are lost.",
        "        seen = set()\n\n        def build(value):\n            if value not in seen:\n"
        "                seen.add(value)",
        "        seen = []\n\n        def build(value):\n"
        "            if value.data not in seen:\n                seen.append(value.data)",
        "a = Value(2.0)\nb = Value(2.0)\ny = (a * 3.0) + (b * 3.0)\ny.backward()\n"
        "print(a.grad, b.grad)",
        (
            "Change `b` to 2.5, and its gradient arrives. Why is it lost with 2.0?",
            "Two Values with the same number are two Values.",
            "In `backward`, what does `seen` hold for each Value: the Value, or its number?",
        ),
        "A graph is made of objects; equal numbers do not make two of them one.",
    ),
    FixExercise(
        "twice-through",
        "Twice through the same door",
        "The deeper the program, the larger the error.",
        "            if value not in seen:\n                seen.add(value)\n"
        "                for child in value._prev:\n                    build(child)\n"
        "                topo.append(value)",
        "            seen.add(value)\n            for child in value._prev:\n"
        "                build(child)\n            topo.append(value)",
        "a = Value(1.5)\nu = a * a\ny = u * u\ny.backward()\nprint(a.grad)",
        (
            "`y` is a⁴. Compare its slope, 4·a³, with what is printed.",
            "Every Value passes its gradient on *once*.",
            "In `build`, what is `seen` for? Nothing reads it.",
        ),
        "A Value that two others use would be visited twice, and pass on its gradient twice.",
    ),
)  # fmt: skip

EXERCISES: Mapping[str, FixExercise] = {entry.slug: entry for entry in _ENTRIES}
"""Every exercise by its slug, from easy to hard."""
