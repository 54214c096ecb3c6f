# kind: network
import math
import random
random.seed(5)

vocab = sorted(set("hello world"))
stoi = {c: i for i, c in enumerate(vocab)}
itos = {i: c for c, i in stoi.items()}
print(''.join(vocab), len(vocab), stoi['o'], itos[3])

text = "hello world hello"
pairs = [(stoi[a], stoi[b]) for a, b in zip(text, text[1:])]
V = len(vocab)
W = [[random.gauss(0, .1) for _ in range(V)] for _ in range(V)]

def probs(row):
    m = max(row)
    e = [math.exp(r - m) for r in row]
    s = sum(e)
    return [x / s for x in e]

for step in range(40):
    loss = 0.0
    grad = [[0.0] * V for _ in range(V)]
    for a, b in pairs:
        p = probs(W[a])
        loss -= math.log(p[b]) / len(pairs)
        for j in range(V):
            grad[a][j] += (p[j] - (j == b)) / len(pairs)
    for i in range(V):
        for j in range(V):
            W[i][j] -= 5.0 * grad[i][j]
    if step % 10 == 0:
        print(f"{step:>3}: {loss:.4f}")
out, c = [], stoi['h']
for _ in range(8):
    out.append(itos[c])
    c = random.choices(range(V), weights=probs(W[c]))[0]
print(''.join(out).replace(' ', '_'))
