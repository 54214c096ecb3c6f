import math
import random


class Value:
    __slots__ = ("data", "grad", "_children", "_local_grads")

    def __init__(self, data, children=(), local_grads=()):
        self.data = data
        self.grad = 0
        self._children = children
        self._local_grads = local_grads

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data + other.data, (self, other), (1, 1))

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data * other.data, (self, other), (other.data, self.data))

    def __pow__(self, k):
        return Value(self.data ** k, (self,), (k * self.data ** (k - 1),))

    def log(self):
        return Value(math.log(self.data), (self,), (1 / self.data,))

    def exp(self):
        return Value(math.exp(self.data), (self,), (math.exp(self.data),))

    def relu(self):
        return Value(max(0, self.data), (self,), (float(self.data > 0),))

    def __neg__(self):
        return self * -1

    def __radd__(self, other):
        return self + other

    def __sub__(self, other):
        return self + (-other)

    def __rsub__(self, other):
        return other + (-self)

    def __rmul__(self, other):
        return self * other

    def __truediv__(self, other):
        return self * other ** -1

    def __rtruediv__(self, other):
        return other * self ** -1

    def backward(self):
        topo, seen = [], set()

        def build(v):
            if v not in seen:
                seen.add(v)
                for child in v._children:
                    build(child)
                topo.append(v)

        build(self)
        self.grad = 1
        for v in reversed(topo):
            for child, local in zip(v._children, v._local_grads):
                child.grad += local * v.grad


logits = [Value(0.3), Value(-1.2), Value(2.0)]
scale = Value(0.9)
scaled = [x * scale for x in logits]
exps = [s.exp() for s in scaled]
total = sum(exps)
probs = [e / total for e in exps]
nll = -probs[1].log()
bonus = (1 - scale).relu() + (scale - 2).relu() + 0.5 * scale
penalty = (scaled[0] + scaled[1]) ** 2 / total
loss = nll + 0.1 * penalty + 1 / bonus * 0.01
loss.backward()
for x in logits:
    print(f"{x.data:.2f} {x.grad:.6f}")
print(f"scale {scale.grad:.6f}, total {total.grad:.6f}")
