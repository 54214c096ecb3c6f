# kind: arrays
import numpy as np
x = np.linspace(0, 1, 5)
y = 2*x + 1
m, c = 0.0, 0.0
for _ in range(3):
    e = m*x + c - y
    m -= 0.5*(2*e*x).mean()
    c -= 0.5*(2*e).mean()
    print(m, c)
