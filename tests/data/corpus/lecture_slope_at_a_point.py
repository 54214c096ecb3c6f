# kind: lecture
import math

def f(x):
    return 2*x**2 - 3*x + 1

print(f(2.5))

h = 0.0001
x = 1.5
slope = (f(x + h) - f(x)) / h
print(slope)

# where does it stop going down?
h = 0.000001
x = 3/4
(f(x + h) - f(x)) / h
