import copy

import torch
from torch import nn

torch.manual_seed(0)
online = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
target = copy.deepcopy(online)
opt = torch.optim.Adam(online.parameters(), lr=1e-3)
for _ in range(3):
    s, s2, r = torch.randn(8, 4), torch.randn(8, 4), torch.randn(8)
    a = torch.randint(0, 2, (8,))
    q = online(s).gather(1, a[:, None]).squeeze(1)
    with torch.no_grad():
        wanted = r + 0.9 * target(s2).max(1).values
    loss = nn.functional.smooth_l1_loss(q, wanted)
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        for p, t in zip(online.parameters(), target.parameters()):
            t.mul_(0.99).add_(p, alpha=0.01)
