# kind: arrays
import numpy as np
corpus = "the king loves the queen the queen loves the king the dog hates the cat".split()
vocab = sorted(set(corpus))
w2i = {w: i for i, w in enumerate(vocab)}
V, D = len(vocab), 3
pairs = [(w2i[corpus[i]], w2i[corpus[j]]) for i in range(len(corpus)) for j in (i - 1, i + 1) if 0 <= j < len(corpus)]
print(V, len(pairs), pairs[:4])
rng = np.random.RandomState(7)
E = rng.randn(V, D) * 0.1
O = rng.randn(D, V) * 0.1
for epoch in range(15):
    total = 0.0
    for c, o in pairs:
        h = E[c]
        u = h @ O
        p = np.exp(u - u.max()); p /= p.sum()
        total -= np.log(p[o])
        e = p.copy(); e[o] -= 1
        dO = np.outer(h, e)
        dh = O @ e
        O -= 0.1 * dO
        E[c] -= 0.1 * dh
    if epoch % 5 == 0:
        print(f'epoch {epoch}: {total / len(pairs):.4f}')
def cos(a, b):
    return a @ b / (np.linalg.norm(a) * np.linalg.norm(b))
sims = [(w, round(float(cos(E[w2i['king']], E[w2i[w]])), 3)) for w in vocab]
print(sorted(sims, key=lambda t: -t[1])[0])
co = np.zeros((V, V), dtype=np.int64)
for c, o in pairs:
    co[c, o] += 1
print(co)
print((co == co.T).all(), co.sum(axis=1))
np.add.at(co, ([0, 0], [1, 1]), 5)
print(co[0])
