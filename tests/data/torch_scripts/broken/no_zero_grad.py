import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
opt = torch.optim.SGD(model.parameters(), lr=0.05)
x, y = torch.randn(20, 2), torch.randn(20, 1)
for epoch in range(5):
    loss = (model(x) - y).pow(2).mean()
    loss.backward()  # <- missing-zero-grad
    opt.step()
