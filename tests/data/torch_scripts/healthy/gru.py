import torch
from torch import nn

torch.manual_seed(0)
gru, out = nn.GRU(3, 5, batch_first=True), nn.Linear(5, 2)
opt = torch.optim.Adam([*gru.parameters(), *out.parameters()])
x, y = torch.randn(4, 6, 3), torch.randint(0, 2, (4,))
for _ in range(2):
    h, _ = gru(x)
    loss = nn.functional.cross_entropy(out(h[:, -1]), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
