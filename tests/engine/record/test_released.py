"""What a recorded run held is given back, all but that of the last."""

from __future__ import annotations

import gc

from engine.record.recorder import Recorder
from engine.trace import record

OWN = """
class Value:
    def __init__(self, data, parents=()):
        self.data, self.grad, self.parents = data, 0.0, parents

    def __add__(self, other):
        return Value(self.data + other.data, (self, other))

    def backward(self):
        self.grad = 1.0
        for parent in self.parents:
            parent.grad += self.grad

class Layer:
    def __init__(self, count):
        self.weights = [Value(0.5) for _ in range(count)]

    def __call__(self):
        return sum(self.weights, Value(0.0))

layer = Layer(3)
loss = layer()
loss.backward()
"""
BUILT_IN = "n = MLP(2, [2, 1])\nL = n([1.0, -2.0])\nL.backward()"
ARRAYS = "import numpy as np\nclass Net:\n    w = np.array([1.0, 2.0])\nprint((Net().w * 2).sum())"
TENSORS = """
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 1)
    def forward(self, x):
        return self.layer(x)
Net()(torch.ones(2)).sum().backward()
"""


def test_the_recorders_of_earlier_runs_are_collected() -> None:
    before = {id(x) for x in gc.get_objects() if isinstance(x, Recorder)}  # those of other tests
    for program in (OWN, BUILT_IN, ARRAYS, TENSORS):
        for turn in range(3):
            record(f"{program}\n# {turn}")
    gc.collect()
    held = [x for x in gc.get_objects() if isinstance(x, Recorder) and id(x) not in before]
    assert len(held) <= 1
