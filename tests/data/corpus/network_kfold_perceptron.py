# kind: network
import random
import statistics as st
from itertools import chain
from operator import attrgetter, itemgetter

random.seed(2024)
blob = lambda cx, cy, n, label: [((random.gauss(cx, .7), random.gauss(cy, .7)), label) for _ in range(n)]
data = blob(-1, -1, 12, 0) + blob(1, 1, 12, 1)
random.shuffle(data)

def folds(rows, k):
    for i in range(k):
        test = rows[i::k]
        train = list(chain.from_iterable(rows[j::k] for j in range(k) if j != i))
        yield train, test

class Perceptron:
    def __init__(self, dim):
        self.w, self.b, self.updates = [0.0] * dim, 0.0, 0
    def score(self, x): return sum(w * xi for w, xi in zip(self.w, x)) + self.b
    def __matmul__(self, x): return int(self.score(x) > 0)
    def fit(self, rows, epochs=5, lr=0.1):
        for _ in range(epochs):
            for x, t in rows:
                if (err := t - self @ x):
                    self.w = [w + lr * err * xi for w, xi in zip(self.w, x)]
                    self.b += lr * err
                    self.updates += 1
        return self

accs, models = [], []
for n, (train, test) in enumerate(folds(data, 4), 1):
    m = Perceptron(2).fit(train)
    acc = sum(m @ x == t for x, t in test) / len(test)
    accs.append(acc); models.append(m)
    print(f"fold {n}: {len(train)}/{len(test)} acc={acc:.3f} updates={m.updates}")
print(f"{st.mean(accs):.3f} ± {st.stdev(accs):.3f}  median {st.median(accs):.3f}")
best = max(models, key=attrgetter("updates"))
print(sorted(map(attrgetter("updates"), models)), [round(w, 3) for w in best.w])
print(sorted(data, key=lambda r: r[0][0])[0][1], max(map(itemgetter(1), data)))
