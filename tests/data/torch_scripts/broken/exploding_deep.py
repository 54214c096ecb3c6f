import torch
from torch import nn

torch.manual_seed(0)
weights = [nn.Parameter(torch.randn(32, 32)) for _ in range(10)]
h = torch.randn(8, 32)
for w in weights:
    h = torch.relu(h @ w)  # <- exploding
loss = h.pow(2).mean()
loss.backward()
