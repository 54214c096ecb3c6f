import torch
from torch import nn

torch.manual_seed(0)
mu, logvar, dec = nn.Linear(6, 2), nn.Linear(6, 2), nn.Linear(2, 6)
opt = torch.optim.Adam([*mu.parameters(), *logvar.parameters(), *dec.parameters()])
x = torch.rand(12, 6)
for _ in range(2):
    m, s = mu(x), logvar(x)
    z = m + torch.randn_like(m) * (0.5 * s).exp()
    rebuilt = torch.sigmoid(dec(z))
    kl = -0.5 * (1 + s - m.pow(2) - s.exp()).mean()
    loss = nn.functional.binary_cross_entropy(rebuilt, x) + kl
    opt.zero_grad()
    loss.backward()
    opt.step()
