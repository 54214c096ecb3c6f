# kind: imports
import pdb
import random
from typing import List, Optional, Union

def dot(xs: List[float], ws: List[float], bias: Optional[float] = None) -> float:
    # pdb.set_trace()
    total = bias or 0.0
    for x, w in zip(xs, ws):
        total += x * w
    return total

number = Union[int, float]
print(dot([1.0, 2.0], [3.0, 4.0]), dot([1], [2], bias=0.5))
