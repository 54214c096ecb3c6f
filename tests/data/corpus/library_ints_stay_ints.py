# kind: library
from micrograd.engine import Value

x = Value(3)
y = x * 2 + 1
y.backward()
print(y.data, x.grad, y)
