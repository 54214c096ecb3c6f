# kind: arrays
import numpy as np
import matplotlib.pyplot as plt
h = 0.5
xx, yy = np.meshgrid(np.arange(0, 1.5, h), np.arange(-1, 1, h))
print(xx.shape)
Z = xx**2 + yy**2
print(Z)
plt.contourf(xx, yy, Z)
plt.show()
print(np.c_[xx.ravel(), yy.ravel()].shape)
