# kind: library
from micrograd.engine import Value

class Parameter(Value):
    count = 0
    def __init__(self, data, name):
        super().__init__(data)
        self.name = name
        Parameter.count += 1
    def step(self, lr=0.1):
        self.data -= lr * self.grad
        self.grad = 0
    def __repr__(self):
        return f"{self.name}: {self.data:.4f}"

w = Parameter(0.5, "w")
b = Parameter(0.0, "b")
data = [(1, 3), (2, 5), (3, 7)]
for i in range(5):
    loss = sum((w * x + b - y) ** 2 for x, y in data) * (1 / 3)
    loss.backward()
    print(i, round(loss.data, 4), w, b)
    for p in (w, b):
        p.step(0.05)
print(Parameter.count, isinstance(w, Value))
