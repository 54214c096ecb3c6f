"""Run by `benchmarks.recorded` where PyTorch is installed: prints the figures as a line of JSON."""

from __future__ import annotations

import json
import resource
import statistics
import time
from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812  its usual name
from torch import nn

import seegrad
from engine.live.passes import Passes, watched
from tests.notebooks.torch_cases import Block, Residual

ROUNDS = 5


class Gpt(nn.Module):
    """A transformer of 1.3 million parameters."""

    def __init__(self, layers: int = 6, width: int = 128, words: int = 256) -> None:
        super().__init__()
        self.embed = nn.Embedding(words, width)
        self.blocks = nn.ModuleList([Block(width, 4) for _ in range(layers)])
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, words)

    def forward(self, ids: Any) -> Any:
        x = self.embed(ids)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


class Wide(nn.Module):
    """A ResNet of 11 million parameters."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = Residual()
        sizes = ((3, 64), (64, 128), (128, 256), (256, 512))
        self.layers = nn.ModuleList(
            nn.Sequential(
                nn.Conv2d(a, b, 3, stride=2, padding=1), nn.BatchNorm2d(b), nn.ReLU(),
                nn.Conv2d(b, b, 3, padding=1), nn.BatchNorm2d(b), nn.ReLU(),
                nn.Conv2d(b, b, 3, padding=1), nn.BatchNorm2d(b), nn.ReLU(),
                nn.Conv2d(b, b, 3, padding=1), nn.BatchNorm2d(b), nn.ReLU(),
            )
            for a, b in sizes
        )  # fmt: skip
        self.head = nn.Linear(512, 10)

    def forward(self, x: Any) -> Any:
        for layer in self.layers:
            x = layer(x)
        return self.head(x.mean((2, 3)))


def spent(function: Callable[[], Any]) -> float:
    """Milliseconds of processor time, the median of some rounds."""
    times = []
    for _ in range(ROUNDS):
        began = time.process_time()
        function()
        times.append(1000 * (time.process_time() - began))
    return statistics.median(times)


def scalars() -> None:
    """Passes of a graph of Values, as a script runs them."""
    for _ in range(40):
        x = seegrad.Value(0.5)
        y = x
        for _ in range(200):
            y = y * x + 1.0
        y.backward()


def main() -> None:
    """Measure, and print."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    net, ids = Gpt(), torch.randint(0, 256, (4, 64))

    def step() -> None:
        net.zero_grad()
        F.cross_entropy(net(ids).view(-1, 256), ids.view(-1)).backward()

    def recorded_step() -> Any:
        with seegrad.record(keep=0) as run:
            step()
        return run

    recorded_step()
    plain, recorded = spent(step), spent(recorded_step)
    page = len(recorded_step().html) / 1e6
    alone = spent(scalars)

    def seen() -> None:
        with watched(Passes(wanted=1)):
            scalars()

    together = spent(seen)
    wide, images = Wide(), torch.randn(8, 3, 64, 64)
    count = sum(p.numel() for p in wide.parameters())
    with seegrad.record() as run:
        F.cross_entropy(wide(images), torch.arange(8)).backward()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(
        json.dumps(
            {
                "plain": plain, "ratio": recorded / plain, "page": max(page, len(run.html) / 1e6),
                "memory": memory, "parameters": count, "watched": together / alone,
            }
        )
    )  # fmt: skip


if __name__ == "__main__":
    main()
