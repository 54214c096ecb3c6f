# kind: arrays
import numpy as np
labels = [0, 2, 1]
one_hot = np.zeros((3, 3))
for row, label in enumerate(labels):
    one_hot[row, label] = 1
print(one_hot)
print(one_hot.sum(axis=0), one_hot.argmax(axis=1))
print(one_hot.reshape(-1)[:4], one_hot.tolist()[1])
