# kind: arrays
import numpy as np
import matplotlib.pyplot as plt
t = np.linspace(0, np.pi, 4)
s = np.sin(t)
print(np.round(s, 4))
fig, ax = plt.subplots()
ax.plot(t, s)
ax.set_title('sin')
plt.show()
for ti, si in zip(t, s):
    print(f"{ti:.3f} {si:.3f}")
