import numpy as np
np.random.seed(0)
N, D, H, K = 6, 2, 5, 3
X = np.random.randn(N, D)
y = np.array([0, 1, 2, 2, 1, 0])
W = 0.5 * np.random.randn(D, H)
b = np.zeros((1, H))
W2 = 0.5 * np.random.randn(H, K)
b2 = np.zeros((1, K))
step_size, reg = 0.1, 1e-3
for i in range(2):
    hidden_layer = np.maximum(0, np.dot(X, W) + b)
    scores = np.dot(hidden_layer, W2) + b2
    exp_scores = np.exp(scores)
    probs = exp_scores / np.sum(exp_scores, axis=1, keepdims=True)
    correct_logprobs = -np.log(probs[range(N), y])
    data_loss = np.sum(correct_logprobs) / N
    reg_loss = 0.5 * reg * np.sum(W * W) + 0.5 * reg * np.sum(W2 * W2)
    loss = data_loss + reg_loss
    print(f"iteration {i}: loss {loss:.4f}")
    dscores = probs.copy()
    dscores[range(N), y] -= 1
    dscores /= N
    dW2 = np.dot(hidden_layer.T, dscores)
    db2 = np.sum(dscores, axis=0, keepdims=True)
    dhidden_layer = np.dot(dscores, W2.T)
    dhidden_layer[hidden_layer <= 0] = 0
    dW = np.dot(X.T, dhidden_layer)
    db = np.sum(dhidden_layer, axis=0, keepdims=True)
    dW2 += reg * W2
    dW += reg * W
    W += -step_size * dW
    b += -step_size * db
    W2 += -step_size * dW2
    b2 += -step_size * db2
