# kind: arrays
import numpy as np
xs = np.linspace(0, 2, 9)
h = 0.25
dy = ((xs + h)**2 - (xs - h)**2) / (2*h)
print(dy)
print(np.all(dy == 2*xs))
