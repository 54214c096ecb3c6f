import torch

torch.manual_seed(0)
p = torch.randn(6, 2, requires_grad=True)
wanted = torch.rand(6, 6)
opt = torch.optim.Adam([p], lr=0.1)
for _ in range(3):
    difference = p[:, None] - p[None, :]
    distance = (difference.pow(2).sum(-1) + 1e-6).sqrt()
    loss = (distance - wanted).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
