# kind: torch
import torch
import torch.nn.functional as F

words = ["emma", "olivia", "ava", "isabella", "sophia", "mia", "amelia", "harper", "evelyn"]
chars = sorted(set("".join(words)))
stoi = {s: i + 1 for i, s in enumerate(chars)}
stoi["."] = 0
block, n_embd, n_hidden, vocab = 3, 4, 16, len(stoi)

X, Y = [], []
for w in words:
    context = [0] * block
    for ch in w + ".":
        X.append(context)
        Y.append(stoi[ch])
        context = context[1:] + [stoi[ch]]
X, Y = torch.tensor(X), torch.tensor(Y)
print(X.shape, Y.shape, vocab)

g = torch.Generator().manual_seed(2147483647)
C = torch.randn((vocab, n_embd), generator=g)
W1 = torch.randn((n_embd * block, n_hidden), generator=g) * (5 / 3) / ((n_embd * block) ** 0.5)
W2 = torch.randn((n_hidden, vocab), generator=g) * 0.01
b2 = torch.randn(vocab, generator=g) * 0
bngain, bnbias = torch.ones((1, n_hidden)), torch.zeros((1, n_hidden))
running_mean, running_std = torch.zeros((1, n_hidden)), torch.ones((1, n_hidden))
parameters = [C, W1, W2, b2, bngain, bnbias]
for p in parameters:
    p.requires_grad = True

for i in range(31):
    ix = torch.randint(0, X.shape[0], (32,), generator=g)
    emb = C[X[ix]]
    hpreact = emb.view(emb.shape[0], -1) @ W1
    mean, std = hpreact.mean(0, keepdim=True), hpreact.std(0, keepdim=True)
    h = torch.tanh(bngain * (hpreact - mean) / std + bnbias)
    with torch.no_grad():
        running_mean = 0.9 * running_mean + 0.1 * mean
        running_std = 0.9 * running_std + 0.1 * std
    logits = h @ W2 + b2
    loss = F.cross_entropy(logits, Y[ix])
    for p in parameters:
        p.grad = None
    loss.backward()
    for p in parameters:
        p.data += -0.1 * p.grad
    if i % 10 == 0:
        print(f"{i:3d}: {loss.item():.4f}")

with torch.no_grad():
    hpreact = C[X].view(X.shape[0], -1) @ W1
    h = torch.tanh(bngain * (hpreact - running_mean) / running_std + bnbias)
    print(f"{F.cross_entropy(h @ W2 + b2, Y).item():.4f}")
    print(running_std.shape, (h.abs() > 0.97).float().mean().item() < 0.5)
