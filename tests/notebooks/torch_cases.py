"""Programs of PyTorch for the tests: small models of each kind, and a step of training on them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F  # noqa: N812  its usual name
from torch import nn
from torch.utils.checkpoint import checkpoint


class Block(nn.Module):
    """A block of a transformer, written out."""

    def __init__(self, width: int = 8, heads: int = 2) -> None:
        super().__init__()
        self.heads = heads
        self.ln1, self.ln2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.proj = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(
            nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width)
        )

    def forward(self, x: Any) -> Any:
        b, t, c = x.shape
        parts = self.qkv(self.ln1(x)).split(c, dim=2)
        q, k, v = (p.view(b, t, self.heads, c // self.heads).transpose(1, 2) for p in parts)
        scores = (q @ k.transpose(-2, -1)) / math.sqrt(c // self.heads)
        mask = torch.tril(torch.ones(t, t))
        weights = scores.masked_fill(mask == 0, float("-inf")).softmax(-1)
        y = (weights @ v).transpose(1, 2).contiguous().view(b, t, c)
        x = x + self.proj(y)
        return x + self.mlp(self.ln2(x))


class ConvNet(nn.Module):
    """Convolutions with batch norm, relu in place, pooling and dropout."""

    def __init__(self) -> None:
        super().__init__()
        self.c1, self.bn = nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4)
        self.c2, self.fc = nn.Conv2d(4, 8, 3), nn.Linear(72, 10)

    def forward(self, x: Any) -> Any:
        x = F.max_pool2d(F.relu(self.bn(self.c1(x)), inplace=True), 2)
        x = F.adaptive_avg_pool2d(F.relu_(self.c2(x)), 3)
        return self.fc(F.dropout(x.flatten(1), 0.3))


class Residual(nn.Module):
    """A block of a ResNet."""

    def __init__(self) -> None:
        super().__init__()
        self.c1, self.b1 = nn.Conv2d(3, 6, 3, stride=2, padding=1), nn.BatchNorm2d(6)
        self.c2, self.b2 = nn.Conv2d(6, 6, 3, padding=1), nn.BatchNorm2d(6)
        self.down = nn.Sequential(nn.Conv2d(3, 6, 1, stride=2), nn.BatchNorm2d(6))

    def forward(self, x: Any) -> Any:
        y = self.b2(self.c2(torch.relu(self.b1(self.c1(x)))))
        return torch.relu(y + self.down(x)).mean((2, 3))


class Recurrent(nn.Module):
    """A recurrent layer of a kind, and a linear one on its last result."""

    def __init__(self, kind: Any) -> None:
        super().__init__()
        self.layer, self.out = kind(3, 5, batch_first=True), nn.Linear(5, 2)

    def forward(self, x: Any) -> Any:
        return self.out(self.layer(x)[0][:, -1])


class Cube(torch.autograd.Function):
    """A Function of the program's own."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        (x,) = ctx.saved_tensors
        return 3 * grad * x * x


class Written(nn.Module):
    """A Function, writing into a view, and a sum in place."""

    def __init__(self) -> None:
        super().__init__()
        self.w, self.b = nn.Parameter(torch.randn(4, 4)), nn.Parameter(torch.zeros(4))

    def forward(self, x: Any) -> Any:
        y = Cube.apply(x @ self.w + self.b)
        y[:, 0].mul_(2)
        y += 1
        return y


class Hooked(nn.Module):
    """A tensor whose gradient a hook multiplies by 10."""

    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(4, 3)

    def forward(self, x: Any) -> Any:
        h = torch.tanh(self.fc(x))
        h.register_hook(lambda g: 10 * g)
        return h * 2


class Checkpointed(nn.Module):
    """A part of which is computed again in the backward pass, with its dropout."""

    def __init__(self) -> None:
        super().__init__()
        self.a, self.b = nn.Linear(4, 6), nn.Linear(6, 3)

    def forward(self, x: Any) -> Any:
        h = checkpoint(lambda t: F.dropout(torch.tanh(self.a(t)), 0.5), x, use_reentrant=False)
        return self.b(h)


class TorchCase(NamedTuple):
    """A model, an input for it, and the loss of what it gives."""

    model: Callable[[], Any]
    data: Callable[[], Any]
    loss: Callable[[Any], Any]


def _classes(out: Any) -> Any:
    return F.cross_entropy(out, torch.arange(len(out)) % out.shape[1])


def _squares(out: Any) -> Any:
    return (out**2).mean()


def _mlp() -> Any:
    return nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))


CASES = {
    "mlp": TorchCase(_mlp, lambda: torch.randn(5, 4), _classes),
    "block": TorchCase(Block, lambda: torch.randn(1, 4, 8), _squares),
    "conv": TorchCase(ConvNet, lambda: torch.randn(2, 1, 10, 10), _classes),
    "residual": TorchCase(Residual, lambda: torch.randn(2, 3, 8, 8), _classes),
    "gru": TorchCase(lambda: Recurrent(nn.GRU), lambda: torch.randn(2, 4, 3), _squares),
    "lstm": TorchCase(lambda: Recurrent(nn.LSTM), lambda: torch.randn(2, 4, 3), _squares),
    "written": TorchCase(Written, lambda: torch.randn(3, 4), _squares),
    "hooked": TorchCase(Hooked, lambda: torch.randn(3, 4), _squares),
    "checkpointed": TorchCase(Checkpointed, lambda: torch.randn(3, 4), _squares),
}


def step(case: TorchCase, seed: int = 3) -> tuple[Any, Any]:
    """A model after a step of training on it, and the loss."""
    torch.manual_seed(seed)
    model, data = case.model(), case.data()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    loss = case.loss(model(data))
    loss.backward()
    optimizer.step()
    return model, loss
