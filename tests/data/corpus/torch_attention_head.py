# kind: torch
import torch
import torch.nn as nn
from torch.nn import functional as F
torch.manual_seed(1337)
B, T, C = 2, 4, 6
x = torch.randn(B, T, C)
xbow = torch.zeros((B, T, C))
for b in range(B):
    for t in range(T):
        xbow[b, t] = torch.mean(x[b, :t+1], 0)
wei = torch.tril(torch.ones(T, T))
wei = wei / wei.sum(1, keepdim=True)
xbow2 = wei @ x
print(torch.allclose(xbow, xbow2, atol=1e-6))
tril = torch.tril(torch.ones(T, T))
wei = torch.zeros((T, T))
wei = wei.masked_fill(tril == 0, float('-inf'))
wei = F.softmax(wei, dim=-1)
print(wei)
print(torch.allclose(xbow, wei @ x, atol=1e-6))
head_size = 4
key = nn.Linear(C, head_size, bias=False)
query = nn.Linear(C, head_size, bias=False)
value = nn.Linear(C, head_size, bias=False)
k, q = key(x), query(x)
wei = q @ k.transpose(-2, -1) * head_size**-0.5
wei = wei.masked_fill(tril == 0, float('-inf'))
wei = F.softmax(wei, dim=-1)
out = wei @ value(x)
print(out.shape)
print(wei[0])
print(q.var().item() > 0, wei.sum(-1))
class Head(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.key = nn.Linear(C, n, bias=False)
        self.register_buffer('tril', torch.tril(torch.ones(T, T)))
    def forward(self, x):
        return self.key(x) * self.tril[0, 0]
print(Head(2)(x).shape, len(list(Head(2).parameters())))
ln = nn.LayerNorm(C)
print(ln(x).mean(-1).abs().max() < 1e-5, ln(x).std(-1, unbiased=False)[0])
