import torch
from torch import nn

torch.manual_seed(0)
backbone, head = nn.Linear(4, 4), nn.Linear(4, 1)
opt = torch.optim.SGD([*backbone.parameters(), *head.parameters()], lr=0.1)
x, y = torch.randn(8, 4), torch.randn(8, 1)
for _ in range(2):
    opt.zero_grad()
    with torch.no_grad():
        h = torch.relu(backbone(x))  # <- no-grad
    loss = (head(h) - y).pow(2).mean()
    loss.backward()
    opt.step()
