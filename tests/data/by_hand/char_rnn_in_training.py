import numpy as np

np.random.seed(2)
n, hidden = 3, 4
Wxh, Whh = np.random.randn(hidden, n) * 0.5, np.random.randn(hidden, hidden) * 0.5
Why, bh, by = np.random.randn(n, hidden) * 0.5, np.zeros((hidden, 1)), np.zeros((n, 1))


def loss_function(inputs, targets, before):
    xs, hs, ps = {}, {-1: np.copy(before)}, {}
    loss = 0
    for t in range(len(inputs)):
        xs[t] = np.zeros((n, 1))
        xs[t][inputs[t]] = 1
        hs[t] = np.tanh(np.dot(Wxh, xs[t]) + np.dot(Whh, hs[t - 1]) + bh)
        y = np.dot(Why, hs[t]) + by
        ps[t] = np.exp(y) / np.sum(np.exp(y))
        loss += -np.log(ps[t][targets[t], 0])
    dWxh, dWhh, dWhy = np.zeros_like(Wxh), np.zeros_like(Whh), np.zeros_like(Why)
    dbh, dby, dhnext = np.zeros_like(bh), np.zeros_like(by), np.zeros_like(hs[0])
    for t in reversed(range(len(inputs))):
        dy = np.copy(ps[t])
        dy[targets[t]] -= 1
        dWhy += np.dot(dy, hs[t].T)
        dby += dy
        dh = np.dot(Why.T, dy) + dhnext
        dhraw = (1 - hs[t] * hs[t]) * dh
        dbh += dhraw
        dWxh += np.dot(dhraw, xs[t].T)
        dWhh += np.dot(dhraw, hs[t - 1].T)
        dhnext = np.dot(Whh.T, dhraw)
    for dparam in [dWxh, dWhh, dWhy, dbh, dby]:
        np.clip(dparam, -5, 5, out=dparam)
    return loss, dWxh, dWhh, dWhy, dbh, dby, hs[len(inputs) - 1]


h = np.zeros((hidden, 1))
for step in range(2):
    loss, *gradients, h = loss_function([0, 1, 2], [1, 2, 0], h)
    for parameter, gradient in zip([Wxh, Whh, Why, bh, by], gradients):
        parameter -= 0.1 * gradient
    print(step, loss)
