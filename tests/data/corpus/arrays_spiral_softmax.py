# kind: arrays
import numpy as np
rng = np.random.RandomState(1)
N, D, C = 30, 2, 3
X = np.zeros((N, D)); y = np.zeros(N, dtype='uint8')
per = N // C
for j in range(C):
    ix = range(per*j, per*(j+1))
    r = np.linspace(0.0, 1, per)
    t = np.linspace(j*4, (j+1)*4, per) + rng.randn(per)*0.2
    X[ix] = np.c_[r*np.sin(t), r*np.cos(t)]
    y[ix] = j
W = 0.01 * rng.randn(D, C)
b = np.zeros((1, C))
step_size = 1e-0
reg = 1e-3
num_examples = X.shape[0]
for i in range(100):
    scores = np.dot(X, W) + b
    exp_scores = np.exp(scores)
    probs = exp_scores / np.sum(exp_scores, axis=1, keepdims=True)
    correct_logprobs = -np.log(probs[range(num_examples), y])
    data_loss = np.sum(correct_logprobs)/num_examples
    reg_loss = 0.5*reg*np.sum(W*W)
    loss = data_loss + reg_loss
    if i % 20 == 0:
        print("iteration %d: loss %f" % (i, loss))
    dscores = probs
    dscores[range(num_examples),y] -= 1
    dscores /= num_examples
    dW = np.dot(X.T, dscores)
    db = np.sum(dscores, axis=0, keepdims=True)
    dW += reg*W
    W += -step_size * dW
    b += -step_size * db
predicted_class = np.argmax(np.dot(X, W) + b, axis=1)
print('training accuracy: %.2f' % (np.mean(predicted_class == y)))
print(predicted_class)
print(y, y.dtype)
print(np.bincount(predicted_class), np.unique(y, return_counts=True))
