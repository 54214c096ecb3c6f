# kind: construct
from dataclasses import dataclass
@dataclass
class Point:
    x: float
    y: float = 0.0
print(Point(1.5), Point(1, 2) == Point(1, 2))
