# kind: torch
import torch
import torch.nn.functional as F
g = torch.Generator().manual_seed(2147483647)
words = ['emma', 'ava', 'mia']
chars = sorted(list(set(''.join(words))))
stoi = {s:i+1 for i,s in enumerate(chars)}
stoi['.'] = 0
itos = {i:s for s,i in stoi.items()}
block_size = 2
X, Y = [], []
for w in words:
    context = [0] * block_size
    for ch in w + '.':
        ix = stoi[ch]
        X.append(context)
        Y.append(ix)
        context = context[1:] + [ix]
X = torch.tensor(X)
Y = torch.tensor(Y)
print(X.shape, X.dtype, Y.shape)
C = torch.randn((len(stoi), 2), generator=g)
W1 = torch.randn((4, 6), generator=g)
b1 = torch.randn(6, generator=g)
W2 = torch.randn((6, len(stoi)), generator=g)
b2 = torch.randn(len(stoi), generator=g)
parameters = [C, W1, b1, W2, b2]
print(sum(p.nelement() for p in parameters))
for p in parameters:
    p.requires_grad = True
for k in range(5):
    emb = C[X]
    h = torch.tanh(emb.view(-1, 4) @ W1 + b1)
    logits = h @ W2 + b2
    loss = F.cross_entropy(logits, Y)
    for p in parameters:
        p.grad = None
    loss.backward()
    for p in parameters:
        p.data += -0.1 * p.grad
    print(f"{loss.item():.4f}")
