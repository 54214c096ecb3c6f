# kind: arrays
import numpy as np
import matplotlib.pyplot as plt
x = np.linspace(-10, 10, 100)
def sigmoid(x):
    return 1 / (1 + np.exp(-x))
def d_sigmoid(x):
    s = sigmoid(x)
    return s * (1 - s)
def relu(x):
    return np.maximum(0, x)
def leaky(x, a=0.01):
    return np.where(x > 0, x, a * x)
fig = plt.figure(figsize=(12, 4))
for i, (name, f) in enumerate([('sigmoid', sigmoid), ('relu', relu), ('leaky', leaky)], 1):
    ax = fig.add_subplot(1, 3, i)
    ax.plot(x, f(x))
    ax.set_title(name)
    print(name, f(np.array([-1.0, 0.0, 2.0])))
plt.tight_layout()
plt.show()
print(sigmoid(0), d_sigmoid(0.0), relu(-3), leaky(-3.0))
print(sigmoid(x).max(), sigmoid(x).argmax(), x[0], x[-1])
