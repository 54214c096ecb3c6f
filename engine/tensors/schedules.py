"""torch.optim.lr_scheduler: learning rates that change from epoch to epoch."""

from __future__ import annotations

import math
from typing import Any

from .session import Session


class LRScheduler:
    """The learning rates of an optimizer's groups; `step()` begins the next epoch."""

    _seegrad_session: Session

    def __init__(self, optimizer: Any) -> None:
        self.optimizer, self.last_epoch = optimizer, 0
        for group in optimizer.param_groups:
            group.setdefault("initial_lr", group["lr"])
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self._seegrad_set()

    def _seegrad_rate(self, rate: float, base: float) -> float:
        """The rate of the present epoch, from that of the last one and the first one."""
        return rate

    def _seegrad_set(self) -> None:
        for group, base in zip(self.optimizer.param_groups, self.base_lrs, strict=True):
            group["lr"] = self._seegrad_rate(group["lr"], base)

    def get_last_lr(self) -> list[float]:
        return [group["lr"] for group in self.optimizer.param_groups]

    def step(self) -> None:
        self.last_epoch += 1
        self._seegrad_set()


class StepLR(LRScheduler):
    def __init__(self, optimizer: Any, step_size: int, gamma: float = 0.1) -> None:
        self.step_size, self.gamma = step_size, gamma
        LRScheduler.__init__(self, optimizer)

    def _seegrad_rate(self, rate: float, base: float) -> float:
        turns = self.last_epoch and self.last_epoch % self.step_size == 0
        return rate * self.gamma if turns else rate


class MultiStepLR(LRScheduler):
    def __init__(self, optimizer: Any, milestones: Any, gamma: float = 0.1) -> None:
        self.milestones, self.gamma = list(milestones), gamma
        LRScheduler.__init__(self, optimizer)

    def _seegrad_rate(self, rate: float, base: float) -> float:
        times = self.milestones.count(self.last_epoch)
        return rate * self.gamma**times if times else rate


class ExponentialLR(LRScheduler):
    def __init__(self, optimizer: Any, gamma: float) -> None:
        self.gamma = gamma
        LRScheduler.__init__(self, optimizer)

    def _seegrad_rate(self, rate: float, base: float) -> float:
        return rate * self.gamma if self.last_epoch else rate


class LambdaLR(LRScheduler):
    def __init__(self, optimizer: Any, lr_lambda: Any) -> None:
        self.lr_lambda = lr_lambda
        LRScheduler.__init__(self, optimizer)

    def _seegrad_rate(self, rate: float, base: float) -> float:
        factor = self._seegrad_session.machine.callable(self.lr_lambda)(self.last_epoch)
        return base * float(factor)


class CosineAnnealingLR(LRScheduler):
    """Half a cosine from the first rate to `eta_min` (Loshchilov and Hutter 2017)."""

    def __init__(self, optimizer: Any, T_max: int, eta_min: float = 0.0) -> None:  # noqa: N803
        self.T_max, self.eta_min = T_max, eta_min
        LRScheduler.__init__(self, optimizer)

    def _seegrad_rate(self, rate: float, base: float) -> float:
        if not self.last_epoch:
            return rate
        now, before = (
            1 + math.cos(math.pi * t / self.T_max) for t in (self.last_epoch, self.last_epoch - 1)
        )
        if (self.last_epoch - 1 - self.T_max) % (2 * self.T_max) == 0:
            return rate + (base - self.eta_min) * (1 - math.cos(math.pi / self.T_max)) / 2
        return now / before * (rate - self.eta_min) + self.eta_min


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
    LRScheduler, StepLR, MultiStepLR, ExponentialLR, LambdaLR, CosineAnnealingLR,
    ReduceLROnPlateau,
)  # fmt: skip
"""Every class, bases first."""
