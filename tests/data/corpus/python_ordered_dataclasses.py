# kind: python
from dataclasses import dataclass, field, asdict, replace
import heapq
from itertools import count

@dataclass(order=True)
class Task:
    priority: float
    name: str = field(compare=False)
    tags: list[str] = field(default_factory=list, compare=False)

@dataclass
class Config:
    lr: float = 0.1
    steps: int = 10
    layers: tuple = (4, 4, 1)
    def __post_init__(self):
        if self.lr <= 0:
            raise ValueError(f"lr must be positive, got {self.lr}")

cfg = Config(steps=3)
print(cfg, asdict(cfg))
print(replace(cfg, lr=0.5))
try:
    Config(lr=-1)
except ValueError as e:
    print(e)
tasks = [Task(0.3, "b"), Task(0.1, "a", ["x"]), Task(0.2, "c")]
print(sorted(tasks)[0])
print(max(tasks).name, Task(1, "q") == Task(1, "z"), Task(1, "a") < Task(2, "b"))
heap = []
for t in tasks:
    heapq.heappush(heap, t)
while heap:
    print(heapq.heappop(heap).name, end=" ")
print()
w, target = 0.0, 3.0
tick = count(1)
for _ in range(cfg.steps):
    g = 2 * (w - target)
    w -= cfg.lr * g
    print(f"{next(tick)}: {w=:.3f} {g=}")
print(*range(5), sep="-", end="!\n")
print(sum((x * x for x in range(4)), start=10), sum([[1], [2]], []))
