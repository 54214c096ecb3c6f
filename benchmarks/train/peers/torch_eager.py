"""PyTorch eager on one thread: autograd, and an optimizer of torch.optim.

The L2 penalty is the optimizer's weight decay (the same update, without a pass over the graph).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.nn import functional

from benchmarks.train.tasks import Task, joined, split
from benchmarks.train.worker import Training

APPLY = {"tanh": torch.tanh, "relu": torch.relu, "linear": lambda z: z}
LOSS: dict[str, Callable[..., Any]] = {
    "sum_squares": lambda o, y: ((o - y) ** 2).sum(),
    "mse": functional.mse_loss,
    "hinge": lambda o, y: torch.relu(1 - y * o).mean(),
    "cross_entropy": functional.cross_entropy,
}


def start(task: Task) -> Training:
    torch.set_num_threads(1)
    torch.set_default_dtype(torch.float64)
    layers = [
        (torch.tensor(weights, requires_grad=True), torch.tensor(biases, requires_grad=True))
        for weights, biases in split(task, task.start())
    ]
    x, labels = torch.tensor(task.inputs), torch.tensor(task.targets)
    y = labels.long() if task.loss == "cross_entropy" else labels[:, None]
    batches = list(zip(x.split(task.batch), y.split(task.batch), strict=True))
    names, of_batch = task.activations, LOSS[task.loss]
    everything = [p for pair in layers for p in pair]
    optimizer: Any
    if task.optimizer == "adam":
        optimizer = torch.optim.Adam(everything, lr=task.rate)
    else:
        optimizer = torch.optim.SGD(everything, lr=task.rate, weight_decay=2 * task.l2)
    at = 0

    def step(a: Any, y: Any) -> None:
        for (w, b), name in zip(layers, names, strict=True):
            a = APPLY[name](functional.linear(a, w, b))
        loss = of_batch(a, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    def train(steps: int) -> None:
        nonlocal at
        for _ in range(steps):
            step(*batches[at])
            at = (at + 1) % len(batches)

    return Training(train, lambda: joined([(w.tolist(), b.tolist()) for w, b in layers]))
