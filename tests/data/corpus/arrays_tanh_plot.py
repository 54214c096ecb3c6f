# kind: arrays
import numpy as np
import matplotlib.pyplot as plt
plt.plot(np.arange(-5, 5, 0.2), np.tanh(np.arange(-5, 5, 0.2)))
plt.grid()
plt.show()
print(round(float(np.tanh(np.arange(-5, 5, 0.2))[10]), 6))
