# kind: module
import math
from engine import Value

def square(self):
    return self * self

Value.square = square
x = Value(5.0)
y = x.square()
y.backward()
print(y.data, x.grad)
