import torch
from torch import nn

torch.manual_seed(0)
d = 8
q, k, v = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)
x = torch.randn(1, 4, d)
pad = torch.ones(1, 4, 4, dtype=torch.bool)
pad[0, 0] = False
scores = q(x) @ k(x).transpose(-2, -1) / d**0.5
scores = scores.masked_fill(~pad, float("-inf"))
weights = scores.softmax(-1)  # <- nan
loss = (weights @ v(x)).pow(2).mean()
loss.backward()
