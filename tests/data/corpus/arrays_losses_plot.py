# kind: arrays
import numpy as np
import matplotlib.pyplot as plt

losses = np.zeros(20)
w = 5.0
for i in range(20):
    loss = (w - 2)**2
    grad = 2*(w - 2)
    w -= 0.1*grad
    losses[i] = loss
print(losses.round(4))
print("final", losses[-1])
fig, ax = plt.subplots(figsize=(8, 4))
ax.plot(losses, label='loss', color='tab:red', linewidth=2)
ax.set_xlabel('epoch')
ax.set_ylabel('loss')
ax.set_title('Training')
ax.legend()
ax.grid(True)
plt.tight_layout()
plt.show()
