# kind: torch
import torch
import torch.nn.functional as F
words = ['emma', 'olivia', 'ava', 'mia']
chars = sorted(set(''.join(words)))
stoi = {s: i+1 for i, s in enumerate(chars)}
stoi['.'] = 0
itos = {i: s for s, i in stoi.items()}
N = torch.zeros((len(stoi), len(stoi)), dtype=torch.int32)
for w in words:
    chs = ['.'] + list(w) + ['.']
    for ch1, ch2 in zip(chs, chs[1:]):
        N[stoi[ch1], stoi[ch2]] += 1
print(N)
print(N[0])
P = (N + 1).float()
P /= P.sum(1, keepdim=True)
print(P[0].sum(), P.shape)
log_likelihood = 0.0
n = 0
for w in words[:2]:
    chs = ['.'] + list(w) + ['.']
    for ch1, ch2 in zip(chs, chs[1:]):
        prob = P[stoi[ch1], stoi[ch2]]
        logprob = torch.log(prob)
        log_likelihood += logprob
        n += 1
print(f'{log_likelihood=}')
nll = -log_likelihood
print(f'{nll/n}')
