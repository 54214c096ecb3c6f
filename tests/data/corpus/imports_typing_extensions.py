# kind: imports
from typing import NamedTuple, Any, Dict, TypeVar, Generic
T = TypeVar("T")

class Step(NamedTuple):
    number: int
    loss: float = 0.0

class Box(Generic[T]):
    def __init__(self, item: T):
        self.item = item

history: Dict[str, Any] = {"steps": [Step(0, 4.0), Step(number=1, loss=1.0)]}
for s in history["steps"]:
    print(s, s.loss, s[0])
number, loss = history["steps"][1]
print(number + loss, Box(3).item)
