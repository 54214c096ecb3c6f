import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 4), nn.Sigmoid())
out = nn.Linear(4, 1)
x = torch.randn(5, 3)
h = model(x)
h += 1.0  # <- in-place
loss = out(h).sum()
loss.backward()
