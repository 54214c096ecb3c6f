# kind: module
from value import Value

x = Value(3.0, label='x')
y = x*x - 4*x + 5
y.backward()
print(y.data, x.grad, x.label)
print(x)
