import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(2, 1)
for step in range(2):
    loss = net(torch.randn(4, 2)).pow(2).mean()
    net.zero_grad()
    loss.backward()
    for p in net.parameters():
        p = p - 0.1 * p.grad  # <- no-step
