# kind: network
from enum import Enum, auto
from itertools import product
import operator

class Gate(Enum):
    AND = auto()
    OR = auto()
    NAND = auto()
    XOR = auto()

    def target(self, a, b):
        if self is Gate.AND: return a & b
        if self is Gate.OR: return a | b
        if self is Gate.NAND: return 1 - (a & b)
        return a ^ b

class Perceptron:
    def __init__(self, n, lr=0.25):
        self.w = [0.0] * n
        self.b = 0.0
        self.lr = lr
    def __call__(self, x):
        return int(sum(map(operator.mul, self.w, x)) + self.b > 0)
    def fit(self, rows, epochs=25):
        for epoch in range(epochs):
            errors = 0
            for x, t in rows:
                e = t - self(x)
                if e:
                    errors += 1
                    self.w = [w + self.lr * e * xi for w, xi in zip(self.w, x)]
                    self.b += self.lr * e
            if not errors:
                return epoch
        return None

for gate in Gate:
    rows = [(x, gate.target(*x)) for x in product((0, 1), repeat=2)]
    p = Perceptron(2)
    done = p.fit(rows)
    print(f"{gate.name:<5} {'learned in ' + str(done) + ' epochs' if done is not None else 'not separable':<22} w={p.w} b={p.b}")
print(Gate.AND, Gate['OR'].value, Gate(3), len(Gate), list(Gate)[0] is Gate.AND)
