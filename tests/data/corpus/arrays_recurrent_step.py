# kind: arrays
import numpy as np

text = "hello world"
chars = sorted(set(text))
ix = {c: i for i, c in enumerate(chars)}
V, H = len(chars), 8
rng = np.random.RandomState(0)
Wxh, Whh, Why = rng.randn(H, V) * 0.1, rng.randn(H, H) * 0.1, rng.randn(V, H) * 0.1
bh, by = np.zeros((H, 1)), np.zeros((V, 1))


def pass_both_ways(inputs, targets, hprev):
    xs, hs, ps, loss = {}, {-1: np.copy(hprev)}, {}, 0
    for t in range(len(inputs)):
        xs[t] = np.zeros((V, 1))
        xs[t][inputs[t]] = 1
        hs[t] = np.tanh(np.dot(Wxh, xs[t]) + np.dot(Whh, hs[t - 1]) + bh)
        s = np.dot(Why, hs[t]) + by
        ps[t] = np.exp(s) / np.sum(np.exp(s))
        loss += -np.log(ps[t][targets[t], 0])
    dWxh, dWhh, dWhy = np.zeros_like(Wxh), np.zeros_like(Whh), np.zeros_like(Why)
    dbh, dby, dhnext = np.zeros_like(bh), np.zeros_like(by), np.zeros_like(hs[0])
    for t in reversed(range(len(inputs))):
        dy = np.copy(ps[t])
        dy[targets[t]] -= 1
        dWhy += np.dot(dy, hs[t].T)
        dby += dy
        draw = (1 - hs[t] * hs[t]) * (np.dot(Why.T, dy) + dhnext)
        dbh += draw
        dWxh += np.dot(draw, xs[t].T)
        dWhh += np.dot(draw, hs[t - 1].T)
        dhnext = np.dot(Whh.T, draw)
    for d in [dWxh, dWhh, dWhy, dbh, dby]:
        np.clip(d, -5, 5, out=d)
    return loss, [dWxh, dWhh, dWhy, dbh, dby], hs[len(inputs) - 1]


inputs, targets = [ix[c] for c in text[:-1]], [ix[c] for c in text[1:]]
memory = [np.zeros_like(p) for p in (Wxh, Whh, Why, bh, by)]
for n in range(61):
    loss, grads, h = pass_both_ways(inputs, targets, np.zeros((H, 1)))
    for p, d, m in zip([Wxh, Whh, Why, bh, by], grads, memory):
        m += d * d
        p += -0.1 * d / np.sqrt(m + 1e-8)
    if n % 20 == 0:
        print(n, f"{loss:.5f}")
print(h.ravel().round(3), grads[0].shape)
