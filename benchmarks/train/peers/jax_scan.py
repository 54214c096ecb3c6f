"""JAX, many steps per compiled call: `lax.scan` over 50 steps (T3: one epoch), on T4 over 10."""

from __future__ import annotations

from functools import partial
from typing import Any

import jax

from benchmarks.train.peers.jax_step import State, batches, begin, flat, one_step
from benchmarks.train.tasks import Task
from benchmarks.train.worker import Training

LENGTH = 50
LENGTHS = {"T4": 10}


def start(task: Task) -> Training:
    length = LENGTHS.get(task.name, LENGTH)
    x, y = batches(task)
    step = one_step(task)
    assert len(x) in (1, length)  # a call spans whole epochs

    @partial(jax.jit, static_argnums=(1, 2))
    def scan(state: State, first: int, count: int) -> State:
        if len(x) == 1:
            return jax.lax.scan(lambda s, _: (step(s, x[0], y[0]), None), state, None, count)[0]
        rows = x[first : first + count], y[first : first + count]
        return jax.lax.scan(lambda s, batch: (step(s, *batch), None), state, rows)[0]

    state = begin(task)
    jax.block_until_ready(scan(state, 0, length))  # compiles
    done = 0

    def train(steps: int) -> None:
        """Any number of steps that ends within an epoch, or begins and ends with one."""
        nonlocal state, done
        whole, rest = divmod(steps, length)
        for _ in range(whole):
            state = scan(state, 0, length)
        if rest:
            state = scan(state, done % length, rest)
        done += steps
        jax.block_until_ready(state)

    def parameters() -> list[float]:
        found: Any = flat(state)
        return list(found)

    return Training(train, parameters, unit=length)
