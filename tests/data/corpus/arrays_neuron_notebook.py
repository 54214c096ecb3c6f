# kind: arrays
# In[1]:
import numpy as np
import matplotlib.pyplot as plt

# In[2]:
def sigmoid(z):
    return 1.0 / (1.0 + np.exp(-z))

z = np.linspace(-8, 8, 5)
sigmoid(z)
print(sigmoid(z))

# In[3]:
class LogisticNeuron:
    def __init__(self, n_inputs, lr=0.5):
        self.w = np.zeros(n_inputs)
        self.b = 0.0
        self.lr = lr
        self.costs = []

    def __call__(self, X):
        return sigmoid(X @ self.w + self.b)

    def step(self, X, y):
        a = self(X)
        m = X.shape[0]
        cost = -(y * np.log(a) + (1 - y) * np.log(1 - a)).mean()
        dz = a - y
        self.w -= self.lr * X.T.dot(dz) / m
        self.b -= self.lr * dz.mean()
        self.costs.append(cost)
        return cost

# In[4]:
AND_X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=np.float32)
AND_y = np.array([0, 0, 0, 1])
neuron = LogisticNeuron(2)
for epoch in range(200):
    c = neuron.step(AND_X, AND_y)
    if epoch % 50 == 0:
        print("Cost after epoch {}: {:.4f}".format(epoch, c))
print("weights:", neuron.w.round(4), "bias:", round(neuron.b, 4))
print((neuron(AND_X) > 0.5).astype(int))
plt.plot(neuron.costs)
plt.show()
neuron(AND_X).round(3)
