# kind: arrays
import numpy as np
np.random.seed(0)
labels = np.array([1, 0, 3, 2])
onehot = np.eye(4)[labels]
print(onehot)
oh = np.zeros((labels.size, labels.max() + 1))
oh[np.arange(labels.size), labels] = 1
print(oh.astype(int))
perm = np.random.permutation(len(labels))
print(perm)
print(labels[perm])
idx = np.arange(10)
np.random.shuffle(idx)
print(idx)
for start in range(0, 10, 4):
    batch = idx[start:start+4]
    print(start, batch, batch.sum())
