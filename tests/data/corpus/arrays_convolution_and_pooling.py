# kind: arrays
import numpy as np
def conv2d(img, k, stride=1, pad=0):
    if pad:
        img = np.pad(img, pad)
    H, W = img.shape
    kh, kw = k.shape
    out = np.zeros(((H - kh) // stride + 1, (W - kw) // stride + 1))
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            patch = img[i*stride:i*stride+kh, j*stride:j*stride+kw]
            out[i, j] = np.sum(patch * k)
    return out
img = np.array([[3, 0, 1, 2, 7, 4],
                [1, 5, 8, 9, 3, 1],
                [2, 7, 2, 5, 1, 3],
                [0, 1, 3, 1, 7, 8],
                [4, 2, 1, 6, 2, 8],
                [2, 4, 5, 2, 3, 9]])
vertical = np.array([[1, 0, -1]] * 3)
print(conv2d(img, vertical))
print(conv2d(img, vertical, stride=2, pad=1))
def maxpool(x, s=2):
    h, w = x.shape
    return x.reshape(h // s, s, w // s, s).max(axis=(1, 3))
print(maxpool(img))
print(np.pad([1, 2], (1, 2)), np.convolve([1, 2, 3], [0, 1, 0.5]))
print(np.pad(img[:2, :2], ((1, 0), (0, 1)), mode='constant', constant_values=9))
print(img[::-1, ::2], img.T[0], img.flatten()[:4], np.rot90(img[:2, :3]))
x = np.random.RandomState(0).rand(2, 3)
mask = np.random.RandomState(1).rand(*x.shape) < 0.5
print(x * mask / 0.5)
print(np.triu(np.ones((3, 3))), np.tril(np.ones((3, 3)), -1), np.diag([1, 2]))
