# kind: module
from scalar.engine import Value

x = Value(0.5)
y = x.tanh()
z = y.exp()
z.backward()
print(f"{z.data:.10f} {x.grad:.10f}")
