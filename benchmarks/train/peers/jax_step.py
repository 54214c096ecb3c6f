"""JAX, one compiled call per step; `jax_scan` repeats the same step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from benchmarks.train.tasks import Task, joined, split
from benchmarks.train.worker import Training

jax.config.update("jax_enable_x64", True)

APPLY = {"tanh": jnp.tanh, "relu": jax.nn.relu, "linear": lambda z: z}
LOSS = {
    "sum_squares": lambda o, y: ((o - y) ** 2).sum(),
    "mse": lambda o, y: ((o - y) ** 2).mean(),
    "hinge": lambda o, y: jax.nn.relu(1 - y * o).mean(),
    "cross_entropy": lambda o, y: -(jax.nn.log_softmax(o) * y).sum(axis=1).mean(),
}

State = Any
"""Parameters, Adam's two moments, the powers of its betas."""


def begin(task: Task) -> State:
    layers = split(task, task.start())
    parameters = [(jnp.array(weights).T, jnp.array(biases)) for weights, biases in layers]
    zeros = jax.tree.map(jnp.zeros_like, parameters)
    return parameters, zeros, zeros, (jnp.ones(()), jnp.ones(()))


def batches(task: Task) -> tuple[Any, Any]:
    """The rows in batches, of shape (batches, rows, columns); classes one-hot."""
    x, labels = jnp.array(task.inputs), jnp.array(task.targets)
    classes = task.layers[-1]
    y = jnp.eye(classes)[labels.astype(int)] if classes > 1 else labels[:, None]
    count = len(task.rows) // task.batch
    return x.reshape(count, task.batch, -1), y.reshape(count, task.batch, -1)


def one_step(task: Task) -> Callable[[State, Any, Any], State]:
    """The function (state, batch) → next state."""

    def objective(parameters: Any, x: Any, y: Any) -> Any:
        for (w, b), name in zip(parameters, task.activations, strict=True):
            x = APPLY[name](x @ w + b)
        penalty = sum((p**2).sum() for p in jax.tree.leaves(parameters)) if task.l2 else 0.0
        return LOSS[task.loss](x, y) + task.l2 * penalty

    def step(state: State, x: Any, y: Any) -> State:
        parameters, m, v, (c1, c2) = state
        g = jax.grad(objective)(parameters, x, y)
        if task.optimizer == "adam":
            c1, c2 = 0.9 * c1, 0.999 * c2
            m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, g)
            v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g**2, v, g)
            g = jax.tree.map(lambda m, v: m / (1 - c1) / (jnp.sqrt(v / (1 - c2)) + 1e-8), m, v)
        parameters = jax.tree.map(lambda p, g: p - task.rate * g, parameters, g)
        return parameters, m, v, (c1, c2)

    return step


def flat(state: State) -> list[float]:
    return joined([(w.T.tolist(), b.tolist()) for w, b in state[0]])


def start(task: Task) -> Training:
    step = jax.jit(one_step(task))
    state = begin(task)
    rows = list(zip(*batches(task), strict=True))
    jax.block_until_ready(step(state, *rows[0]))  # compiles
    at = 0

    def train(steps: int) -> None:
        nonlocal state, at
        for _ in range(steps):
            state = step(state, *rows[at])
            at = (at + 1) % len(rows)
        jax.block_until_ready(state)

    return Training(train, lambda: flat(state))
