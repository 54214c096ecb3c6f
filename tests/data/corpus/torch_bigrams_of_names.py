# kind: torch
import torch
import torch.nn.functional as F
words = ["emma", "olivia", "ava"]
chars = sorted(list(set(''.join(words))))
stoi = {s:i+1 for i,s in enumerate(chars)}
stoi['.'] = 0
itos = {i:s for s,i in stoi.items()}
print(stoi)
N = torch.zeros((len(stoi), len(stoi)), dtype=torch.int32)
for w in words:
  chs = ['.'] + list(w) + ['.']
  for ch1, ch2 in zip(chs, chs[1:]):
    ix1 = stoi[ch1]
    ix2 = stoi[ch2]
    N[ix1, ix2] += 1
print(N)
print(N[0])
p = N[0].float()
p = p / p.sum()
print(p)
P = (N+1).float()
P /= P.sum(1, keepdims=True)
print(P.shape, P[0].sum())
log_likelihood = 0.0
n = 0
for w in words[:2]:
  chs = ['.'] + list(w) + ['.']
  for ch1, ch2 in zip(chs, chs[1:]):
    prob = P[stoi[ch1], stoi[ch2]]
    logprob = torch.log(prob)
    log_likelihood += logprob
    n += 1
    print(f'{ch1}{ch2}: {prob:.4f} {logprob:.4f}')
nll = -log_likelihood
print(f'{nll/n=}')
# create the training set
xs, ys = [], []
for w in words[:1]:
  chs = ['.'] + list(w) + ['.']
  for ch1, ch2 in zip(chs, chs[1:]):
    xs.append(stoi[ch1]); ys.append(stoi[ch2])
xs = torch.tensor(xs)
ys = torch.tensor(ys)
xenc = F.one_hot(xs, num_classes=len(stoi)).float()
print(xenc.shape, xenc.dtype, xs.nelement())
W = torch.zeros((len(stoi), len(stoi)), requires_grad=True)
for k in range(5):
  logits = xenc @ W
  counts = logits.exp()
  probs = counts / counts.sum(1, keepdims=True)
  loss = -probs[torch.arange(5), ys].log().mean() + 0.01*(W**2).mean()
  W.grad = None
  loss.backward()
  W.data += -10 * W.grad
  print(f'{loss.item():.4f}')
print(F.cross_entropy(xenc @ W, ys).item() < 1.5)
