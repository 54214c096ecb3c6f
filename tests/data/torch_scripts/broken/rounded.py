import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn(8, 4), torch.randint(0, 3, (8, 1)).float()
loss = (torch.round(model(x)) - y).pow(2).mean()  # <- zero-gradient
loss.backward()
opt.step()
