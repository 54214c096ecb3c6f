import torch
from torch import nn

torch.manual_seed(0)
critic = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
opt = torch.optim.Adam(critic.parameters(), lr=1e-3)
x = torch.randn(8, 2)
for _ in range(2):
    x = x.detach().requires_grad_()
    score = critic(x)
    (grad,) = torch.autograd.grad(score.sum(), x, create_graph=True)
    loss = score.mean() + 10 * (grad.norm(dim=1) - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
