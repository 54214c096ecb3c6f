# kind: arrays
import numpy as np
import matplotlib.pyplot as plt
losses = []
w = 0.0
for i in range(10):
    loss = (w - 3.0)**2
    grad = 2*(w - 3.0)
    w = w - 0.25*grad
    losses.append(loss)
plt.plot(losses)
plt.xlabel('step'); plt.ylabel('loss')
print(losses[:4])
print(np.array(losses).min() == losses[-1], np.argmin(losses))
