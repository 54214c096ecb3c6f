# kind: class
from dataclasses import dataclass, field
from typing import Any
import math

@dataclass(eq=False)
class Node:
    value: float
    parents: tuple = ()
    op: str = ""
    grad: float = 0.0
    local_grads: list = field(default_factory=list, repr=False)

    def __add__(self, o):
        o = wrap(o)
        return Node(self.value + o.value, (self, o), "add", local_grads=[1.0, 1.0])

    def __mul__(self, o):
        o = wrap(o)
        return Node(self.value * o.value, (self, o), "mul", local_grads=[o.value, self.value])

    def __sub__(self, o):
        return self + wrap(o) * -1

    def relu(self):
        return Node(max(0, self.value), (self,), "relu", local_grads=[1.0 if self.value > 0 else 0.0])

    def exp(self):
        v = math.exp(self.value)
        return Node(v, (self,), "exp", local_grads=[v])

    __radd__ = __add__
    __rmul__ = __mul__


def wrap(x: Any) -> Node:
    return x if isinstance(x, Node) else Node(x)


def topo_sort(root):
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        node, done = stack.pop()
        if done:
            order.append(node)
            continue
        if id(node) in seen:
            continue
        seen.add(id(node))
        stack.append((node, True))
        stack.extend((p, False) for p in node.parents)
    return order[::-1]


def backprop(root):
    root.grad = 1.0
    for node in topo_sort(root):
        for parent, lg in zip(node.parents, node.local_grads, strict=True):
            parent.grad += lg * node.grad


x = Node(3.0)
y = Node(-4.0)
z = (x * y + 20).relu() * 2 - x
backprop(z)
print(z.value, x.grad, y.grad)
print(x)
print(Node(1.0) == Node(1.0))
print([n.op or "leaf" for n in topo_sort(z)])
