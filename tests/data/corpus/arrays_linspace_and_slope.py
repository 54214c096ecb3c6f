# kind: arrays
import numpy as np
import matplotlib.pyplot as plt

def f(x):
    return x**2 / 2

xs = np.linspace(-1, 1, 5)
print(xs)
print(f(xs))
plt.figure(figsize=(5, 3))
plt.plot(xs, f(xs), label='f')
plt.legend()
plt.title('parabola')
plt.xlabel('x')
plt.show()
