import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(3, 1)
x, y = torch.randn(6, 3), torch.randn(6, 1)
total = 0.0
for i in range(6):
    total += (model(x[i]) - y[i]).pow(2).sum().item()  # <- left-torch
loss = torch.tensor(total / 6)
loss.backward()
