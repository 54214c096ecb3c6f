# kind: arrays
import numpy as np
N, D, K = 5, 2, 3
X = np.zeros((N*K, D))
y = np.zeros(N*K, dtype='uint8')
for j in range(K):
    ix = range(N*j, N*(j+1))
    r = np.linspace(0.0, 1, N)
    t = np.linspace(j*4, (j+1)*4, N)
    X[ix] = np.c_[r*np.sin(t), r*np.cos(t)]
    y[ix] = j
print(X[:3], y)
np.random.seed(0)
W = 0.01 * np.random.randn(D, K)
b = np.zeros((1, K))
for i in range(10):
    scores = np.dot(X, W) + b
    exp_scores = np.exp(scores)
    probs = exp_scores / np.sum(exp_scores, axis=1, keepdims=True)
    correct_logprobs = -np.log(probs[range(N*K), y])
    loss = np.sum(correct_logprobs) / (N*K) + 0.5 * 1e-3 * np.sum(W*W)
    if i % 3 == 0:
        print("iteration %d: loss %f" % (i, loss))
    dscores = probs
    dscores[range(N*K), y] -= 1
    dscores /= N*K
    W += -1.0 * (np.dot(X.T, dscores) + 1e-3*W)
    b += -1.0 * np.sum(dscores, axis=0, keepdims=True)
print('training accuracy: %.2f' % (np.mean(np.argmax(np.dot(X, W) + b, axis=1) == y)))
