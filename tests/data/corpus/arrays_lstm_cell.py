# kind: arrays
import numpy as np
def sigmoid(x): return 1 / (1 + np.exp(-x))
np.random.seed(5)
n_x, n_a, T = 3, 4, 3
x = np.random.randn(n_x, T)
a = np.zeros((n_a, 1)); c = np.zeros((n_a, 1))
Wf, Wi, Wc, Wo = (np.random.randn(n_a, n_a + n_x) * 0.5 for _ in range(4))
bf = bi = bc = bo = np.zeros((n_a, 1))
for t in range(T):
    concat = np.concatenate((a, x[:, [t]]))
    ft = sigmoid(Wf @ concat + bf)
    it = sigmoid(Wi @ concat + bi)
    cct = np.tanh(Wc @ concat + bc)
    c = ft * c + it * cct
    ot = sigmoid(Wo @ concat + bo)
    a = ot * np.tanh(c)
    print("t =", t, "a =", a.ravel())
print(c.T, a.shape, concat.shape)
print(np.vstack((a, c)).squeeze().shape)
print(np.hsplit(np.arange(8).reshape(2, 4), 2))
print(np.array_split(np.arange(7), 3))
print(np.dstack(([1, 2], [3, 4])).shape, np.block([[np.eye(2), np.zeros((2, 1))], [np.ones((1, 3))]]))
