"""torch.optim.lr_scheduler: learning rates that change from epoch to epoch."""

from __future__ import annotations

import math
from typing import Any

from engine.formulas import compile_text, names_in

from .session import Session
from .signatures import TorchRow, bound, rows

_ROWS = """
StepLR(optimizer, step_size, gamma=0.1, last_epoch=-1) =
     rate * gamma if t > 0 and t % step_size == 0 else rate
ExponentialLR(optimizer, gamma, last_epoch=-1) = rate * gamma if t > 0 else rate
ConstantLR(optimizer, factor=0.3333333333333333, total_iters=5, last_epoch=-1) =
     rate * factor if t == 0 else rate / factor if t == total_iters else rate
LinearLR(optimizer, start_factor=0.3333333333333333, end_factor=1.0, total_iters=5, last_epoch=-1) =
     rate * start_factor if t == 0 else rate if t > total_iters else
     rate * (1 + (end_factor - start_factor) /
     (total_iters * start_factor + (t - 1) * (end_factor - start_factor)))
PolynomialLR(optimizer, total_iters=5, power=1.0, last_epoch=-1) =
     rate if t == 0 or t > total_iters else
     rate * ((1 - t / total_iters) / (1 - (t - 1) / total_iters)) ** p
CosineAnnealingLR(optimizer, T_max, eta_min=0.0, last_epoch=-1) =
     rate if t == 0 else
     rate + (base - eta_min) * (1 - cos(pi / T_max)) / 2 if (t - 1 - T_max) % (2 * T_max) == 0 else
     (1 + cos(pi * t / T_max)) / (1 + cos(pi * (t - 1) / T_max)) * (rate - eta_min) + eta_min
"""
"""The rate of epoch t from that of the epoch before and the first one, the base.

Half a cosine: Loshchilov and Hutter 2017.
"""


class LRScheduler:
    """The learning rates of an optimizer's groups; `step()` begins the next epoch."""

    _seegrad_session: Session
    _seegrad_row: Any = None
    _seegrad_rule: Any = None

    def __init__(self, *args: Any, **options: Any) -> None:
        given = {"optimizer": args[0]} if self._seegrad_row is None else bound(
            self._seegrad_row, f"{type(self).__name__}.__init__", args, options
        )  # fmt: skip
        vars(self).update(given)
        self.optimizer, self.last_epoch = given["optimizer"], 0
        for group in self.optimizer.param_groups:
            group.setdefault("initial_lr", group["lr"])
        self.base_lrs = [group["initial_lr"] for group in self.optimizer.param_groups]
        self._seegrad_set()

    def _seegrad_rate(self, rate: float, base: float) -> float:
        if self._seegrad_rule is None:
            return rate
        compute, names = self._seegrad_rule
        own = vars(self)  # `power` is a function of the formulas
        given = {**own, "rate": rate, "base": base, "t": self.last_epoch, "p": own.get("power")}
        found: float = compute(*(given[name] for name in names))
        return found

    def _seegrad_set(self) -> None:
        for group, base in zip(self.optimizer.param_groups, self.base_lrs, strict=True):
            group["lr"] = self._seegrad_rate(group["lr"], base)

    def get_last_lr(self) -> list[float]:
        return [group["lr"] for group in self.optimizer.param_groups]

    def step(self, epoch: Any = None) -> None:
        self.last_epoch += 1
        self._seegrad_set()


class MultiStepLR(LRScheduler):
    def __init__(self, optimizer: Any, milestones: Any, gamma: float = 0.1) -> None:
        self.milestones, self.gamma = list(milestones), gamma
        LRScheduler.__init__(self, optimizer)

    def _seegrad_rate(self, rate: float, base: float) -> float:
        times = self.milestones.count(self.last_epoch)
        return rate * self.gamma**times if times else rate


class LambdaLR(LRScheduler):
    def __init__(self, optimizer: Any, lr_lambda: Any) -> None:
        self.lr_lambda = lr_lambda
        LRScheduler.__init__(self, optimizer)

    def _seegrad_rate(self, rate: float, base: float) -> float:
        factor = self._seegrad_session.machine.callable(self.lr_lambda)(self.last_epoch)
        return base * float(factor)


def _schedule(row: TorchRow) -> type:
    names = tuple(sorted(names_in(row.rest) - {"cos", "pi"}))
    rule = compile_text(row.rest, names), names
    return type(row.name, (LRScheduler,), {"_seegrad_row": row, "_seegrad_rule": rule})


class ReduceLROnPlateau:
    """A rate that falls when a number that is reported no longer improves.

    After more than `patience` epochs without an improvement by `threshold`, a share of the best
    number or with `threshold_mode` "abs" a difference, the rate is multiplied by `factor`.
    """

    _seegrad_session: Session

    def __init__(
        self, optimizer: Any, mode: str = "min", factor: float = 0.1, patience: int = 10,
        threshold: float = 1e-4, threshold_mode: str = "rel", cooldown: int = 0,
        min_lr: float = 0.0, eps: float = 1e-8,
    ) -> None:  # fmt: skip
        if factor >= 1.0:
            raise ValueError("Factor should be < 1.0.")
        if mode not in ("min", "max"):
            raise ValueError(f"mode {mode} is unknown!")
        if threshold_mode not in ("rel", "abs"):
            raise ValueError(f"threshold mode {threshold_mode} is unknown!")
        self.optimizer, self.mode, self.factor, self.patience = optimizer, mode, factor, patience
        self.threshold, self.threshold_mode, self.cooldown = threshold, threshold_mode, cooldown
        self.min_lrs, self.eps = [min_lr] * len(optimizer.param_groups), eps
        self.best = math.inf if mode == "min" else -math.inf
        self.num_bad_epochs = self.cooldown_counter = self.last_epoch = 0

    def is_better(self, a: float, best: float) -> bool:
        sign = -1 if self.mode == "min" else 1
        if self.threshold_mode == "rel":
            bound = best * (1.0 + sign * self.threshold)
        else:
            bound = best + sign * self.threshold
        return a < bound if self.mode == "min" else a > bound

    def get_last_lr(self) -> list[float]:
        return [group["lr"] for group in self.optimizer.param_groups]

    def step(self, metrics: Any) -> None:
        self.last_epoch += 1
        number = float(self._seegrad_session.array(metrics).numbers()[0])
        if self.is_better(number, self.best):
            self.best, self.num_bad_epochs = number, 0
        else:
            self.num_bad_epochs += 1
        if self.cooldown_counter > 0:
            self.cooldown_counter, self.num_bad_epochs = self.cooldown_counter - 1, 0
        if self.num_bad_epochs > self.patience:
            self._seegrad_reduce()
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0

    def _seegrad_reduce(self) -> None:
        for group, least in zip(self.optimizer.param_groups, self.min_lrs, strict=True):
            rate = max(group["lr"] * self.factor, least)
            if group["lr"] - rate > self.eps:
                group["lr"] = rate


SCHEDULES: tuple[type, ...] = (
    LRScheduler, MultiStepLR, LambdaLR, ReduceLROnPlateau, *map(_schedule, rows(_ROWS)),
)  # fmt: skip
"""Every class, bases first."""
