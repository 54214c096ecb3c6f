# kind: torch
import torch
import torch.nn.functional as F
words = ['anna', 'bob', 'carl']
chars = sorted(set(''.join(words)))
stoi = {c: i + 1 for i, c in enumerate(chars)}; stoi['.'] = 0
itos = {i: c for c, i in stoi.items()}
block_size = 2
X, Y = [], []
for w in words:
    context = [0] * block_size
    for ch in w + '.':
        ix = stoi[ch]
        X.append(context); Y.append(ix)
        print(''.join(itos[i] for i in context), '--->', itos[ix])
        context = context[1:] + [ix]
X = torch.tensor(X); Y = torch.tensor(Y)
print(X.shape, X.dtype, Y.shape, Y.dtype)
g = torch.Generator().manual_seed(2147483647)
C = torch.randn((len(stoi), 2), generator=g)
W1 = torch.randn((4, 10), generator=g)
b1 = torch.randn(10, generator=g)
W2 = torch.randn((10, len(stoi)), generator=g)
b2 = torch.randn(len(stoi), generator=g)
parameters = [C, W1, b1, W2, b2]
print(sum(p.nelement() for p in parameters))
for p in parameters:
    p.requires_grad = True
lossi = []
for i in range(10):
    ix = torch.randint(0, X.shape[0], (4,), generator=g)
    emb = C[X[ix]]
    h = torch.tanh(emb.view(-1, 4) @ W1 + b1)
    logits = h @ W2 + b2
    loss = F.cross_entropy(logits, Y[ix])
    for p in parameters:
        p.grad = None
    loss.backward()
    for p in parameters:
        p.data += -0.1 * p.grad
    lossi.append(loss.item())
print([round(l, 4) for l in lossi])
emb = C[X]
print(emb.shape, emb.view(emb.shape[0], -1).shape)
with torch.no_grad():
    h = torch.tanh(emb.view(-1, 4) @ W1 + b1)
    probs = F.softmax(h @ W2 + b2, dim=1)
    print(probs.argmax(dim=1))
