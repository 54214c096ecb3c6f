"""The table of exercises on arrays with numbers to fill in, row by row; a seed gives fresh numbers.

To add one, add an entry. The tests compare its answers with plain loops, and prove that slips are
named.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import NamedTuple

from app.learn.tasks import LineVerdict
from engine.exercise.answer_text import AnswerError
from engine.exercise.array_answers import (
    DATA,
    GRAD,
    SHAPE,
    read_rows,
    read_shape,
    rows_slip,
    shape_slip,
)
from engine.program import Limits, Program
from engine.trace.array_trace import ArrayTrace, TracedArray, array_trace

SEED = re.compile(r"\A# Numbers (\d{1,6})\s*$", re.MULTILINE)
ANSWERS = "# Your answers: a row on each line, the numbers with spaces between them."
MISSING = "missing"


class AskedArray(NamedTuple):
    """An array that is asked for: `title` begins its line, `of` is the program's name for it."""

    title: str
    of: str
    kind: str
    hint: str


class RowsExercise(NamedTuple):
    """One exercise; `program` writes a program in NumPy with numbers drawn, `said` is learned."""

    slug: str
    title: str
    story: str
    program: Callable[[Random], str]
    asked: Sequence[AskedArray]
    said: str

    def given(self, seed: int) -> str:
        """The program of a seed."""
        program = self.program(Random(seed)).strip()  # noqa: S311  no secret is made
        return f"# Numbers {seed}\nimport numpy as np\n\n{program}\n"

    def text(self, seed: int) -> str:
        """The program, and the fields below it."""
        fields = "".join(f"{it.title} =\n" for it in self.asked)
        return f"{self.given(seed)}\n{ANSWERS}\n{fields}"

    def answers(self, seed: int, limits: Limits) -> tuple[ArrayTrace, list[TracedArray]]:
        """The graph of a seed's program, and the arrays that are asked for."""
        found = array_trace(Program(self.given(seed), limits).run())
        assert found is not None
        named = {node.name: node for node in found.nodes}
        return found, [named[it.of] for it in self.asked]


def seed_of(text: str) -> int:
    """The seed that a text names; 0 if it names none."""
    found = SEED.search(text)
    return int(found[1]) if found else 0


def judged_rows(exercise: RowsExercise, text: str, limits: Limits) -> list[LineVerdict]:
    """The verdict on each array that is asked for."""
    trace, nodes = exercise.answers(seed_of(text), limits)
    typed = _typed(exercise, text)
    return [
        _verdict(trace, node, asked, typed.get(asked.title, []))
        for asked, node in zip(exercise.asked, nodes, strict=True)
    ]


def shown(node: TracedArray, kind: str) -> str:
    """The right answer as it would be typed."""
    if kind == SHAPE:
        return "×".join(map(str, node.data.shape))
    array = node.data if kind == DATA else node.grad
    assert array is not None
    columns = array.shape[-1]
    words = [f"{x:.4f}".rstrip("0").rstrip(".") for x in array.data]
    words = ["0" if word == "-0" else word for word in words]
    rows = [words[at : at + columns] for at in range(0, len(words), columns)]
    return "\n".join(" ".join(row) for row in rows)


def _verdict(
    trace: ArrayTrace, node: TracedArray, asked: AskedArray, lines: Sequence[str]
) -> LineVerdict:
    if not lines:
        return LineVerdict(asked.title, MISSING, "not written yet")
    try:
        if asked.kind == SHAPE:
            says = shape_slip(trace, node, read_shape(lines))
        else:
            rows = read_rows(lines, node.data.shape[-1])
            says = rows_slip(trace, node, asked.kind, rows)
    except AnswerError as error:
        says = str(error)
    return LineVerdict(asked.title, "wrong" if says else "right", says, is_right=not says)


def _typed(exercise: RowsExercise, text: str) -> Mapping[str, list[str]]:
    """The lines below each title, with what stands beside it."""
    found: dict[str, list[str]] = {}
    titles = {it.title for it in exercise.asked}
    now: list[str] | None = None
    for line in text.partition(ANSWERS)[2].splitlines():
        title, equals, rest = line.partition("=")
        if equals and title.strip() in titles:
            now = found.setdefault(title.strip(), [])
            line = rest
        if now is not None and line.strip() and not line.lstrip().startswith("#"):
            now.append(line)
    return found


def _array(rng: Random, *shape: int) -> str:
    """An array of whole numbers from −3 to 3, no two rows alike, as a program has it."""
    numbers = [x for x in range(-3, 4) if x]
    rows, columns = shape if len(shape) == 2 else (1, shape[0])
    while True:
        made = [[float(rng.choice(numbers)) for _ in range(columns)] for _ in range(rows)]
        if len({tuple(row) for row in made}) == rows and len({*made[0]}) > 1 - (columns == 1):
            return _written(made) if len(shape) == 2 else f"np.array({made[0]})"


def _written(rows: Sequence[Sequence[float]]) -> str:
    """A two-dimensional array as a program has it, a row on each line."""
    return "np.array([\n" + "".join(f"    {list(row)},\n" for row in rows) + "])"


def _shapes(rng: Random) -> str:
    n, nin, hidden, out = rng.sample(range(2, 10), 4)
    return f"""
x = np.ones(({n}, {nin}))
W1 = np.ones(({nin}, {hidden}))
b1 = np.ones({hidden})
h = np.tanh(x @ W1 + b1)
W2 = np.ones(({hidden}, {out}))
y = h @ W2
s = y.sum(axis=1, keepdims=True)
loss = (s**2).sum()
"""


