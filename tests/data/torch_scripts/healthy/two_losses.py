import torch
from torch import nn

torch.manual_seed(0)
trunk, one, two = nn.Linear(4, 8), nn.Linear(8, 1), nn.Linear(8, 3)
opt = torch.optim.SGD([*trunk.parameters(), *one.parameters(), *two.parameters()], lr=0.1)
x, y, c = torch.randn(8, 4), torch.randn(8), torch.randint(0, 3, (8,))
for _ in range(2):
    opt.zero_grad()
    h = torch.relu(trunk(x))
    (one(h).squeeze(-1) - y).pow(2).mean().backward(retain_graph=True)
    nn.functional.cross_entropy(two(h), c).backward()
    opt.step()
