import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 1))
opt = torch.optim.Adam(model.parameters())
x, y = torch.randn(32, 3), torch.randn(32)
for _ in range(2):
    opt.zero_grad()
    loss = ((model(x) - y) ** 2).mean()  # <- broadcast
    loss.backward()
    opt.step()