def _product(rng: Random) -> str:
    return f"""
x = {_array(rng, 2, 3)}
W = {_array(rng, 3, 2)}
y = x @ W
dy = {_array(rng, 2, 2)}
loss = (dy * y).sum()
"""


def _broadcast(rng: Random) -> str:
    return f"""
x = {_array(rng, 3, 2)}
b = {_array(rng, 2)}
y = x + b
c = {_array(rng, 3, 1)}
z = y * c
dz = {_array(rng, 3, 2)}
loss = (dz * z).sum()
"""


def _scores(rng: Random) -> str:
    found = rng.sample([[1, 2, 1], [1, 1, 2], [3, 1, 4], [2, 5, 3], [1, 6, 1], [4, 1, 5]], 2)
    rows = [[float(x) for x in rng.sample(row, 3)] for row in found]
    labels = rng.sample(range(3), 2)
    return f"""
scores = np.log({_written(rows)})
e = np.exp(scores)
p = e / e.sum(axis=1, keepdims=True)
labels = np.array({labels})
loss = -np.log(p[[0, 1], labels]).mean()
"""


def _batch_norm(rng: Random) -> str:
    columns = []
    for _ in range(2):
        mean, spread = rng.randint(-3, 5), rng.choice([1, 2, 4])
        signs = rng.sample([1, 1, -1, -1], 4)
        columns.append([float(mean + spread * sign) for sign in signs])
    rows = [list(row) for row in zip(*columns, strict=True)]
    return f"""
x = {_written(rows)}
gamma = {_array(rng, 2)}
beta = {_array(rng, 2)}
xhat = (x - x.mean(axis=0)) / np.sqrt(x.var(axis=0))
y = gamma * xhat + beta
dy = {_array(rng, 4, 2)}
loss = (dy * y).sum()
"""


_ENTRIES = (
    RowsExercise(
        "shapes",
        "Shapes, both ways",
        "No number has to be computed here. Which shapes do the arrays and their gradients have?",
        _shapes,
        (
            AskedArray("shape of h", "h", SHAPE, "n×k times k×m makes n×m; b1 and tanh keep it."),
            AskedArray("shape of dW1", "W1", SHAPE, "A gradient has the shape of its array."),
            AskedArray("shape of db1", "b1", SHAPE, "A gradient has the shape of its array."),
            AskedArray("shape of s", "s", SHAPE, "axis=1 runs across the columns; one is left."),
            AskedArray("shape of dy", "y", SHAPE, "A gradient has the shape of its array."),
        ),
        "Every gradient has the shape of its array. That alone catches many mistakes.",
    ),
    RowsExercise(
        "product-numbers",
        "The product, with numbers",
        "The gradient of `y` is `dy`. Which gradients do `x` and `W` get?",
        _product,
        (
            AskedArray("dW", "W", GRAD, "dW = x.T @ dy: each cell sums over the rows of x and dy."),
            AskedArray("dx", "x", GRAD, "dx = dy @ W.T: a row of dy times each row of W."),
        ),
        "The shapes leave one way to multiply: x.T @ dy for the right factor, dy @ W.T for the "
        "left one.",
    ),
    RowsExercise(
        "broadcast-numbers",
        "Copies, with numbers",
        "NumPy repeats `b` in every row, and `c` in every column. The gradient of `z` is `dz`.",
        _broadcast,
        (
            AskedArray("dy", "y", GRAD, "× swaps: dz times c, row by row."),
            AskedArray("db", "b", GRAD, "b stands in three rows: add up the rows of dy."),
            AskedArray("dc", "c", GRAD, "c stands in two columns: add up dz · y across each row."),
        ),
        "Whatever is repeated on the way forward is added up on the way back.",
    ),
    RowsExercise(
        "scores-numbers",
        "Softmax with cross-entropy, with numbers",
        "The `exp` of each score is a whole number, so no calculator is needed.",
        _scores,
        (
            AskedArray("p", "p", DATA, "exp undoes log. Divide each number by the sum of its row."),
            AskedArray("dscores", "scores", GRAD, "p, less 1 at the label, then halved."),
        ),
        "Probability minus target, divided by the number of samples.",
    ),
    RowsExercise(
        "batch-norm-numbers",
        "Batch norm, with numbers",
        "The columns are chosen so that every `xhat` is whole. The gradient of `y` is `dy`.",
        _batch_norm,
        (
            AskedArray("xhat", "xhat", DATA, "Distance to the mean, divided by the spread."),
            AskedArray("dbeta", "beta", GRAD, "beta is added to every row: add up dy."),
            AskedArray("dgamma", "gamma", GRAD, "gamma meets xhat in every row: add up dy · xhat."),
            AskedArray(
                "dx",
                "x",
                GRAD,
                "gamma / (4 · spread) · (4 · dy − its column's sum − xhat · sum of dy · xhat).",
            ),
        ),
        "Each column of dx adds up to 0: moving all samples alike moves nothing.",
    ),
)
ROWS: Mapping[str, RowsExercise] = {entry.slug: entry for entry in _ENTRIES}
"""Every exercise with numbers by slug, the easiest first."""
