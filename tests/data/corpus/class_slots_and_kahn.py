# kind: class
from collections import namedtuple, deque
import math

Edge = namedtuple("Edge", "node weight")

class V:
    __slots__ = 'data', 'grad', 'edges', '_deg'
    def __init__(self, data, *edges):
        self.data = data
        self.grad = 0.
        self.edges = edges
        self._deg = 0
    def __add__(self, o):
        o = V.of(o)
        return V(self.data + o.data, Edge(self, 1), Edge(o, 1))
    def __mul__(self, o):
        o = V.of(o)
        return V(self.data * o.data, Edge(self, o.data), Edge(o, self.data))
    def __truediv__(self, o):
        o = V.of(o)
        return V(self.data / o.data, Edge(self, 1 / o.data), Edge(o, -self.data / o.data ** 2))
    __radd__, __rmul__ = __add__, __mul__
    def __rtruediv__(self, o):
        return V.of(o) / self
    def exp(self):
        e = math.exp(self.data)
        return V(e, Edge(node=self, weight=e))
    @staticmethod
    def of(x):
        return x if isinstance(x, V) else V(x)
    def backward(self):
        # Kahn's algorithm: a node is ready when all that use it are done
        q = deque([self])
        seen = {self}
        while q:
            n = q.popleft()
            for e in n.edges:
                e.node._deg += 1
                if e.node not in seen:
                    seen.add(e.node)
                    q.append(e.node)
        self.grad = 1.
        ready = deque([self])
        while ready:
            n = ready.popleft()
            for m, w in n.edges:
                m.grad += w * n.grad
                m._deg -= 1
                if m._deg == 0:
                    ready.append(m)

x = V(1.5)
s = 1 / (1 + (x * -1).exp())
y = s * s + 3 * x
y.backward()
print(f"{y.data:.10f} {x.grad:.10f} {s.grad:.10f}")
try:
    x.label = "x"
except AttributeError as err:
    print(err)
print(Edge(1, 2), Edge(1, 2)._asdict())
