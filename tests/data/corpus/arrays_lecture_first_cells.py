# kind: arrays
import math
import numpy as np
import matplotlib.pyplot as plt

def f(x):
    return 3*x**2 - 4*x + 5

print(f(3.0))
xs = np.arange(-5, 5, 0.25)
ys = f(xs)
plt.plot(xs, ys)
print(xs[:4], ys[:4])
h = 0.000001
x = 2/3
print((f(x + h) - f(x))/h)
a = 2.0
b = -3.0
c = 10.0
d = a*b + c
print(d)
