import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    opt.zero_grad()
    for micro in range(4):
        x, y = torch.randn(8, 4), torch.randn(8, 1)
        loss = (model(x) - y).pow(2).mean() / 4
        loss.backward()
    opt.step()
