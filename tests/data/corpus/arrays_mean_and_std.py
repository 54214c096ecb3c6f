# kind: arrays
import numpy as np
data = np.array([1.0, 2.0, 3.0, 4.0])
print(data.mean(), data.sum(), data.max(), data.min())
centred = data - data.mean()
print(centred)
print(np.dot(centred, centred))
print((centred**2).mean() ** 0.5 == np.std(data))
