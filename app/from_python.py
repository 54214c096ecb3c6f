"""The page *From Python*: what Seegrad does in a notebook and a terminal, as lines to copy."""

from __future__ import annotations

from typing import NamedTuple

from fastapi import Request, Response
from fastapi.responses import HTMLResponse

from app.caches import cached
from app.serving.compression import packed
from app.site import Site


class PythonLines(NamedTuple):
    """Lines to copy: their id, what they are for, what they show, and themselves."""

    id: str
    title: str
    words: str
    code: str
    is_shell: bool = False


LINES = (
    PythonLines(
        "install",
        "Install",
        "From a checkout. Pictures need the extra “show”, and no server; without it, the import "
        "loads the standard library alone.",
        'pip install ".[show]"',
        is_shell=True,
    ),
    PythonLines(
        "value",
        "The graph of your own class",
        "micrograd’s Value, Seegrad’s, or any class that holds data, a gradient and what it was "
        "computed from. "
        "Below the cell: both passes, step by step, and the verdict on the class by its lines.",
        "import seegrad\n"
        "from seegrad import Value\n\n"
        "a, b, c, f = Value(2.0), Value(-3.0), Value(10.0), Value(-2.0)\n"
        "L = (a * b + c) * f\n"
        "L.backward()\n"
        "seegrad.show(L)",
    ),
    PythonLines(
        "torch",
        "PyTorch, forward and backward",
        "Every operation in its true order, with lines, modules, shapes, numbers and what flows "
        "along each edge. The "
        "program does not notice: its gradients are the same bit for bit.",
        "import torch, seegrad\n"
        "import torch.nn.functional as F\n"
        "from torch.nn import Linear, Sequential, Tanh\n\n"
        "model = Sequential(Linear(4, 8), Tanh(), Linear(8, 3))\n"
        "x, y = torch.randn(5, 4), torch.tensor([0, 1, 2, 0, 1])\n\n"
        "with seegrad.record() as run:\n"
        "    loss = F.cross_entropy(model(x), y)\n"
        "    loss.backward()\n"
        "run",
    ),
    PythonLines(
        "explain",
        "Why does it not train?",
        "Where the first nan was born and of what, why a gradient is None or 0, what was "
        "detached, double softmax, a "
        "missing zero_grad, a broadcast that was not meant: each with its line, its numbers and "
        "what to do.",
        'run.explain()\nrun.explain("model.0.weight")\nrun.explain("cuts")',
    ),
    PythonLines(
        "check",
        "Is every gradient right?",
        "Each Node of autograd, also of your own torch.autograd.Function, against differences in "
        "float64.",
        "run.check()",
    ),
    PythonLines(
        "jax",
        "JAX",
        "Each equation of a function, forward and backward, with its line.",
        "import jax.numpy as jnp, seegrad\n\n"
        "def loss(w, x):\n"
        "    return jnp.sum(jnp.tanh(x @ w) ** 2)\n\n"
        "run = seegrad.jax(loss)(jnp.ones((3, 2)), jnp.ones((4, 3)))\n"
        "run",
    ),
    PythonLines(
        "script",
        "A script, as Python runs it",
        "Its output, arguments and exit status are its own; beside it, a page of its last "
        "backward pass.",
        "python -m seegrad run train.py --epochs 3",
        is_shell=True,
    ),
    PythonLines(
        "magic",
        "A cell that trains",
        "The cell runs as ever; below it, the graph of its last pass, or of pass N.",
        "%load_ext seegrad\n\n"
        "%%seegrad --pass 1\n"
        "for step in range(3):\n"
        "    loss = (w * 3.0 - 6.0) ** 2\n"
        "    loss.backward()",
    ),
    PythonLines(
        "keep",
        "Keep it, send it",
        "One file that steps offline and asks nobody for anything; JSON that comes back.",
        'seegrad.show(L).save("graph.html")\n'
        'run.save("step.html")\n'
        "again = seegrad.load(run.json())",
    ),
)


def add_from_python(site: Site) -> None:
    """Register /from-python, rendered once per process."""

    @cached("page of lines for Python")
    def page() -> str:
        return site.renderer.page("from_python.html", {"page": "from_python", "lines": LINES})

    async def from_python(request: Request) -> Response:
        body, headers = packed(request, page().encode())
        return HTMLResponse(body, 200, headers)

    site.app.add_route("/from-python", from_python, methods=["GET"], include_in_schema=False)
