import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(2, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.05)
x, y = torch.randn(20, 2), torch.randn(20, 1)
for epoch in range(3):
    loss = (model(x) - y).pow(2).mean()
    loss.backward()
    opt.zero_grad()
    opt.step()  # <- zeroed-before-step
