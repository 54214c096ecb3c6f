# kind: library
from micrograd.engine import Value

x = Value(0.5)
print((x**3).data, (1 - x).data, (3 / x).data, (2 + x).data, (4 * x).data)
try:
    x ** x
except AssertionError as e:
    print(e)
