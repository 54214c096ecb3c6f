import torch
from torch import nn

torch.manual_seed(0)
backbone, head = nn.Linear(6, 8), nn.Linear(8, 2)
for p in backbone.parameters():
    p.requires_grad = False
opt = torch.optim.Adam(head.parameters(), lr=1e-2)
x, y = torch.randn(10, 6), torch.randint(0, 2, (10,))
for _ in range(2):
    with torch.no_grad():
        features = torch.relu(backbone(x))
    loss = nn.functional.cross_entropy(head(features), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
