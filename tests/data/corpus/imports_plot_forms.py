# kind: imports
import matplotlib.pyplot as plt
import matplotlib
import numpy as np
plt.style.use('seaborn-v0_8')
plt.rcParams['figure.figsize'] = (10, 6)
matplotlib.rcParams['font.size'] = 12
x = np.linspace(-3, 3, 50)
fig, axes = plt.subplots(1, 2, figsize=(10, 4))
axes[0].plot(x, np.tanh(x), 'r-', label='tanh')
axes[0].plot(x, 1 - np.tanh(x)**2, 'b--', label="tanh'")
axes[0].axhline(0, color='k')
axes[0].axvline(0, color='k', lw=0.5)
axes[0].legend(loc='best')
axes[1].hist(np.tanh(x), bins=10)
axes[1].set_title('histogram')
for ax in axes:
    ax.grid(alpha=0.3)
    ax.set_xlim(-3, 3)
fig.suptitle('activation')
plt.savefig('tanh.png', dpi=150)
plt.close(fig)
plt.imshow(np.eye(3), cmap='gray')
plt.colorbar()
plt.axis('off')
plt.show()
plt.bar(['a', 'b'], [1, 2])
plt.xticks(rotation=45)
plt.text(0, 1, 'hello', ha='center')
plt.annotate('min', xy=(0, 0))
plt.fill_between(x, 0, x**2)
plt.semilogy([1, 10, 100])
plt.show()
print('done', x.shape)
