import torch
from torch import nn

torch.manual_seed(0)
cell, out = nn.RNNCell(3, 5), nn.Linear(5, 1)
opt = torch.optim.SGD([*cell.parameters(), *out.parameters()], lr=0.1)
h = torch.zeros(4, 5)
for step in range(3):
    x, y = torch.randn(4, 3), torch.randn(4, 1)
    h = cell(x, h)  # <- second-backward
    loss = (out(h) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
